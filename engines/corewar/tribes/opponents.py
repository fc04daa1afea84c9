"""Fixed opponents, and parts of founders: the program's own warriors, or those of files that a configuration names.

They are read when a run begins and belong to its record from then on. The reader of Redcode comes from
outside: the language is a protocol.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from core.corewar.rules import Rules
from core.corewar.warrior import Warrior
from engines.corewar.tribes.config import TribesConfig
from engines.corewar.tribes.genome import WarriorGenome

OWN: Final = Path(__file__).parents[1] / "warriors"
SUFFIXES: Final = (".red", ".redcode", ".rc")

Reader = Callable[[str, Rules], Warrior]  # ValueError for a text that is no warrior under these rules


def read_opponents(where: str, config: TribesConfig, read: Reader) -> list[WarriorGenome]:
    """In the order of their files' names; of our own those that these rules suit.

    ValueError or OSError if something cannot be read, or if there is nobody.
    """
    if where == "none":
        return []
    found = []
    for path in _files(OWN if where == "own" else Path(where)):
        try:
            found.append(_warrior(path, config, read))
        except ValueError:
            if where != "own":
                raise
    if not found:
        raise ValueError(f"{where}: no warrior is there, in a file {', '.join(SUFFIXES)}")
    return found


def read_parts(where: str, config: TribesConfig, read: Reader) -> list[WarriorGenome]:
    """In the order in which they are named, with commas between: files, or names of our own warriors.

    ValueError or OSError if one cannot be read.
    """
    if where == "none":
        return []
    paths = []
    for name in map(str.strip, where.split(",")):
        own = OWN / f"{name}.red"
        paths.append(own if name == Path(name).name and own.is_file() else Path(name))
    return [_warrior(path, config, read) for path in paths]


def _warrior(path: Path, config: TribesConfig, read: Reader) -> WarriorGenome:
    try:
        warrior = read(path.read_text(encoding="iso-8859-1"), config.rules)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
    return WarriorGenome.of(warrior, config.rules)


def _files(path: Path) -> Iterator[Path]:
    if not path.is_dir():
        yield path
        return
    for each in sorted(path.iterdir()):
        if each.suffix.lower() in SUFFIXES:
            yield each
