"""The matrix of champions: both seats, the same for any order of asking, and distances that are plain to see."""

import pytest

from core.acquire.players import Player
from core.acquire.rules import PRESETS, GameSpec
from engines.acquire.crossplay import Crossplay, different_choices, duel, edit_distance, play_duel
from engines.acquire.registry import PlayerSpec, load_genome, thesis_players
from tests.toy import InlinePool

RULES = PRESETS["thesis-2002"]
PLAYERS = [PlayerSpec(name=name, genome=genome) for name, genome in list(thesis_players().items())[:3]]


async def test_crossplay_pairs_every_player_with_every_other() -> None:
    matrix = await Crossplay.played(RULES, PLAYERS, 40, 1, InlinePool())
    assert matrix.names == ("best-of-run", "pair-1", "pair-2")
    assert list(matrix.scores) == [(0, 1), (0, 2), (1, 2)]
    for one, other in matrix.scores:
        assert matrix.scores[one, other].games == 40
        assert matrix.rate(one, other).value + matrix.rate(other, one).value == 1
        assert matrix.tree_distances[one, other] == edit_distance(PLAYERS[one], PLAYERS[other])
        assert matrix.behaviour_distances[one, other] == different_choices(
            RULES, PLAYERS[one], PLAYERS[other]
        )


def test_distances_are_symmetric_and_zero_between_equal_players() -> None:
    one, other, _ = PLAYERS
    assert edit_distance(one, one) == 0 and different_choices(RULES, one, one) == 0
    assert edit_distance(one, other) == edit_distance(other, one) > 0
    assert 0 < different_choices(RULES, one, other) == different_choices(RULES, other, one) < 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("(define end (i-lead))", "(define end (not (i-lead)))"),
        ("(define found (size (founded)))", "(define found (- 0 (price (founded))))"),
        ("(define survivor (held (survivor)))", "(define survivor (- 0 (held (survivor))))"),
        ("(define dispose (held (defunct)))", "(define dispose (cash)) (define place (cash))"),
    ],
)
def test_behaviour_is_compared_on_any_decision_that_both_players_make(one: str, other: str) -> None:
    """Those of one alone are not."""
    first, second = (PlayerSpec(name=text, genome=load_genome(text)) for text in (one, other))
    assert different_choices(RULES, first, first) == 0
    assert different_choices(RULES, first, second) > 0.2


def test_end_decisions_are_compared_without_the_purchase() -> None:
    ends = "(define end (i-lead))"
    first, second = (
        PlayerSpec(name="", genome=load_genome(text)) for text in (ends, ends + "(define buy 1)")
    )
    assert different_choices(RULES, first, second) == 0 and edit_distance(first, second) == 1


def test_comparing_players_without_a_common_decision_is_refused() -> None:
    first, second = (
        PlayerSpec(name=name, genome=load_genome(f"(define {name} 1)")) for name in ("found", "buy")
    )
    with pytest.raises(ValueError, match="found and buy have no programs for the same decision"):
        different_choices(RULES, first, second)


def test_a_duel_plays_every_bag_in_both_seats(monkeypatch: pytest.MonkeyPatch) -> None:
    """So nobody is ahead by the tiles alone: here whoever joins first wins, as by a bag that decides everything."""
    games: list[tuple[int, int]] = []

    class Runner:
        def __init__(self, spec: GameSpec) -> None:
            assert (spec.rules, spec.seats) == (RULES, 2)

        def play(self, players: list[Player], rotation: int, seed: int) -> list[int]:
            games.append((seed, rotation))
            return [20_000, 10_000] if rotation == 0 else [10_000, 20_000]

    monkeypatch.setattr("engines.acquire.match.GameRunner", Runner)
    one, other = PlayerSpec(name="heuristic"), PlayerSpec(name="random")
    score = play_duel(duel(RULES, one, other, 20, 5))
    seeds = [seed for seed, _ in games[::2]]
    assert games == [(seed, rotation) for seed in seeds for rotation in (0, 1)] and len(set(seeds)) == 10
    assert (score.games, score.wins, score.losses) == (20, 10, 10)
    assert play_duel(duel(RULES, one, other, 3, 5)).games == 2


def test_a_duel_finds_the_better_player() -> None:
    score = play_duel(duel(RULES, PlayerSpec(name="heuristic"), PlayerSpec(name="random"), 100, 2**62))
    assert score.games == 100 and score.win_rate.low > 0.5


def test_every_bit_of_a_seed_counts() -> None:
    one, other = PLAYERS[:2]
    first, second = (play_duel(duel(RULES, one, other, 20, seed)) for seed in (2**62 + 1, 2**62 + 2))
    assert first != second
