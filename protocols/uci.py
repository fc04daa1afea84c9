"""The engine's side of the Universal Chess Interface (Stefan Meyer-Kahlen, 2004).

Exactly one bestmove answers each go. Unknown tokens are skipped, as the protocol demands; what is
known but wrong is answered by an `info string`, and the position stays as it was.
"""

from collections.abc import Iterator
from typing import Final

from core.chess.fen import START, position_from_fen
from core.chess.position import Position, move_text
from engines.engine import Clock, Limit, Option, Thought
from protocols.session import Configure, Discard, Event, MoveNow, NewGame, ProtocolError, Quit, Send, Session, Think

COMMANDS: Final = ("uci", "isready", "ucinewgame", "position", "go", "stop", "ponderhit", "setoption", "quit")
NUMBERS: Final = ("wtime", "btime", "winc", "binc", "movestogo", "depth", "nodes", "mate", "movetime")
PONDER: Final = Option(name="Ponder", kind="check", default="false")


class UciSession(Session):
    def __init__(self, name: str, author: str, options: tuple[Option, ...]) -> None:
        super().__init__(name, author, options)
        self.position = position_from_fen(START)
        self.thinking = False
        self.held: Thought | None = None  # the outcome of an infinite search that nobody has stopped yet
        self.infinite = False
        self.when_hit: Limit | None = None  # while pondering: the limit that ponderhit puts in force

    def receive(self, line: str) -> Iterator[Event]:
        words = line.split()
        while words and words[0] not in COMMANDS:
            words = words[1:]
        if not words:
            return
        command, arguments = words[0], words[1:]
        if command == "uci":
            yield from self._introduce()
        elif command == "isready":
            yield Send("readyok")
        elif command == "ucinewgame":
            yield NewGame()
        elif command == "position":
            self._set_position(arguments)
        elif command == "go":
            yield from self._go(arguments)
        elif command == "stop":
            yield from self._stop()
        elif command == "ponderhit":
            yield from self._ponderhit()
        elif command == "setoption":
            yield from self._set_option(arguments)
        elif command == "quit":
            yield Quit()

    def report(self, thought: Thought) -> Iterator[str]:
        if thought.depth:
            yield _info(thought)

    def answer(self, thought: Thought) -> Iterator[Event]:
        if self.infinite:  # only stop or ponderhit may end it
            self.held = thought
            return
        yield from self._best_move(thought)

    def complain(self, problem: str) -> str:
        return f"info string {problem}"

    def _introduce(self) -> Iterator[Event]:
        yield Send(f"id name {self.name}")
        yield Send(f"id author {self.author}")
        for option in (*self.options, PONDER):
            yield Send(_announcement(option))
        yield Send("uciok")

    def _set_position(self, words: list[str]) -> None:
        cut = words.index("moves") if "moves" in words else len(words)
        if words[:1] == ["startpos"]:
            text = START
        elif words[:1] == ["fen"]:
            text = " ".join(words[1:cut])
        else:
            raise ProtocolError("info string position needs startpos or fen")
        moves = words[cut + 1 :]
        try:
            self.position = _played(position_from_fen(text), moves)
        except ValueError as error:
            raise ProtocolError(f"info string {error}") from error

    def _go(self, words: list[str]) -> Iterator[Event]:
        if self.thinking:
            yield from self._stop()
        limit, pondering = self._limit(words)
        self.infinite = pondering or limit.is_infinite
        self.when_hit = limit if pondering else None
        if pondering:
            limit = Limit(actions=limit.actions)
        self.thinking = True
        if self.position.legal_moves():
            yield Think(self.position.clone(), limit)
            return
        self.infinite = False
        score = "mate 0" if self.position.in_check() else "cp 0"
        yield Send(f"info depth 0 score {score}")
        yield from self._best_move(Thought(action=0))

    def _limit(self, words: list[str]) -> tuple[Limit, bool]:
        """(the limit, whether to ponder) that the words of a go ask for."""
        numbers: dict[str, int] = {}
        actions: list[int] = []
        index = 0
        while index < len(words):
            word = words[index]
            index += 1
            if word in NUMBERS and index < len(words):
                numbers[word] = _number(word, words[index])
                index += 1
            elif word == "searchmoves":
                while index < len(words) and words[index] not in (*NUMBERS, "ponder", "infinite"):
                    actions.append(_move(self.position, words[index]))
                    index += 1
        if "infinite" in words:
            return Limit(actions=tuple(actions)), "ponder" in words
        own = "btime" if self.position.player() else "wtime"
        clock = None
        if own in numbers:
            clock = Clock(
                seconds=numbers[own] / 1000,
                increment=max(numbers.get(own[0] + "inc", 0), 0) / 1000,
                moves_to_reset=numbers["movestogo"] if numbers.get("movestogo", 0) > 0 else None,
            )
        limit = Limit(
            clock=clock,
            seconds=numbers["movetime"] / 1000 if "movetime" in numbers else None,
            nodes=max(numbers["nodes"], 1) if "nodes" in numbers else None,
            depth=max(numbers["depth"], 1) if "depth" in numbers else None,
            mate=max(numbers["mate"], 1) if "mate" in numbers else None,
            actions=tuple(actions),
        )
        return limit, "ponder" in words

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
        limit = self.when_hit
        self.when_hit = None
        self.held = None
        self.infinite = limit.is_infinite
        yield Discard()
        yield Think(self.position.clone(), limit)

    def _best_move(self, thought: Thought) -> Iterator[Event]:
        self.thinking = False
        self.held = None
        self.when_hit = None
        ponder = f" ponder {move_text(thought.line[1])}" if len(thought.line) > 1 else ""
        yield Send(f"bestmove {move_text(thought.action)}{ponder}")

    def _set_option(self, words: list[str]) -> Iterator[Event]:
        if words[:1] != ["name"]:
            raise ProtocolError("info string setoption needs: name NAME value VALUE")
        cut = words.index("value") if "value" in words else len(words)
        name, value = " ".join(words[1:cut]), " ".join(words[cut + 1 :])
        for option in (*self.options, PONDER):
            if option.name.lower() == name.lower():
                try:
                    normal = option.checked(value)
                except ValueError as error:
                    raise ProtocolError(f"info string {error}") from error
                if option is not PONDER:
                    yield Configure(option.name, normal)
                return
        raise ProtocolError(f"info string no option is named {name[:40]!r}")


