"""The first line of a record, from a game that has just been made."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from protocols.jsonl.record.lines import FORMAT, RecordedSeat, RecordHeader
from protocols.jsonl.table.seeds import GENERATOR, PROTOCOL

if TYPE_CHECKING:
    from protocols.jsonl.game import Game


def header(game: Game, variant: str, options: dict[str, Any], rules: Any) -> RecordHeader:
    """Everything that the game is a function of, but its actions."""
    return RecordHeader(
        format=FORMAT,
        protocol=PROTOCOL,
        generator=GENERATOR,
        game_id=game.id,
        game=game.game,
        variant=variant,
        rules=rules,
        rules_hash=game.play.rules_hash,
        options=options,
        seed=game.seed.number,
        salt=game.seed.salt,
        rated=game.options.rated,
        clock=game.options.clock,
        seats=[
            RecordedSeat(
                name=seat.name,
                kind="agent" if seat.agent else "client",
                about=seat.agent.about if seat.agent else "",
            )
            for seat in game.seats
        ],
        on_gone=game.options.on_gone,
    )
