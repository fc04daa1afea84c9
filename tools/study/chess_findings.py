"""The findings of Genetic Chess, section 6: for each claim the measure of a run and the criterion.

Measures and criteria were fixed before the first run existed. Each claim is measured in every run; its rule turns
these numbers into a verdict (tools/study/verdicts.py). A finding is reproduced if all of its claims are, not
reproduced if one claim is not, and undecided otherwise. A measure raises Unobservable, with the reason, if a run does
not show what it measures.
"""

import math
from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from statistics import fmean, median
from typing import Final

from core.random import Random
from engines.chess.game_record import ENDINGS
from engines.evolution.population import derive_seed
from engines.statistics import ChangePoint, change_point, spearman
from tools.study.chess_runs import SCORING, Run, Traits
from tools.study.chess_verdicts import MIN_GAMES, Claim, Finding, Unobservable
from tools.study.verdicts import (
    MIN_RUNS,
    interval_only,
    majority_of_runs,
    mean_above,
    mean_below,
    ratio_above,
    ratio_even,
)

NEARLY_EQUAL: Final = (0.8, 1.25)
MAJORITY: Final = 0.5
LEADING: Final = 0.9
MATE_EDGE: Final = 1.10
SOON: Final = 0.10  # of the run
EARLY: Final = 0.01  # of the run: the precision of change-points
NOT_DRAWN: Final = ("checkmate", "time")
DRAWS: Final = tuple(ending for ending in ENDINGS if ending not in NOT_DRAWN)
SIGNIFICANT: Final = 0.05
LASTING: Final = 0.05  # of the run: a level that holds for this part is lasting
HIGH_SHARE: Final = 0.25  # of all priorities, twice the even part of one gene of eight
CRASH: Final = 0.5  # the share of the living that lose the trait
ARRIVED: Final = 0.9  # of the final value
MIN_GENES: Final = 5


# -- Measures of the living at the end of a run ----------------------------------------------------


def share_in_order(run: Run) -> float:
    def is_in_order(traits: Traits) -> bool:
        minors = traits.bishop, traits.knight
        return traits.queen > traits.rook > max(minors) and min(minors) > traits.pawn

    return _share(run.living, is_in_order)


def share_of_equal_minors(run: Run) -> float:
    """Return the share of the living whose bishop and knight are above 0, with a ratio within NEARLY_EQUAL."""
    least, most = NEARLY_EQUAL

    def is_equal(traits: Traits) -> bool:
        return min(traits.bishop, traits.knight) > 0 and least <= traits.bishop / traits.knight <= most

    return _share(run.living, is_equal)


def queens_per_rook(run: Run) -> float:
    ratios = [traits.queen / traits.rook for traits in run.living if min(traits.queen, traits.rook) > 0]
    if not ratios:
        raise Unobservable("no living genome has a queen and a rook above 0")
    return median(ratios)


def share_led_by_force(run: Run) -> float:
    return _share(
        run.living, lambda traits: 0 < traits.priority("Total Force") == max(map(abs, traits.priorities))
    )


def legal_bonus(run: Run) -> float:
    bonuses = [traits.legal_bonus for traits in run.living if traits.legal_bonus is not None]
    if not bonuses:
        raise Unobservable("Sphere of Influence is switched off in all living genomes")
    return median(bonuses)


# -- Measures of the games of a run ----------------------------------------------------------------


def white_mates_per_black(run: Run) -> float:
    return _white_per_black(run, "checkmate")


def white_time_wins_per_black(run: Run) -> float:
    return _white_per_black(run, "time")


def promotion_step(run: Run) -> float:
    """Return the least of queens per rook, rooks per bishop and bishops per knight, counted over promotions.

    The least is above 1 if the pieces are in this order.
    """
    _promotions(run)
    counts = [run.promotions.get(piece, 0) for piece in "QRBN"]
    steps = pairwise(counts)
    return min(more / less if less else math.inf if more else 0.0 for more, less in steps)


def share_of_queens(run: Run) -> float:
    return run.promotions.get("Q", 0) / _promotions(run)


def repetitions_per_next_draw(run: Run) -> float:
    """Return the number of threefold repetitions per draw of the most frequent other kind."""
    draws = {ending: run.ended(ending) for ending in DRAWS}
    if sum(draws.values()) < MIN_GAMES:
        raise Unobservable(f"draws: {sum(draws.values())}; at least {MIN_GAMES} are needed")
    repetitions = draws.pop("threefold repetition")
    next_frequent = max(draws.values())
    return repetitions / next_frequent if next_frequent else math.inf


# -- Measures of the order of events ----------------------------------------------------------------