def _played(position: Position, moves: list[str]) -> Position:
    for text in moves:
        position.make(_move(position, text))
    return position


def _move(position: Position, text: str) -> int:
    try:
        return position.action_from(text)
    except ValueError as error:
        raise ProtocolError(f"info string {error}") from error


def _number(name: str, text: str) -> int:
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit()) or len(digits) > 15:
        raise ProtocolError(f"info string {name} needs a whole number, not {text[:20]!r}")
    return int(text)


def _info(thought: Thought) -> str:
    milliseconds = int(thought.seconds * 1000)
    rate = int(thought.nodes / thought.seconds) if thought.seconds > 0 else 0
    score = f"mate {thought.mate}" if thought.mate is not None else f"cp {thought.cents or 0}"
    line = " ".join(move_text(move) for move in thought.line)
    return (
        f"info depth {thought.depth} score {score} time {milliseconds} nodes {thought.nodes} nps {rate} pv {line}"
    )


def _announcement(option: Option) -> str:
    kind = "string" if option.kind == "file" else option.kind
    text = f"option name {option.name} type {kind}"
    if kind != "button":
        text += f" default {option.default or '<empty>'}"
    if kind == "spin":
        text += f" min {option.minimum} max {option.maximum}"
    return text + "".join(f" var {choice}" for choice in option.choices)
