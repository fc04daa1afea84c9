"""An engine of ours as python-chess's users know one, in their own process: play, analyse, analysis.

    with LocalEngine(ChessEngine()) as engine:
        board.push(engine.play(board, chess.engine.Limit(nodes=2000)).move)

It has the calls and answers of chess.engine.SimpleEngine, without a process, a thread or a loop: what is asked is
thought out before the answer, so there is no pondering, and an analysis goes on while somebody reads it. The other
way, chess.engine.SimpleEngine.popen_uci("galapagos-chess"), needs nothing from here.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from types import TracebackType
from typing import Any, Self

import chess
from chess.engine import (
    INFO_ALL,
    INFO_NONE,
    ConfigValue,
    EngineError,
    Info,
    Limit,
    Option,
    PlayResult,
)

from engines.engine import Engine
from protocols.adapters.chess_analysis import LocalAnalysis, ended
from protocols.adapters.chess_shapes import limit_of, moved, option_of, position_of, text_of


class LocalEngine:
    """One engine; use it from one thread at a time."""

    def __init__(self, engine: Engine) -> None:
        """An engine that computes by itself, as ChessEngine does; EngineError on its first move if it waits."""
        self._engine = engine
        self._game: object = None

    @property
    def id(self) -> Mapping[str, str]:
        return {"name": self._engine.name, "author": self._engine.author}

    @property
    def options(self) -> Mapping[str, Option]:
        """By name, with the present values as defaults."""
        return {option.name: option_of(option) for option in self._engine.options}

    def configure(self, options: Mapping[str, ConfigValue]) -> None:
        """EngineError for an option or a value that cannot be; those before it are set then."""
        names = {option.name.lower(): option.name for option in self._engine.options}
        for name, value in options.items():
            try:
                ended(self._engine.configure(names.get(name.lower(), name), text_of(value)))
            except ValueError as error:
                raise EngineError(str(error)) from error

    def ping(self) -> None:
        """It is there."""

    def play(
        self,
        board: chess.Board,
        limit: Limit,
        *,
        game: object = None,
        info: Info = INFO_NONE,
        ponder: bool = False,
        draw_offered: bool = False,
        root_moves: Iterable[chess.Move] | None = None,
        options: Mapping[str, ConfigValue] | None = None,
    ) -> PlayResult:
        """The move, None where there is none. `draw_offered` of the result answers the offer; `ponder` is ignored."""
        with (
            self._configured(options or {}),
            self.analysis(board, limit, game=game, root_moves=root_moves) as analysis,
        ):
            best = analysis.wait()
            last = analysis.last
        return PlayResult(
            best.move,
            best.ponder,
            analysis.info if info else {},
            draw_offered=draw_offered and last is not None and last.takes_draw,
            resigned=last is not None and last.resign,
        )

    def analyse(
        self,
        board: chess.Board,
        limit: Limit,
        *,
        multipv: int | None = None,
        game: object = None,
        info: Info = INFO_ALL,
        root_moves: Iterable[chess.Move] | None = None,
        options: Mapping[str, ConfigValue] | None = None,
    ) -> Any:
        """The last information, an InfoDict; with `multipv` a list of that many, of which 1 is all there is."""
        with (
            self._configured(options or {}),
            self.analysis(
                board, limit, multipv=multipv, game=game, info=info, root_moves=root_moves
            ) as analysis,
        ):
            analysis.wait()
        return analysis.info if multipv is None else analysis.multipv

    def analysis(
        self,
        board: chess.Board,
        limit: Limit | None = None,
        *,
        multipv: int | None = None,
        game: object = None,
        info: Info = INFO_ALL,
        root_moves: Iterable[chess.Move] | None = None,
    ) -> LocalAnalysis:
        """Ever better information about a board, which may change meanwhile. Options are set by configure()."""
        if multipv not in (None, 1):
            raise EngineError("the engine looks for one line")
        if game != self._game:
            self._game = game
            ended(self._engine.new_game())
        position = position_of(board)
        wanted = None if root_moves is None else {move.uci() for move in root_moves}
        legal = [(moved(action).uci(), action) for action in position.legal_moves()]
        actions = tuple(action for text, action in legal if wanted is None or text in wanted)
        if legal and not actions:
            raise ValueError("none of root_moves is legal")
        if wanted is None and position.legal_actions():
            actions = ()  # all; else one plays on after a draw that nobody has claimed
        thoughts = None
        bounds = limit_of(limit or Limit(), position.player(), actions)
        if legal:
            thoughts = self._engine.think(position, bounds)
        return LocalAnalysis(thoughts, position, is_endless=bounds.is_infinite)

    def quit(self) -> None:
        """Give back what the engine holds."""
        ended(self._engine.close())

    close = quit

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.quit()

    @contextmanager
    def _configured(self, options: Mapping[str, ConfigValue]) -> Iterator[None]:
        """The options for one question; they are as they were after it."""
        before = {option.name: option.default for option in self._engine.options if option.kind != "button"}
        names = {name.lower() for name in options}
        try:
            self.configure(options)
            yield
        finally:
            self.configure({name: value for name, value in before.items() if name.lower() in names})
