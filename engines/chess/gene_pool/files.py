"""The text files of a gene pool: its genomes, its games and its best, and which genome of them to play.

Reference: Genetic Chess, section 2. The run's store is the record; these are for people and for other
programs. They grow generation by generation, and after a crash are cut back to what the store knows.
"""

import json
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from engines.chess.genome import Genome, choose
from engines.chess.genome_text import MAX_CHARACTERS, blocks
from engines.evolution import Individual

ENOUGH_WINS: Final = 3  # for a genome to be the one to play
GAMES_SUFFIXES: Final = ("_games.txt", "_games.pgn")  # the second is that of Genetic Chess today

TAG: Final = re.compile(rb'\[(\w+) "(.*)"\]\s*$')
PLAYER: Final = re.compile(rb"Genetic (?:AI |Chess #)([0-9]{1,18})")


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


def fit_to_play(path: Path, id: int | None = None) -> Genome:
    """The genome of a file that has this ID; without an ID the one that is thought the most evolved.

    That is the last one, by its ID, that has won three of the games in the file beside it; where there
    are no games, or none has won so many, the last in the file. ValueError says what cannot be read or
    found. A file of 300 MB takes some seconds.
    """
    text = _genomes_text(path)
    if id is None:
        fit = _fit(path)
        id = max(
            (block.id for block in blocks(text) if block.id is not None and block.id in fit), default=None
        )
    return choose(text, id)


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


# -- Reading ---------------------------------------------------------------------------------------


def _genomes_text(path: Path) -> str:
    try:
        if path.stat().st_size > MAX_CHARACTERS:
            raise ValueError(f"the genome file {str(path)[:100]!r} is larger than {MAX_CHARACTERS >> 20} MB")
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise ValueError(f"cannot read the genome file {str(path)[:100]!r}: {error.strerror}") from error
    except UnicodeDecodeError:
        raise ValueError(f"the genome file {str(path)[:100]!r} is no text file") from None


def _fit(path: Path) -> set[int]:
    """The IDs that have won often enough in the games beside a genome file."""
    wins: Counter[int] = Counter()
    for suffix in GAMES_SUFFIXES:
        games = Path(f"{path}{suffix}")
        try:
            with games.open("rb") as lines:
                wins.update(_winners(lines))
        except FileNotFoundError:
            continue
        except OSError as error:
            raise ValueError(
                f"cannot read the games in {str(games)[:100]!r}: {error.strerror}; name an ID, or move them away"
            ) from error
    return {id for id, count in wins.items() if count >= ENOUGH_WINS}


def _winners(lines: Iterable[bytes]) -> Iterator[int]:
    """The winner of each game that has one, line by line: the files are larger than memory."""
    tags: dict[bytes, bytes] = {}
    has_moves = False
    last = b""
    for line in lines:
        tag = TAG.match(line) if line.startswith(b"[") else None
        if tag and has_moves:
            yield from _winner(tags, last)
            tags, has_moves = {}, False
        if tag:
            tags[tag[1]] = tag[2]
        elif line.strip():
            has_moves = True
        last = line
    if has_moves:
        yield from _winner(tags, last)


def _winner(tags: dict[bytes, bytes], last: bytes) -> Iterator[int]:
    """The ID of a game's winner, if it has one and is whole.

    The last line of a whole game is its result, as PGN demands, or empty: Genetic Chess leaves the
    result out. Any other has been torn off.
    """
    result = tags.get(b"Result", b"")
    winner = {b"1-0": tags.get(b"White"), b"0-1": tags.get(b"Black")}.get(result)
    found = PLAYER.fullmatch(winner) if winner else None
    if found and last.split()[-1:] in ([], [result]):
        yield int(found[1])