def pawns_before_force(run: Run) -> float:
    """Return the games from the rise of Pawn Advancement to that of Total Force; -inf if the first never rises."""
    pawns, force = (
        _first_window(run.priority_shares(gene), lambda window: min(window) >= HIGH_SHARE)
        for gene in ("Pawn Advancement", "Total Force")
    )
    if pawns is None:
        return -math.inf
    return math.inf if force is None else float(run.moments[force].games - run.moments[pawns].games)


def crash_after_pawn(run: Run) -> float:
    """Return the time from the first moment when all have a pawn above 0 to the crash of Pawn Advancement.

    The time is a part of the run, infinite if only one of the two happens.
    """
    crash = _change(run, run.share(lambda traits: traits.advances_pawns))
    has_crashed = crash.p < SIGNIFICANT and crash.before - crash.after >= CRASH
    valued = run.share(lambda traits: traits.pawn > 0)
    if 1.0 in valued and has_crashed:
        return (run.moments[crash.index].games - run.moments[valued.index(1.0)].games) / run.games
    if 1.0 in valued or has_crashed:
        return math.inf
    raise Unobservable("Pawn Advancement never crashes, and at no moment do all genomes have a pawn above 0")


def bloom_after_board(run: Run) -> float:
    """Return the games from the change of the board-scoring genes to the rise of Look Ahead; -inf without a rise."""
    board, bloom = _board_change(run), _bloom(run)
    return -math.inf if bloom is None else run.moments[bloom].games - board


def forfeits_after_board(run: Run) -> float:
    """Return the games from the change of the board-scoring genes to the rise of forfeits; -inf without a rise."""
    _check_forfeits(run)
    board, rise = _board_change(run), _rise(run, run.forfeit_rate())
    return -math.inf if rise is None else run.moments[rise].games - board


def forfeits_with_bloom(run: Run) -> float:
    """Return the rate of time forfeits after the rise of Look Ahead, divided by the rate before."""
    _check_forfeits(run)
    bloom = _bloom(run)
    if bloom is None:
        raise Unobservable("Look Ahead never rises")
    split, end = run.moments[bloom], run.moments[-1]
    before = (split.forfeits + 0.5) / (split.games + 1)
    after = (end.forfeits - split.forfeits + 0.5) / (end.games - split.games + 1)
    return after / before


def wait_by_priority(run: Run) -> float:
    """Return Spearman's correlation, over the genes, of the final priority and the games until it lasts.

    In pools whose winners are drawn at random the correlation is 0.79 [0.71, 0.86] (24 simulated runs of 25,600
    games).
    """
    finals, waits = [], []
    for gene in SCORING:
        series = run.priorities(gene)
        final = fmean(series[-_lasting(series) :])
        arrival = _first_window(series, partial(_reaches, ARRIVED * final))
        if final and arrival is not None:
            finals.append(final)
            waits.append(float(run.moments[arrival].games))
    if len(finals) < MIN_GENES:
        raise Unobservable(
            f"genes with a priority at the end: {len(finals)}; at least {MIN_GENES} are needed"
        )
    try:
        return spearman(finals, waits)
    except ValueError:
        raise Unobservable("all genes reach their final priority at the same time") from None


# -- Helpers ---------------------------------------------------------------------------------------


def _share(living: Sequence[Traits], shows: Callable[[Traits], bool]) -> float:
    return sum(map(shows, living)) / len(living)


def _white_per_black(run: Run, ending: str) -> float:
    """Return the ratio of White's to Black's wins by an ending; a half added to both keeps the ratio finite."""
    white, black = run.endings.get((ending, 1.0), 0), run.endings.get((ending, -1.0), 0)
    if white + black < MIN_GAMES:
        raise Unobservable(f"games ended by {ending}: {white + black}; at least {MIN_GAMES} are needed")
    return (white + 0.5) / (black + 0.5)


def _promotions(run: Run) -> int:
    """Return the number of promotions. Raises Unobservable if there are fewer than MIN_GAMES."""
    total = sum(run.promotions.values())
    if total < MIN_GAMES:
        raise Unobservable(f"promotions: {total}; at least {MIN_GAMES} are needed")
    return total


def _board_change(run: Run) -> float:
    """Return the games until the shares of priority change: the median over the board-scoring genes that change."""
    changes = [_change(run, run.priority_shares(gene)) for gene in SCORING]
    games = [run.moments[change.index].games for change in changes if change.p < SIGNIFICANT]
    if not games:
        raise Unobservable("the share of no board-scoring gene changes")
    return median(games)


def _bloom(run: Run) -> int | None:
    """Return the index of the moment at which speculation or positions per second of Look Ahead first rise.

    Returns None if neither rises.
    """
    speculation = run.medians(lambda traits: traits.speculation)
    positions = run.medians(lambda traits: traits.positions_per_second)
    rises = [_rise(run, series) for series in (speculation, positions)]
    return min((rise for rise in rises if rise is not None), default=None)


