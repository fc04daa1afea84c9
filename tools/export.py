"""The command `galapagos export`: writes configurations of galapagos-chess for programs that run chess engines."""

import json
import shlex
import shutil
import sys
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from engines.chess.engine import DEFAULT
from engines.chess.genome_file import bundled, read_genome
from engines.config import RUN_FILE
from tools.cli import CommandError


def add_arguments(parser: ArgumentParser) -> None:
    parser.formatter_class = RawDescriptionHelpFormatter
    parser.epilog = "\n".join([
        "The configuration is printed on standard output, and the way to use it on standard error:",
        *(f"  {name:12} {target.advice}" for name, target in TARGETS.items()),
    ])  # fmt: skip
    parser.add_argument("program", choices=TARGETS, help="the program that will run the engine")
    parser.add_argument(
        "--genome",
        action="append",
        metavar="NAME|FILE|RUN",
        help="a bundled genome, a file, or a run; may be repeated (default: all bundled genomes)",
    )


def run(args: Namespace) -> int:
    try:
        engine = _engine()
        players = [_Player.of(genome) for genome in args.genome or _all_bundled()]
        target = TARGETS[args.program]
        text = target.write(engine, players)
    except ValueError as error:
        raise CommandError(error) from None
    print(text)
    print(f"galapagos export: {target.advice}", file=sys.stderr)
    return 0


@dataclass(frozen=True, slots=True, kw_only=True)
class _Player:
    """An entry in a program's list of engines: the engine with one genome."""

    name: str
    option: str  # the option of the engine that selects the genome
    genome: str  # a bundled name, or the absolute path of a file

    @classmethod
    def of(cls, genome: str) -> "_Player":
        """Return the entry of a genome. Raises ValueError if it is neither a bundled genome nor a file with one."""
        if genome in bundled():
            return cls(name=f"Galapagos {genome}", option="Genome", genome=genome)
        read_genome(genome)
        path = Path(genome).absolute()
        name = path.name.replace(".txt", "")  # from `pool.txt` or, with an ID, `pool.txt 247323`
        if (path.parent / RUN_FILE).is_file():  # the files of all runs have the same names
            name = f"{path.parent.name} {name}"
        return cls(name=f"Galapagos {name}", option="GenomeFile", genome=str(path))


def _all_bundled() -> list[str]:
    """Return the names of the bundled genomes, the engine's default first."""
    return sorted(bundled(), key=lambda name: (name != DEFAULT, name))


def _engine() -> str:
    """Return the absolute path of galapagos-chess in this environment. Raises ValueError if it is missing."""
    folder = Path(sys.executable).absolute().parent
    engine = shutil.which("galapagos-chess", path=folder)
    if engine is None:
        raise ValueError(f"no galapagos-chess in {folder}; install galapagos there first")
    return engine


# -- The programs ----------------------------------------------------------------------------------


def _cutechess(engine: str, players: Sequence[_Player]) -> str:
    """Return engines.json, which is one array; names must differ, and blanks outside of "..." divide a command."""
    entries = [
        {
            "name": player.name if protocol == "uci" else f"{player.name} ({protocol})",
            "command": " ".join(map(_quoted, (engine, "--genome", player.genome))),
            "workingDirectory": "",
            "protocol": protocol,
        }
        for player in players
        for protocol in ("uci", "xboard")
    ]
    return json.dumps(entries, indent=4)


def _xboard(engine: str, players: Sequence[_Player]) -> str:
    """Return a settings file whose engine list has the format of xboard's own list."""
    if any(" " in player.genome for player in players):
        # xboard 4.9 adds an empty argument if the last argument is in quotation marks.
        raise ValueError("xboard cannot give an engine a genome file with a blank in its name")
    commands = [f"{_quoted(engine)} --genome {player.genome}" for player in players]
    lines = [
        f'"{player.name}" -fcp {_outer(command)} -fd ""'
        for player, command in zip(players, commands, strict=True)
    ]
    return "\n".join([
        f"; xboard -fcp {_outer(commands[0])}",
        "-firstChessProgramNames {",
        *lines,
        "}",
    ])  # fmt: skip


def _lichess_bot(engine: str, players: Sequence[_Player]) -> str:
    """Return the engine section of config.yml, for the first genome; JSON strings are YAML strings too."""
    path = Path(engine)
    return "\n".join([
        "engine:",
        f"  dir: {json.dumps(str(path.parent))}",
        f"  name: {json.dumps(path.name)}",
        '  protocol: "uci"',
        "  ponder: true",
        "  uci_options:",
        f"    {players[0].option}: {json.dumps(players[0].genome)}",
        "    Hash: 64",
        "    Overhead: 100",
    ])  # fmt: skip


def _fastchess(engine: str, players: Sequence[_Player]) -> str:
    """Return a command line for a shell that plays all against all. Raises ValueError for fewer than two genomes."""
    if len(players) < 2:
        raise ValueError("fastchess plays engines against each other: give two genomes or more")
    parts = [["fastchess"]]
    for player in players:
        parts.append(
            ["-engine", f"cmd={engine}", f"name={player.name}", f"option.{player.option}={player.genome}"]
        )
    parts.append(["-each", "proto=uci", "tc=10+0.1", "option.Hash=16"])
    parts.append(["-rounds", "50", "-repeat", "-recover", "-pgnout", "file=galapagos.pgn"])
    return " \\\n  ".join(map(shlex.join, parts))


def _quoted(word: str) -> str:
    return f'"{word}"' if " " in word else word


def _outer(command: str) -> str:
    """Put a command in quotation marks: single ones if it contains double ones."""
    return f"'{command}'" if '"' in command else f'"{command}"'


@dataclass(frozen=True, slots=True, kw_only=True)
class _Target:
    write: Callable[[str, Sequence[_Player]], str]
    advice: str


TARGETS: Final = {
    "cutechess": _Target(
        write=_cutechess,
        advice="merge the entries into engines.json, on Linux ~/.config/cutechess/engines.json",
    ),
    "xboard": _Target(
        write=_xboard,
        advice="save it as FILE and start `xboard @FILE -fe NAME`, or paste the lines in the braces "
        "into Engine > Edit Engine List",
    ),
    "lichess-bot": _Target(write=_lichess_bot, advice="replace the engine section of config.yml with it"),
    "fastchess": _Target(
        write=_fastchess, advice="run it in a shell, with -openings file=... for varied games"
    ),
}
