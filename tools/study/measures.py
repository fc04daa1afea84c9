"""What is measured of one run's games and of those who live at its end: a number for each claim.

Unobservable, with the reason, where the run cannot say.
"""

import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from statistics import median
from typing import Final

from engines.chess.record import ENDINGS
from tools.study.history import Run, Traits

FEWEST_GAMES: Final = 50  # or promotions; of fewer no ratio is formed
NEARLY_EQUAL: Final = (0.8, 1.25)
NOT_DRAWN: Final = ("checkmate", "time")
DRAWS: Final = tuple(ending for ending in ENDINGS if ending not in NOT_DRAWN)


class Unobservable(Exception):
    """The run cannot say; it is left out."""


# -- At the end of a run ---------------------------------------------------------------------------


def share_in_order(run: Run) -> float:
    return _part(run.living, lambda each: each.queen > each.rook > max(each.bishop, each.knight)
        and min(each.bishop, each.knight) > each.pawn)  # fmt: skip


def share_of_equal_minors(run: Run) -> float:
    """Bishop and knight above 0, and their ratio within NEARLY_EQUAL."""
    least, most = NEARLY_EQUAL
    return _part(
        run.living,
        lambda each: min(each.bishop, each.knight) > 0 and least <= each.bishop / each.knight <= most,
    )


def queens_per_rook(run: Run) -> float:
    ratios = [each.queen / each.rook for each in run.living if min(each.queen, each.rook) > 0]
    if not ratios:
        raise Unobservable("nobody has a queen and a rook above 0")
    return median(ratios)


def share_led_by_force(run: Run) -> float:
    return _part(run.living, lambda each: 0 < each.priority("Total Force") == max(map(abs, each.priorities)))


def legal_bonus(run: Run) -> float:
    bonuses = [each.legal_bonus for each in run.living if each.legal_bonus is not None]
    if not bonuses:
        raise Unobservable("Sphere of Influence is switched off in all")
    return median(bonuses)


# -- Over its games --------------------------------------------------------------------------------


def white_mates_per_black(run: Run) -> float:
    return _white_per_black(run, "checkmate")


def white_time_wins_per_black(run: Run) -> float:
    return _white_per_black(run, "time")


def promotion_step(run: Run) -> float:
    """The least of queens per rook, rooks per bishop and bishops per knight: above 1, they are in order."""
    _promotions(run)
    counts = [run.promotions.get(piece, 0) for piece in "QRBN"]
    steps = pairwise(counts)
    return min(more / less if less else math.inf if more else 0.0 for more, less in steps)


def share_of_queens(run: Run) -> float:
    return run.promotions.get("Q", 0) / _promotions(run)


def repetitions_per_next_draw(run: Run) -> float:
    """Threefold repetitions per draw of the commonest other kind."""
    draws = {ending: run.ended(ending) for ending in DRAWS}
    if sum(draws.values()) < FEWEST_GAMES:
        raise Unobservable(f"{sum(draws.values())} draws, {FEWEST_GAMES} are needed")
    repetitions = draws.pop("threefold repetition")
    next_common = max(draws.values())
    return repetitions / next_common if next_common else math.inf


# -- Helpers ---------------------------------------------------------------------------------------


def _part(living: Sequence[Traits], trait: Callable[[Traits], bool]) -> float:
    return sum(map(trait, living)) / len(living)


def _white_per_black(run: Run, ending: str) -> float:
    """The half that is added to both keeps the ratio finite."""
    white, black = run.endings.get((ending, 1.0), 0), run.endings.get((ending, -1.0), 0)
    if white + black < FEWEST_GAMES:
        raise Unobservable(f"{white + black} games ended by {ending}, {FEWEST_GAMES} are needed")
    return (white + 0.5) / (black + 0.5)


def _promotions(run: Run) -> int:
    total = sum(run.promotions.values())
    if total < FEWEST_GAMES:
        raise Unobservable(f"{total} promotions, {FEWEST_GAMES} are needed")
    return total
