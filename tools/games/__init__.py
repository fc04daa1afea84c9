"""The games: those of this package, and those of other installed packages (tools.games.info)."""

import os
import shlex
import shutil
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Final

from core.game import Game
from engines.engine import Engine
from engines.names import near
from engines.player import Player, PlayerEngine
from tools.games import acquire, chess, corewar, protection
from tools.games.info import GameInfo

if TYPE_CHECKING:
    from engines.catalogue import PlayerInfo
    from engines.evolution.run_store import RunStore
    from engines.strength import GameReference
    from protocols.jsonl.adapter import GameAdapter
    from protocols.jsonl.match_source import MatchSource
    from protocols.web.run_contest import RunContest

GROUP: Final = "galapagos.games"  # the group of entry points of other packages
BUNDLED_GAMES: Final = (chess.GAME, acquire.GAME, protection.GAME, corewar.GAME)
DEFAULT: Final = chess.GAME.name  # for matches whose players name no game, and for UCI and CECP


PACKAGES: Final[dict[str, str]] = {}  # by game of another package: the name and version of its distribution


def _leave_out(game: str, error: Exception) -> None:
    print(f"galapagos: the game {game} is left out: {error}", file=sys.stderr)


def _installed_games() -> Iterator[GameInfo]:
    """Yield the games of other packages; print a warning for a game that cannot be loaded."""
    # A player without what a Player has is found later (usable_games), because players may take long to make.
    taken = {game.name for game in BUNDLED_GAMES}
    for entry in sorted(entry_points(group=GROUP), key=lambda each: each.name):
        try:
            game = entry.load()
            if not isinstance(game, GameInfo):
                raise TypeError(f"{entry.value} is not a GameInfo")
            if game.name in taken:
                raise ValueError(f"another game is called {game.name}")
        except Exception as error:  # the code of another package may raise anything
            _leave_out(entry.name, error)
            continue
        taken.add(game.name)
        if entry.dist:
            PACKAGES[game.name] = f"{entry.dist.name} {entry.dist.version}"
        yield game


GAMES: Final = {game.name: game for game in (*BUNDLED_GAMES, *_installed_games())}


def usable_games() -> dict[str, GameInfo]:
    """Return the games whose players can be made; print a warning, once, for a game that is left out."""
    return {name: game for name, game in GAMES.items() if _has_players(name)}


@cache
def _has_players(name: str) -> bool:
    game = GAMES[name]
    try:
        for player in game.players if game.name in PACKAGES else ():
            _made(game, player)
    except Exception as error:  # the code of another package may raise anything
        _leave_out(name, error)
        return False
    return True


def _made(game: GameInfo, name: str) -> Player:
    """Return a new player of a game. Raises ValueError if it lacks what a Player has."""
    return _complete(game.players[name](), name)


def _complete(player: Player, name: str) -> Player:
    if not isinstance(getattr(player, "about", None), str):
        raise ValueError(f"its player {name} has no `about`, a line of text for people")
    if not isinstance(getattr(player, "is_slow", None), bool):
        raise ValueError(f"its player {name} has no `is_slow`, True or False")
    return player


def find_game(name: str) -> Game:
    """Return the rules of a game. Raises ValueError for an unknown game or one that is not played move by move."""
    if name not in GAMES:
        raise ValueError(f"no game is called {name[:40]!r}; {near(name, GAMES)}")
    rules = GAMES[name].rules
    if rules is None:
        raise ValueError(without_moves(name))
    return rules()


async def open_engine(game: str, description: str, seed: int, others: Sequence[str] = ()) -> Engine:
    """Start the engine that a description names, in its own process if it searches.

    `others` are names that the caller accepts in addition, for the message that a description names no engine.

    Descriptions are `random`; `chess:GENOME[,option=value...]` with a bundled genome or a genome file; `uci:COMMAND`
    and `cecp:COMMAND`, with `name=...` and `option.NAME=VALUE` among the words of the command.
    Raises ValueError if the description names no engine, and EngineError if the engine does not start.
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
        info = GAMES[kind]
        return _open_player(info, rest, seed) if info.engine is None else await _open_own(info, rest, seed)
    raise ValueError(f"{description[:80]!r} names no engine; {_similar_players(game, description, others)}")


def game_adapters(profiles: Path | None = None) -> "dict[str, GameAdapter]":
    """Return the adapters of the games to the JSON lines, by name.

    Profiles of people are kept in the folder `profiles`, or without one until the process ends.
    """
    made: dict[str, GameAdapter] = {}
    for name, game in usable_games().items():
        if game.adapter is not None:
            made[name] = game.adapter(profiles)
        elif game.rules is not None:
            from protocols.jsonl.state_adapter import StateAdapter

            made[name] = StateAdapter(game.rules(), game.players, game.about, PACKAGES.get(name, ""))
    return made


def contests() -> "list[MatchSource]":
    """Return the sources of matches of games that a server plays only in matches."""
    return [game.contests() for game in GAMES.values() if game.contests]


def catalogues() -> "dict[str, list[PlayerInfo]]":
    """Return the players of each game, as shown to visitors of the page."""
    games = usable_games()
    return {name: game.catalogue() if game.catalogue else _listed(game) for name, game in games.items()}


@cache
def statistics_of(game: str) -> "GameReference | None":
    """Return the statistics of a game's runs, or None if the game is unknown or has none."""
    statistics = GAMES[game].statistics if game in GAMES else None
    return statistics() if statistics else None


