"""Records of games: their header, whole records of games without a server, and replay with comparison.

A record has a JSON object in each line, in the format `galapagos-record/1` (types in `record_lines.py`):

    record_header    everything a game is a function of except its actions: rules, options, seed, salt, seats, agents
    action           a move, in the order in which the seats decided, with the time left in the bank
    event            an event as its owner received it, so with everything that was hidden
    given_up         a seat has resigned or forfeited
    end              the result, and all that was hidden; the last line
    journal_...      lines for the server only, left out when a record is shown: players of seats, open decisions

The actions of a round precede its events. The last line of a file may be torn, after a kill, and readers skip it.
Events and the end are the very lines that clients receive, so a record grows without further encoding.

A game is a function of the header and of its actions, so a server continues it from its record after any end of the
process. Replay opens the game anew, applies the actions, and compares the values of each event and of the end with
those of the recorded line: spaces and the order of fields do not matter, but 1 differs from 1.0. The events `forced`,
`left` and `rejoined` come from the server, not from the rules, and are taken from the record. An agent that is not
slow decides again, although the record has its move, so that its random stream advances; a slow agent is not asked,
because each of its decisions has a stream of its own.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

import msgspec
from msgspec import Struct

from engines.names import near
from engines.seeds import GENERATOR, PROTOCOL, SeededStreams
from protocols.jsonl.adapter import (
    Agent,
    Event,
    GameAdapter,
    GameConfig,
    GameState,
    IllegalMove,
    Move,
    OptionError,
)
from protocols.jsonl.game import FAILED, Game, GameHost, GameOptions, chosen_seed
from protocols.jsonl.messages import Forced, Id, Left, Rejoined
from protocols.jsonl.record_lines import (
    FORMAT,
    GivenUp,
    JournalDecide,
    JournalSeat,
    RecordAction,
    RecordedSeat,
    RecordHeader,
    RecordLine,
)
from protocols.jsonl.seat import Decision, Seat
from protocols.limits import GameLimits

NO_HOST: Final = GameHost()


class RecordError(ValueError):
    """A record that cannot be read, or whose events differ from those that the rules produce."""


def record_header(game: Game, rules: Any) -> RecordHeader:
    """Return the header for the record of a new game."""
    return RecordHeader(
        format=FORMAT,
        protocol=PROTOCOL,
        generator=GENERATOR,
        game_id=game.id,
        game=game.game,
        variant=game.config.variant,
        rules=rules,
        rules_hash=game.state.rules_hash,
        options=dict(game.config.options),
        seed=game.seed.number,
        salt=game.seed.salt,
        seed_chosen_by=game.options.seed_chosen_by,
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


def record_game(
    adapter: GameAdapter,
    config: GameConfig,
    names: Sequence[str],
    choose: Callable[[GameState, int], Move],
    game_id: str,
) -> list[bytes]:
    """Play a game in which `choose` makes the decision of each seat, and return its record.

    `names` are the players' names in the order in which they joined. If `choose` raises StopIteration, the record
    ends there, before the game is over.
    """
    state = adapter.open(config)
    seats = [
        Seat(index, names[entry], ScriptedAgent(choose), None) for index, entry in enumerate(state.seating())
    ]
    game = Game(
        game_id,
        adapter.name,
        state,
        seats,
        config,
        GameOptions(),
        GameLimits(kept_events=1),
        GameHost(note_failure=_reraise),
    )
    header = record_header(game, adapter.describe(config.variant).rules)
    header.seats = [RecordedSeat(name=seat.name, kind="client") for seat in seats]
    game.lines.write(header)
    with suppress(StopIteration):
        game.start()
    return game.lines.record


def _reraise(game: Game, seat: Seat, error: Exception) -> None:
    raise error


class ScriptedAgent(Agent):
    """An agent whose decisions a function makes."""

    about = ""
    is_slow = False

    def __init__(self, choose: Callable[[GameState, int], Move]) -> None:
        self._choose = choose

    def choose(self, state: GameState, seat: int) -> Move:
        return self._choose(state, seat)


def public_lines(lines: Iterable[bytes]) -> list[bytes]:
    """Return the lines of a record without their breaks and without the lines that are for the server only."""
    return [line.rstrip(b"\n") for line in lines if not line_type(line).startswith("journal")]


def is_record(data: bytes) -> bool:
    """Return whether the content of a file starts with the header of a record."""
    try:
        return FIRST.decode(data.partition(b"\n")[0]).format == FORMAT
    except (msgspec.DecodeError, RecursionError):
        return False


def line_type(line: bytes) -> str:
    """Return the type of a line of a record, or "" if it has none."""
    try:
        return TYPES.decode(line).type
    except (msgspec.DecodeError, RecursionError):
        return ""


def replay_record(
    lines: Sequence[bytes],
    adapters: Mapping[str, GameAdapter],
    limits: GameLimits,
    host: GameHost = NO_HOST,
) -> ReplayedGame:
    """Return the game of a record, whose lines are given without their breaks.

    `host` is for a game that will continue. Raises RecordError, with the number of the line and the reason, if the
    rules do not produce the same events.
    """
    if not lines:
        raise RecordError("line 1: a header is expected, but the record is empty")
    header = _decode(lines[0], 1)
    if not isinstance(header, RecordHeader) or header.format != FORMAT:
        raise RecordError(f"line 1: a header of {FORMAT} is expected")
    if header.game not in adapters:
        raise RecordError(f"line 1: no game is called {header.game[:40]!r}; {near(header.game, adapters)}")
    adapter = adapters[header.game]
    try:
        game = _new_game(header, adapter, limits, host)
    except RecordError:
        raise
    except Exception as error:  # a damaged header can make the rules raise anything
        raise RecordError(
            f"line 1: the header does not describe a game ({type(error).__name__}: {error})"
        ) from error
    replayed = ReplayedGame(game, limits.tries)
    replayed.game.lines.record = [line + b"\n" for line in lines]
    replayed.game.lines.record_bytes = sum(map(len, lines)) + len(lines)
    for number, line in enumerate(lines[1:], 2):
        if replayed.game.end_line:
            raise RecordError(f"line {number}: the line follows the end of the game")
        entry = _decode(line, number)
        try:
            replayed.replay(entry, line)
        except RecordError as error:
            raise RecordError(f"line {number}: {error}") from None
        except Exception as error:  # a damaged line can make the rules raise anything
            raise RecordError(
                f"line {number}: the line cannot be replayed ({type(error).__name__}: {error})"
            ) from error
    return replayed


class ReplayedGame:
    """A game as it was where its record ends."""

    def __init__(self, game: Game, tries: int) -> None:
        """Begin with a game that has not started; `tries` is the number of tries for a decision."""
        self.game = game
        self.moves: dict[int, Move] = {}  # of the seats that have decided in the last round
        self.pending_events: deque[Event] = deque()  # produced by the rules, not yet in the record
        self.seated: dict[int, JournalSeat] = {}  # the last line for each seat, if the record is a journal
        self.decides: dict[int, Id] = {}  # the ID of the last decide of each seat, if the record is a journal
        self.events = 0  # that were compared
        self._tries = tries

    def replay(self, entry: RecordLine, line: bytes) -> None:
        """Replay one more line, given decoded and as text. Raises RecordError if the rules produce another event."""
        game = self.game
        if isinstance(entry, JournalSeat):
            self.seated[entry.seat] = entry
            return
        if not game.is_started:
            game.is_started = True
            game.lines.prepare()
            self.pending_events.extend(game.state.begin())
        match entry:
            case RecordAction():
                self._act(entry)
            case RecordedEvent():
                event = self.pending_events.popleft() if self.pending_events else Event(public=_common(line))
                _compare(line, game.lines.history.add(event).private)
                self.events += 1
            case GivenUp():
                game.seats[entry.seat].given_up = entry.reason
                game.seats[entry.seat].decision = None
            case JournalDecide():
                self.decides[entry.seat] = entry.id
                game.seats[entry.seat].decision = Decision(
                    id=entry.id, seq=game.seq, began=0.0, tries_left=self._tries
                )
            case RecordedEnd():
                self._end(entry, line)
            case _:
                raise RecordError(f"{_text(line)} does not belong here")

    def _act(self, entry: RecordAction) -> None:
        state = self.game.state
        if self.pending_events:
            raise RecordError("the action comes before all events of the last action")
        if entry.seat not in state.due():
            raise RecordError(f"seat {entry.seat} has nothing to decide")
        try:
            move = state.parse_action(entry.seat, bytes(entry.action))
        except (IllegalMove, msgspec.ValidationError) as error:
            raise RecordError(f"{bytes(entry.action).decode()}: {error}") from None
        seat = self.game.seats[entry.seat]
        agent = seat.agent
        if seat.decision or (agent and agent.is_slow):
            seat.clock.resume(entry.bank_ms or 0.0)
        if seat.decision:
            seat.accept(seat.decision.id, None)  # the record has the move, not the text of the client
            seat.decision = None
        if agent and not agent.is_slow and entry.forced in ("", FAILED) and not entry.given_up:
            with suppress(Exception):  # as in the game, where the default action was played
                agent.choose(state, entry.seat)  # so that its random stream advances
        self.moves[entry.seat] = move
        if all(seat in self.moves for seat in state.due()):
            self.pending_events.extend(state.apply(self.moves))
            self.moves = {}

    def _end(self, entry: RecordedEnd, line: bytes) -> None:
        game = self.game
        gone = [seat.index for seat in game.seats if seat.given_up]
        result = game.state.result()
        if result is None and gone:
            result = game.state.abandoned(gone, "resign" if entry.result.reason == "resign" else "forfeit")
        if result is None:
            raise RecordError("the game has not ended here")
        expected = game.lines.end_line(result, game.seed)
        _compare(line, expected)
        game.end_line = expected


# -- Helpers ---------------------------------------------------------------------------------------


class RecordedEvent(RecordLine, kw_only=True, tag="event"):
    """A line with an event; replay compares it as a whole."""


class Reason(Struct, kw_only=True):
    """The only field of a result that replay reads."""

    reason: Any = ""


class RecordedEnd(RecordLine, kw_only=True, tag="end"):
    """The last line of a record; replay compares it as a whole."""

    result: Reason


class LineType(Struct, kw_only=True):
    """The only field that line_type() reads."""

    type: str = ""


class FirstLine(Struct, kw_only=True):
    """The only field that is_record() reads."""

    format: str = ""


LINES: Final = msgspec.json.Decoder(
    RecordHeader | RecordAction | GivenUp | JournalSeat | JournalDecide | RecordedEvent | RecordedEnd
)  # fmt: skip
COMMON: Final = msgspec.json.Decoder(Forced | Left | Rejoined)
TYPES: Final = msgspec.json.Decoder(LineType)
FIRST: Final = msgspec.json.Decoder(FirstLine)


def _decode(line: bytes, number: int) -> Any:
    try:
        return LINES.decode(line)
    except (msgspec.DecodeError, RecursionError) as error:
        raise RecordError(f"line {number}: {error}") from None


def _new_game(header: RecordHeader, adapter: GameAdapter, limits: GameLimits, host: GameHost) -> Game:
    seed = SeededStreams(header.seed, header.salt)
    config = GameConfig(
        variant=header.variant,
        seats=len(header.seats),
        options=header.options,
        streams=seed,
        is_replayed=True,
    )
    try:
        state = adapter.open(config)
        seats = [
            Seat(
                index, each.name,
                adapter.agent(each.name, state, seed.stream, index) if each.kind == "agent" else None,
                header.clock,
            )
            for index, each in enumerate(header.seats)
        ]  # fmt: skip
    except OptionError as error:
        raise RecordError(f"line 1: {error.path}: {error}") from None
    except KeyError as error:
        raise RecordError(f"line 1: no agent is called {error}") from None
    if state.rules_hash != header.rules_hash:
        raise RecordError(
            f"line 1: the rules of the record have the hash {header.rules_hash}, "
            f"but the rules here have {state.rules_hash}"
        )
    chance, by = adapter.describe(header.variant).chance, header.seed_chosen_by
    options = GameOptions(
        clock=header.clock,
        rated=header.rated,
        chosen_seed=chosen_seed(config, chance, by) if by else None,
        on_gone=header.on_gone,
    )
    return Game(header.game_id, header.game, state, seats, config, options, limits, host)


def _common(line: bytes) -> Forced | Left | Rejoined:
    try:
        event: Forced | Left | Rejoined = COMMON.decode(line)
        return event
    except msgspec.ValidationError:
        raise RecordError(f"{_text(line)} is recorded, but the rules yield no event here") from None


def _compare(line: bytes, expected: bytes) -> None:
    if expected.rstrip(b"\n") != line and _canonical(expected) != _canonical(line):
        raise RecordError(f"{_text(line)} is recorded, but the rules yield {_text(expected)}")


def _canonical(line: bytes) -> bytes:
    """Return a line without spaces, with sorted fields, so that lines of equal values are equal.

    The parsed values themselves would not do: 1, 1.0 and true are equal in Python.
    """
    return msgspec.json.encode(msgspec.json.decode(line), order="deterministic")


def _text(line: bytes) -> str:
    return line.decode("utf-8", "replace").strip()[:300]
