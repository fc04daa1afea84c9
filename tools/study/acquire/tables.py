"""A study's numbers as CSV: what each generation said, and what came of the games."""

import csv
from collections.abc import Iterable, Iterator, Sequence
from io import StringIO

from engines.acquire.match import Score
from tools.study.acquire.curves import QUANTITIES
from tools.study.acquire.games import GroupGames
from tools.study.acquire.pairs import Pairs
from tools.study.acquire.runs import Run

OF_SCORE = ("games", "wins", "ties", "losses", "rate", "low", "high")
Row = Sequence[object]


def tables(studied: Sequence[GroupGames], pairs: tuple[Run, Run, Pairs] | None) -> dict[str, str]:
    """Each file's text by its name."""
    made = {
        "generations.csv": _text(("group", "seed", "generation", *QUANTITIES), _generations(studied)),
        "panel.csv": _text(("group", "seed", "player", "opponent", *OF_SCORE), _panel(studied)),
        "samples.csv": _text(("group", "seed", "generation", "opponent", *OF_SCORE), _samples(studied)),
        "tournament.csv": _text(("group", "seed", "player", "generation", *OF_SCORE), _tournament(studied)),
        "matrix.csv": _text(
            ("group", "seed", "generation", "other", *OF_SCORE, "tree_distance", "behaviour_distance"),
            _matrix(studied),
        ),
    }
    if pairs:
        made["pairs.csv"] = _text(("place_generation", "buy_generation", "wins"), _pairs(pairs[2]))
    return made


def _text(head: Row, rows: Iterable[Row]) -> str:
    file = StringIO()
    csv.writer(file, lineterminator="\n").writerows([head, *rows])
    return file.getvalue()


def _generations(studied: Sequence[GroupGames]) -> Iterator[Row]:
    for each in studied:
        for run in each.group.runs:
            for number, facts in enumerate(run.generations):
                yield each.group.name, run.seed, number, *(read(facts) for read in QUANTITIES.values())


def _panel(studied: Sequence[GroupGames]) -> Iterator[Row]:
    for each in studied:
        for games in each.runs:
            for player, scores in games.panel.items():
                for member, score in scores.items():
                    yield each.group.name, games.run.seed, player, member, *_of(score)


def _samples(studied: Sequence[GroupGames]) -> Iterator[Row]:
    for each in studied:
        for games in each.runs:
            for number, scores in games.samples.items():
                for member, score in scores.items():
                    yield each.group.name, games.run.seed, number, member, *_of(score)


def _tournament(studied: Sequence[GroupGames]) -> Iterator[Row]:
    for each in studied:
        for games in each.runs:
            for player, scores in (("last best", games.tournament), ("champion", games.champion)):
                for number, score in enumerate(scores):
                    yield each.group.name, games.run.seed, player, number, *_of(score)


def _matrix(studied: Sequence[GroupGames]) -> Iterator[Row]:
    for each in studied:
        matrix, numbers = each.matrix, each.matrix_generations
        for (one, other), score in matrix.scores.items():
            yield (
                each.group.name,
                each.group.runs[0].seed,
                numbers[one],
                numbers[other],
                *_of(score),
                matrix.tree_distances[one, other],
                round(matrix.behaviour_distances[one, other], 4),
            )


def _pairs(pairs: Pairs) -> Iterator[Row]:
    for (place, buy), wins in zip(pairs.names, pairs.wins, strict=True):
        yield place, buy, wins


def _of(score: Score) -> Row:
    rate = score.win_rate
    bounds = (round(each, 4) for each in (rate.value, rate.low, rate.high))
    return score.games, score.wins, score.ties, score.losses, *bounds
