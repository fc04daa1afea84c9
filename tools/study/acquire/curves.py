"""What the generations of several runs say together: a mean over the runs, with its interval."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from engines.acquire.match import Score
from engines.statistics import Estimate, mean
from tools.study.acquire.runs import Group

QUANTITIES: Final[Mapping[str, Callable[[Mapping[str, Any]], float]]] = {
    "nodes": lambda facts: float(facts["nodes"]["mean"]),
    "levels": lambda facts: float(facts["levels"]["mean"]),
    "genotypes": lambda facts: float(facts["genotypes"]),
    "behaviours": lambda facts: float(facts["behaviours"]),
    "best": lambda facts: float(facts["fitness"]["best"]),
    "best_by_luck": lambda facts: float(facts["fitness"]["best_by_luck"]),
    "mean": lambda facts: float(facts["fitness"]["mean"]),
    "deviation": lambda facts: float(facts["fitness"]["deviation"]),
    "game_deviation": lambda facts: float(facts["fitness"]["game_deviation"]),
}


def curve(group: Group, quantity: str) -> list[Estimate]:
    """By generation. Of a single run there is no interval: it is the value itself."""
    number = QUANTITIES[quantity]
    return [
        over_runs([number(run.generations[place]) for run in group.runs]) for place in range(group.length)
    ]


def over_runs(values: Sequence[float]) -> Estimate:
    """The mean of runs, with Student's 95 % interval where there are two or more."""
    if len(values) == 1:
        return Estimate(value=values[0], low=values[0], high=values[0])
    return mean(values)


def rate(scores: Sequence[Score]) -> Estimate:
    """The win rate, the mean of the runs; the interval is not narrower than the games alone would allow.

    Of a single run it is Wilson's. Few runs that happen to agree must not look certain.
    """
    games = sum(scores, Score()).win_rate
    if len(scores) == 1:
        return games
    runs = mean([score.win_rate.value for score in scores])
    return Estimate(
        value=runs.value, low=max(min(runs.low, games.low), 0.0), high=min(max(runs.high, games.high), 1.0)
    )
