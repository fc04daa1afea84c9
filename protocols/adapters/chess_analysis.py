"""An analysis as python-chess's users know one, of an engine in their own process: it goes on while it is read."""

from collections.abc import AsyncGenerator, Awaitable, Iterator
from types import TracebackType
from typing import Self, TypeVar

from chess.engine import AnalysisComplete, BestMove, Cp, EngineError, InfoDict, Mate, PovScore

from core.chess.position import Position
from engines.engine import Info
from protocols.adapters.chess_shapes import info_of, moved

T = TypeVar("T")


class LocalAnalysis:
    """An analysis: each step of the iteration thinks until there is news. Without legal moves it is over at once."""

    def __init__(
        self, thoughts: AsyncGenerator[Info, None] | None, position: Position, *, is_endless: bool
    ) -> None:
        self.last: Info | None = None
        self._thoughts = thoughts
        self._player = position.player()
        self._is_endless = is_endless
        self.info: InfoDict = {}
        if thoughts is None:
            score = Mate(0) if position.in_check() else Cp(0)
            self.info = {"depth": 0, "score": PovScore(score, self._player == 0), "pv": []}

    @property
    def multipv(self) -> list[InfoDict]:
        return [self.info] if self.info else []

    def __iter__(self) -> Iterator[InfoDict]:
        return self

    def __next__(self) -> InfoDict:
        thought = self._next()
        if thought is None:
            raise StopIteration
        return info_of(thought, self._player)

    def next(self) -> InfoDict | None:
        return next(self, None)

    def get(self) -> InfoDict:
        """The next information. AnalysisComplete if there is none."""
        info = self.next()
        if info is None:
            raise AnalysisComplete
        return info

    def wait(self) -> BestMove:
        """Think to the end, and say the move. EngineError if there is no limit, and stop() was not called."""
        if self._is_endless and self._thoughts is not None:
            raise EngineError("this would never end: give a limit, or stop the analysis first")
        while self._next() is not None:
            pass
        if self.last is None:
            return BestMove(None, None)
        line = [moved(action) for action in self.last.line]
        return BestMove(moved(self.last.action), line[1] if len(line) > 1 else None)

    def stop(self) -> None:
        """Move now: what was found last is the answer."""
        if self._thoughts is not None:
            if self.last is None:
                self._next()
            ended(self._thoughts.aclose())
            self._is_endless = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._thoughts is not None:
            ended(self._thoughts.aclose())

    def _next(self) -> Info | None:
        if self._thoughts is None:
            return None
        try:
            self.last = ended(anext(self._thoughts))
        except StopAsyncIteration:
            return None
        self.info = info_of(self.last, self._player)
        return self.last


def ended(step: Awaitable[T]) -> T:
    """What a step comes to that waits for nothing but its next turn, as all of an engine that computes by itself.

    No loop is needed, so one that runs already, as in a notebook, is not in the way.
    """
    turns = step.__await__()
    try:
        while next(turns) is None:
            pass
        turns.throw(EngineError("this engine waits for others; use it within asyncio, or by popen_uci"))
    except StopIteration as end:
        return end.value  # type: ignore[no-any-return]
    raise AssertionError("thrown is thrown")
