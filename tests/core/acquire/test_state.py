"""What holds in every state of every game: nothing is lost, and trials, copies and texts leave no trace."""

import pickle

import pytest

from core.acquire import layout
from core.acquire.layout import BIT
from core.acquire.notation import board_rows, from_text, hand_of, to_text
from core.acquire.rules import GameSpec, tiles
from core.acquire.state import AcquireState
from tests.core.acquire.tables import KINDS_OF_TABLE, random_game, table_name


@pytest.mark.parametrize("setting", KINDS_OF_TABLE, ids=table_name)
def test_nothing_is_lost(setting: GameSpec) -> None:
    for seed in range(2):
        for state in random_game(setting, seed):
            check(state)


@pytest.mark.slow
@pytest.mark.timeout(7200)
def test_nothing_is_lost_in_ten_thousand_games() -> None:
    for seed in range(10_000):
        for state in random_game(KINDS_OF_TABLE[seed % len(KINDS_OF_TABLE)], seed):
            check(state)


@pytest.mark.parametrize("setting", KINDS_OF_TABLE[::3], ids=table_name)
def test_a_trial_is_taken_back(setting: GameSpec) -> None:
    for state in random_game(setting, 5):
        if state.is_terminal():
            continue
        before = to_text(state)
        hidden = [int(tile) for tile in state.bag]
        for action in state.legal_actions():
            state.mark()
            state.play(action)
            while state.fields[layout.PHASE] != layout.BUY:
                state.play(state.legal_actions()[0])
            state.play(state.legal_actions()[-1])  # a purchase is paid, and that is all
            assert state.fields[layout.PHASE] == layout.BUY and [int(tile) for tile in state.bag] == hidden
            assert int(state.fields[layout.DRAWN]) == int(before.split("drawn ")[1].split()[0])
            with pytest.raises(ValueError, match="trial"):
                state.mark()
            state.rollback()
            assert to_text(state) == before


@pytest.mark.parametrize("setting", KINDS_OF_TABLE[::4], ids=table_name)
def test_text_and_pickle_and_back(setting: GameSpec) -> None:
    for state in random_game(setting, 4):
        text = to_text(state)
        for again in (from_text(setting, text), pickle.loads(pickle.dumps(state)), state.clone()):
            assert to_text(again) == text
            assert again.legal_actions() == state.legal_actions() and again.returns() == state.returns()
            if not state.is_terminal():
                again.apply(again.legal_actions()[-1])
                assert to_text(state) == text


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("board ", "plank "), "no line says 'board'"),
        (("seat 0\n", "seat 0\nseat 0\n"), "once"),
        (("seat 0\n", "seat 2\n"), "seats"),
        (("seat 0\n", "seat 0\nsouth 1\n"), "not part of this state: 'south'"),
        (("phase place", "phase sleep"), "a phase is one of"),
        (("phase place", "phase over"), "reason"),
        (("joined 1 0", "joined 0 0"), "2 players join"),
        (("cash 2000 2000", "cash 2000"), "2 words"),
        (("cash 2000 2000", "cash 2000 -1"), "a number from 0"),
        (("shares 0,0 0,0", "shares 0,0 0,7"), "more than 6 shares"),
        (("shares 0,0 0,0", "shares 0,0 0"), "each of 2 chains"),
        (("drawn 6", "drawn 7"), "not those drawn"),
        (("hands ", "hands 1A,"), "a hand has 2 tiles"),
        (("bag ", "bag 1A "), "each of 12 tiles once"),
        (("/", ""), "3 rows of 4"),
        (("o", "q"), "no square looks like 'q'"),
        (("o", "L"), "two tiles or more"),
    ],
)
def test_no_such_state(change: tuple[str, str], message: str) -> None:
    setting = next(setting for setting in KINDS_OF_TABLE if setting.rules.name == "mini")
    text = to_text(next(random_game(setting, 1)))
    head, _, board_and_rest = text.partition("board ")
    assert change[0] in text
    wrong = text.replace(change[0], change[1], 1)
    if change[0] == "o":
        wrong = head + "board " + board_and_rest.replace(*change, 1)
    with pytest.raises(ValueError, match=message):
        from_text(setting, wrong)


@pytest.mark.parametrize(
    ("bought", "message"),
    [
        ("0,0", "2 words expected"),
        ("0,0 0", "shares of 2 chains"),
        ("0,0 2,2", "3 at most"),
        ("4,0 0,0", "0 to 3"),
    ],
)
def test_nobody_has_bought_so(bought: str, message: str) -> None:
    setting = next(setting for setting in KINDS_OF_TABLE if setting.rules.name == "mini")
    text = to_text(next(random_game(setting, 1)))
    assert "bought" not in text
    assert "bought 0,1 0,0\n" in to_text(from_text(setting, text + "bought 0,1 0,0\n"))
    with pytest.raises(ValueError, match=message):
        from_text(setting, f"{text}bought {bought}\n")


def check(state: AcquireState) -> None:
    """Shares, tiles and money are conserved, and what is kept is what can be counted."""
    table, setting, rules = state.fields, state.spec, state.spec.rules
    seats, rows = range(int(setting.seats)), board_rows(state)
    hands = [hand_of(state, seat) for seat in seats]
    for index, chain in enumerate(rules.chains):
        held = sum(int(table[layout.SHARES + seat * layout.STRIDE + index]) for seat in seats)
        size = int(table[layout.SIZE + index])
        assert held + int(table[layout.BANK + index]) == rules.shares and int(table[layout.BANK + index]) >= 0
        assert size == "".join(rows).count(chain.letter) and size != 1
        assert int(table[layout.PRICE + index]) == rules.price(index, size)
        assert size == len(connected(state, index)), "a chain is in one piece"
    assert all(table[layout.CASH + seat] >= 0 and table[layout.CASH + seat] % 100 == 0 for seat in seats)
    on_board = [tile for tile in tiles(rules) if state.cells[tile]]
    drawn = [int(state.bag[index]) for index in range(int(table[layout.DRAWN]))]
    assert sorted(on_board + [tile for hand in hands for tile in hand]) == sorted(drawn)
    assert all(len(hand) <= rules.hand for hand in hands)
    if table[layout.PHASE] == layout.PLACE:
        legal = [tile for tile in hands[state.player()] if state.kind(tile) <= layout.MERGES]
        assert [action for action in state.legal_actions() if action < 256] == legal
        for tile in tiles(rules):
            alone = state.cells[tile] == layout.UNINCORPORATED
            assert not alone or not int(state.around(tile)) & 0x7F, "a lone tile touches no chain"
        if rules.dead_replace == "until_clean" and drawn and len(drawn) == rules.squares:
            last = (state.player() - 1) % len(seats)
            assert all(state.kind(tile) != layout.DEAD for tile in hands[last])
    if state.is_terminal():
        assert sum(state.returns()) <= 0


def connected(state: AcquireState, chain: int) -> set[int]:
    """The chain's tiles that are reached from its first one."""
    members = {tile for tile in tiles(state.spec.rules) if state.cells[tile] == BIT[chain]}
    reached = set(sorted(members)[:1])
    step = int(state.spec.stride)
    edge = set(reached)
    while edge:
        near = {tile + move for tile in edge for move in (1, -1, step, -step)}
        edge = (near & members) - reached
        reached |= edge
    return reached