def _rise(run: Run, series: Sequence[float]) -> int | None:
    """Return the index of the moment at which a series changes to a higher level, or None."""
    change = _change(run, series)
    return change.index if change.p < SIGNIFICANT and change.after > change.before else None


def _change(run: Run, series: Sequence[float]) -> ChangePoint:
    try:
        return change_point(series, Random(derive_seed(run.seed)))
    except ValueError as error:
        raise Unobservable(f"the run is too short: {error}") from None


def _first_window(series: Sequence[float], shows: Callable[[Sequence[float]], bool]) -> int | None:
    """Return the start of the first window of LASTING length for which `shows` is true, or None."""
    size = _lasting(series)
    starts = range(len(series) - size + 1)
    return next((start for start in starts if shows(series[start : start + size])), None)


def _reaches(value: float, window: Sequence[float]) -> bool:
    return fmean(window) >= value


def _lasting(series: Sequence[float]) -> int:
    """Return the number of points in a window of LASTING length."""
    return max(round(LASTING * len(series)), 1)


def _check_forfeits(run: Run) -> None:
    """Raise Unobservable if the run has fewer than MIN_GAMES time forfeits."""
    if run.ended("time") < MIN_GAMES:
        raise Unobservable(f"games ended by time: {run.ended('time')}; at least {MIN_GAMES} are needed")


# -- The findings ----------------------------------------------------------------------------------

PREAMBLE: Final = f"""\
The unit of observation is the run, because the games of a run are played by relatives. Intervals are
95 % intervals over runs: Wilson's for a share of runs, Student's for a mean, and Student's of the
logarithms for a ratio. A claim about "most runs" is reproduced if the interval of the share of runs that
show it lies above 1/2, and not reproduced if the interval lies below 1/2. Any other claim is reproduced if
its interval lies on the claimed side of the bound, and not reproduced if it lies on the other side. In all
other cases, and if fewer than {MIN_RUNS} runs can be measured, the claim is undecided. A finding is
reproduced if all its claims are reproduced, and not reproduced if one of them is not reproduced. There is
no correction for the number of claims.
"The living" are the living genomes of all pools. A priority has no sign, and is 0 if the gene is off.
A change-point is the best split of a series, the median of the living at up to 400 equidistant moments,
into two levels; its p value, by permutation of blocks of a fortieth of the run, is below {SIGNIFICANT:g}.
A state lasts if it holds for {LASTING:.0%} of a run.
A ratio needs {MIN_GAMES} games or promotions in a run."""

