"""The files of a run of tribes: one readable Redcode file a tribe, and one of the champions.

Reference: Evolving Warriors, section Implementation. The store is the record; these are for people and
for other programs, and are replaced as wholes now and then.
"""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from engines.corewar.tribes.genome import WarriorGenome


class TribeFiles:
    """The files in the folder of a run."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def tribe(self, number: int, warriors: Iterable[tuple[int, WarriorGenome, str]]) -> None:
        """Whoever reads it sees the old file or the new one. Warriors are ID, genome, and a word on each."""
        self._write(f"tribe_{number}.red", f"Tribe {number}", warriors)

    def champions(self, warriors: Iterable[tuple[int, WarriorGenome, str]]) -> None:
        self._write("champions.red", "Champion", warriors)

    def _write(self, file: str, title: str, warriors: Iterable[tuple[int, WarriorGenome, str]]) -> None:
        text = "\n".join(
            replace(genome, name=f"{title}, {id}").dumps().replace("\nORG", f"\n;strategy {word}\nORG", 1)
            for id, genome, word in warriors
        )
        path = self._folder / file
        unfinished = path.with_name(f".{file}.tmp")
        unfinished.write_text(text, encoding="utf-8")
        unfinished.replace(path)
