"""The numbers that claims of the thesis are judged by: each measure returns one number of each run, or of each seed.

A run without the number, because it is too short for it, has none in the result.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import pairwise
from math import comb
from statistics import StatisticsError, correlation, fmean, linear_regression
from typing import Final

from engines.acquire.genome import Genome
from engines.acquire.gp.tree import Tree
from tools.study.acquire_games import CHAMPION, LAST_BEST, YARDSTICKS
from tools.study.acquire_pairs import GAMES, Pairs
from tools.study.acquire_runs import Run
from tools.study.acquire_thesis_games import Repeat, SeedPairs

PRINTED: Final = ("pair-1", "pair-2", "pair-3", "pair-4")

Measure = Callable[[Repeat], Sequence[float]]


# -- Curves over the generations -----------------------------------------------------------------------


def size_difference(generation: int) -> Measure:
    """Measure by how many nodes the mean program that places is larger than the one that buys."""

    def measure(repeat: Repeat) -> list[float]:
        both = zip(repeat.place.group.runs, repeat.buy.group.runs, strict=True)
        return [
            place.generations[generation]["nodes"] - buy.generations[generation]["nodes"]
            for place, buy in both
        ]

    return measure


def rise(evolve: str, quantity: str) -> Measure:
    """Measure by how much the trend line of a quantity rises from the first to the last generation."""
    return lambda repeat: [
        rise_of(curve) for run in _runs(repeat, evolve) if len(curve := _curve(run, quantity)) > 1
    ]


def fall(evolve: str, quantity: str) -> Measure:
    """Measure by how much the trend line of 1 less a quantity rises: of standardized fitness, for example."""
    return lambda repeat: [-value for value in rise(evolve, quantity)(repeat)]


def level(evolve: str, quantity: str) -> Measure:
    """Measure the mean of a quantity over all generations."""
    return lambda repeat: [fmean(_curve(run, quantity)) for run in _runs(repeat, evolve)]


def parallel(evolve: str, quantity: str) -> Measure:
    """Measure the correlation between the changes of two runs from each generation to the next.

    Changes, unlike distances from a trend line, do not agree only because both curves bend. Each run is in one pair
    of runs only, so that the numbers are independent.
    """

    def measure(repeat: Repeat) -> list[float]:
        length = repeat.half(evolve).group.length
        changes = [
            [after - before for before, after in pairwise(_curve(run, quantity)[:length])]
            for run in _runs(repeat, evolve)
        ]
        found = []
        for one, other in zip(changes[::2], changes[1::2], strict=False):
            with suppress(StatisticsError):  # too short, or constant
                found.append(correlation(one, other))
        return found

    return measure


def rise_of(curve: Sequence[float]) -> float:
    """Return by how much the trend line rises from the first to the last point."""
    return linear_regression(range(len(curve)), curve).slope * (len(curve) - 1)


# -- The best of a run -----------------------------------------------------------------------------------


def best_generation(evolve: str) -> Measure:
    """Measure the generation of the best of the run: the highest fitness of all."""
    return lambda repeat: [_best_of_run(run) for run in _runs(repeat, evolve)]


def best_nodes(evolve: str) -> Measure:
    """Measure the nodes of the program of the best of the run."""
    return lambda repeat: [
        len(_program(run.bests[_best_of_run(run)], evolve)) for run in _runs(repeat, evolve)
    ]


def nodes_of_founders(evolve: str) -> Measure:
    """Measure the mean nodes of the random programs of generation 0."""
    return lambda repeat: [run.generations[0]["nodes"] for run in _runs(repeat, evolve)]


def middle_generation(evolve: str) -> Measure:
    """Measure the mean number of a generation that is drawn at random."""
    return lambda repeat: [(len(run.generations) - 1) / 2 for run in _runs(repeat, evolve)]


# -- Games against earlier bests, and of random samples ------------------------------------------------


def ancestors_rise(evolve: str, start: float, end: float) -> Measure:
    """Measure by how much the last best's win rate rises from the oldest to the youngest opponent of a part.

    The opponents are the bests of earlier generations; `start` and `end` are shares of these.
    """

    def measure(repeat: Repeat) -> list[float]:
        half = repeat.half(evolve)
        numbers = range(half.group.length - 1)
        part = numbers[round(start * len(numbers)) : round(end * len(numbers))]
        if len(part) < 2:
            return []
        scores = [half.of_runs("tournament", LAST_BEST, generation=number) for number in part]
        return [rise_of([score.win_rate.value for score in run]) for run in zip(*scores, strict=True)]

    return measure


def sample_gain(evolve: str) -> Measure:
    """Measure by how much more a sample of the last generation wins against random players than one of the first."""

    def measure(repeat: Repeat) -> list[float]:
        half = repeat.half(evolve)
        found = []
        for run in half.group.runs:
            rates = [
                score.win_rate.value
                for row, score in half.scores.items()
                if (row.table, row.seed, row.opponent) == ("samples", run.seed, YARDSTICKS[0])
            ]
            found.append(rates[-1] - rates[0])
        return found

    return measure


def champion_strength(evolve: str, member: str) -> Measure:
    """Measure the win rate of the champion of a run, chosen by new games, against a member of the panel."""
    return lambda repeat: [
        score.win_rate.value for score in repeat.half(evolve).of_runs("panel", CHAMPION, opponent=member)
    ]


# -- Pairs -----------------------------------------------------------------------------------------------


def pairs_with(wins: int) -> Measure:
    """Measure the number of pairs that won so many of their first games."""
    return lambda repeat: [each.of_runs[2].counts[wins] for each in repeat.pairs]


def pairs_expected(wins: int) -> Measure:
    """Measure the number of pairs that would win so many of their first games if all pairs were equal."""
    return lambda repeat: [each.of_runs[2].expected[wins] for each in repeat.pairs]


def retest_of_winners(repeat: Repeat) -> list[float]:
    """Measure the win rate, among the top pairs, of those with the most wins in their first games.

    There is none if all of the top pairs have equally many wins.
    """
    found = []
    for _, _, pairs in _of_runs(repeat):
        most = max(pairs.wins)
        rates = [
            score.win_rate.value
            for pair, score in zip(pairs.top, pairs.retests, strict=True)
            if pairs.wins[pair] == most
        ]
        if len(rates) < len(pairs.top):
            found.append(fmean(rates))
    return found


def lacks_best_of_run(repeat: Repeat) -> list[float]:
    """Measure whether no pair with the most wins has the best of a run: 1 if so, else 0."""
    found = []
    for places, buys, pairs in _of_runs(repeat):
        names = [pairs.names[pair] for pair in winners(pairs)]
        best = _best_of_run(places), _best_of_run(buys)
        found.append(float(all(place != best[0] and buy != best[1] for place, buy in names)))
    return found


def lacks_by_luck(repeat: Repeat) -> list[float]:
    """Measure the probability that as many pairs drawn at random would not have the best of a run."""
    found = []
    for places, buys, pairs in _of_runs(repeat):
        without = (1 - 1 / len(places.bests)) * (1 - 1 / len(buys.bests))
        found.append(without ** len(winners(pairs)))
    return found


def wins_with_best(evolve: str) -> Measure:
    """Measure the most wins of a pair that has the best of a run."""

    def measure(repeat: Repeat) -> list[float]:
        found: list[float] = []
        for places, buys, pairs in _of_runs(repeat):
            side, best = (0, _best_of_run(places)) if evolve == "place" else (1, _best_of_run(buys))
            won = zip(pairs.names, pairs.wins, strict=True)
            found.append(max(wins for name, wins in won if name[side] == best))
        return found

    return measure


def wins_by_luck(evolve: str) -> Measure:
    """Measure the most wins that as many equal pairs would be expected to have, of those with one program."""

    def measure(repeat: Repeat) -> list[float]:
        return [
            expected_most(pairs, len(buys.bests) if evolve == "place" else len(places.bests))
            for places, buys, pairs in _of_runs(repeat)
        ]

    return measure


def nodes_of_winners(evolve: str) -> Measure:
    """Measure the mean nodes of this program in the pairs with the most wins."""
    return lambda repeat: [
        fmean(len(_program_of(each, pair, evolve)) for pair in winners(each.of_runs[2]))
        for each in repeat.pairs
    ]


def nodes_of_bests(evolve: str) -> Measure:
    """Measure the mean nodes of the bests of all generations, as in pairs drawn at random."""
    return lambda repeat: [
        fmean(len(_program(best, evolve)) for best in run.bests) for run in _runs(repeat, evolve)
    ]


def generation_of_winners(repeat: Repeat) -> list[float]:
    """Measure the mean generation of both programs in the pairs with the most wins."""
    return [fmean(sum(pairs.names[pair]) / 2 for pair in winners(pairs)) for _, _, pairs in _of_runs(repeat)]


def strongest(*members: str) -> Measure:
    """Measure the mean win rate of the strongest pair of each seed against some members of the panel."""
    return lambda repeat: [
        fmean(each.panel[member].win_rate.value for member in members) for each in repeat.pairs
    ]


def winners(pairs: Pairs) -> list[int]:
    """Return the indices of the pairs with the most wins."""
    most = max(pairs.wins)
    return [pair for pair, wins in enumerate(pairs.wins) if wins == most]


def expected_most(pairs: Pairs, count: int) -> float:
    """Return the expected most wins among `count` equal pairs in their first games."""
    win = (1 - pairs.tied) / 2
    shares = [comb(GAMES, wins) * win**wins * (1 - win) ** (GAMES - wins) for wins in range(GAMES + 1)]
    return sum(1 - sum(shares[:wins]) ** count for wins in range(1, GAMES + 1))


# -- Helpers ---------------------------------------------------------------------------------------------


def _runs(repeat: Repeat, evolve: str) -> Sequence[Run]:
    return repeat.half(evolve).group.runs


def _of_runs(repeat: Repeat) -> list[tuple[Run, Run, Pairs]]:
    return [each.of_runs for each in repeat.pairs]


def _curve(run: Run, quantity: str) -> list[float]:
    return [row[quantity] for row in run.generations]


def _best_of_run(run: Run) -> int:
    """Return the generation of the highest fitness; the first of equals."""
    best = _curve(run, "best")
    return best.index(max(best))


def _program(genome: Genome, evolve: str) -> Tree:
    program = genome[evolve]
    assert program is not None
    return program


def _program_of(each: SeedPairs, pair: int, evolve: str) -> Tree:
    places, buys, pairs = each.of_runs
    place, buy = pairs.names[pair]
    return _program(places.bests[place] if evolve == "place" else buys.bests[buy], evolve)