FINDINGS: Final = (
    Finding(
        section="6.1",
        title="Piece values are rated in near-standard order",
        claims=(
            Claim(
                name="Queen, rook, bishop and knight, pawn",
                quantity="share of the living at the end",
                criterion=f"in most runs, Q > R > max(B, N) and min(B, N) > P in more than {MAJORITY:.0%} "
                "of those living at the end",
                measure=share_in_order,
                rule=majority_of_runs(lambda share: share > MAJORITY),
            ),
            Claim(
                name="Bishop and knight nearly equal",
                quantity="share of the living at the end",
                criterion="in most runs, B/N within {:g}..{:g}, both above 0, in more than ".format(
                    *NEARLY_EQUAL
                )
                + f"{MAJORITY:.0%} of those living at the end",
                measure=share_of_equal_minors,
                rule=majority_of_runs(lambda share: share > MAJORITY),
            ),
            Claim(
                name="Queen per rook",
                quantity="median of the living at the end",
                criterion="measured only: the mean over runs of the median of Q/R, with its interval",
                measure=queens_per_rook,
                rule=interval_only,
            ),
        ),
    ),
    Finding(
        section="6.2",
        title="White has an advantage",
        claims=(
            Claim(
                name="White mates more often",
                quantity="White's mates per Black's",
                criterion=f"the ratio of White's to Black's mates is above 1 (the manual: {MATE_EDGE:.2f})",
                measure=white_mates_per_black,
                rule=ratio_above(1),
                form=".3f",
                references=(MATE_EDGE,),
            ),
            Claim(
                name="Wins by time are shared equally",
                quantity="White's wins by time per Black's",
                criterion="the interval of the ratio of White's to Black's wins by time contains 1 and lies "
                f"within 1/{MATE_EDGE:.2f}..{MATE_EDGE:.2f}, less than the edge in mates; an interval "
                "without 1 speaks against the claim",
                measure=white_time_wins_per_black,
                rule=ratio_even(MATE_EDGE),
                form=".3f",
            ),
        ),
    ),
    Finding(
        section="6.3",
        title="Total Force and Pawn Advancement typically dominate",
        claims=(
            Claim(
                name="Total Force leads",
                quantity="share of the living at the end",
                criterion="in most runs, Total Force has the largest priority in "
                f"{LEADING:.0%} or more of those living at the end",
                measure=share_led_by_force,
                rule=majority_of_runs(lambda share: share >= LEADING),
            ),
            Claim(
                name="Pawn Advancement rises first",
                quantity="games by which it is earlier",
                criterion="in most runs, Pawn Advancement's median share of all priorities lasts at "
                f"{HIGH_SHARE:.0%} or more from an earlier game than Total Force's; not so where it "
                "never does (-inf)",
                measure=pawns_before_force,
                rule=majority_of_runs(lambda games: games > 0),
                form=",.0f",
            ),
        ),
    ),
    Finding(
        section="6.3.1",
        title="Pawn Advancement is a temporary substitute for a value of the pawn",
        claims=(
            Claim(
                name="It is switched off once all genomes value the pawn",
                quantity="time between, in runs",
                criterion="in most runs, the share in which Pawn Advancement is switched on has a "
                f"change-point to a level lower by {CRASH:g} or more, which comes at most "
                f"{SOON:.0%} of the run after the first moment when every living genome has a pawn above 0 "
                f"(and not more than {EARLY:.0%} before it); not so where only one of both happens (inf)",
                measure=crash_after_pawn,
                rule=majority_of_runs(lambda parts: -EARLY <= parts <= SOON),
                form=".3f",
            ),
        ),
    ),
    Finding(
        section="6.4",
        title="The queen is the most popular piece for promotion",
        claims=(
            Claim(
                name="Queen, rook, bishop, knight in this order",
                quantity="least ratio of neighbours",
                criterion="in most runs, promotions to Q, R, B, N have this order of frequency",
                measure=promotion_step,
                rule=majority_of_runs(lambda ratio: ratio > 1),
            ),
            Claim(
                name="The queen is the overwhelming favourite",
                quantity="queens' share of promotions",
                criterion=f"the mean share of queens is above {MAJORITY:.0%} (the manual: 93.0%)",
                measure=share_of_queens,
                rule=mean_above(MAJORITY),
                form=".3f",
                references=(0.930,),
            ),
        ),
    ),
    Finding(
        section="6.5",
        title="Threefold repetition is the most common draw",
        claims=(
            Claim(
                name="More often than any other draw",
                quantity="ratio to the next kind of draw",
                criterion="in most runs, more games end by threefold repetition than by any other draw",
                measure=repetitions_per_next_draw,
                rule=majority_of_runs(lambda ratio: ratio > 1),
            ),
        ),
    ),
    Finding(
        section="6.6",
        title="Look Ahead is a late bloomer",
        claims=(
            Claim(
                name="Look Ahead rises after the board-scoring genes",
                quantity="games by which it is later",
                criterion="in most runs, the first change-point of the speculation constant and the "
                "positions per second, upwards, is later than the median change-point of the "
                "board-scoring genes' shares of priority; not so where there is none (-inf)",
                measure=bloom_after_board,
                rule=majority_of_runs(lambda games: games > 0),
                form=",.0f",
            ),
            Claim(
                name="Time forfeits rise after the board-scoring genes",
                quantity="games by which they are later",
                criterion="in most runs, the same holds for the rate of time forfeits",
                measure=forfeits_after_board,
                rule=majority_of_runs(lambda games: games > 0),
                form=",.0f",
            ),
            Claim(
                name="Time forfeits rise with Look Ahead",
                quantity="rate after per rate before",
                criterion="the ratio of the rates of time forfeits after and before Look Ahead's "
                "change-point is above 1",
                measure=forfeits_with_bloom,
                rule=ratio_above(1),
            ),
        ),
    ),
    Finding(
        section="6.7",
        title="Sphere of Influence: the value of a legal move, if that of another move is 1",
        claims=(
            Claim(
                name="Legal Bonus",
                quantity="median of the living at the end",
                criterion="measured only: the mean over runs of the median, of those in which the gene is "
                "switched on, with its interval, beside the manual's 1 (6.7) and 1.5 (6.7.1)",
                measure=legal_bonus,
                rule=interval_only,
                references=(1.0, 1.5),
            ),
        ),
    ),
    Finding(
        section="6.8",
        title="Genes of lower priority wait for those of higher priority",
        claims=(
            Claim(
                name="Higher priorities are reached earlier",
                quantity="Spearman's correlation",
                criterion="the mean over runs of the correlation, over the board-scoring genes, of the final "
                "priority (median of the living) with the game from which "
                f"{ARRIVED:.0%} of it lasts on average is below 0 (a hard test: where "
                "priorities drift without selection it is about +0.8, since what goes far arrives late)",
                measure=wait_by_priority,
                rule=mean_below(0),
            ),
        ),
    ),
)
