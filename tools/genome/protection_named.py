"""The strings and defenders of Advanced Protection that an argument of `galapagos genome` names."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from engines.catalogue import unknown
from engines.protection.arms_race import loads_genome
from engines.protection.bots import BUILDERS
from engines.protection.defender import Defender
from engines.protection.genome import Genome
from engines.protection.pool import PREFIX, Entry, descriptions, find_entry, handwritten
from engines.storage import read_text
from tools.genome.source import Source

GAME: Final = "protection"


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """A string or a defender, its name, and a note on its origin."""

    name: str
    genome: Genome | Defender
    about: str = ""

    @classmethod
    def read(cls, source: Source) -> Self:
        """Return a hand-written string by name, one of the pool, of a file, or of an individual of a run.

        A file or an individual may also be a defender. A run without an ID stands for its best individual. Raises
        ValueError if there is no such string or defender.
        """
        known, name = handwritten(), source.name
        if source.store:
            born = source.individual(GAME)
            return cls(name=f"ID {born.id} of {name}", genome=loads_genome(born.genome))
        if source.id is not None:
            raise ValueError(f"{name} holds one string, so no ID can be given")
        if name in known:
            return cls(name=name, genome=known[name], about=descriptions()[name])
        if name.startswith(PREFIX):
            entry = find_entry(name)
            return cls(name=f"{name}, {entry.name}", genome=entry.genome, about=_provenance(entry))
        try:
            text = read_text(Path(name))
        except FileNotFoundError:
            raise ValueError(unknown("string", name, known)) from None
        except OSError as error:
            raise ValueError(f"cannot read {name[:100]!r}: {error.strerror}") from None
        try:
            return cls(name=name, genome=loads_genome(text))
        except ValueError as error:
            raise ValueError(f"{name}: {error}") from None

    @property
    def string(self) -> Genome:
        """The genome as a string. Raises ValueError if it is a defender."""
        if isinstance(self.genome, Defender):
            raise ValueError(f"{self.name} is a defender; this verb is for strings of Chaos")
        return self.genome


def _provenance(entry: Entry) -> str:
    """Return the origin of a string of the pool, in words."""
    facts = entry.provenance
    if "about" in facts:
        return str(facts["about"])
    against = facts["arrangement"]
    if against in BUILDERS:  # other arrangements have their own money, and may have their own map
        against += f" of ${facts['money']:,} on map {facts['ground']}"
    rating = f"{facts['fresh']:,.0f} +-{1.96 * facts['fresh_error']:,.0f}"
    return f"evolved against {against}, rules {facts['rules']}; rating {rating} in fresh tests"
