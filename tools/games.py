"""The table of games: what each is called, its rules, and the engines that can be named for it."""

import os
import shlex
import shutil
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from core.chess.position import Position
from core.game import Game, State
from engines.engine import Engine
from engines.names import near

if TYPE_CHECKING:
    from engines.catalogue import PlayerInfo
    from protocols.jsonl.adapter import GameAdapter


@dataclass(frozen=True, slots=True, kw_only=True)
class GameEntry:
    """A game: where its parts are, each named so that the table itself imports none of them."""

    rules: Callable[[], Game] | None  # None: it is not played move by move, as Core War
    engine: str = ""  # the factory of its engine, "module:callable", for worker processes
    evolution: str  # the module of its evolution (engines.evolution.run.Evolution)
    match: str = ""  # the module of its matches (tools.match.command.MatchKind), if it has any
    instead: str = ""  # what there is in place of matches, where there are no rules
    first_run: str = ""  # the configuration of a run that soon shows something
    curves: str = ""  # the module of its statistics over a run (engines.evolution.run_history.GameStatistics)
    genomes: str = ""  # the module of its genomes (tools.genome.command), with is_meant() and some of VERBS
    catalogue: str = (
        ""  # its players as visitors are shown them (engines.catalogue.PlayerInfo), "module:callable"
    )


def _chess() -> Game:
    from core.chess.game import Chess

    return Chess()


def _acquire() -> Game:
    from core.acquire.game import Acquire
    from core.acquire.rules import PRESETS

    return Acquire(PRESETS["classic"], 2)


GAMES: Final = {
    "acquire": GameEntry(
        rules=_acquire,
        engine="engines.acquire.engine:AcquireEngine",
        match="tools.match.tables",
        evolution="engines.acquire.experiment",
        first_run="typed-7",
        curves="engines.acquire.experiment",
        genomes="tools.genome.acquire",
        catalogue="engines.acquire.registry:catalogue",
    ),
    "chess": GameEntry(
        rules=_chess,
        engine="engines.chess.engine:ChessEngine",
        match="tools.match.duels",
        evolution="engines.chess.experiment",
        first_run="example",
        curves="engines.chess.experiment",
        genomes="tools.genome.chess",
        catalogue="engines.chess.genome_file:catalogue",
    ),
    "corewar": GameEntry(
        rules=None,
        evolution="engines.corewar.evolution.experiment",
        first_run="soup",
        curves="engines.corewar.evolution.experiment",
        instead="warriors fight as programs; use galapagos-mars WARRIOR WARRIOR, or galapagos hill",
        genomes="tools.genome.warriors",
        catalogue="engines.corewar.evolution.experiment:catalogue",
    ),
    "protection": GameEntry(
        rules=None,
        evolution="engines.protection.experiment",
        first_run="quick",
        curves="engines.protection.experiment",
        instead="Chaos plays strings; see galapagos genome",
        genomes="tools.genome.protection",
        catalogue="engines.protection.pool:catalogue",
    ),
}

# The games that are played over JSON lines, each with the maker of its adapter, "module:callable".
BINDINGS: Final = {
    "acquire": "protocols.jsonl.acquire:AcquireAdapter",
    "chess": "protocols.jsonl.chess:ChessAdapter",
    "protection": "protocols.jsonl.protection:ProtectionAdapter",
}
WITH_PROFILES: Final = ("protection",)  # the games that learn from people; their makers take a folder


def find_game(name: str) -> Game:
    """The rules of a game. ValueError if there is none of this name, or it is not played move by move."""
    if name not in GAMES:
        raise ValueError(f"no game is called {name[:40]!r}; {near(name, GAMES)}")
    rules = GAMES[name].rules
    if rules is None:
        raise ValueError(without_moves(name))
    return rules()


