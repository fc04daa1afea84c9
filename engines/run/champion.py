"""The champion of a run as a file in its folder, so that it can be played and read by its path."""

from dataclasses import dataclass
from typing import Any

from engines.evolution.evolution import Generation
from engines.run.store import Store


@dataclass(frozen=True, slots=True)
class ChampionFile:
    """A Journal: whom the last examination found best. It is no part of the record, so nothing is cut back."""

    store: Store
    name: str

    def rewind(self, mark: str) -> None:
        """Whatever is there is replaced in time."""

    def append(self, generation: Generation[Any]) -> str:
        if "examined" in generation.statistics:
            champion = generation.statistics["examined"]["champion"]
            unfinished = self.store.folder / f".{self.name}.tmp"
            unfinished.write_text(self.store.individual(champion).genome, encoding="utf-8")
            unfinished.replace(self.store.folder / self.name)
        return ""
