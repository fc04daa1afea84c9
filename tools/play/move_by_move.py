"""Games played move by move at the terminal, between people, evolved players and other engines."""

import asyncio
import os
from argparse import Namespace
from contextlib import AsyncExitStack
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Final

from core.game import State
from core.random import Random
from engines.engine import Engine, EngineError
from engines.match.referee import Result
from engines.time_control import TimeControl
from protocols.external.engine import check_variant
from protocols.stdio import StandardStream
from tools.cli import FAILED, CommandError, print_notes
from tools.games import GAMES, find_game, open_engine
from tools.games.info import GameInfo
from tools.play.casual_game import CasualGame
from tools.play.terminal import Terminal, TextView, View

PERSON: Final = "human"


def run(args: Namespace) -> int:
    """Play a game and return 0, also if a person leaves it.

    Raises CommandError for wrong arguments, and with status 1 if an engine does not start or a file fails.
    """
    try:
        asyncio.run(_play(_Plan.of(args)))
    except ValueError as error:
        raise CommandError(error) from None
    except (OSError, EngineError) as error:
        raise CommandError(error, FAILED) from None
    except KeyboardInterrupt:
        print("\nThe game is left unfinished.")
        raise
    return 0


@dataclass(frozen=True, slots=True, kw_only=True)
class _Plan:
    """The parsed arguments."""

    game: str
    players: tuple[str, ...]
    state: State
    view: View
    control: TimeControl
    pgn: Path | None
    seed: int

    @classmethod
    def of(cls, args: Namespace) -> "_Plan":
        """Parse the arguments. Raises ValueError if they do not describe a game."""
        game = find_game(args.game)
        info = GAMES[args.game]
        seats = (PERSON, *[info.opponent] * (game.players - 1))
        if len(args.players) > game.players:
            raise ValueError(f"{args.game} has {game.players} players, not {len(args.players)}")
        state = game.new_state(Random(args.seed)) if args.fen is None else game.state_from(args.fen)
        if info.notes:
            print_notes("play", info.notes(state))
        if state.is_terminal():
            raise ValueError("the game has ended in this position")
        control = TimeControl.parse(args.tc)
        if control.nodes_per_second is not None:
            raise ValueError("--tc: a clock that counts nodes can only be used with galapagos match")
        if args.pgn:
            _check_writable(args.pgn)
        return cls(
            game=args.game,
            players=(*args.players, *seats[len(args.players) :]),
            state=state,
            view=_view(info, args.unicode) if info.view else TextView(game.players),
            control=control,
            pgn=args.pgn,
            seed=args.seed,
        )


def _view(info: GameInfo, figures: bool) -> View:
    """Return the view of a game that has its own."""
    module, _, name = info.view.partition(":")
    view: View = getattr(import_module(module), name)(figures)
    return view


def _check_writable(path: Path) -> None:
    """Raise ValueError if a file cannot be written, so that no game is played that cannot be saved."""
    try:
        path.open("a").close()
    except OSError as error:
        raise ValueError(f"cannot write {path}: {error.strerror}") from None


async def _play(plan: _Plan) -> None:
    helper: Engine | None = None
    async with AsyncExitStack() as engines:

        async def opened(description: str, seed: int) -> Engine:
            engine = await open_engine(plan.game, description, seed, [PERSON])
            engines.push_async_callback(engine.close)
            check_variant(engine, [plan.state])
            return engine

        async def for_hints() -> Engine:
            nonlocal helper
            if helper is None:
                helper = await opened(GAMES[plan.game].opponent, plan.seed)
            return helper

        players: list[Engine | None] = []
        for seat, description in enumerate(plan.players):
            players.append(None if description == PERSON else await opened(description, plan.seed + seat))
        game = CasualGame(plan.state, players, plan.control)
        terminal = Terminal(game, plan.view, StandardStream(), for_hints, echo=not os.isatty(0))
        result: Result | None = None
        try:
            result = await terminal.play()
        finally:
            if plan.pgn and game.history:
                with plan.pgn.open("a", encoding="utf-8") as file:
                    file.write(terminal.record(result))