async def open_engine(game: str, description: str, seed: int) -> Engine:
    """The engine that a description names, in a process of its own where it computes.

    `random`; `chess:GENOME[,option=value...]` with a bundled genome or a genome file; `uci:COMMAND` and
    `cecp:COMMAND`, with `name=...` and `option.NAME=VALUE` among the command's words.
    ValueError for a description that names none, EngineError for an engine that does not start.
    """
    kind, _, rest = description.partition(":")
    if kind == "random":
        from engines.random_engine import RandomEngine

        return RandomEngine(seed)
    if kind in ("uci", "cecp"):
        return await _open_foreign(kind, rest)
    if kind in GAMES and GAMES[kind].rules is None:
        raise ValueError(without_moves(kind))
    if kind == game and kind in GAMES:
        return await _open_own(kind, rest, seed)
    advice = near(description, ["random", *(f"{each}:{rest or 'NAME'}" for each in (game, "uci", "cecp"))])
    raise ValueError(
        f"{description[:80]!r} names no engine: random, {game}:GENOME, uci:COMMAND or cecp:COMMAND; {advice}"
    )


def check_variant(engine: Engine, starts: Iterable[State]) -> None:
    """Raise ValueError if an engine does not offer Chess960, which a game from one of these positions is."""
    from protocols.external.engine import ExternalEngine

    if isinstance(engine, ExternalEngine) and not engine.plays_chess960:
        if any(isinstance(start, Position) and start.is_chess960() for start in starts):
            raise ValueError(
                f"{engine.name} does not offer Chess960, and the game is to begin from such a position"
            )


def game_adapters(profiles: Path | None = None) -> "dict[str, GameAdapter]":
    """The games as JSON lines show them. Without a folder for profiles, those last as long as the process."""
    made: dict[str, GameAdapter] = {}
    for name, maker in BINDINGS.items():
        folder = (profiles,) if name in WITH_PROFILES else ()
        made[name] = _callable(maker)(*folder)
    return made


def catalogues() -> "dict[str, list[PlayerInfo]]":
    """The players of each game, as visitors are shown them."""
    return {name: _callable(entry.catalogue)() for name, entry in GAMES.items() if entry.catalogue}


def without_moves(game: str) -> str:
    """Why nobody can play a game move by move, and what there is instead."""
    return f"{game} is not played move by move: {GAMES[game].instead}"


# -- Helpers ---------------------------------------------------------------------------------------


def _callable(path: str) -> Callable[..., Any]:
    """What "module:callable" names."""
    module, _, function = path.partition(":")
    made: Callable[..., Any] = getattr(import_module(module), function)
    return made


async def _open_own(game: str, rest: str, seed: int) -> Engine:
    from engines.engine_process import OwnedEngine

    genome, *settings = rest.split(",")
    name = f"{game}:{genome}" + "".join(f",{setting}" for setting in settings)
    engine = await OwnedEngine.start(GAMES[game].engine, None, name, seed)
    try:
        for option in engine.options:
            if option.name == "Genome" and genome:
                bundled = genome in option.choices
                await engine.configure("Genome" if bundled else "GenomeFile", genome)
        for setting in settings:
            wanted, equals, value = setting.partition("=")
            names = {option.name.lower(): option.name for option in engine.options}
            if not equals or wanted.lower() not in names:
                raise ValueError(f"{setting[:40]!r} is no setting; {near(wanted, names.values())}")
            await engine.configure(names[wanted.lower()], value)
    except BaseException:
        await engine.close()
        raise
    return engine


async def _open_foreign(kind: str, rest: str) -> Engine:
    from protocols.external.cecp import CecpEngine
    from protocols.external.uci import UciEngine

    command: list[str] = []
    options: dict[str, str] = {}
    name = None
    for word in shlex.split(rest):
        key, equals, value = word.partition("=")
        if equals and key == "name":
            name = value
        elif equals and key.startswith("option."):
            options[key.removeprefix("option.")] = value
        else:
            command.append(word)
    if not command:
        raise ValueError(f"{kind}: needs a command")
    command[0] = shutil.which(command[0], path=_search_path()) or command[0]
    opened: Engine
    if kind == "uci":
        opened = await UciEngine.open(command, name=name, options=options, notify=_print_notice)
    else:
        opened = await CecpEngine.open(command, name=name, options=options, notify=_print_notice)
    return opened


def _print_notice(notice: str) -> None:
    print(notice, file=sys.stderr, flush=True)


def _search_path() -> str:
    """PATH, the folder of this Python, and where Debian installs games."""
    return os.pathsep.join(
        [os.environ.get("PATH", os.defpath), str(Path(sys.executable).parent), "/usr/games"]
    )
