"""The GUI's side of the Universal Chess Interface (Stefan Meyer-Kahlen, 2004)."""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from core.chess.notation import START
from core.chess.position import Position, move_text
from engines.engine import Info, Limit, Option
from protocols.client.foreign import ForeignEngine
from protocols.client.process import EngineProcess, Patience, shown
from protocols.client.question import Question, Report, node_budget, read_number

MOST_OPTIONS: Final = 300
OPTION: Final = re.compile(r"option name (.+?) type (check|spin|combo|button|string)\b(.*)")
FIELD: Final = re.compile(r"\b(default|min|max|var)\b(.*?)(?=\s(?:default|min|max|var)\b|$)")
EMPTY: Final = "<empty>"


class UciEngine(ForeignEngine):
    stop_command = "stop"

    def __init__(self, process: EngineProcess, patience: Patience) -> None:
        super().__init__(process, patience)
        self._writes_empty: set[str] = set()  # the options whose empty value has a word of its own

    async def _introduce(self) -> None:
        self._process.send("uci")
        while (line := await self._process.line()) != "uciok":
            words = line.split(maxsplit=2)
            if words[:2] == ["id", "name"] and len(words) == 3:
                self.name = shown(words[2])
            elif words[:2] == ["id", "author"] and len(words) == 3:
                self.author = shown(words[2])
            else:
                option = read_option(line)
                if option is not None and len(self.options) < MOST_OPTIONS:
                    self.options += (option,)
                    if line.endswith(f" default {EMPTY}"):
                        self._writes_empty.add(option.name)
        await self._ready()

    async def _ask(self, position: Position, limit: Limit) -> None:
        moves = " ".join([move_text(move) for move in position.moves()])
        start = "startpos" if position.start == START else f"fen {position.start}"
        go = " ".join(["go", *_bounds(limit)])
        self._process.send(f"position {start}" + (f" moves {moves}" if moves else ""), go)
        self._question = Question(position, limit)

    def _hear(self, line: str) -> Info | None:
        question, words = self._question, line.split()
        if question is None or not words:
            return None
        if words[0] == "info":
            return question.hear(read_info(words))
        if words[0] == "bestmove":
            self._question = None
            return question.answer(words[1] if len(words) > 1 else "no move")
        return None

    def _set(self, option: Option, value: str) -> None:
        if not value and option.name in self._writes_empty:  # to others it would be a value like any other
            value = EMPTY
        command = f"setoption name {option.name}"
        self._process.send(command if option.kind == "button" else f"{command} value {value}")

    def _new(self) -> None:
        self._process.send("ucinewgame")

    async def _ready(self) -> None:
        self._process.send("isready")
        async with self._within(self._patience.ready, "answer isready"):
            while await self._process.line() != "readyok":
                pass


def read_option(line: str) -> Option | None:
    """The option that a line announces; None if it does not, or cannot be true."""
    match = OPTION.fullmatch(line)
    if match is None:
        return None
    name, kind, rest = match.groups()
    fields: dict[str, list[str]] = {}
    for field, value in FIELD.findall(rest):
        fields.setdefault(field, []).append(value.strip())
    default = fields.get("default", [""])[0]
    option = Option(
        name=name,
        kind=kind,  # type: ignore[arg-type]  # the pattern lets no other through
        default="" if default == EMPTY else default,
        minimum=read_number(fields.get("min", ["0"])[0]) or 0,
        maximum=read_number(fields.get("max", ["0"])[0]) or 0,
        choices=tuple(fields.get("var", [])),
    )
    try:
        if kind != "button":
            option.checked(option.default)
    except ValueError:
        return None
    return option


def read_info(words: list[str]) -> Report:
    """What the words of an info line say of the best line; nothing for the second best and worse."""
    cut = words.index("pv") if "pv" in words else len(words)
    head, moves = words[:cut], words[cut + 1 :]
    if "string" in head:
        return Report()
    figures = {name: read_number(value) for name, value in pairwise(head)}
    if figures.get("multipv") not in (None, 1):
        return Report()
    milliseconds = figures.get("time")
    return Report(
        moves=moves,
        cents=figures.get("cp"),
        mate=figures.get("mate"),
        depth=figures.get("depth"),
        nodes=figures.get("nodes"),
        seconds=None if milliseconds is None else milliseconds / 1000,
    )


def _bounds(limit: Limit) -> Iterator[str]:
    """The words after go. We know one clock only, and give it to both sides."""
    nodes = node_budget(limit)
    if not limit.nodes_per_second:
        if limit.clock is not None:
            left, gain = max(_milliseconds(limit.clock.seconds), 1), _milliseconds(limit.clock.increment)
            yield f"wtime {left} btime {left} winc {gain} binc {gain}"
            if limit.clock.moves_to_reset is not None:
                yield f"movestogo {limit.clock.moves_to_reset}"
        if limit.seconds is not None:
            yield f"movetime {max(_milliseconds(limit.seconds), 1)}"
    if nodes is not None:
        yield f"nodes {nodes}"
    if limit.depth is not None:
        yield f"depth {limit.depth}"
    if limit.mate is not None:
        yield f"mate {limit.mate}"
    if limit.is_infinite:
        yield "infinite"
    if limit.actions:  # last: Stockfish takes all that follows for moves
        yield "searchmoves " + " ".join([move_text(action) for action in limit.actions])


def _milliseconds(seconds: float) -> int:
    return int(seconds * 1000)
