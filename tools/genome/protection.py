"""The part of `galapagos genome` on strings of Advanced Protection: show, check, normalise, explain, compare."""

import json
from argparse import ArgumentParser, Namespace, _SubParsersAction
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from engines.catalogue import unknown
from engines.protection.automata import Difference, explain_string, lint, normalised
from engines.protection.bots import BUILDERS
from engines.protection.genome import MINIONS, Genome
from engines.protection.pool import PREFIX, Entry, descriptions, find_entry, handwritten
from engines.storage import read_text
from tools.cli import add_verb, natural_int
from tools.genome.source import Source, opened

GAME: Final = "protection"
EXAMPLES: Final = (
    "explain militia        what a string of Advanced Protection does, in English",
    "explain pool:117       one of the 250 of the bundled pool",
    "check mine.aps         whether a file is a string, with warnings",
)
SUFFIX: Final = ".aps"


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """A string, its name, and a note on its origin."""

    name: str
    genome: Genome
    about: str = ""

    @classmethod
    def read(cls, source: Source) -> Self:
        """Return a hand-written string by name, one of the pool, of a file, or of an individual of a run.

        A run without an ID stands for its best individual. Raises ValueError if there is no such string.
        """
        known, name = handwritten(), source.name
        if source.store:
            born = source.individual(GAME)
            return cls(name=f"ID {born.id} of {name}", genome=Genome.loads(born.genome))
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
            return cls(name=name, genome=Genome.loads(text))
        except ValueError as error:
            raise ValueError(f"{name}: {error}") from None


def add_verbs(verbs: "_SubParsersAction[ArgumentParser]") -> None:
    checked = add_verb(verbs, "check", "check a string of Advanced Protection, and print warnings about it")
    checked.set_defaults(verb=check)
    shortened = add_verb(
        verbs, "normalise", "print a string of Advanced Protection without the states that it cannot reach"
    )
    shortened.set_defaults(verb=normalise)
    for verb in (checked, shortened):
        verb.add_argument(
            "genome", metavar="NAME|FILE|RUN", help="a bundled string, pool:N, a file, or the folder of a run"
        )
        verb.add_argument(
            "id", nargs="?", type=natural_int, metavar="ID", help="the ID of an individual of the run"
        )
        verb.add_argument("--json", action="store_true", help="print JSON")


def is_meant(source: str) -> bool:
    """Return whether `source` is a string, judged by its name or the suffix of its file."""
    return source in handwritten() or source.startswith(PREFIX) or Path(source).suffix == SUFFIX


def show(source: Source, args: Namespace) -> str:
    """Return a string in both of its text forms, with the warnings."""
    named = Named.read(source)
    genome = named.genome
    if args.json:
        preferences = dict(zip(MINIONS, genome.preferences, strict=True))
        return json.dumps({
            "name": named.name,
            "about": named.about,
            "hex": genome.hex,
            "preferences": preferences,
            "text": genome.dumps(),
            "warnings": lint(genome),
        })  # fmt: skip
    head = [_title(named), *_remarks(genome), ""]
    return "\n".join([*head, genome.hex, "", genome.dumps().rstrip()])


def explain(source: Source, args: Namespace) -> str:
    """Return the behaviour of each minion in English."""
    named = Named.read(source)
    text = explain_string(named.genome).rstrip()
    if args.json:
        return json.dumps({"name": named.name, "english": text, "warnings": lint(named.genome)})
    return "\n".join([_title(named), "", text, *_remarks(named.genome)])


def compare(source: Source, args: Namespace) -> str:
    """Return the differences between the source and each known string, the nearest string first."""
    one = Named.read(source)
    rows = []
    for path in args.known:
        with opened(str(path)) as known:
            other = Named.read(known)
        rows.append((other, Difference.of(one.genome, other.genome)))
    rows.sort(key=lambda row: row[1].used_bits)
    if args.json:
        return json.dumps([
            {
                "name": other.name,
                "bits": difference.bits,
                "used_bits": difference.used_bits,
                "preferences": difference.preferences,
                "changes": list(map(str, difference.changes)),
            }
            for other, difference in rows
        ])  # fmt: skip
    return "\n\n".join(f"{one.name} and {other.name}: {difference.text()}" for other, difference in rows)


def check(args: Namespace) -> str:
    """Return the warnings about a string. Raises ValueError if the source is no string."""
    with opened(args.genome, args.id) as source:
        named = Named.read(source)
    if args.json:
        return json.dumps({"name": named.name, "warnings": lint(named.genome)})
    return "\n".join([f"{named.name}: a string of 1056 bits", *_remarks(named.genome)])


def normalise(args: Namespace) -> str:
    """Return the string without its unreachable states."""
    with opened(args.genome, args.id) as source:
        genome = normalised(Named.read(source).genome)
    return json.dumps({"hex": genome.hex, "text": genome.dumps()}) if args.json else genome.dumps().rstrip()


def _title(named: Named) -> str:
    return f"{named.name}: {named.about}" if named.about else named.name


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


def _remarks(genome: Genome) -> list[str]:
    return [f"warning: {each}" for each in lint(genome)]
