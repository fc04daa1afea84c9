"""The first line of a record, from a table that has just been made."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from protocols.jsonl.record.lines import FORMAT, RecordedSeat, RecordHeader
from protocols.jsonl.table.seeds import GENERATOR, PROTOCOL

if TYPE_CHECKING:
    from protocols.jsonl.table.table import Table


def header(table: Table, variant: str, options: dict[str, Any], rules: Any) -> RecordHeader:
    """Everything that the game is a function of, but its actions."""
    return RecordHeader(
        format=FORMAT,
        protocol=PROTOCOL,
        generator=GENERATOR,
        game_id=table.id,
        game=table.game,
        variant=variant,
        rules=rules,
        rules_hash=table.play.rules_hash,
        options=options,
        seed=table.seed.number,
        salt=table.seed.salt,
        rated=table.terms.rated,
        clock=table.terms.clock,
        seats=[
            RecordedSeat(
                name=seat.name,
                kind="agent" if seat.agent else "client",
                about=seat.agent.about if seat.agent else "",
            )
            for seat in table.seats
        ],
        on_gone=table.terms.on_gone,
    )
