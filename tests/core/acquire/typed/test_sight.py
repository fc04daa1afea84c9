"""Where holdings are hidden, nothing that the others have makes a difference; where two play, their shares are known."""

from collections.abc import Iterator

import pytest

from core.acquire.deal import deal, shuffled
from core.acquire.players.player import Player
from core.acquire.programs.expression import Expression
from core.acquire.programs.prefix import LEAF, SUBTRACT
from core.acquire.rules.rules import PRESETS, Rules, rules_from_text
from core.acquire.rules.setting import Setting
from core.acquire.state import AcquireState
from core.acquire.table import BANK, CASH, ROW, SEAT, SHARES
from core.acquire.typed import slots
from core.acquire.typed.player import TypedPlayer
from core.acquire.typed.sight import Sight
from core.acquire.typed.view import ChainView
from core.random import Random
from tests.core.acquire.tables import random_game

AHEAD = (SUBTRACT, LEAF + slots.MY_WORTH, LEAF + slots.BEST_OTHER_WORTH)


def hidden(name: str) -> Rules:
    return rules_from_text(name, PRESETS[name].text().replace("holdings open", "holdings hidden"))


def greedy() -> TypedPlayer:
    place, buy, found, survivor, dispose = (
        ChainView(Expression(AHEAD, (), slots.FEATURES)) for _ in range(5)
    )
    return TypedPlayer(place, buy, found, survivor, None, dispose, 0, 0, 0, 0)


def otherwise(state: AcquireState, rng: Random) -> AcquireState:
    """What the others hold is dealt out among them anew, and their cash is any."""
    other = state.clone()
    table = other.table
    seat = table[SEAT]
    others = [each for each in range(state.setting.seats) if each != seat]
    for chain in range(state.setting.chains):
        shares = sum([table[SHARES + ROW * each + chain] for each in others])
        for each in others:
            table[SHARES + ROW * each + chain] = 0
        for _ in range(shares):
            table[SHARES + ROW * others[rng.below(len(others))] + chain] += 1
    for each in others:
        table[CASH + each] = 100 * rng.below(200)
    return other


def games(setting: Setting) -> Iterator[AcquireState]:
    for seed in range(3):
        yield from (state for state in random_game(setting, seed) if not state.is_terminal())


@pytest.mark.parametrize(("name", "seats"), [("classic", 4), ("thesis-7", 3), ("tlstyer", 6)])
def test_what_is_hidden_makes_no_difference(name: str, seats: int) -> None:
    player = greedy()
    rng = Random(1)
    for state in games(Setting(hidden(name), seats)):
        assert player.choose(state, Random(3)) == player.choose(otherwise(state, rng), Random(3))


def test_it_does_where_holdings_are_open() -> None:
    player = greedy()
    rng = Random(1)
    assert any(
        player.choose(state, Random(3)) != player.choose(otherwise(state, rng), Random(3))
        for state in games(Setting(PRESETS["classic"], 4))
    )


def test_shares_add_up_and_two_players_know_them_all() -> None:
    sight = Sight()
    for seats in (2, 5):
        for state in games(Setting(hidden("classic"), seats)):
            seen = sight.of(state)
            own = state.table[SEAT]
            for chain in range(7):
                rows = [
                    [int(each.table[SHARES + ROW * seat + chain]) for seat in range(seats)]
                    for each in (state, seen)
                ]
                assert sum(rows[0]) == sum(rows[1]) == 25 - state.table[BANK + chain]
                assert rows[0][own] == rows[1][own]
                assert seats > 2 or rows[0] == rows[1]
            assert seen.table[CASH + own] == state.table[CASH + own]
            assert sum([seen.table[CASH + seat] for seat in range(seats) if seat != own]) == 0


def test_whole_games_can_be_played() -> None:
    setting = Setting(hidden("thesis-7"), 3)
    state, rng = AcquireState(setting), Random(5)
    deal(state, shuffled(setting, Random(4)))
    players = [greedy(), greedy(), Player()]
    while not state.is_terminal():
        action = players[state.player()].choose(state, rng)
        assert action in state.legal_actions()
        state.apply(action)
