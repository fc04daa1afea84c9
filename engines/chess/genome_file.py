"""Files of genomes: reading all genomes of a file, choosing the one to play, and the bundled genomes.

Reference: Genetic Chess, section 2. A gene pool's file holds hundreds of thousands of genomes; a file in the same
folder has its games. The folder of a run stands for the run's best genome, which evolution writes to a file there.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from engines.chess.genome import Genome
from engines.chess.genome_text import MAX_CHARACTERS, GenomeError, Record, blocks, parse
from engines.config import RUN_FILE
from engines.names import near

if TYPE_CHECKING:
    from engines.catalogue import PlayerInfo

GAME: Final = "chess"
LISTING: Final = "`galapagos players chess`"
BUNDLED: Final = Path(__file__).with_name("genomes")
EVOLVED: Final = "evolved"
YARDSTICK: Final = "Stockfish 15.1, UCI_Elo 2400"  # a row in the card of the evolved genome

ENOUGH_WINS: Final = 3  # wins that a genome needs to be chosen to play
BEST_SUFFIX: Final = "_best_genome.txt"  # follows the name of the genome file
GAMES_SUFFIXES: Final = ("_games.txt", "_games.pgn")  # the second is that of Genetic Chess today
TAG: Final = re.compile(rb'\[(\w+) "(.*)"\]\s*$')
PLAYER: Final = re.compile(rb"Genetic (?:AI |Chess #)([0-9]{1,18})")


def read(text: str) -> tuple[list[Genome], tuple[str, ...]]:
    """Return all genomes of a file, and the remarks on ignored and missing values, each once.

    Raises GenomeError, which names the line and the gene of the first error, if the text is invalid.
    """
    records = [parse(block) for block in blocks(text)]
    remarks = dict.fromkeys(remark for record in records for remark in record.remarks)
    return list(map(_genome, records)), tuple(remarks)


def choose(text: str, id: int | None = None) -> Genome:
    """Return the last genome of a file that has this ID; without an ID the last of all (section 2).

    Raises GenomeError if there is none. Only the chosen genome is parsed.
    """
    return _genome(_record(text, id))


def read_genome(text: str) -> Genome:
    """Return the genome that `FILE`, `FILE ID`, `RUN` or `RUN ID` names. Raises ValueError if it cannot be read."""
    head, _, last = text.rpartition(" ")
    if head and last.isascii() and last.isdigit() and not Path(text).exists():
        return fit_to_play(Path(head), int(last))
    return fit_to_play(Path(text))


def fit_to_play(path: Path, id: int | None = None) -> Genome:
    """Return the genome of a file or a run that record_to_play() chooses."""
    return _genome(record_to_play(path, id))


def record_to_play(path: Path, id: int | None = None) -> Record:
    """Return the genome of a file that has this ID; without an ID the one that is presumably the most evolved.

    That is the genome with the highest ID among those that have won three of the games in the file of games; without
    such a genome or such a file, the last in the file. If `path` is the folder of a run, the genome is the run's best,
    or the one with the ID. Raises ValueError if a file cannot be read or there is no such genome. A file of 300 MB
    takes some seconds.
    """
    if (path / RUN_FILE).is_file():
        return _record_of_run(path, id)
    text = _genomes_text(path)
    try:
        if id is None:
            fit = _fit(path)
            id = max(
                (block.id for block in blocks(text) if block.id is not None and block.id in fit), default=None
            )
        return _record(text, id)
    except GenomeError as error:
        raise GenomeError(f"{path}: {error}") from None


def _record_of_run(folder: Path, id: int | None) -> Record:
    from engines.evolution.run_store import RunStore  # late: an engine starts without it

    with RunStore.open(folder) as store:
        if store.game != GAME:
            raise ValueError(f"{folder} is a run of {store.game}, not of {GAME}")
        id = store.champion if id is None else id
        if id is not None:
            try:
                return replace(_record(store.individual(id).genome, None), id=id)
            except KeyError:
                raise ValueError(f"{folder} has no individual with the ID {id}") from None
    files = list(folder.glob(f"*{BEST_SUFFIX}"))
    if len(files) != 1:
        raise ValueError(
            f"{folder} has {len(files)} files of a best genome, *{BEST_SUFFIX}; name a file or an ID"
        )
    return record_to_play(files[0])


def _record(text: str, id: int | None) -> Record:
    chosen = None
    for block in blocks(text):
        if id is None or block.id == id:
            chosen = block
    if chosen is None:
        raise GenomeError("the file has no genome" if id is None else f"no genome has ID {id}")
    return parse(chosen)


def _genome(record: Record) -> Genome:
    return Genome(id=record.id, genes=record.genes)


# -- Bundled genomes ---------------------------------------------------------------------------------


def bundled() -> tuple[str, ...]:
    """Return the names of the bundled genomes, in alphabetical order."""
    return tuple(sorted(path.stem for path in BUNDLED.glob("*.txt")))


def load_bundled(name: str) -> Genome:
    """Return a bundled genome. Raises ValueError if there is none of this name."""
    return choose(bundled_text(name))


def bundled_text(name: str) -> str:
    """Return the text of a bundled genome, which starts with a description. Raises ValueError for an unknown name."""
    if name not in bundled():
        raise ValueError(f"no bundled genome {name[:40]!r}; {near(name, bundled(), LISTING)}")
    return (BUNDLED / f"{name}.txt").read_text(encoding="utf-8")


def catalogue() -> "list[PlayerInfo]":
    """Return the bundled genomes as players, the evolved one first."""
    return [_player(name) for name in dict.fromkeys((EVOLVED, *bundled()))]


def _player(name: str) -> "PlayerInfo":
    from engines.catalogue import PlayerInfo, first_sentence, measured  # late: an engine starts without it

    card = BUNDLED / f"{name}.txt"
    is_evolved = name == EVOLVED
    return PlayerInfo(
        name=name,
        title=first_sentence(card.read_text(encoding="utf-8")),
        strength=f"{measured(card, YARDSTICK, 'score')} against {YARDSTICK}" if is_evolved else "",
        is_evolved=is_evolved,
        card=card,
    )


# -- Files and their games ---------------------------------------------------------------------------


def _genomes_text(path: Path) -> str:
    try:
        if path.stat().st_size > MAX_CHARACTERS:
            raise ValueError(f"the genome file {str(path)[:100]!r} is larger than {MAX_CHARACTERS >> 20} MB")
        return path.read_text(encoding="utf-8")
    except OSError as error:
        is_name = isinstance(error, FileNotFoundError) and path.name == str(path)
        advice = f"; {near(path.name, bundled(), LISTING)}" if is_name else ""
        raise ValueError(
            f"cannot read the genome file {str(path)[:100]!r}: {error.strerror}{advice}"
        ) from error
    except UnicodeDecodeError:
        raise ValueError(f"the genome file {str(path)[:100]!r} is not a text file") from None


def _fit(path: Path) -> set[int]:
    """Return the IDs that have won often enough in the games of a genome file."""
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
    """Yield the winner of each game that has one; lines are read one by one, as files may be larger than memory."""
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
    """Yield the ID of a game's winner, if the game has one and is complete.

    The last line of a complete game is its result, as PGN demands, or empty, because Genetic Chess leaves the result
    out. Any other game was cut off.
    """
    result = tags.get(b"Result", b"")
    winner = {b"1-0": tags.get(b"White"), b"0-1": tags.get(b"Black")}.get(result)
    found = PLAYER.fullmatch(winner) if winner else None
    if found and last.split()[-1:] in ([], [result]):
        yield int(found[1])
