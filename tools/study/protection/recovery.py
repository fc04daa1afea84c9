"""How soon Chaos has found its way again after a user has changed the plan."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import comb
from statistics import fmean
from typing import Final

from core.protection.rules import CHAOS, HUMAN
from engines.protection.series import Outcome
from engines.protection.users.table import SWITCHED, SWITCHES_EVERY
from tools.study.protection.kept import Finished
from tools.study.protection.plan import Plan, Task

SWITCHER: Final = "switcher"


@dataclass(frozen=True, slots=True, kw_only=True)
class Recovery:
    """Under one rule of choice, by how many games after a switch it is."""

    mode: str
    distances: tuple[float, ...]  # of the human's share from the aim, the mean over the plans
    by_chance: tuple[float, ...]  # that of games that are won with the aim's probability


def recoveries(plan: Plan, finished: Finished) -> list[Recovery]:
    """Of each rule of choice, if the user who changes plans was among them."""
    if SWITCHER not in plan.users:
        return []
    found = []
    for mode in plan.modes:
        tasks = [Task(plan=plan, user=SWITCHER, mode=mode, seed=seed) for seed in range(1, plan.seeds + 1)]
        series = [finished[task.key] for task in tasks if task.key in finished]
        if any(len(games) > SWITCHES_EVERY for games in series):
            found.append(_recovery(mode, series, plan.aim))
    return found


def _recovery(mode: str, series: Sequence[Sequence[Outcome]], aim: float) -> Recovery:
    distances, chances = [], []
    for after in range(SWITCHES_EVERY):
        cells = [cell for cell in _cells(series, after) if cell]
        distances.append(fmean(abs(fmean(cell) - aim) for cell in cells) if cells else 0.0)
        chances.append(fmean(_by_chance(len(cell), aim) for cell in cells) if cells else 0.0)
    return Recovery(mode=mode, distances=tuple(distances), by_chance=tuple(chances))


def _cells(series: Sequence[Sequence[Outcome]], after: int) -> Iterator[list[bool]]:
    """For each plan whether the human has won, in the games that came so many after a switch to it."""
    for plan in range(len(SWITCHED)):
        yield [
            game.winner == HUMAN
            for games in series
            for number, game in enumerate(games)
            if number >= SWITCHES_EVERY  # before there was no switch
            and number // SWITCHES_EVERY % len(SWITCHED) == plan
            and number % SWITCHES_EVERY == after
            and game.winner in (HUMAN, CHAOS)
        ]


def _by_chance(games: int, aim: float) -> float:
    """How far from it the share of so many games is to be expected."""
    return sum(
        comb(games, wins) * aim**wins * (1 - aim) ** (games - wins) * abs(wins / games - aim)
        for wins in range(games + 1)
    )
