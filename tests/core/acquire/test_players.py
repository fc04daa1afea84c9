"""The players inside the core: legal, repeatable, blind to what their seats cannot see."""

import pytest

from core.acquire.actions import DECLARE_END
from core.acquire.expert import Expert
from core.acquire.look_ahead import LookAhead
from core.acquire.players import (
    ALWAYS,
    MULTISET_UNIFORM,
    NEVER,
    RANDOM_SPLIT,
    SELL_ALL,
    TRADE_THEN_SELL,
    Heuristic,
    Player,
    pick,
    pick_bit,
)
from core.acquire.playout import GameRunner, MonteCarlo
from core.acquire.rules import PRESETS, GameSpec
from core.acquire.rules_of_thumb import RulesOfThumb
from core.acquire.state import AcquireState
from core.random import Random
from engines.acquire.rules_genome import RulesGenome
from tests.core.acquire.tables import KINDS_OF_TABLE, phase, play, position, random_game, table_name, texts

FOUNDER = RulesGenome.founder().values()
PLAYERS = {
    "random": Player(),
    "sells": Player(SELL_ALL, ALWAYS, MULTISET_UNIFORM),
    "splits": Player(RANDOM_SPLIT, NEVER),
    "heuristic": Heuristic(),
    "expert": Expert(),
    "mc-2": MonteCarlo(2),
    "rules": RulesOfThumb(FOUNDER),
    "search-8": LookAhead(Heuristic(), Heuristic(), 8),
}
PUBLIC = PRESETS["tlstyer"]


@pytest.mark.parametrize("setting", KINDS_OF_TABLE[::4], ids=table_name)
@pytest.mark.parametrize("name", PLAYERS)
def test_choices_are_legal_and_depend_only_on_visible_facts(name: str, setting: GameSpec) -> None:
    player = PLAYERS[name]
    for number, state in enumerate(random_game(setting, 3)):
        if state.is_terminal():
            break
        action = player.choose(state, Random(number))
        assert action in state.legal_actions()
        assert player.choose(state, Random(number)) == action
        for other in (state.resample(state.player(), Random(9)), state.observation(state.player())):
            assert player.choose(other, Random(number)) == action, "hidden tiles have been looked at"


def test_players_dispose_of_shares_and_end_by_their_settings() -> None:
    """What a player does with its shares, and when it ends."""
    state = position(PUBLIC, {"L": "3E 4E", "T": "6E 7E 8E"}, ["5E 1A", "1I"], shares=["LLLLL", ""])
    play(state, ["5E"])
    rng = Random(1)
    chosen = {
        disposing: {state.action_text(int(Player(disposing).choose(state, rng))) for _ in range(200)}
        for disposing in (TRADE_THEN_SELL, SELL_ALL, RANDOM_SPLIT)
    }
    assert chosen[TRADE_THEN_SELL] == {"trade 4 sell 1"} and chosen[SELL_ALL] == {"trade 0 sell 5"}
    assert chosen[RANDOM_SPLIT] == set(texts(state))
    state = position(PUBLIC, {"L": "1E-11E"}, ["5A 1A", "1I"], phase="buy")
    ends = {
        ending: sum(int(Player(0, ending).choose(state, rng)) >= DECLARE_END for _ in range(400))
        for ending in range(3)
    }
    assert ends[ALWAYS] == 400 and ends[NEVER] == 0 and 150 < ends[0] < 250


def test_random_purchases_are_uniform_over_counts_or_over_sets() -> None:
    state = position(PUBLIC, {"L": "1E 2E", "T": "4E 5E"}, ["5A 1A", "1I"], phase="buy")
    rng = Random(1)
    counts = {"k": [0] * 4, "sets": [0] * 4}
    for name, player in (("k", Player()), ("sets", Player(buying=MULTISET_UNIFORM))):
        for _ in range(4000):
            text = state.action_text(int(player.choose(state, rng)))
            counts[name][0 if "nothing" in text else len(text.split()) - 1] += 1
    assert all(900 < count < 1100 for count in counts["k"])
    assert all(abs(count - 400 * (size + 1)) < 120 for size, count in enumerate(counts["sets"]))


