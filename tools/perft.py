"""The command `galapagos perft`: counts leaves of the legal move tree, to test the rules of chess and their speed."""

import json
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from time import perf_counter
from typing import Final

from core.chess.notation import START, fen, position_from_fen
from core.chess.position import Position
from engines.chess.perft import divide
from tools.cli import CommandError, print_notes

DEEPEST: Final = 64


def add_arguments(parser: ArgumentParser) -> None:
    parser.usage = "%(prog)s [-h] [--divide] [--json] FEN|startpos DEPTH"
    parser.formatter_class = RawDescriptionHelpFormatter
    parser.epilog = (
        "examples:\n"
        "  galapagos perft startpos 5                                     prints 4865609 leaves\n"
        "  galapagos perft 'r3k2r/8/8/8/8/8/8/R3K2R w KQkq -' 4 --divide  compares move by move with another program"
    )
    add = parser.add_argument
    add(
        "words",
        nargs="+",
        metavar="FEN DEPTH",
        help="startpos or a FEN, with or without quotation marks, and the depth in plies",
    )
    add("--divide", action="store_true", help="also print the count of each first move")
    add("--json", action="store_true", help="print the result as JSON")


def run(args: Namespace) -> int:
    try:
        position, depth = _understood(args.words)
    except ValueError as error:
        raise CommandError(error) from None
    print_notes("perft", position.notes)
    started = perf_counter()
    found = filter(None, divide(position, depth)) if depth else ()  # Ctrl-C takes effect between the parts
    counts = {position.action_text(move): leaves for move, leaves in found}
    seconds = perf_counter() - started
    leaves = sum(counts.values()) if depth else 1
    rate = leaves / max(seconds, 1e-9)
    if args.json:
        outcome: dict[str, object] = {
            "fen": fen(position),
            "depth": depth,
            "leaves": leaves,
            "seconds": seconds,
            "leaves_per_second": rate,
        }
        print(json.dumps(outcome | {"moves": counts} if args.divide else outcome))
        return 0
    if args.divide:
        for move, count in counts.items():
            print(f"{move + ':':6} {count}")
    print(
        f"{leaves} {'leaf' if leaves == 1 else 'leaves'} at depth {depth} in {seconds:.3f} s, {rate:,.0f} leaves/s"
    )
    return 0


def _understood(words: list[str]) -> tuple[Position, int]:
    """Parse a position and a depth. Raises ValueError, with the wrong words, if there is none."""
    *position, depth = words
    if not position:
        raise ValueError("a position and a depth are needed, such as: startpos 5")
    if not (depth.isascii() and depth.isdigit() and len(depth) < 4 and int(depth) <= DEEPEST):
        raise ValueError(f"the last word must be a depth of 0 to {DEEPEST}, not {depth[:40]!r}")
    text = " ".join(position)
    return position_from_fen(START if text == "startpos" else text), int(depth)
