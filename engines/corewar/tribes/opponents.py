"""Fixed opponents: the program's own warriors, or those of a file or folder that a configuration names.

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
    rules = config.rules
    found = []
    for path in _files(OWN if where == "own" else Path(where)):
        try:
            warrior = read(path.read_text(encoding="iso-8859-1"), rules)
        except ValueError as error:
            if where == "own":
                continue
            raise ValueError(f"{path}: {error}") from None
        found.append(WarriorGenome.of(warrior, rules))
    if not found:
        raise ValueError(f"{where}: no warrior is there, in a file {', '.join(SUFFIXES)}")
    return found


def _files(path: Path) -> Iterator[Path]:
    if not path.is_dir():
        yield path
        return
    for each in sorted(path.iterdir()):
        if each.suffix.lower() in SUFFIXES:
            yield each
