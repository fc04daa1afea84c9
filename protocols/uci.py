"""The engine's side of the Universal Chess Interface (Stefan Meyer-Kahlen, 2004).

Exactly one bestmove answers each go, whatever it asks for. Unknown tokens are skipped, as the protocol
demands; what is known but wrong is told by an `info string`, and the position stays as it was.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from core.chess.notation import START, position_from_fen
from core.chess.position import Position, move_text
from engines.engine import Clock, Info, Limit, Option
from protocols.session import (
    Configure,
    Discard,
    Event,
    MoveNow,
    NewGame,
    ProtocolError,
    Quit,
    Send,
    Session,
    Think,
)

NUMBERS: Final = ("wtime", "btime", "winc", "binc", "movestogo", "depth", "nodes", "mate", "movetime")
GO_WORDS: Final = frozenset((*NUMBERS, "searchmoves", "ponder", "infinite"))
NUMBER: Final = re.compile(r"-?[0-9]+(?:\.[0-9]*)?")
MOST_DIGITS: Final = 15
PONDER: Final = Option(name="Ponder", kind="check", default="false")


class UciSession(Session):
    def __init__(self, name: str, author: str, options: tuple[Option, ...]) -> None:
        super().__init__(name, author, options)
        self.position = position_from_fen(START)
        self.thinking = False
        self.infinite = False  # only stop or ponderhit may end the thinking
        self.held: Info | None = None  # the outcome of an infinite search that nobody has stopped yet
        self.when_hit: Think | None = None  # while pondering: what ponderhit begins

    def receive(self, line: str) -> Iterator[Event]:
        words = line.split()
        value = line.partition(" value ")[2].strip()  # of setoption, with the spaces of a file name
        for index, word in enumerate(words):
            events = self._events(word, words[index + 1 :], value)
            if events is not None:
                yield from events
                return

    def report(self, thought: Info) -> Iterator[str]:
        if thought.depth:
            yield _info(thought)

    def answer(self, thought: Info) -> Iterator[Event]:
        if self.infinite:
            self.held = thought
        else:
            yield from self._best_move(thought)

    def complain(self, problem: str) -> str:
        return f"info string {' '.join(problem.split())}"

    def _events(self, command: str, words: list[str], value: str) -> Iterator[Event] | None:
        """What a command asks for; None if it is none."""
        match command:
            case "uci":
                return self._introduce()
            case "isready":
                return iter((Send("readyok"),))
            case "ucinewgame":
                return iter((NewGame(),))
            case "position":
                return self._set_position(words)
            case "go":
                return self._go(words)
            case "stop":
                return self._stop()
            case "ponderhit":
                return self._ponderhit()
            case "setoption":
                return self._set_option(words, value)
            case "debug" | "register":
                return iter(())
            case "quit":
                return iter((Quit(),))
        return None

    def _introduce(self) -> Iterator[Event]:
        yield Send(f"id name {self.name}")
        yield Send(f"id author {self.author}")
        for option in (*self.options, PONDER):
            yield Send(_announcement(option))
        yield Send("uciok")

    def _set_position(self, words: list[str]) -> Iterator[Event]:
        cut = words.index("moves") if "moves" in words else len(words)
        if words[:1] == ["startpos"]:
            text = START
        elif words[:1] == ["fen"]:
            text = " ".join(words[1:cut])
        else:
            raise ProtocolError("info string position needs startpos or fen")
        try:
            position = position_from_fen(text)
            for move in words[cut + 1 :]:
                position.make(position.parse_uci(move.lower()))
        except ValueError as error:
            raise ProtocolError(self.complain(str(error))) from error
        self.position = position
        yield from ()

    # -- Thinking ----------------------------------------------------------------------------------

    def _go(self, words: list[str]) -> Iterator[Event]:
        yield from self._stop()
        numbers, actions, problems = _read_go(words, self.position)
        for problem in problems:
            yield Send(self.complain(problem))
        if not actions and self.position.is_draw():
            actions = self.position.legal_moves()  # the GUI plays on where the rules would not
        limit = Limit(actions=tuple(actions))
        if "infinite" not in words:
            limit = _limit(numbers, limit.actions, self.position.player())
        think = Think(self.position.clone(), limit)
        if "ponder" in words:
            self.when_hit = think
            think = replace(think, limit=Limit(actions=limit.actions))
        yield from self._begin(think)

    def _begin(self, think: Think) -> Iterator[Event]:
        self.thinking = True
        self.infinite = think.limit.is_infinite
        assert isinstance(think.state, Position)
        if think.state.legal_moves():
            yield think
            return
        yield Send(f"info depth 0 score {'mate 0' if think.state.in_check() else 'cp 0'}")
        yield from self.answer(Info(action=0))

    def _stop(self) -> Iterator[Event]:
        if not self.thinking:
            return
        self.infinite = False
        if self.held is not None:
            yield from self._best_move(self.held)
        else:
            yield MoveNow()

    def _ponderhit(self) -> Iterator[Event]:
        """The clock runs now. Thinking begins anew: its table is warm from pondering."""
        if self.when_hit is None:
            return
        think, self.when_hit, self.held = self.when_hit, None, None
        yield Discard()
        yield from self._begin(think)

    def _best_move(self, thought: Info) -> Iterator[Event]:
        self.thinking = False
        self.held = None
        self.when_hit = None
        ponder = f" ponder {move_text(thought.line[1])}" if len(thought.line) > 1 else ""
        yield Send(f"bestmove {move_text(thought.action)}{ponder}")

    def _set_option(self, words: list[str], value: str) -> Iterator[Event]:
        if words[:1] != ["name"]:
            raise ProtocolError("info string setoption needs: name NAME value VALUE")
        cut = words.index("value") if "value" in words else len(words)
        name = " ".join(words[1:cut])
        for option in (*self.options, PONDER):
            if option.name.lower() == name.lower():
                try:
                    normal = option.checked("" if value == "<empty>" else value)
                except ValueError as error:
                    raise ProtocolError(self.complain(str(error))) from error
                if option is not PONDER:
                    yield Configure(option.name, normal)
                return
        raise ProtocolError(f"info string no option is named {name[:40]!r}")


def _read_go(words: list[str], position: Position) -> tuple[dict[str, int], list[int], list[str]]:
    """(numbers, moves to search, problems). A number that cannot be read counts as 0: better a move at
    once than none."""
    numbers: dict[str, int] = {}
    actions: list[int] = []
    problems: list[str] = []
    reading = ""
    for word in [*words, "infinite"]:
        if word in GO_WORDS:
            if reading in NUMBERS and reading not in numbers:
                numbers[reading] = 0
                problems.append(f"{reading} needs a number")
            reading = word
        elif reading == "searchmoves":
            try:
                actions.append(position.parse_uci(word.lower()))
            except ValueError as error:
                problems.append(str(error))
        elif reading in NUMBERS and NUMBER.fullmatch(word):
            numbers[reading] = int(word.partition(".")[0][:MOST_DIGITS])
            reading = ""
    return numbers, actions, problems


def _limit(numbers: dict[str, int], actions: tuple[int, ...], player: int) -> Limit:
    own, increment = ("btime", "binc") if player else ("wtime", "winc")
    clock = None
    if own in numbers:
        clock = Clock(
            seconds=numbers[own] / 1000,
            increment=max(numbers.get(increment, 0), 0) / 1000,
            moves_to_reset=numbers["movestogo"] if numbers.get("movestogo", 0) > 0 else None,
        )
    return Limit(
        clock=clock,
        seconds=numbers["movetime"] / 1000 if "movetime" in numbers else None,
        nodes=max(numbers["nodes"], 1) if "nodes" in numbers else None,
        depth=max(numbers["depth"], 1) if "depth" in numbers else None,
        mate=max(numbers["mate"], 1) if "mate" in numbers else None,
        actions=actions,
    )


def _info(thought: Info) -> str:
    milliseconds = int(thought.seconds * 1000)
    rate = int(thought.nodes / thought.seconds) if thought.seconds > 0 else 0
    score = f"mate {thought.mate}" if thought.mate is not None else f"cp {thought.cents or 0}"
    line = "".join(f" {move_text(move)}" for move in thought.line)
    return (
        f"info depth {thought.depth} score {score} time {milliseconds} nodes {thought.nodes} nps {rate}"
        + (f" pv{line}" if line else "")
    )


def _announcement(option: Option) -> str:
    kind = "string" if option.kind in ("file", "path") else option.kind
    text = f"option name {option.name} type {kind}"
    if kind != "button":
        text += f" default {option.default or '<empty>'}"
    if kind == "spin":
        text += f" min {option.minimum} max {option.maximum}"
    return text + "".join(f" var {choice}" for choice in option.choices)
