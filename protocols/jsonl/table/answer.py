"""Which decision an action answers, and what is told of one that is not taken."""

from collections.abc import Sequence

import msgspec

from protocols.jsonl.adapter import IllegalMove
from protocols.jsonl.messages import Id, Refusal
from protocols.jsonl.table.seat import Decision, Seat

Misread = IllegalMove | msgspec.ValidationError


def open_decision(seats: Sequence[Seat], decide: Id, seq: int | None, now_seq: int) -> tuple[Seat, Decision]:
    """Of these seats, the one that owes the decision `decide`. Refusal; `now_seq` is the last event's."""
    for seat in seats:
        if seat.decision and seat.decision.id == decide:
            if seq is not None and seq != seat.decision.seq:
                raise Refusal("stale_seq", f"that decision has seq {seat.decision.seq}")
            return seat, seat.decision
    if seq is not None and seq < now_seq:
        raise Refusal("stale_seq", "that decision is over")
    raise Refusal("not_your_turn", "you have no such decision to make")


def not_taken(error: Misread, re: Id | None, tries: int) -> Refusal:
    """For an action that is no legal move, with what is left to try."""
    if isinstance(error, IllegalMove):
        first, *others = error.problems
        data = {**first, "problems": list(error.problems)} if others else first
        return Refusal("illegal_action", str(error), data=data, re=re, tries_left=tries)
    message, _, path = str(error).partition(" - at `$")
    data = {"path": f"$.action{path.rstrip('`')}"}
    return Refusal("invalid_params", message[:200], data=data, re=re, tries_left=tries)


def problems_of(error: Misread) -> list[dict[str, object]]:
    """The same for `checked`."""
    if isinstance(error, IllegalMove):
        return list(error.problems)
    return [{"field": "action", "reason": "malformed", "message": str(error)[:200]}]
