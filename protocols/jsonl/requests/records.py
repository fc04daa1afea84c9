"""What a finished game answers: its record, and why it was played so."""

from collections.abc import Sequence
from typing import Final

from msgspec import Raw

from protocols.jsonl.codec import ENCODER, join_objects
from protocols.jsonl.hall.hall import Hall
from protocols.jsonl.messages import (
    FORMAT,
    Explain,
    Explained,
    Ok,
    Record,
    Recorded,
    Refusal,
    Replay,
    invalid,
    missing,
)
from protocols.jsonl.record import public_lines
from protocols.jsonl.session.line import Line
from protocols.jsonl.table.table import Table

HEAD_BYTES: Final = 300  # of a `recorded` without its lines


def record(hall: Hall, line: Line, message: Record, now: float) -> None:
    """As many lines from `offset` on as fit into one of ours."""
    table = hall.tables.get(message.game_id)
    if table is not None and not table.is_over:
        raise Refusal("not_permitted", "the record is shown when the game is over")
    if message.format not in (None, FORMAT):
        shown = _exported(hall, line, message.game_id, message.format)
    else:
        lines = table.herald.record if table else _of_match(hall, message.game_id)
        if not lines and hall.journal:
            lines = hall.journal.read(message.game_id)
        if lines is None:
            raise missing("no_such_game", "game", message.game_id)
        shown = public_lines(lines)
    first = min(message.offset or 0, len(shown))
    last, room = first, line.max_line - HEAD_BYTES
    while last < len(shown) and (room := room - len(shown[last]) - 1) >= 0:
        last += 1
    line.say(
        Recorded(
            re=message.id,
            game_id=message.game_id,
            format=message.format or FORMAT,
            offset=first,
            total=len(shown),
            lines=[Raw(each) for each in shown[first:last]],
        )
    )


def explain(hall: Hall, line: Line, message: Explain, now: float) -> None:
    """What the house's player was about, if it can tell, or who the house's players were."""
    table = _finished(hall, message.game_id)
    try:
        explanation = table.play.explain(message.turn)
    except ValueError as error:
        raise invalid("$.turn", str(error)) from None
    if explanation is not None:
        explanation.re = message.id
        line.say(explanation)
        return
    text = [
        f"seat {seat.index}, {seat.name}: {seat.agent.about}"
        for seat in table.seats
        if seat.agent is not None
    ]
    line.say(Explained(re=message.id, turn=message.turn, text=text or ["no agent played in this game"]))


def replay(hall: Hall, line: Line, message: Replay, now: float) -> None:
    """The phases of a turn as events, with the number of the last event that was new; `ok` ends them."""
    session, table = line.session, hall.table(message.game_id)
    assert session is not None
    onlooker = table.herald.onlookers.get(session.id)
    is_near = message.game_id in session.games or (onlooker is not None and not onlooker.delay)
    if not is_near and not table.is_over:
        raise Refusal("not_permitted", "you neither play in that game nor watch it as it is played")
    try:
        events = table.play.replay(message.turn, message.from_ or 1, message.to, line.max_line - HEAD_BYTES)
    except ValueError as error:
        raise invalid("$.turn", str(error)) from None
    if events is None:
        raise Refusal("not_permitted", f"{table.game} has no phases to replay; ask for the record")
    head = ENCODER.encode({"type": "event", "re": message.id, "game_id": table.id, "seq": table.seq})
    line.send(*(join_objects(head, ENCODER.encode(event)) + b"\n" for event in events))
    line.say(Ok(re=message.id))


def _exported(hall: Hall, line: Line, game_id: str, form: str) -> list[bytes]:
    """Lines of a form that only this game has, for those who played it."""
    assert line.session is not None
    play = hall.own_table(line.session, game_id).play
    try:
        lines = play.export(form)
    except ValueError as error:
        raise invalid("$.format", str(error)) from None
    if lines is None:
        raise invalid("$.format", f"records are written as {FORMAT}")
    return list(map(ENCODER.encode, lines))


def _of_match(hall: Hall, game_id: str) -> Sequence[bytes] | None:
    """The record of a match's game, if it is kept."""
    kept = (match.records[game_id] for match in hall.matches.values() if game_id in match.records)
    return next(kept, None)


def _finished(hall: Hall, game_id: str) -> Table:
    table = hall.table(game_id)
    if not table.is_over:
        raise Refusal("not_permitted", "it is explained when the game is over")
    return table
