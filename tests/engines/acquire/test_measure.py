"""Strength: the same for any number of workers, every seat taken in turn, and near the published figures."""

import pytest

from core.acquire.rules import PRESETS
from engines.acquire.measure import Contest, Score, measured, play
from engines.executor import processes

THREE, SEVEN = PRESETS["thesis-2002"], PRESETS["thesis-7"]


@pytest.mark.parametrize(("rules", "rate"), [(THREE, 0.923), (SEVEN, 0.984)], ids=["3 chains", "7 chains"])
def test_the_heuristic_beats_chance(rules: object, rate: float) -> None:
    assert rules in (THREE, SEVEN)
    preset = THREE if rules is THREE else SEVEN
    contest = Contest(rules=preset, players=("heuristic", "random"), groups=1000, seed=1)
    heuristic, chance = play(contest)
    estimate = heuristic.win_rate
    assert estimate.low - 0.01 < rate < estimate.high + 0.01
    assert heuristic.wins == chance.losses and heuristic.ties == chance.ties
    assert heuristic.games == 2000 and heuristic.mean_share + chance.mean_share == pytest.approx(1)


def test_it_beats_three_of_them() -> None:
    contest = Contest(rules=SEVEN, players=("heuristic", "random", "random", "random"), groups=250, seed=1)
    scores = play(contest)
    assert scores[0].wins / 1000 == pytest.approx(0.992, abs=0.01)
    assert sum(score.wins for score in scores) + min(1, scores[0].ties) <= 1000


def test_equal_players_are_equal() -> None:
    """And one who takes another's place in the same bags makes the same money."""
    contest = Contest(rules=THREE, players=("random", "random"), groups=500, seed=2)
    one, other = play(contest)
    assert one.win_rate.low < 0.5 < one.win_rate.high
    assert 0.05 < one.share_deviation < 0.09 and one.dollars + other.dollars > 0


async def test_workers_change_nothing() -> None:
    contest = Contest(rules=SEVEN, players=("heuristic", "mc-1", "random"), groups=30, seed=5, first=190)
    assert len(contest.batches()) == 1
    long = Contest(rules=THREE, players=("heuristic", "random"), groups=450, seed=5, first=190)
    assert [batch.groups for batch in long.batches()] == [200, 200, 50]
    alone = play(long)
    for workers in (1, 2):
        async with processes(workers, ["engines.acquire.measure"]) as crew:
            together = await measured(long, crew)
        for one, other in zip(alone, together, strict=True):
            assert (one.wins, one.ties, one.losses, one.dollars) == (
                other.wins,
                other.ties,
                other.losses,
                other.dollars,
            )
            assert one.share == pytest.approx(other.share, rel=1e-12)


def test_what_cannot_be_measured() -> None:
    with pytest.raises(ValueError, match="one bag"):
        Contest(rules=THREE, players=("random", "random"), groups=0, seed=1)
    with pytest.raises(ValueError, match="2 to 6 players"):
        play(Contest(rules=THREE, players=("random",), groups=1, seed=1))
    with pytest.raises(ValueError, match="no player is called 'pair-9'"):
        play(Contest(rules=THREE, players=("random", "pair-9"), groups=1, seed=1))
    with pytest.raises(ValueError, match="no score"):
        _ = Score().win_rate