def test_the_heuristic_founds_buys_and_ends_by_its_rules() -> None:
    """It founds first, buys where it is close behind, and ends when it is ahead."""
    heuristic, rng = Heuristic(), Random(1)
    state = position(PUBLIC, {"o": "5H", "L": "1A 2A"}, ["5I 3A 9C", "1I"], shares=["LLLLL", ""])
    assert state.action_text(int(heuristic.choose(state, rng))) == "5I"
    state = position(PUBLIC, {"L": "1A 2A", "T": "5A 6A"}, ["3A 7A 9C", "1I"], shares=["LLLLL", "TTT"])
    assert state.action_text(int(heuristic.choose(state, rng))) == "3A"
    state = position(PUBLIC, {"L": "1A 2A", "T": "5A 6A"}, ["3A", "1I"], shares=["L" * 9, "TT"], phase="buy")
    assert state.action_text(int(heuristic.choose(state, rng))) == "buy Tower Tower Tower"
    for owned, ends in ((["L", ""], True), (["", "L"], False), (["", ""], False)):
        state = position(PUBLIC, {"L": "1E-11E"}, ["5A", "1I"], shares=owned, phase="buy", cash=[0, 0])
        assert (int(heuristic.choose(state, rng)) >= DECLARE_END) == ends


@pytest.mark.parametrize(
    ("defunct", "cash", "chosen"),
    [
        ("L", 1100, "trade 4 sell 1"),
        ("L", 1000, "trade 0 sell 5"),  # $2,000 with the bonus is too little
        ("I", 4000, "trade 0 sell 5"),  # a share of $600 for two that cost $400 at least
    ],
)
def test_the_heuristic_trades_when_cash_and_prices_allow(defunct: str, cash: int, chosen: str) -> None:
    chains = {defunct: "3E 4E", "T": "6E 7E 8E"}
    owned = [defunct * 6, defunct * 5]
    state = position(PUBLIC, chains, ["5E", "1I"], shares=owned, cash=[0, cash])
    play(state, ["5E", "trade 0 sell 0"])
    assert phase(state) == "dispose" and state.player() == 1
    assert state.action_text(int(Heuristic().choose(state, Random(1)))) == chosen


def test_a_game_is_a_function_of_its_seed_and_players() -> None:
    tables = GameRunner(GameSpec(PUBLIC, 3))
    players = [Heuristic(), Player(), MonteCarlo(1)]
    first = [tables.play(players, rotation, 5) for rotation in range(3)]
    assert [GameRunner(GameSpec(PUBLIC, 3)).play(players, rotation, 5) for rotation in range(3)] == first
    assert len({tuple(worths) for worths in first}) == 3


def test_rotation_gives_each_player_each_seat_of_the_same_bag() -> None:
    """Equal players who roll alike would make the same money in the same seat."""
    tables = GameRunner(GameSpec(PRESETS["classic"], 3))

    class FirstActionPlayer(Player):
        """Takes the first legal action."""

        def choose(self, state: AcquireState, rng: Random) -> int:
            return state.legal_actions()[0]

    players: list[Player] = [FirstActionPlayer(), FirstActionPlayer(), FirstActionPlayer()]
    by_seat = []
    for rotation in range(3):
        worths = tables.play(players, rotation, 11)
        by_seat.append([worths[(seat + rotation) % 3] for seat in range(3)])
    assert by_seat[0] == by_seat[1] == by_seat[2]


def test_random_picks_are_uniform() -> None:
    rng = Random(3)
    counts = [0] * 7
    for _ in range(7000):
        counts[int(pick(rng, 7))] += 1
    assert all(880 < count < 1120 for count in counts)
    assert {int(pick_bit(rng, 0b1010010)) for _ in range(100)} == {1, 4, 6}
    again = Random(3)
    before = again.bits()
    again = Random(3)
    assert pick_bit(again, 8) == 3 and again.bits() == before  # nothing is drawn for a single one


def test_monte_carlo_without_games_is_refused() -> None:
    with pytest.raises(ValueError, match="at least 1 game"):
        MonteCarlo(0)


def test_looking_ahead_beats_the_heuristic_that_it_imagines() -> None:
    runner = GameRunner(GameSpec(PRESETS["thesis-7"], 2))
    players: list[Player] = [LookAhead(Heuristic(), Heuristic(), 100), Heuristic()]
    worths = [runner.play(players, game % 2, game // 2) for game in range(20)]
    assert sum(own > other for own, other in worths) >= 15


def test_looking_ahead_without_playouts_is_refused() -> None:
    with pytest.raises(ValueError, match="at least 1 playout"):
        LookAhead(Heuristic(), Heuristic(), 0)
