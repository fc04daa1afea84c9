"""When things happen in a run: measures of the living's traits, and of the time forfeits, over its games.

A measure raises Unobservable, with the reason, where a run does not show it.
"""

import math
from collections.abc import Callable, Sequence
from functools import partial
from statistics import fmean, median
from typing import Final

from core.random import Random
from engines.evolution.population import derive_seed
from engines.statistics import ChangePoint, change_point, spearman
from tools.study.run import SCORING, Run
from tools.study.verdict import FEWEST_GAMES, Unobservable

SIGNIFICANT: Final = 0.05
LASTING: Final = 0.05  # of the run: what lasts so long stays
HIGH_SHARE: Final = 0.25  # of all priorities, twice the even part of one gene of eight
CRASH: Final = 0.5  # of the living lose it
ARRIVED: Final = 0.9  # of the final value
FEWEST_GENES: Final = 5


def pawns_before_force(run: Run) -> float:
    """Games from the rise of Pawn Advancement to that of Total Force; -inf if the first never rises."""
    pawns, force = (
        _first(run.priority_shares(gene), lambda window: min(window) >= HIGH_SHARE)
        for gene in ("Pawn Advancement", "Total Force")
    )
    if pawns is None:
        return -math.inf
    return math.inf if force is None else float(run.moments[force].games - run.moments[pawns].games)


def crash_after_pawn(run: Run) -> float:
    """From the first moment when all have a pawn above 0 to Pawn Advancement's crash, in parts of the run.

    Infinite if only one of the two happens.
    """
    crash = _change(run, run.share(lambda traits: traits.advances_pawns))
    has_crashed = crash.p < SIGNIFICANT and crash.before - crash.after >= CRASH
    valued = run.share(lambda traits: traits.pawn > 0)
    if 1.0 in valued and has_crashed:
        return (run.moments[crash.index].games - run.moments[valued.index(1.0)].games) / run.games
    if 1.0 in valued or has_crashed:
        return math.inf
    raise Unobservable("Pawn Advancement never crashes, and never have all a pawn above 0")


def bloom_after_board(run: Run) -> float:
    """Games from the change of the board-scoring genes to that of Look Ahead; -inf if it never rises."""
    board, bloom = _board_change(run), _bloom(run)
    return -math.inf if bloom is None else run.moments[bloom].games - board


def forfeits_after_board(run: Run) -> float:
    """Games from the change of the board-scoring genes to that of the forfeits; -inf if they never rise."""
    _check_forfeits(run)
    board, rise = _board_change(run), _rise(run, run.forfeit_rate())
    return -math.inf if rise is None else run.moments[rise].games - board


def forfeits_with_bloom(run: Run) -> float:
    """The rate of time forfeits after the change of Look Ahead, per rate before."""
    _check_forfeits(run)
    bloom = _bloom(run)
    if bloom is None:
        raise Unobservable("Look Ahead never rises")
    split, end = run.moments[bloom], run.moments[-1]
    before = (split.forfeits + 0.5) / (split.games + 1)
    after = (end.forfeits - split.forfeits + 0.5) / (end.games - split.games + 1)
    return after / before


def wait_by_priority(run: Run) -> float:
    """Spearman's correlation, over the genes, of the final priority and the games until it is kept.

    In pools whose winners are chosen by coin it is 0.79 [0.71, 0.86] (24 simulated runs of 25,600 games).
    """
    finals, waits = [], []
    for gene in SCORING:
        series = run.priorities(gene)
        final = fmean(series[-_lasting(series) :])
        arrival = _first(series, partial(_reaches, ARRIVED * final))
        if final and arrival is not None:
            finals.append(final)
            waits.append(float(run.moments[arrival].games))
    if len(finals) < FEWEST_GENES:
        raise Unobservable(f"{len(finals)} genes have a priority at the end, {FEWEST_GENES} are needed")
    try:
        return spearman(finals, waits)
    except ValueError:
        raise Unobservable("all genes arrive at once") from None


# -- Events ----------------------------------------------------------------------------------------


def _board_change(run: Run) -> float:
    """Games until the shares of priority change: the median over the board-scoring genes that do."""
    changes = [_change(run, run.priority_shares(gene)) for gene in SCORING]
    games = [run.moments[change.index].games for change in changes if change.p < SIGNIFICANT]
    if not games:
        raise Unobservable("no board-scoring gene changes its share")
    return median(games)


def _bloom(run: Run) -> int | None:
    """The index of the moment at which Look Ahead's speculation or positions a second rise first; None if neither does."""
    speculation = run.medians(lambda traits: traits.speculation)
    positions = run.medians(lambda traits: traits.positions_per_second)
    rises = [_rise(run, series) for series in (speculation, positions)]
    return min((rise for rise in rises if rise is not None), default=None)


def _rise(run: Run, series: Sequence[float]) -> int | None:
    """The index of the moment at which a series changes to a higher level; None if it does not."""
    change = _change(run, series)
    return change.index if change.p < SIGNIFICANT and change.after > change.before else None


def _change(run: Run, series: Sequence[float]) -> ChangePoint:
    try:
        return change_point(series, Random(derive_seed(run.seed)))
    except ValueError as error:
        raise Unobservable(f"too short: {error}") from None


def _first(series: Sequence[float], shows: Callable[[Sequence[float]], bool]) -> int | None:
    """The start of the first part of the series that is LASTING long and shows it."""
    size = _lasting(series)
    starts = range(len(series) - size + 1)
    return next((start for start in starts if shows(series[start : start + size])), None)


def _reaches(value: float, window: Sequence[float]) -> bool:
    return fmean(window) >= value


def _lasting(series: Sequence[float]) -> int:
    """Points of a part that is LASTING long."""
    return max(round(LASTING * len(series)), 1)


def _check_forfeits(run: Run) -> None:
    """Unobservable if there are few."""
    if run.ended("time") < FEWEST_GAMES:
        raise Unobservable(f"{run.ended('time')} games ended by time, {FEWEST_GAMES} are needed")
