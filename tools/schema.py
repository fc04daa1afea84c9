"""The command `galapagos schema`: prints the JSON Schema of the JSON lines, for client generators and validators."""

from argparse import ArgumentParser, Namespace

import msgspec

from protocols.jsonl.codec import protocol_schema
from tools.cli import natural_int
from tools.games import game_adapters


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--indent",
        type=natural_int,
        default=2,
        metavar="N",
        help="the spaces of each level (default: 2; 0 prints a single line)",
    )


def run(args: Namespace) -> int:
    text = msgspec.json.encode(protocol_schema(game_adapters().values()))
    print(msgspec.json.format(text, indent=args.indent or -1).decode())
    return 0
