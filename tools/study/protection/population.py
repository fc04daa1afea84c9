"""A population of simulated users: plans and skills drawn at random, and how the shares that they won are spread.

"Advanced Protection, part Results" hopes for a bell curve around one half.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import pstdev
from typing import Final

from core.random import Random
from engines.protection.bot_plans import PLANS
from engines.statistics import Estimate, mean
from tools.study.protection.measures import Measure

BINS: Final = 10
SKILLS: Final = 1001  # 0.000 to 1.000


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """The users' shares under one rule of choice."""

    mode: str
    users: int  # who have won or lost a late game
    share: Estimate | None  # the mean of theirs, by Student's t; None for less than two
    is_centred: bool  # whether the interval holds the aim
    deviation: float
    histogram: tuple[int, ...]  # users by share, ten bins


def people(count: int) -> list[str]:
    """So many users as they are named, always the same."""
    rng, plans = Random(count), list(PLANS)
    return [f"{plans[rng.below(len(plans))]}:{rng.below(SKILLS) / (SKILLS - 1):.3f}" for _ in range(count)]


def spreads(modes: Sequence[str], measures: Sequence[Measure], aim: float) -> list[Spread]:
    return [
        _spread(mode, [each.share.value for each in measures if each.mode == mode and each.share], aim)
        for mode in modes
    ]


def _spread(mode: str, shares: Sequence[float], aim: float) -> Spread:
    share = mean(shares) if len(shares) > 1 else None
    bins = [min(int(share * BINS), BINS - 1) for share in shares]
    return Spread(
        mode=mode,
        users=len(shares),
        share=share,
        is_centred=share is not None and share.low <= aim <= share.high,
        deviation=pstdev(shares) if shares else 0.0,
        histogram=tuple(bins.count(each) for each in range(BINS)),
    )
