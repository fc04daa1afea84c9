"""A run as tables: what pandas, R and spreadsheets read without a parser of their own.

open_run(folder) returns a RunTables; `galapagos runs export` writes the same tables as files. There are five tables,
whose keys are integers:

    individuals   one row for each individual on record, in the order of birth
    parents       one row for each parent of an individual
    fitness       one row for each individual and generation in which its fitness was measured
    generations   one row for each generation, with the same columns in all games
    contests      one row for each player of each game on record

An individual that was born in generation g plays first, and is measured first, in generation g + 1. The best of a
generation is the fittest of the individuals on record that were measured in it; a run's champion is chosen otherwise.

The meaning of fitness differs by game and configuration: RunTables.measure describes it in words, and its direction.
The columns of the best and the worst fitness take the direction into account. Some evolutions measure more individuals
than they put on record. Their statistics have the `mean` and the `worst` of all of them, and so have the columns. A run
that an earlier version has written has no fitness on record; for such a run it is the mean of the returns of an
individual's games, and there is none where games are not on record.
"""

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from statistics import fmean
from types import TracebackType
from typing import Any, Final, Self

from engines.evolution.population import Fitness, mean_returns
from engines.evolution.run_store import Measure, RunStore

Cell = int | float | str | None
Row = tuple[Cell, ...]