@cache
def contest_of(game: str) -> "RunContest | None":
    """Return the part of a game that plays contests of its runs, or None if the game has none."""
    contest = GAMES[game].contest if game in GAMES else None
    return contest() if contest else None


def without_moves(game: str) -> str:
    """Return a sentence that a game cannot be played move by move, with the alternative."""
    return f"{game} is not played move by move: {GAMES[game].instead}"


# -- Helpers ---------------------------------------------------------------------------------------


def _listed(game: GameInfo) -> "list[PlayerInfo]":
    """Return the players of a game that has no catalogue."""
    from engines.catalogue import PlayerInfo

    return [PlayerInfo(name=name, title=make().about) for name, make in game.players.items()]


def _similar_players(game: str, description: str, others: Sequence[str]) -> str:
    """Return a clause with the players that a wrong description may mean, or with all forms of descriptions."""
    name, comma, settings = description.partition(",")
    players = {each: [player.name for player in listed] for each, listed in catalogues().items()}
    meant = [each for each in (game, *GAMES) if name in players.get(each, ())]
    if meant:
        return f"did you mean {meant[0]}:{name}{comma}{settings[:40]}?"
    own = [f"{game}:{player}" for player in players.get(game, ())]
    _, colon, rest = name.partition(":")
    wrong_kind = [f"{kind}:{rest}" for kind in (game, "uci", "cecp") if colon]
    forms = [f"{game}:FILE"] * (GAMES[game].engine is not None) + ["uci:COMMAND", "cecp:COMMAND"]
    return near(name, [*others, "random", *own, *(wrong_kind or forms)])


def _open_player(game: GameInfo, name: str, seed: int) -> Engine:
    """Return a player as an engine. Raises ValueError if the game has no such player."""
    if name not in game.players:
        if name and game.player_from and (text := _genome_text(game, Path(name))):
            return PlayerEngine(name, _complete(game.player_from(text), name), seed)
        raise ValueError(f"{game.name} has no player {name[:40]!r}; {near(name, game.players)}")
    return PlayerEngine(name, _made(game, name), seed)


def best_id(store: "RunStore") -> int:
    """Return the ID of the best individual of a run so far, or of the newest if no best one is known.

    Raises ValueError if the run has no individuals yet.
    """
    from engines.evolution.run_history import RunHistory

    if store.newest is None:
        raise ValueError(f"{store.folder} has no individuals yet")
    game = statistics_of(store.game)
    best = RunHistory(store).champion(game) if game else None
    return store.newest if best is None else best


def _genome_text(game: GameInfo, path: Path) -> str:
    """Return the text of a file, or of the best individual of a run; empty if there is neither.

    Without statistics of the game the best is the newest. Raises ValueError for a damaged one.
    """
    from engines.config import RUN_FILE
    from engines.evolution.run_store import RunStore

    if not (path / RUN_FILE).is_file():
        return path.read_text(encoding="utf-8") if path.is_file() else ""
    with RunStore.open(path) as store:
        if store.game != game.name:
            raise ValueError(f"{path} is a run of {store.game}, not of {game.name}")
        return store.individual(best_id(store)).genome


async def _open_own(game: GameInfo, rest: str, seed: int) -> Engine:
    from engines.remote_engine import OwnedEngine

    genome, *settings = rest.split(",")
    title = f"{game.name}:{genome}" + "".join(f",{setting}" for setting in settings)
    engine = await OwnedEngine.start(game.engine_path, None, title, seed)
    try:
        for option in engine.options:
            if option.name == "Genome" and genome:
                bundled = genome in option.choices
                await engine.configure("Genome" if bundled else "GenomeFile", genome)
        options = {
            option.name.lower(): option
            for option in engine.options
            if option.kind != "button" and option.name not in ("Genome", "GenomeFile")
        }
        wanted: dict[str, str] = {}
        for setting in settings:
            name, equals, value = setting.partition("=")
            if not equals or name.lower() not in options:
                names = [option.name for option in options.values()]
                raise ValueError(f"{setting[:40]!r} is not a setting; {near(name, names)}")
            wanted[name.lower()] = value
        for name in [*wanted]:  # UCI_Elo alone has no effect
            switch = options.get(options[name].needs.lower())
            if switch is not None and switch.kind == "check":
                wanted.setdefault(switch.name.lower(), "true")
        for name, value in wanted.items():
            await engine.configure(options[name].name, value)
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
        raise ValueError(f"{kind}: needs the command of an engine, such as {kind}:PROGRAM")
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
    """Return PATH with the folder of this Python and the folder in which Debian installs games."""
    return os.pathsep.join(
        [os.environ.get("PATH", os.defpath), str(Path(sys.executable).parent), "/usr/games"]
    )
