"""The command `galapagos-chess`: one chess engine on standard input and output, for GUIs.

For a quick start, the code before the first answer to a GUI imports nothing but the standard library, the sessions
and the compiled core.
"""

import asyncio
import sys
from collections.abc import Sequence
from math import inf
from pathlib import Path
from typing import Final

from engines.chess.engine import ChessEngine
from engines.version import VERSION
from protocols.engine_session import LAST_WORK_SECONDS, run_session
from protocols.sessions import ADVICE, first_line, session_for
from protocols.stdio import ConversationLog, StandardStream

COMMANDS: Final = ("bench", "go", "d", "eval")  # commands of UCI that the command line may give


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the engine until `quit` or the end of input, and return the exit status."""
    arguments = sys.argv[1:] if arguments is None else arguments
    settings, log_path, command = _settings(arguments) if arguments else ({}, None, "")
    if sys.stdin is None or sys.stdout is None:
        print("galapagos-chess: standard input or output is closed", file=sys.stderr)
        return 2
    try:
        return asyncio.run(_run(settings, log_path, command))
    except BrokenPipeError:
        return 0  # the GUI has ended
    except OSError as error:
        print(f"galapagos-chess: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


async def _run(settings: dict[str, str], log_path: Path | None, command: str) -> int:
    engine = ChessEngine()
    try:
        for name, value in settings.items():
            await engine.configure(name, value)
        log = ConversationLog(log_path) if log_path is not None else None
    except (ValueError, OSError) as error:
        print(f"galapagos-chess: {error}", file=sys.stderr)
        return 2
    stream = StandardStream(log, is_reading=not command)
    first = command or await _first_line(stream)
    kind = session_for("uci" if command else first)
    if kind is not None:
        session = kind(engine.name, engine.author, engine.options)
        patience = inf if command else LAST_WORK_SECONDS
        await run_session(session, engine, stream, stream, first, last_seconds=patience)
    return 0


async def _first_line(stream: StandardStream) -> str:
    """Return the first line that names a protocol, or `quit`, or an empty text at the end of input."""
    while True:
        try:
            line = await stream.readline()
        except ValueError:  # the line is too long
            return ""
        first = first_line(line)
        if not line or first == "quit" or session_for(first) is not None:
            return first
        if first:
            stream.write(f"{ADVICE}\n".encode())


def _settings(arguments: Sequence[str]) -> tuple[dict[str, str], Path | None, str]:
    """Parse the command line: return engine options, log file, and a command of UCI to obey instead of the input."""
    import argparse  # late: not needed if a GUI gives no arguments

    parser = argparse.ArgumentParser(
        prog="galapagos-chess",
        description="An evolved chess engine for GUIs. It speaks UCI and CECP (xboard); the first line decides.",
        epilog="Every setting is also an option in the engine dialogue of a GUI.",
    )
    parser.add_argument("--version", action="version", version=f"galapagos-chess {VERSION}")
    add = parser.add_argument
    add(
        "--genome",
        metavar="NAME|FILE|RUN",
        help="a bundled genome, a file or a run; 'FILE ID' selects one of several",
    )
    add("--hash", metavar="MIB", help="size of the transposition table in MiB (default: 16)")
    add(
        "--search",
        choices=("strong", "seed"),
        help="the search: strong, or seed, that of Genetic Chess in 2017 (default: strong)",
    )
    add("--strength", metavar="PERCENT", help="playing strength in percent, 1 to 100 (default: 100)")
    add(
        "--resign",
        metavar="CENTS",
        help="resign when behind by this many centipawns for three moves in a row (default: 0, never)",
    )
    add(
        "--overhead",
        metavar="MS",
        help="milliseconds per move that pass between the engine and the clock (default: 30)",
    )
    add("--book", metavar="FILE", help="play openings from a Polyglot book (.bin)")
    add(
        "--syzygy",
        metavar="FOLDERS",
        help="play solved endgames from Syzygy tables; folders are separated as in PATH",
    )
    add("--log", metavar="FILE", type=Path, help="append the conversation to this file")
    add(
        "command",
        nargs="*",
        metavar="COMMAND",
        help="run one command of UCI and exit: bench [HASH THREADS LIMIT default|current depth|nodes|movetime], "
        "go LIMITS, go perft N, d or eval",
    )
    given = parser.parse_args(arguments)
    if given.command and given.command[0] not in COMMANDS:
        parser.error(f"the command must be one of {', '.join(COMMANDS)}, not {given.command[0][:40]!r}")
    settings = {
        name.capitalize(): str(value)
        for name, value in vars(given).items()
        if name not in ("log", "genome", "book", "syzygy", "command") and value is not None
    }
    if given.book is not None:
        settings |= {"BookFile": given.book, "OwnBook": "true"}
    if given.syzygy is not None:
        settings["SyzygyPath"] = given.syzygy
    if given.genome is not None:
        bundled = any(given.genome in option.choices for option in ChessEngine.options)
        settings["Genome" if bundled else "GenomeFile"] = given.genome
    return settings, given.log, " ".join(given.command)


if __name__ == "__main__":
    sys.exit(main())
