"""A position that a foreign engine thinks about, and what it has said of it so far.

This is where its words become thoughts: moves that are not legal here end a line, and an answer that is
no legal move becomes the action -1, with which it forfeits.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from core.chess.position import Position
from engines.engine import Info, Limit
from protocols.client.process import shown

LONGEST_LINE: Final = 60  # moves; to read one in algebraic notation takes 0.08 ms
LARGEST: Final = 15  # digits of a number that an engine may say
GAME_MOVES: Final = 30  # that a clock of nodes is thought to have to last for


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What one line of thinking says; None for what it does not say."""

    moves: Sequence[str] = ()
    cents: int | None = None
    mate: int | None = None
    depth: int | None = None
    nodes: int | None = None
    seconds: float | None = None


class Question:
    def __init__(self, position: Position, limit: Limit) -> None:
        self.position = position.clone()
        self.last = Info(action=0)
        self.stopped = False  # whether the engine was told to answer now
        self._actions = limit.actions
        self._nodes = node_budget(limit)
        self._depth = limit.depth

    @property
    def is_overdue(self) -> bool:
        """Whether the engine thinks on beyond a bound, since it was not told of it or does not heed it."""
        deep = self._depth is not None and self.last.depth > self._depth
        return deep or (self._nodes is not None and self.last.nodes >= self._nodes)

    def hear(self, report: Report) -> Info | None:
        """The thought that a report stands for; None if it names no move that may be played."""
        last = self.last
        line = read_line(self.position, report.moves)
        named = bool(line) and (not self._actions or line[0] in self._actions)
        scored = report.cents is not None or report.mate is not None
        self.last = Info(
            action=line[0] if named else last.action,
            line=line if named else last.line,
            cents=report.cents if scored else last.cents,
            mate=report.mate if scored else last.mate,
            depth=last.depth if report.depth is None else report.depth,
            nodes=last.nodes if report.nodes is None else report.nodes,
            seconds=last.seconds if report.seconds is None else report.seconds,
        )
        return self.last if named else None

    def answer(self, text: str) -> Info | None:
        """The thought that ends the thinking; None for a legal move that was not to be considered."""
        try:
            action = read_move(self.position, text)
        except ValueError:
            return Info(action=-1, text=shown(text))
        if self._actions and action not in self._actions:
            return None
        line = self.last.line if self.last.line[:1] == (action,) else (action,)
        return replace(self.last, action=action, line=line)


def read_move(position: Position, text: str) -> int:
    """The legal move that an engine means: coordinates, or algebraic of any kind. ValueError if there is none."""
    try:
        return position.parse_uci(text.lower())
    except ValueError:
        from engines.chess.pgn import parse_move  # late: python-chess is slow to import, and seldom needed

        return parse_move(position, text[:10].rstrip("!?"))


def read_line(position: Position, moves: Sequence[str]) -> tuple[int, ...]:
    """The moves of a line, as far as they are legal."""
    ahead = position.clone()
    line: list[int] = []
    for text in moves[:LONGEST_LINE]:
        try:
            move = read_move(ahead, text)
        except ValueError:
            break
        line.append(move)
        ahead.make(move)
        if ahead.is_draw():
            break
    return tuple(line)


def read_number(text: str) -> int | None:
    """A whole number of reasonable size; None if it is none."""
    digits = text.removeprefix("-")
    return int(text) if digits.isascii() and digits.isdigit() and len(digits) <= LARGEST else None


def node_budget(limit: Limit) -> int | None:
    """The nodes that `limit` allows an engine which cannot count seconds in nodes; None: any number."""
    budgets = [] if limit.nodes is None else [limit.nodes]
    if limit.nodes_per_second:
        if limit.seconds is not None:
            budgets.append(int(limit.seconds * limit.nodes_per_second))
        if limit.clock is not None:
            share = limit.clock.seconds / ((limit.clock.moves_to_reset or GAME_MOVES) + 1)
            budgets.append(int((max(share, 0.0) + limit.clock.increment / 2) * limit.nodes_per_second))
    return max(min(budgets), 1) if budgets else None
