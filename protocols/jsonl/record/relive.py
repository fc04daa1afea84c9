"""A recorded game lived through again: the rules play its actions, and every event must come out the same."""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import msgspec

from protocols.jsonl.binding.binding import Binding, Happening, IllegalMove, Move, OptionError, Plan
from protocols.jsonl.game import AgentTurn, Decision, Game, GameOptions, Seat
from protocols.jsonl.messages.events import Forced, Left, Rejoined
from protocols.jsonl.messages.values import Id
from protocols.jsonl.record.lines import (
    FORMAT,
    GivenUp,
    JournalDecide,
    JournalSeat,
    RecordAction,
    RecordHeader,
    RecordLine,
    RecordNote,
)
from protocols.jsonl.table.seeds import Seed
from protocols.limits import GameLimits


class RecordError(ValueError):
    """A record that cannot be read, or that differs from what the rules make of it."""


class Happened(RecordLine, kw_only=True, tag="event"):
    """Any event."""

    seq: int


class Ended(RecordLine, kw_only=True, tag="end"):
    """The end."""

    seq: int


LINES: Final = msgspec.json.Decoder(
    RecordHeader | RecordAction | RecordNote | GivenUp | JournalSeat | JournalDecide | Happened | Ended
)
COMMON: Final = msgspec.json.Decoder(Forced | Left | Rejoined)


@dataclass(slots=True, kw_only=True)
class Relived:
    """A table as it stood when its record ended."""

    game: Game
    tries: int  # for a decision
    moves: dict[int, Move] = field(default_factory=dict)  # made, of those that are due
    unheard: deque[Happening] = field(default_factory=deque)  # not in the record any more
    seated: dict[int, JournalSeat] = field(default_factory=dict)  # who sat where, if it is told
    decides: dict[int, Id] = field(default_factory=dict)  # the last one of each seat, if it is told
    events: int = 0  # compared


def relive(
    lines: Sequence[bytes],
    bindings: Any,
    limits: GameLimits,
    *,
    clock: Callable[[], float] = float,
    ask: Callable[[Game, AgentTurn], object] = lambda game, turn: None,
) -> Relived:
    """Play a record, given without its line breaks. RecordError says where it fails, and why."""
    if not lines:
        raise RecordError("line 1: a header expected, nothing read")
    header = _read(lines[0], 1)
    if not isinstance(header, RecordHeader) or header.format != FORMAT:
        raise RecordError(f"line 1: a header of {FORMAT} expected")
    if header.game not in bindings:
        raise RecordError(f"line 1: no game is called {header.game[:40]!r}")
    relived = Relived(game=_game(header, bindings[header.game], limits, clock, ask), tries=limits.tries)
    game = relived.game
    game.lines.record = [line + b"\n" for line in lines]
    for number, line in enumerate(lines[1:], 2):
        if game.end_line:
            raise RecordError(f"line {number}: after the end")
        entry = _read(line, number)
        try:
            _live(relived, entry, line)
        except RecordError as error:
            raise RecordError(f"line {number}: {error}") from None
    return relived


# -- Helpers ---------------------------------------------------------------------------------------


def _read(line: bytes, number: int) -> Any:
    try:
        return LINES.decode(line)
    except (msgspec.DecodeError, RecursionError) as error:
        raise RecordError(f"line {number}: {error}") from None


