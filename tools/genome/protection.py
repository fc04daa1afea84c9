"""The part of `galapagos genome` on Advanced Protection: show, check, normalise, explain, compare, measure."""

import json
from argparse import ArgumentParser, Namespace, _SubParsersAction
from pathlib import Path
from typing import Final

from engines.protection.automata import Difference, explain_string, lint, normalised
from engines.protection.bot_plans import UNITS
from engines.protection.defender import DIGITS, KINDS, Defender, explain_defender
from engines.protection.genome import MINIONS, Genome
from engines.protection.pool import PREFIX, handwritten
from tools.cli import add_verb, natural_int
from tools.genome import protection_yardsticks
from tools.genome.protection_named import Named
from tools.genome.source import Source, opened

EXAMPLES: Final = (
    "explain militia        what a string of Advanced Protection does, in English",
    "explain pool:117       one of the 250 of the bundled pool",
    "measure wall --games 5  how a string, or a defender in a file .apd, does against fixed opponents",
    "check mine.aps         whether a file is a string, with warnings",
)
SUFFIXES: Final = (".aps", ".apd")


def add_verbs(verbs: "_SubParsersAction[ArgumentParser]") -> None:
    checked = add_verb(
        verbs, "check", "check a string or a defender of Advanced Protection, and print warnings"
    )
    checked.set_defaults(verb=check)
    shortened = add_verb(
        verbs, "normalise", "print a string of Advanced Protection without the states that it cannot reach"
    )
    shortened.set_defaults(verb=normalise)
    protection_yardsticks.add_verbs(verbs)
    for verb in (checked, shortened):
        verb.add_argument(
            "genome", metavar="NAME|FILE|RUN", help="a bundled string, pool:N, a file, or the folder of a run"
        )
        verb.add_argument(
            "id", nargs="?", type=natural_int, metavar="ID", help="the ID of an individual of the run"
        )
        verb.add_argument("--json", action="store_true", help="print JSON")


def is_meant(source: str) -> bool:
    """Return whether `source` is a string or a defender, judged by its name or the suffix of its file."""
    return source in handwritten() or source.startswith(PREFIX) or Path(source).suffix in SUFFIXES


def show(source: Source, args: Namespace) -> str:
    """Return a string in both of its text forms, with the warnings."""
    named = Named.read(source)
    if isinstance(named.genome, Defender):
        return _defender(named.name, named.genome, args)
    genome = named.string
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
    if isinstance(named.genome, Defender):
        english = explain_defender(named.genome)
        return (
            json.dumps({"name": named.name, "english": english})
            if args.json
            else f"{named.name}\n\n{english}"
        )
    text = explain_string(named.string).rstrip()
    if args.json:
        return json.dumps({"name": named.name, "english": text, "warnings": lint(named.string)})
    return "\n".join([_title(named), "", text, *_remarks(named.string)])


def compare(source: Source, args: Namespace) -> str:
    """Return the differences between the source and each known string, the nearest string first."""
    one = Named.read(source)
    rows = []
    for path in args.known:
        with opened(str(path)) as known:
            other = Named.read(known)
        rows.append((other, Difference.of(one.string, other.string)))
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
    if isinstance(named.genome, Defender):
        title, warnings = (
            f"{named.name}: a defender of {DIGITS} genes",
            [] if any(map(named.genome.want, UNITS)) else ["it wants no unit, so it buys nothing"],
        )
    else:
        title, warnings = f"{named.name}: a string of 1056 bits", lint(named.genome)
    if args.json:
        return json.dumps({"name": named.name, "warnings": warnings})
    return "\n".join([title, *(f"warning: {each}" for each in warnings)])


def normalise(args: Namespace) -> str:
    """Return the string without its unreachable states."""
    with opened(args.genome, args.id) as source:
        genome = normalised(Named.read(source).string)
    return json.dumps({"hex": genome.hex, "text": genome.dumps()}) if args.json else genome.dumps().rstrip()


def _defender(name: str, defender: Defender, args: Namespace) -> str:
    text = defender.dumps().rstrip()
    if args.json:
        wants = {kind: defender.want(unit) for unit, kind in zip(UNITS, KINDS, strict=True)}
        return json.dumps({"name": name, "hex": defender.hex, "wants": wants, "text": text})
    return "\n".join([name, "", defender.hex, "", text])


def _title(named: Named) -> str:
    return f"{named.name}: {named.about}" if named.about else named.name


def _remarks(genome: Genome) -> list[str]:
    return [f"warning: {each}" for each in lint(genome)]
