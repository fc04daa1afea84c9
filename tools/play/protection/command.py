"""`galapagos play protection`: a person at the terminal against Chaos, which learns."""

import os
import sys
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from engines.protection import DEFAULT_MODE, FIXED, MODES


def add_arguments(parser: ArgumentParser) -> None:
    parser.formatter_class = RawDescriptionHelpFormatter
    parser.epilog = (
        "You farm a map of 24 x 24 squares and defend the farms. Each turn you buy and place units; then Chaos's\n"
        "minions act for 50 phases, by one of 250 strings that it chooses by how you have played. You win when you\n"
        "are worth more than twenty times what Chaos is. At the prompt type\n\n"
        "  place drone 5 7 9 7   to put drones on columns 5 and 9 of row 7; drone 5 7 does it too\n"
        "  salvage 5 7           to sell what stands there; undo takes the last order back\n"
        "  go                    to begin the turn; film shows its phases, log its fights\n"
        "  cursor                to do all this with the cursor keys\n"
        "  help                  also: map, rules, resign, quit\n\n"
        "examples:\n"
        "  galapagos play protection --name Ann --profiles profiles   Chaos remembers Ann\n"
        "  galapagos play protection --target novice                  it aims at your winning 60 games of 100\n"
        "  galapagos play protection --seed 7 --record g.jsonl        a game to repeat, and galapagos replay g.jsonl"
    )
    add = parser.add_argument
    modes = "; ".join(f"{name} {about}" for name, about in MODES.items())
    add("--chaos", default=DEFAULT_MODE, metavar="MODE",
        help=f"{modes}; {FIXED}0 to {FIXED}249 that string ({DEFAULT_MODE})")  # fmt: skip
    add(
        "--target",
        help="for whom pilot and calibrated aim: novice, intermediate, expert (you win 60, 50, 40 games of 100), or a share as 0.7 (intermediate)",
    )
    add("--variant", default="improved", help="the rules: improved, seed (improved)")
    add("--name", default="Human", help="yours (Human)")
    add("--profiles", type=Path, metavar="FOLDER", help="keep what Chaos knows of you there, as NAME.apu")
    add("--seed", type=int, metavar="S", help="the same map and dice again (drawn anew)")
    add("--record", type=Path, metavar="FILE", help="write the game there when it is over, as JSON lines")


def run(args: Namespace) -> int:
    """0 when the game was played or left, 2 for arguments that make no game."""
    from rich.console import Console

    from protocols.jsonl.binding.protection.agents import protection
    from protocols.jsonl.connection import Connection
    from protocols.jsonl.hall.hall import Hall
    from tools.play.keeping import kept
    from tools.play.protection.dialogue import Dialogue, Left

    console = Console(width=None if sys.stdout.isatty() else 100)
    hall = Hall({"protection": protection(args.profiles)})
    options: dict[str, Any] = {"profile": args.name} if args.profiles else {}
    if args.target:
        options["target"] = _target(args.target)
    keys = _with_keys if os.isatty(0) and sys.stdout.isatty() else None
    with open(0, "rb", buffering=0, closefd=False) as keyboard:
        dialogue = Dialogue(Connection(hall), keyboard.readline, console, echo=not os.isatty(0), keys=keys)

        def afterwards() -> None:
            with suppress(Left):
                dialogue.afterwards()

        return kept(
            lambda: dialogue.play(
                args.name, args.variant, f"chaos:{args.chaos}", seed=args.seed, options=options
            ),
            dialogue.record,
            args.record,
            afterwards,
        )


def _target(text: str) -> str | float:
    try:
        return float(text)
    except ValueError:
        return text


def _with_keys(show: Callable[[Callable[[float | None], str]], Any]) -> Any:
    """Show something with the keys of this terminal."""
    from tools.play.protection.screen.keyboard import Keyboard

    keyboard = Keyboard()
    with keyboard.raw():
        try:
            return show(keyboard.key)
        except EOFError:
            return None