def _game(
    header: RecordHeader,
    binding: Binding,
    limits: GameLimits,
    clock: Callable[[], float],
    ask: Callable[[Game, AgentTurn], object],
) -> Game:
    seed = Seed(header.seed, header.salt)
    plan = Plan(variant=header.variant, seats=len(header.seats), options=header.options, chance=seed)
    try:
        play = binding.open(plan)
        seats = [
            Seat(
                index, each.name,
                binding.agent(each.name, play, seed.stream, index) if each.kind == "agent" else None,
                header.clock,
            )
            for index, each in enumerate(header.seats)
        ]  # fmt: skip
    except OptionError as error:
        raise RecordError(f"line 1: {error.path}: {error}") from None
    except KeyError as error:
        raise RecordError(f"line 1: no agent is called {error}") from None
    if play.rules_hash != header.rules_hash:
        raise RecordError(
            f"line 1: its rules have hash {header.rules_hash}, here they have {play.rules_hash}"
        )
    options = GameOptions(clock=header.clock, rated=header.rated, on_gone=header.on_gone)
    return Game(header.game_id, header.game, play, seats, seed, options, limits, clock=clock, ask=ask)


def _live(relived: Relived, entry: RecordLine, line: bytes) -> None:
    game = relived.game
    if isinstance(entry, JournalSeat):
        relived.seated[entry.seat] = entry
        return
    if not game.is_started:
        game.is_started = True
        game.lines.prepare()
        relived.unheard.extend(game.play.begin())
    match entry:
        case RecordAction():
            _act(relived, entry)
        case Happened():
            happening = relived.unheard.popleft() if relived.unheard else None
            happened = game.lines.history.add(happening or Happening(event=_common(line)))
            expected = happened.private.rstrip(b"\n")
            if expected != line:
                raise RecordError(f"{_text(line)} is recorded, the rules make {_text(expected)} of it")
            relived.events += 1
        case GivenUp():
            game.seats[entry.seat].given_up = entry.reason
            game.seats[entry.seat].decision = None
        case JournalDecide():
            relived.decides[entry.seat] = entry.id
            game.seats[entry.seat].decision = Decision(
                id=entry.id, seq=game.seq, began=0.0, tries_left=relived.tries
            )
        case Ended():
            _end(game, line)
        case RecordNote():
            pass
        case _:
            raise RecordError(f"{_text(line)} does not belong here")


def _act(relived: Relived, entry: RecordAction) -> None:
    game = relived.game
    if relived.unheard:
        raise RecordError("an action before all events of the last one")
    if entry.seat not in game.play.due():
        raise RecordError(f"seat {entry.seat} has nothing to decide")
    try:
        move = game.play.read(entry.seat, bytes(entry.action))
    except (IllegalMove, msgspec.ValidationError) as error:
        raise RecordError(f"{bytes(entry.action).decode()}: {error}") from None
    seat = game.seats[entry.seat]
    agent = seat.agent
    if seat.decision or (agent and agent.is_slow):
        seat.clock.resume(entry.bank_ms or 0.0)
    if seat.decision:
        seat.accept(seat.decision.id)
        seat.decision = None
    if agent and not agent.is_slow and not entry.forced and not entry.given_up:
        agent.choose(game.play, entry.seat)  # so that its stream of chance is where it was
    relived.moves[entry.seat] = move
    if all(seat in relived.moves for seat in game.play.due()):
        relived.unheard.extend(game.play.play(relived.moves))
        relived.moves = {}


def _end(game: Game, line: bytes) -> None:
    gone = [seat for seat in game.seats if seat.given_up]
    result = game.play.result()
    if result is None and gone:
        reason = "resign" if b'"reason":"resign"' in line else "forfeit"
        result = game.play.abandoned([seat.index for seat in gone], reason)  # type: ignore[arg-type]
    if result is None:
        raise RecordError("the game is not over here")
    expected = game.lines.end_line(result, game.seed)
    if expected.rstrip(b"\n") != line:
        raise RecordError(f"{_text(line)} is recorded, the rules make {_text(expected)} of it")
    game.end_line = expected


def _common(line: bytes) -> Forced | Left | Rejoined:
    try:
        event: Forced | Left | Rejoined = COMMON.decode(line)
        return event
    except msgspec.ValidationError:
        raise RecordError(f"{_text(line)} is recorded, nothing happens here") from None


def _text(line: bytes) -> str:
    return line.decode("utf-8", "replace").strip()[:300]
