"""The command line `galapagos`. Each command is a module with add_arguments() and run(), imported when needed."""

import os
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Final

from engines.names import near
from engines.version import VERSION
from tools.cli import INTERRUPTED, USAGE, CommandError, Parser, add_verb
from tools.files import discard_output, is_output_closed, visible

ASKED: Final = "_ARGCOMPLETE"  # an environment variable that is set when a shell requests completions
COMMANDS: Final = {  # the module and the summary of each command for all games
    "serve": ("tools.serve", "run a server: a page for browsers, and a TCP port for engine protocols"),
    "admin": ("tools.admin", "inspect a running server, and ban or disconnect its clients"),
    "match": (
        "tools.match.command",
        "play players against each other, and print scores with confidence intervals",
    ),
    "evolve": ("tools.evolve", "run an evolution of players, or resume one"),
    "play": ("tools.play.command", "play a game at the terminal"),
    "players": ("tools.players", "list the players that come with the program"),
    "configs": (
        "tools.configs",
        "list the configurations of evolutions that come with the program, or print one",
    ),
    "genome": ("tools.genome.command", "show, explain and compare genomes, and list their ancestors"),
    "plot": ("tools.plot.command", "draw the figures of a run of evolution"),
    "backup": ("tools.backup", "copy the home folder of a server into one file"),
    "restore": ("tools.restore", "create a new home folder from a backup"),
    "runs": ("tools.runs", "export a run as tables for pandas, R and spreadsheets"),
    "excerpt": ("tools.excerpt", "make a small copy of a run that can be shown and plotted"),
    "replay": ("tools.replay", "replay recorded games by the rules, and print the first difference"),
    "study": ("tools.study.command", "test findings of the literature on your own runs"),
    "sweep": ("tools.sweep", "run an evolution with several settings and seeds, and compare the results"),
    "bench": (
        "tools.bench.command",
        "measure the speed of the compiled cores, and print checksums of their results",
    ),
    "jsonl": ("tools.jsonl", "play games over JSON lines on standard input and output"),
    "script": (
        "tools.script",
        "run scripted conversations over JSON lines, and report where they differ from the script",
    ),
    "reference": ("tools.reference", "print a page of the reference: messages, configs or python"),
    "completion": (
        "tools.completion",
        "print the code that lets a shell complete commands, options and names",
    ),
    "schema": ("tools.schema", "print the JSON Schema of the JSON lines"),
    "export": ("tools.export", "print configurations with which other programs start the engine"),
}


def all_commands() -> Mapping[str, tuple[str, str]]:
    """Return the module and the summary of each command, including the commands of single games."""
    from tools.games import GAMES  # late: takes a hundredth of a second, and few commands need it

    return COMMANDS | {name: found for game in GAMES.values() for name, found in game.commands.items()}


def main(arguments: Sequence[str] | None = None) -> int:
    _fill_standard_descriptors()
    try:
        try:
            return _run(sys.argv[1:] if arguments is None else list(arguments))
        finally:
            if sys.stdout is not None:
                sys.stdout.flush()
    except BrokenPipeError:
        discard_output()
        return 0  # the reader has ended, such as `head`
    except KeyboardInterrupt:
        return INTERRUPTED


def _fill_standard_descriptors() -> None:
    """Open /dev/null for closed descriptors 0 to 2, so that no other file becomes standard input or output."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # closed; the next open() returns the lowest free descriptor
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115


def _run(arguments: list[str]) -> int:
    parser = Parser(
        prog="galapagos",
        description="Evolve players of games, and play against them at the terminal, on a page or from other programs.",
        epilog="`galapagos COMMAND --help` explains a command. The engine for chess GUIs is `galapagos-chess`.",
    )
    parser.add_argument("--version", action="version", version=f"galapagos {VERSION}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    is_completing = ASKED in os.environ
    words = os.environ.get("COMP_LINE", "").split()[1:] if is_completing else arguments
    wanted = next((word for word in words if not word.startswith("-")), "")
    known = COMMANDS if wanted in COMMANDS else all_commands()
    if wanted and wanted not in known and not is_completing:
        advice = near(wanted, known, "`galapagos --help`")
        print(f"galapagos: no command is called {wanted[:40]!r}; {advice}", file=sys.stderr)
        return USAGE
    for name, (path, summary) in known.items():
        command = add_verb(commands, name, summary)
        if name == wanted:
            module = import_module(path)
            module.add_arguments(command)
            command.set_defaults(run=module.run)
    if is_completing:
        from tools.completion import complete

        complete(parser)
    if not arguments:
        parser.print_help()
        return 0
    args = parser.parse_args(arguments)
    try:
        return int(args.run(args))
    except CommandError as error:
        if isinstance(error.__context__, BrokenPipeError) and is_output_closed():
            raise error.__context__ from None  # the command took it for a failure of a file
        print(visible(f"galapagos {args.command}: {error}"), file=sys.stderr)
        return error.status


if __name__ == "__main__":
    sys.exit(main())
