"""The command `galapagos bench`: measures the speed of the cores and of their peers, with functional signatures.

A signature is a number that depends on the behaviour of the code and not on its speed: if the signature changes,
behaviour has changed. Absolute figures vary with the machine; ratios to a peer measured in the same run hardly do.
"""

import json
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from time import process_time
from typing import Final, TypeVar

from engines.names import near
from tools.cli import CommandError, positive_int

BENCHMARKS: Final = {
    "perft": "tools.bench.chess:perft",
    "evaluate": "tools.bench.chess:evaluate",
    "search": "tools.bench.chess:search",
    "seed": "tools.bench.chess:seed",
    "evolution": "tools.bench.chess:games",
    "fights": "tools.bench.corewar:fights",
    "soup": "tools.bench.corewar:soup",
    "nano": "tools.bench.corewar:nano",
    "assemble": "tools.bench.corewar:assembling",
    "acquire": "tools.bench.acquire:games",
    "lookahead": "tools.bench.acquire:search",
    "expressions": "tools.bench.acquire:trees",
    "pairs": "tools.bench.acquire:pairs",
    "protection": "tools.bench.protection:turns",
    "tables": "tools.bench.server:tables",
    "hostile": "tools.bench.hostile:hostile",
    "startup": "tools.bench.server:startup",
    "memory": "tools.bench.server:memory",
    "latency": "tools.bench.server:latency",
}
WITH_FILE: Final = ("tactics", "choices")  # benchmarks that need a file
PMARS_BENCHMARKS: Final = ("fights",)  # benchmarks that take the path of pMARS, or None

Result = TypeVar("Result")


class NotMeasured(Exception):
    """A benchmark cannot be run here; the message has the reason."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One measured figure. `ratio` is to `peer`, measured in the same run."""

    name: str
    figure: float
    unit: str
    signature: str = ""
    peer: str = ""
    ratio: float | None = None
    note: str = ""


def timed(work: Callable[[], Result], rounds: int) -> tuple[Result, list[float]]:
    """Call `work` in each round and return its last result and the CPU seconds of each round."""
    seconds = []
    for _ in range(rounds):
        started = process_time()
        result = work()
        seconds.append(process_time() - started)
    return result, seconds


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "names",
        nargs="*",
        metavar="NAME",
        help=f"the benchmarks to run: {', '.join(BENCHMARKS)} (all), or tactics FILE.epd, or choices FILE.epd",
    )
    parser.add_argument(
        "--pmars", metavar="PATH", type=Path, help="the server version of pMARS, to compare with in fights"
    )
    tactics = parser.add_argument_group(
        "tactics and choices", "galapagos bench tactics FILE.epd, galapagos bench choices FILE.epd"
    )
    tactics.add_argument(
        "--genome", default="evolved", metavar="NAME", help="a bundled genome or a file (evolved)"
    )
    tactics.add_argument(
        "--milliseconds",
        type=positive_int,
        default=1000,
        metavar="MS",
        help="milliseconds for each position of tactics (1000)",
    )
    tactics.add_argument(
        "--nodes",
        type=positive_int,
        metavar="N",
        help="nodes for each position, in place of milliseconds; the result is then the same on every machine",
    )
    choices = parser.add_argument_group(
        "choices", "grades the moves of a search by the points that they lose (tools/bench/choices.py)"
    )
    choices.add_argument(
        "--make",
        type=positive_int,
        metavar="COUNT",
        help="play games, and write COUNT judged positions to FILE",
    )
    choices.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=NUMBER",
        help="change a parameter of the search (core/chess/search_params.py)",
    )
    choices.add_argument("--save", type=Path, metavar="CHOICES", help="write the chosen moves to a file")
    choices.add_argument(
        "--against", type=Path, metavar="CHOICES", help="compare with the moves in such a file"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object per line")


def run(args: Namespace) -> int:
    first = args.names[0] if args.names else ""
    if first in WITH_FILE and len(args.names) != 2:
        raise CommandError(f"{first} needs a file: galapagos bench {first} FILE.epd")
    for name in args.names:
        if first in WITH_FILE:
            break
        if name not in BENCHMARKS:
            raise CommandError(f"no benchmark is called {name[:40]!r}; {near(name, BENCHMARKS)}")
    if first == "choices" and args.make:
        import_module("tools.bench.choices").make(Path(args.names[1]), args.make, args.genome)
        return 0
    chosen = _chosen(args)
    if not args.json:
        print(f"{'benchmark':34} {'figure':>12} {'unit':10} {'signature':>12}  ratio")
    for name, benchmark in chosen.items():
        try:
            for row in benchmark():
                print(json.dumps(asdict(row)) if args.json else _text(row), flush=True)
        except NotMeasured as reason:
            print(f"galapagos bench: {name}: {reason}", file=sys.stderr)
    return 0


def _chosen(args: Namespace) -> dict[str, Callable[[], Iterator[Row]]]:
    """Return the benchmarks to run, by name."""
    if args.names[:1] == ["tactics"]:
        tactics = import_module("tools.bench.tactics").tactics
        return {"tactics": tactics(Path(args.names[1]), args.genome, args.milliseconds / 1000, args.nodes)}
    if args.names[:1] == ["choices"]:
        choices = import_module("tools.bench.choices").choices
        return {
            "choices": choices(
                Path(args.names[1]),
                args.genome,
                nodes=args.nodes,
                settings=args.set,
                save=args.save,
                against=args.against,
            )
        }
    return {
        name: partial(_find(name), args.pmars) if name in PMARS_BENCHMARKS else _find(name)
        for name in args.names or BENCHMARKS
    }


def _find(name: str) -> Callable[..., Iterator[Row]]:
    module, _, function = BENCHMARKS[name].partition(":")
    benchmark: Callable[..., Iterator[Row]] = getattr(import_module(module), function)
    return benchmark


def _text(row: Row) -> str:
    ratio = f"{row.ratio:.2f}x {row.peer}" if row.ratio is not None else row.note
    return f"{row.name:34} {row.figure:12,.3f} {row.unit:10} {row.signature:>12}  {ratio}".rstrip()
