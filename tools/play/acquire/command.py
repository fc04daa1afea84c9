"""`galapagos play acquire`: a person at the terminal against players of the house."""

import os
import sys
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from pathlib import Path
from typing import Final

OPPONENTS: Final = ["heuristic"]


def add_arguments(parser: ArgumentParser) -> None:
    parser.formatter_class = RawDescriptionHelpFormatter
    parser.epilog = (
        "You found and merge hotel chains by placing tiles, and buy up to three shares a turn; whoever has most\n"
        "money at the end wins. The table shows the board (your tiles as +), the chains (! is safe), and what\n"
        "everybody has. At the prompt type\n\n"
        "  3c           to place a tile; below the board it says what each of yours would do\n"
        "  luxor, l     for a chain\n"
        "  l l t, 2l t  to buy two shares of Luxor and one of Tower; - buys nothing\n"
        "  trade 4      when a chain of yours disappears: trade, sell, hold; trade 2 sell 3; sell all\n"
        "  2l end       to end the game with this turn, once it may be ended\n"
        "  help         also: moves, board, rules, resign, quit\n\n"
        "examples:\n"
        "  galapagos play acquire                           against heuristic\n"
        "  galapagos play acquire mc-10 heuristic random    four at the table\n"
        "  galapagos play acquire pair-1 --variant thesis-2002\n"
        "                                        three chains, against a pair that evolved in 2002\n"
        "  galapagos play acquire --seed 7 --record g.jsonl  a game to repeat, and galapagos replay g.jsonl"
    )
    add = parser.add_argument
    add(
        "opponents",
        nargs="*",
        metavar="OPPONENT",
        help="one to five of random, heuristic, mc-K (K games a tile) and others of the house (heuristic)",
    )
    add(
        "--variant",
        default="classic",
        help="the rules: classic, tlstyer, thesis-2002, thesis-7, mini (classic)",
    )
    add("--name", default="Human", help="yours (Human)")
    add("--seed", type=int, metavar="S", help="the same bag again (drawn anew)")
    add("--hidden", action="store_true", help="play with hidden cash and shares")
    add("--record", type=Path, metavar="FILE", help="write the game there when it is over, as JSON lines")


def run(args: Namespace) -> int:
    """0 when the game was played or left, 2 for arguments that make no game."""
    from rich.console import Console

    from protocols.jsonl.connection import Connection
    from protocols.jsonl.hall.hall import Hall
    from tools.games import bindings
    from tools.play.acquire.dialogue import Dialogue
    from tools.play.keeping import kept

    console = Console(width=None if sys.stdout.isatty() else 100)
    options = {"holdings": "hidden"} if args.hidden else {}
    with open(0, "rb", buffering=0, closefd=False) as keyboard:
        dialogue = Dialogue(Connection(Hall(bindings())), keyboard.readline, console, echo=not os.isatty(0))
        return kept(
            lambda: dialogue.play(
                args.name, args.variant, args.opponents or OPPONENTS, seed=args.seed, options=options
            ),
            dialogue.record,
            args.record,
        )
