"""The text files of a gene pool: its genomes, its games and its best.

Reference: Genetic Chess, section 2. The run's store is the record; these are for people and for other
programs. They grow generation by generation, and after a crash are cut back to what the store knows.
"""

import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from engines.chess.genome import Genome
from engines.evolution.evolution import Individual


class PoolFiles:
    """The files of one run, in its folder. A mark tells how long they are, as text for the store."""

    def __init__(self, folder: Path, name: str) -> None:
        self._genomes = folder / name
        self._games = folder / f"{name}_games.txt"
        self._best = folder / f"{name}_best_genome.txt"

    def rewind(self, mark: str) -> None:
        """Cut the files to what they were at `mark`, to nothing if it is empty.

        ValueError, and nothing is cut, if one is missing or too short.
        """
        lengths = dict(zip((self._genomes, self._games), _lengths(mark), strict=True))
        for path, length in lengths.items():
            if length and not path.exists():
                raise ValueError(
                    f"{path.name} is missing: put it back, {length} bytes of it belong to this run"
                )
            if length and path.stat().st_size < length:
                size = path.stat().st_size
                raise ValueError(f"{path.name} has lost its end: put it back, {length} bytes, not {size}")
        for path, length in lengths.items():
            if path.exists():
                os.truncate(path, length)

    def append(
        self,
        genomes: Iterable[Individual[Genome]],
        still_alive: Sequence[tuple[int, Sequence[int]]],
        games: Iterable[str],
    ) -> str:
        """Add a generation: the newborn, the IDs that live on in each pool, the games as PGN.

        It is on the disk when the new mark returns. OSError leaves it in part, until the next rewind.
        """
        born = (replace(newborn.genome, id=newborn.id).dumps() for newborn in genomes)
        alive = (f"Still Alive: {pool} : {' '.join(map(str, ids))}\n" for pool, ids in still_alive)
        return json.dumps({
            "genomes": _append(self._genomes, (*born, *alive)),
            "games": _append(self._games, games),
        })  # fmt: skip

    def best(self, individual: Individual[Genome]) -> None:
        """Replace the file of the best genome: whoever reads it sees the old one or the new one."""
        unfinished = self._best.with_name(f".{self._best.name}.tmp")
        with unfinished.open("wb") as file:
            file.write(replace(individual.genome, id=individual.id).dumps().encode())
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(self._best)


# -- Writing ---------------------------------------------------------------------------------------


def _append(path: Path, texts: Iterable[str]) -> int:
    """Add the texts, a blank line after each, and give the length of the file in bytes."""
    with path.open("ab") as file:
        for text in texts:
            file.write(text.rstrip("\n").encode() + b"\n\n")
        file.flush()
        os.fsync(file.fileno())
        return file.tell()


def _lengths(mark: str) -> tuple[int, int]:
    if not mark:
        return 0, 0
    try:
        found = json.loads(mark)
        genomes, games = found["genomes"], found["games"]
    except (ValueError, KeyError, TypeError, RecursionError):
        genomes = games = None
    if type(genomes) is not int or type(games) is not int or genomes < 0 or games < 0:
        raise ValueError(f"no mark of a gene pool's files: {mark[:60]!r}")
    return genomes, games
