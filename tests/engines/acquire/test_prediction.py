"""Predictions: agreement by kind of decision, chance, and what a player that predicts may know."""

from collections.abc import Iterator

import pytest

from core.acquire.actions import DECLARE_END, PHASES, disposal
from core.acquire.game import shuffled_bag
from core.acquire.rules import PRESETS, GameSpec, Rules
from core.random import Random
from engines.acquire.prediction import (
    END,
    KINDS,
    SHARES,
    Agreement,
    Question,
    RecordedGame,
    agreement,
    expect_chance,
    predict,
)
from engines.acquire.registry import PlayerSpec
from tests.core.acquire.tables import random_state


def recorded(rules: Rules, seed: int, player: str = "random", seats: int = 2) -> RecordedGame:
    """A game of one player in all seats, all of whose decisions count."""
    spec = GameSpec(rules, seats)
    state, rng = random_state(spec, seed), Random(seed)
    players = [PlayerSpec.parse(player).create() for _ in range(seats)]
    actions = []
    while not state.is_terminal():
        seat = state.player()
        actions.append(int(players[seat].choose(state.observation(seat), rng)))
        state.apply(actions[-1])
    return RecordedGame(
        rules=rules,
        seats=seats,
        bag=tuple(int(tile) for tile in shuffled_bag(spec, Random(seed))),
        actions=tuple(actions),
        is_counted=(True,) * len(actions),
    )


def predicted(game: RecordedGame, name: str) -> Agreement:
    return predict(Question(game=game, player=PlayerSpec.parse(name)))


@pytest.mark.parametrize("rules", [PRESETS["tlstyer"], PRESETS["classic"], PRESETS["thesis-2002"]])
def test_a_player_without_ties_predicts_its_own_games(rules: Rules) -> None:
    game = recorded(rules, 1, "evolved-net-seven,tie=first", 3)
    found = predicted(game, "evolved-net-seven,tie=first")
    assert set(found) <= {*KINDS, SHARES} and found["place"][1] > 20
    assert all(total == count for total, count in found.values())
    other = predicted(game, "heuristic")
    assert {kind: count for kind, (_, count) in other.items()} == {
        kind: count for kind, (_, count) in found.items()
    }
    assert other["place"][0] < found["place"][0] and other["buy"][0] < found["buy"][0]


def test_chance_is_the_agreement_of_random_choice() -> None:
    """Of 3,000 random answers to each decision of a short game, within four standard errors."""
    game = recorded(PRESETS["mini"], 4)
    expected = expect_chance(game)
    assert {"place", "buy", END} <= set(expected)
    rng, rounds = Random(1), 3000
    for kind, (total, count) in expected.items():
        drawn = 0.0
        for action, options in decisions_of(game, kind):
            drawn += sum(
                agreement(kind, options[int(rng.below(len(options)))], action) for _ in range(rounds)
            )
        assert drawn / rounds == pytest.approx(total, abs=4 * 0.5 * (count / rounds) ** 0.5)


def decisions_of(game: RecordedGame, kind: str) -> Iterator[tuple[int, list[int]]]:
    for _, state, action in game.decisions():
        legal = state.legal_actions()
        ends = {bool(each & DECLARE_END) for each in legal}
        plain = sorted({each & ~DECLARE_END for each in legal})
        if kind == END and len(ends) == 2:
            yield action, [0, DECLARE_END]
        elif PHASES[state.phase()] == ("buy" if kind == SHARES else kind) and len(plain) > 1:
            yield action, plain


def test_only_counted_decisions_are_asked_for() -> None:
    game = recorded(PRESETS["mini"], 4)
    seats = [state.player() for _, state, _ in game.decisions()]
    half = RecordedGame(
        rules=game.rules,
        seats=2,
        bag=game.bag,
        actions=game.actions,
        is_counted=tuple(seat == 0 for seat in seats),
    )
    assert [state.player() for _, state, _ in half.decisions()] == [0] * seats.count(0)
    assert 0 < predicted(half, "heuristic")["place"][1] < predicted(game, "heuristic")["place"][1]


def test_hidden_tiles_do_not_change_a_prediction() -> None:
    """The bag that is still to be drawn is in another order; all that the seats have seen is the same."""
    game = recorded(PRESETS["tlstyer"], 2)
    first = [action for _, state, action in game.decisions() if state.bag_left() > 60]
    short = RecordedGame(
        rules=game.rules,
        seats=2,
        bag=game.bag,
        actions=tuple(first),
        is_counted=(True,) * len(first),
    )
    other = RecordedGame(
        rules=game.rules,
        seats=2,
        bag=(*game.bag[:60], *game.bag[:59:-1]),
        actions=short.actions,
        is_counted=short.is_counted,
    )
    for player in ("heuristic", "evolved-net-seven,tie=first"):
        assert predicted(short, player)["buy"] == predicted(other, player)["buy"]


def test_answers_are_the_same_each_time() -> None:
    game = recorded(PRESETS["mini"], 4)
    assert predicted(game, "random") == predicted(game, "random")
    assert predicted(game, "search-10") == predicted(game, "search-10")


L, T = 1, 1 << 4  # a share of the first chain, and of the second


@pytest.mark.parametrize(
    ("measure", "one", "other", "expected"),
    [
        ("buy", 2 * L + T, 2 * L + T | DECLARE_END, 1),
        ("buy", 2 * L + T, L + 2 * T, 0),
        (SHARES, 2 * L + T, L + 2 * T, 2 / 3),
        (SHARES, 3 * L, L, 1 / 3),
        (SHARES, 3 * L, 3 * T, 0),
        (SHARES, 0, 3 * T, 0),
        (SHARES, 0, 0, 1),
        (END, L | DECLARE_END, T | DECLARE_END, 1),
        (END, L | DECLARE_END, L, 0),
        ("place", 17, 17 | DECLARE_END, 1),
        ("dispose", int(disposal(2, 1)), int(disposal(2, 0)), 0),
    ],
)
def test_agreement_by_hand(measure: str, one: int, other: int, expected: float) -> None:
    assert agreement(measure, one, other) == agreement(measure, other, one) == pytest.approx(expected)
