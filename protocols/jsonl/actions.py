"""The requests of clients that play a game: play an action, check an action, resign.

A client that has received a `decide` owes a decision, and answers with an action, which the rules parse. A legal
action goes to the referee (`game.py`). An illegal one is refused, and the decision stays open as long as tries are
left.
"""

from collections.abc import Sequence

import msgspec

from protocols.jsonl.adapter import IllegalMove
from protocols.jsonl.codec import error_of
from protocols.jsonl.faults import path_of
from protocols.jsonl.game import Game
from protocols.jsonl.messages import Action, Check, Checked, Id, Ok, Refusal, Resign, enumeration
from protocols.jsonl.seat import Decision, Seat
from protocols.jsonl.session import Session

Misread = IllegalMove | msgspec.ValidationError


def act(game: Game, session: Session, message: Action) -> None:
    """Play an action of a client, or send why it is illegal. Raises Refusal if it answers no open decision."""
    answer = message.id if message.id is not None else message.re
    seats = game.seats_of(session)
    for seat in seats:
        if seat.has_accepted(message.re):
            if seat.is_accepted_action(message.re, bytes(message.action)):
                session.say(Ok(re=answer, duplicate=True))
                return
            if not game.is_over:
                raise Refusal(
                    "stale_seq", f"decision {message.re!r} has ended with another action, or without one"
                )
    seat, decision = _open_decision(game, seats, message.re, message.seq)
    if game.clock() > seat.deadline:
        game.tick()
        raise Refusal("stale_seq", f"decision {message.re!r} has ended because its time ran out")
    try:
        move = game.state.parse_action(seat.index, bytes(message.action))
    except (IllegalMove, msgspec.ValidationError) as error:
        decision.tries_left -= 1
        session.say(error_of(_refusal(error, answer, decision.tries_left), game.id))
        if not decision.tries_left:
            game.force(seat, "illegal")
        return
    if message.id is not None:
        session.say(Ok(re=message.id))
    game.decide(seat, move, bytes(message.action))


def check(game: Game, session: Session, message: Check) -> Checked:
    """Return every problem of an action, which is not played. Raises Refusal if it answers no open decision."""
    seat, _ = _open_decision(game, game.seats_of(session), message.re, None)
    try:
        move = game.state.parse_action(seat.index, bytes(message.action))
    except (IllegalMove, msgspec.ValidationError) as error:
        return Checked(ok=False, problems=_problems(error))
    return Checked(ok=True, problems=[], preview=game.state.preview(seat.index, move))


def resign(game: Game, session: Session, message: Resign) -> None:
    """Give up all seats of a session. Raises Refusal if the game is not running."""
    if game.is_over:
        raise Refusal("game_over", "the game has ended")
    if not game.is_started:
        raise Refusal("not_permitted", "the game has not started; use leave")
    session.answer(message, Ok())
    for seat in game.seats_of(session):
        if not seat.given_up and not game.is_over:
            game.give_up(seat, "resign")


# -- Helpers ---------------------------------------------------------------------------------------


def _open_decision(game: Game, seats: Sequence[Seat], decide: Id, seq: int | None) -> tuple[Seat, Decision]:
    """Return the seat that owes the decision `decide`, and the decision. Raises Refusal if none of `seats` does."""
    if game.is_over:
        raise Refusal("game_over", "the game has ended")
    for seat in seats:
        if seat.decision and seat.decision.id == decide:
            if seq is not None and seq != seat.decision.seq:
                raise Refusal("stale_seq", f"decision {decide!r} has seq {seat.decision.seq}, not {seq}")
            return seat, seat.decision
    if seq is not None and seq < game.lines.history.seq:
        raise Refusal("stale_seq", f"decision {decide!r} has ended")
    due = [seat.decision.id for seat in seats if seat.decision]
    names = enumeration([repr(each) for each in due])
    what = f"{names} {'are' if len(due) > 1 else 'is'} open" if due else "you owe none in this game now"
    text = f"you have no open decision {decide!r}; {what}"
    raise Refusal("not_your_turn", text, data={"open": due})


def _refusal(error: Misread, re: Id | None, tries: int) -> Refusal:
    """Return the refusal of an illegal action, with the number of tries that are left."""
    if isinstance(error, IllegalMove):
        first, *others = error.problems
        data = {**first, "problems": list(error.problems)} if others else first
        return Refusal("illegal_action", str(error), data=data, re=re, tries_left=tries)
    message, path = path_of(str(error))
    data = {"path": f"$.action{path.removeprefix('$')}"}
    return Refusal("invalid_params", message[:200], data=data, re=re, tries_left=tries)


def _problems(error: Misread) -> list[dict[str, object]]:
    """Return the problems of an illegal action, as `checked` lists them."""
    if isinstance(error, IllegalMove):
        return list(error.problems)
    message, _ = path_of(str(error))
    return [{"field": "action", "reason": "malformed", "message": message[:200]}]
