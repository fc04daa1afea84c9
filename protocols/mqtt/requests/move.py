"""A question for an engine: a position and how far to think about it; answered by a move."""

from contextlib import aclosing
from typing import Annotated, Final

import msgspec
from msgspec import Meta, Struct

from core.chess.notation import START, position_from_fen
from core.chess.position import Position, move_text
from engines.engine import Engine, Info, Limit
from protocols.jsonl.codec import ENCODER
from protocols.jsonl.messages import Refusal

MOST_MOVES: Final = 1024
SECONDS: Final = 1.0  # of a search, unless it is told
MOST_SECONDS: Final = 10.0

Move = Annotated[str, Meta(max_length=8)]


class Question(Struct, kw_only=True, forbid_unknown_fields=True):
    """The position after some moves, and bounds; the first that is reached ends the search."""

    fen: Annotated[str, Meta(max_length=200)] = START
    moves: Annotated[list[Move], Meta(max_length=MOST_MOVES)] = []
    movetime_ms: Annotated[int, Meta(ge=1, le=int(MOST_SECONDS * 1000))] | None = None
    depth: Annotated[int, Meta(ge=1, le=64)] | None = None
    nodes: Annotated[int, Meta(ge=1, le=2**53)] | None = None

    @property
    def limit(self) -> Limit:
        is_bound = self.depth is not None or self.nodes is not None
        seconds = MOST_SECONDS if is_bound else SECONDS
        if self.movetime_ms is not None:
            seconds = self.movetime_ms / 1000
        return Limit(seconds=seconds, depth=self.depth, nodes=self.nodes)


class Bestmove(Struct, kw_only=True, tag_field="type", tag="bestmove"):
    """What the engine would play; scores are in hundredths of a pawn, from its view."""

    move: str
    line: list[str]  # that it expects, with its move
    cents: int | None
    mate: int | None
    depth: int
    nodes: int
    seconds: float


def read(payload: bytes) -> tuple[Position, Limit]:
    """What is asked. Refusal."""
    try:
        question = msgspec.json.decode(payload, type=Question)
        position = position_from_fen(question.fen)
        for move in question.moves:
            position.make(position.parse_uci(move))
    except (ValueError, RecursionError) as error:
        raise Refusal("invalid_params", str(error)[:200]) from None
    if not position.legal_actions():
        raise Refusal("game_over", "there is no legal move")
    return position, question.limit


async def best_move(engine: Engine, position: Position, limit: Limit) -> bytes:
    """The answer. EngineError."""
    last: Info | None = None
    async with aclosing(engine.think(position, limit)) as thoughts:
        async for thought in thoughts:
            last = thought
    assert last is not None, "an engine has a first thought at once"
    told = Bestmove(
        move=move_text(last.action),
        line=[move_text(action) for action in last.line],
        cents=last.cents,
        mate=last.mate,
        depth=last.depth,
        nodes=last.nodes,
        seconds=round(last.seconds, 3),
    )
    return ENCODER.encode(told)
