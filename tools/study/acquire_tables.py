"""The CSV tables of a study of Acquire's players."""

import csv
from collections.abc import Iterable, Iterator, Sequence
from io import StringIO
from typing import Final

from engines.acquire.match import Score
from tools.study.acquire_games import GroupGames, PairsOfRuns
from tools.study.acquire_runs import QUANTITIES

OF_SCORE: Final = ("games", "wins", "ties", "losses", "rate", "low", "high")
TABLES: Final = {  # the columns of each table of scores
    "panel": ("player", "opponent"),
    "samples": ("generation", "opponent"),
    "tournament": ("player", "generation"),
}


def tables(studied: Sequence[GroupGames], pairs: PairsOfRuns | None) -> dict[str, str]:
    """Return the text of each CSV file by its name."""
    made = {
        "generations.csv": _csv(("group", "seed", "generation", *QUANTITIES), _generation_rows(studied)),
        "matrix.csv": _csv(
            ("group", "seed", "generation", "other", *OF_SCORE, "tree_distance", "behaviour_distance"),
            _matrix_rows(studied),
        ),
    }
    for table, columns in TABLES.items():
        rows = (
            (each.group.name, row.seed, *(getattr(row, column) for column in columns), *_numbers(score))
            for each in studied
            for row, score in each.scores.items()
            if row.table == table
        )
        made[f"{table}.csv"] = _csv(("group", "seed", *columns, *OF_SCORE), rows)
    if pairs:
        won = zip(pairs[2].names, pairs[2].wins, strict=True)
        rows_of_pairs = ((place, buy, wins) for (place, buy), wins in won)
        made["pairs.csv"] = _csv(("place_generation", "buy_generation", "wins"), rows_of_pairs)
    return made


def _csv(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    file = StringIO()
    csv.writer(file, lineterminator="\n").writerows([head, *rows])
    return file.getvalue()


def _generation_rows(studied: Sequence[GroupGames]) -> Iterator[Sequence[object]]:
    for each in studied:
        for run in each.group.runs:
            for number, row in enumerate(run.generations):
                yield each.group.name, run.seed, number, *row.values()


def _matrix_rows(studied: Sequence[GroupGames]) -> Iterator[Sequence[object]]:
    for each in studied:
        matrix, numbers = each.matrix, each.matrix_generations
        for (one, other), score in matrix.scores.items():
            yield (
                each.group.name,
                each.group.runs[0].seed,
                numbers[one],
                numbers[other],
                *_numbers(score),
                matrix.tree_distances[one, other],
                round(matrix.behaviour_distances[one, other], 4),
            )


def _numbers(score: Score) -> Sequence[object]:
    rate = score.win_rate
    bounds = (round(each, 4) for each in (rate.value, rate.low, rate.high))
    return score.games, score.wins, score.ties, score.losses, *bounds
