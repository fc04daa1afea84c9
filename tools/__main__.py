"""`galapagos`: the command line. Each command is a module of this package, imported when it is called."""

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Final

from engines.version import VERSION
from tools.cli import INTERRUPTED, CommandError

COMMANDS: Final = {
    "serve": "run the server: engines behind one TCP port",
    "match": "player against player, with intervals",
    "evolve": "evolve players, generation by generation",
    "play": "a person at the terminal",
    "genome": "look at genomes",
    "plot": "the figures of a run",
    "hill": "king of the hill: create one, submit warriors, read its reports",
    "rank": "warriors of Core War in order of their scores",
    "film": "a fight in the core as a page to watch, or as a GIF",
    "replay": "recorded games played again by the rules, with the first difference",
    "study": "what the literature found, in runs of one's own",
    "sweep": "runs of many settings and seeds, and their study",
    "pool": "the strings of Advanced Protection, from many runs",
    "arrangements": "what scripted users of Advanced Protection build, as a log for evolution",
    "perft": "count the leaves of the move tree",
    "bench": "measure the cores, with functional signatures",
    "jsonl": "games as JSON lines on standard input and output",
    "script": "scripted conversations in JSON lines, with exit status",
    "schema": "the JSON Schema of the JSON lines",
    "export": "configurations for other programs",
}


def main(arguments: Sequence[str] | None = None) -> int:
    arguments = sys.argv[1:] if arguments is None else list(arguments)
    parser = argparse.ArgumentParser(
        prog="galapagos",
        description="Evolved game players as engines: served, matched, measured, played.",
        epilog="`galapagos COMMAND --help` explains a command. For chess GUIs: galapagos-chess.",
    )
    parser.add_argument("--version", action="version", version=f"galapagos {VERSION}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    wanted = next((word for word in arguments if not word.startswith("-")), "")
    for name, summary in COMMANDS.items():
        command = commands.add_parser(name, help=summary, description=f"galapagos {name}: {summary}.")
        if name == wanted:
            module = import_module(f"tools.{name}")
            module.add_arguments(command)
            command.set_defaults(run=module.run)
    args = parser.parse_args(arguments)
    try:
        return int(args.run(args))
    except CommandError as error:
        print(f"galapagos {args.command}: {error}", file=sys.stderr)
        return error.status
    except BrokenPipeError:
        return 0  # e.g. `| head` has seen enough
    except KeyboardInterrupt:
        return INTERRUPTED


if __name__ == "__main__":
    sys.exit(main())