RETURNS: Final = Measure(name="mean of the returns of its games", is_lower_better=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A column of a table."""

    name: str
    kind: type[int] | type[float] | type[str]
    meaning: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table of a run: its columns, and the function that yields its rows."""

    name: str
    columns: tuple[Column, ...]
    rows: Callable[["RunTables"], Iterator[Row]]


class RunTables:
    """The tables of a run. Rows are read when they are requested, so a run may be larger than the memory."""

    def __init__(self, store: RunStore) -> None:
        self.store = store
        found = store.measure
        self._has_fitness = found is not None
        self.measure = found or RETURNS

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.store.__exit__(kind, error, trace)

    def close(self) -> None:
        self.store.close()

    def rows(self, table: str) -> Iterator[Row]:
        """Yield the rows of a table.

        Raises ValueError if there is no table of this name, StoreError if the run is damaged.
        """
        return _table(table).rows(self)

    def columns(self, table: str) -> dict[str, list[Cell]]:
        """Return a whole table as lists by the names of its columns.

        For example, pandas.DataFrame(run.columns("individuals")). Raises ValueError if there is no table of this name.
        """
        names = [column.name for column in _table(table).columns]
        columns: list[list[Cell]] = [[] for _ in names]
        for row in self.rows(table):
            for column, cell in zip(columns, row, strict=True):
                column.append(cell)
        return dict(zip(names, columns, strict=True))

    def facts(self) -> Mapping[str, Cell]:
        """Return facts about the whole run: its game, seed and hash, sizes, and the measure of fitness."""
        store = self.store
        return {
            "game": store.game,
            "seed": store.seed,
            "hash": store.hash,
            "generations": store.count("generation"),
            "individuals": store.count("individual"),
            "seconds": store.seconds,
            "fitness": self.measure.name,
            "better": "lower" if self.measure.is_lower_better else "higher",
            "config": store.config,
        }

    def fitness(self) -> Iterator[tuple[int, Fitness]]:
        """Yield each measured fitness with its generation, in the order of the generations."""
        if self._has_fitness:
            yield from self.store.fitness()
            return
        known = set(self.store.ids())
        for generation, group in groupby(self.store.contests(record_step=2**62), key=lambda each: each[0]):
            for value in mean_returns(contest for _, contest in group):
                if value.id in known:
                    yield generation, value


def open_run(folder: "os.PathLike[str] | str") -> RunTables:
    """Open the run in a folder. Raises StoreError if the folder holds no run, or a damaged one."""
    return RunTables(RunStore.open(Path(folder)))


def _table(name: str) -> Table:
    try:
        return TABLES[name]
    except KeyError:
        raise ValueError(f"a run has no table {name!r}; its tables are {', '.join(TABLES)}") from None


# -- Rows ------------------------------------------------------------------------------------------


def _individuals(run: RunTables) -> Iterator[Row]:
    last = {value.id: value for _, value in run.fitness()}
    for id in run.store.ids():
        each = run.store.individual(id)
        value = last.get(id)
        measured = (value.value, value.games) if value else (None, None)
        yield (id, each.generation, each.origin, len(each.parents), *measured, each.genome)


def _parents(run: RunTables) -> Iterator[Row]:
    for id in run.store.ids():
        for number, parent in enumerate(run.store.birth(id).parents):
            yield id, number, parent


def _fitness(run: RunTables) -> Iterator[Row]:
    for generation, value in run.fitness():
        yield generation, value.id, value.value, value.games


def _generations(run: RunTables) -> Iterator[Row]:
    store = run.store
    births: dict[int, int] = {}
    for id in store.ids():
        born = store.birth(id).generation
        births[born] = births.get(born, 0) + 1
    games: dict[int, int] = {}
    for number, _ in store.contests(record_step=2**62):
        games[number] = games.get(number, 0) + 1
    sign = -1 if run.measure.is_lower_better else 1
    measured = {
        number: _summary([value for _, value in group], sign)
        for number, group in groupby(run.fitness(), key=lambda each: each[0])
    }
    nothing: Row = (0, None, None, None, None)
    for each in store.generations():
        count, *best, mean, worst = measured.get(each.number, nothing)
        yield (
            each.number,
            births.get(each.number, 0),
            games.get(each.number, 0),
            each.seconds,
            count,
            *best,
            *(_population_spread(each.statistics) or (mean, worst)),
            each.hash,
        )


def _summary(values: list[Fitness], sign: int) -> Row:
    """Return the number of values, the ID of the best individual, and the best, mean and worst fitness."""
    best = max(values, key=lambda each: sign * each.value)
    worst = min(values, key=lambda each: sign * each.value)
    return len(values), best.id, best.value, fmean(each.value for each in values), worst.value


def _population_spread(statistics: Mapping[str, Any]) -> tuple[float, float] | None:
    """Return the mean and the worst fitness of a population of which only some individuals are on record.

    None is returned for other populations.
    """
    fitness = statistics.get("fitness")
    facts = fitness if isinstance(fitness, Mapping) else statistics
    if "mean" in facts and "worst" in facts:
        return float(facts["mean"]), float(facts["worst"])
    return None


def _contests(run: RunTables) -> Iterator[Row]:
    for number, (generation, contest) in enumerate(run.store.contests(record_step=2**62)):
        for seat, (id, points) in enumerate(zip(contest.players, contest.returns, strict=True)):
            yield number, generation, contest.niche, seat, id, points, contest.ending, contest.length or None


TABLES: Final = {
    table.name: table
    for table in (
        Table(
            name="individuals",
            columns=(
                Column(name="id", kind=int, meaning="the ID, in the order of birth; some numbers may be missing"),
                Column(name="generation", kind=int, meaning="the generation in which it was born, 0 for founders; it plays and is measured from the next one on"),
                Column(name="origin", kind=str, meaning="how it was bred, in the words of the evolution"),
                Column(name="parents", kind=int, meaning="the number of its parents; the table `parents` names them"),
                Column(name="fitness", kind=float, meaning="its fitness at the last measurement; empty if it was never measured"),
                Column(name="games", kind=int, meaning="the number of games (tables, rounds, tests) of that measurement"),
                Column(name="genome", kind=str, meaning="the text of its genome, which `galapagos genome` reads"),
            ),
            rows=_individuals,
        ),
        Table(
            name="parents",
            columns=(
                Column(name="individual", kind=int, meaning="the ID of the child"),
                Column(name="number", kind=int, meaning="0 for the first parent, 1 for the second"),
                Column(name="parent", kind=int, meaning="the ID of that parent"),
            ),
            rows=_parents,
        ),
        Table(
            name="fitness",
            columns=(
                Column(name="generation", kind=int, meaning="the generation in which the fitness was measured"),
                Column(name="individual", kind=int, meaning="the ID of the individual"),
                Column(name="fitness", kind=float, meaning="its measured fitness"),
                Column(name="games", kind=int, meaning="the number of games, tables, rounds or tests of the measurement"),
            ),
            rows=_fitness,
        ),
        Table(
            name="generations",
            columns=(
                Column(name="generation", kind=int, meaning="the number of the generation; 0 has the founders"),
                Column(name="births", kind=int, meaning="the number of recorded individuals that were born in it; generation 0 may also have fixed opponents that are no founders"),
                Column(name="contests", kind=int, meaning="the number of recorded games that were played for it"),
                Column(name="seconds", kind=float, meaning="the time that it took"),
                Column(name="measured", kind=int, meaning="the number of individuals on record whose fitness was measured in it"),
                Column(name="best", kind=int, meaning="the ID of the fittest of these individuals: the best of this generation, not the champion of the run"),
                Column(name="fitness_best", kind=float, meaning="the fitness of this individual"),
                Column(name="fitness_mean", kind=float, meaning="the mean fitness of all measured individuals, also of those that are not on record"),
                Column(name="fitness_worst", kind=float, meaning="the worst fitness of all measured individuals, also of those that are not on record"),
                Column(name="hash", kind=str, meaning="a hash of everything up to this generation"),
            ),
            rows=_generations,
        ),
        Table(
            name="contests",
            columns=(
                Column(name="contest", kind=int, meaning="the number of the recorded game, in the order of play"),
                Column(name="generation", kind=int, meaning="the generation for which the game was played"),
                Column(name="niche", kind=int, meaning="the pool, tribe or island in which the game was played"),
                Column(name="seat", kind=int, meaning="the seat of the player, from 0"),
                Column(name="individual", kind=int, meaning="the ID of the player, who is not always recorded"),
                Column(name="points", kind=float, meaning="the points of that player"),
                Column(name="ending", kind=str, meaning="how the game ended, if games can end in several ways"),
                Column(name="length", kind=int, meaning="the length of the game, in actions; empty if it is unknown"),
            ),
            rows=_contests,
        ),
    )
}  # fmt: skip
