"""What `galapagos genome` says about strings of Advanced Protection: show, check, normalise, explain, compare."""

import json
from argparse import ArgumentParser, Namespace, _SubParsersAction
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from engines.evolution.run_store import NAME, RunStore
from engines.protection.genome import Genome
from engines.protection.pool.handwritten import abouts, handwritten
from engines.protection.pool.pool import Entry
from engines.protection.pool.stock import PREFIX, named
from engines.protection.reading.difference import Difference
from engines.protection.reading.english import explained
from engines.protection.reading.lint import warnings
from engines.protection.reading.normal import normalised
from engines.protection.users.first import BUILDERS
from engines.protection.words import MINIONS

GAME: Final = "protection"
SUFFIX: Final = ".aps"


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """A string, what it is called, and what is known of it."""

    name: str
    genome: Genome
    about: str = ""

    @classmethod
    def read(cls, source: str, id: int | None = None) -> Self:
        """A hand-written one by name, one of the pool, a file, or somebody of a run: the last unless named.

        ValueError.
        """
        known = handwritten()
        if source in known and id is None:
            return cls(name=source, genome=known[source], about=abouts()[source])
        if source.startswith(PREFIX) and id is None:
            entry = named(source)
            return cls(name=f"{source}, {entry.name}", genome=entry.genome, about=_provenance(entry))
        path = Path(source)
        if (path / NAME).is_file():
            return cls._evolved(path, id)
        if id is not None:
            raise ValueError(f"{source} holds one string: an ID belongs to the folder of a run")
        try:
            text = path.read_text(encoding="utf-8")
        except FileNotFoundError:
            raise ValueError(f"{source[:100]!r} is no file, and none of {', '.join(known)}") from None
        except OSError as error:
            raise ValueError(f"cannot read {source[:100]!r}: {error.strerror}") from None
        except UnicodeDecodeError:
            raise ValueError(f"{source[:100]!r} is no text file") from None
        try:
            return cls(name=source, genome=Genome.loads(text))
        except ValueError as error:
            raise ValueError(f"{source}: {error}") from None

    @classmethod
    def _evolved(cls, folder: Path, id: int | None) -> Self:
        with RunStore.open(folder) as store:
            if store.game != GAME:
                raise ValueError(f"{folder} is a run of {store.game}, not of {GAME}")
            chosen = store.newest if id is None else id
            try:
                if chosen is None:
                    raise KeyError(id)
                return cls(
                    name=f"ID {chosen} of {folder}", genome=Genome.loads(store.individual(chosen).genome)
                )
            except KeyError:
                raise ValueError(f"{folder} has nobody {'yet' if id is None else f'of ID {id}'}") from None


def add_verbs(verbs: "_SubParsersAction[ArgumentParser]") -> None:
    for name, verb, summary in (
        ("check", _check, "whether a text is a string of Advanced Protection, and what is strange in it"),
        (
            "normalise",
            _normalise,
            "a string of Advanced Protection without the states that it never comes to",
        ),
    ):
        parser = verbs.add_parser(name, help=summary)
        parser.add_argument("genome", metavar="NAME|FILE|RUN", help="hand-written, pool:N, a file, or a run")
        parser.add_argument("id", nargs="?", type=int, metavar="ID", help="whom of a run")
        parser.add_argument("--json", action="store_true", help="print JSON")
        parser.set_defaults(verb=verb)


def is_meant(source: str) -> bool:
    """Whether this is a string: by name, by the file's suffix, or by the run's game."""
    path = Path(source)
    if (path / NAME).is_file():
        with RunStore.open(path) as store:
            return store.game == GAME
    return source in handwritten() or source.startswith(PREFIX) or path.suffix == SUFFIX


def show(args: Namespace) -> str:
    """Both text forms, and what people should know."""
    named = Named.read(args.genome, args.id)
    genome = named.genome
    if args.json:
        preferences = dict(zip(MINIONS, genome.preferences, strict=True))
        return json.dumps({
            "name": named.name,
            "about": named.about,
            "hex": genome.hex,
            "preferences": preferences,
            "text": genome.dumps(),
            "warnings": warnings(genome),
        })  # fmt: skip
    head = [_title(named), *_remarks(genome), ""]
    return "\n".join([*head, genome.hex, "", genome.dumps().rstrip()])


def explain(source: str, id: int | None, as_json: bool) -> str:
    """Each minion in English."""
    named = Named.read(source, id)
    text = explained(named.genome).rstrip()
    if as_json:
        return json.dumps({"name": named.name, "english": text, "warnings": warnings(named.genome)})
    return "\n".join([_title(named), "", text, *_remarks(named.genome)])


def compare(source: str, others: list[Path], as_json: bool) -> str:
    """Where strings differ, the nearest first."""
    one = Named.read(source)
    rows = [(each, Difference.of(one.genome, each.genome)) for each in map(Named.read, map(str, others))]
    rows.sort(key=lambda row: row[1].used_bits)
    if as_json:
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


def _check(args: Namespace) -> str:
    named = Named.read(args.genome, args.id)
    strange = warnings(named.genome)
    if args.json:
        return json.dumps({"name": named.name, "warnings": strange})
    return "\n".join([f"{named.name}: a string of 1056 bits", *_remarks(named.genome)])


def _normalise(args: Namespace) -> str:
    genome = normalised(Named.read(args.genome, args.id).genome)
    return json.dumps({"hex": genome.hex, "text": genome.dumps()}) if args.json else genome.dumps().rstrip()


def _title(named: Named) -> str:
    return f"{named.name}: {named.about}" if named.about else named.name


def _provenance(entry: Entry) -> str:
    """Where it comes from, in words."""
    facts = entry.provenance
    if "about" in facts:
        return str(facts["about"])
    against = facts["arrangement"]
    if against in BUILDERS:  # others bring their own money, and may bring their own map
        against += f" of ${facts['money']:,} on map {facts['ground']}"
    rating = f"{facts['fresh']:,.0f} +-{1.96 * facts['fresh_error']:,.0f}"
    return f"evolved against {against}, rules {facts['rules']}; rating {rating} in fresh tests"


def _remarks(genome: Genome) -> list[str]:
    return [f"warning: {each}" for each in warnings(genome)]
