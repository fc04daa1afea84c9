"""The GUI's side of the Universal Chess Interface (Stefan Meyer-Kahlen, 2004)."""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from core.chess.notation import START
from core.chess.position import Position, move_text
from engines.engine import Info, Limit, Option
from protocols.external.engine import (
    MOST_OPTIONS,
    ExternalEngine,
    PendingSearch,
    Report,
    checked_option,
    node_budget,
    read_number,
)
from protocols.external.process import TIMEOUTS, EngineProcess, Timeouts, sanitize

OPTION: Final = re.compile(r"option name (.+?) type (check|spin|combo|button|string)\b(.*)")
FIELD: Final = re.compile(r"\b(default|min|max|var)\b(.*?)(?=\s(?:default|min|max|var)\b|$)")
EMPTY: Final = "<empty>"


class UciEngine(ExternalEngine):
    """An engine that speaks UCI."""

    stop_command = "stop"

    def __init__(self, process: EngineProcess, timeouts: Timeouts = TIMEOUTS) -> None:
        super().__init__(process, timeouts)
        self._writes_empty: set[str] = set()  # the options whose empty value has a word of its own

    async def _handshake(self) -> None:
        self._process.send("uci")
        while (line := await self._process.line()) != "uciok":
            words = line.split(maxsplit=2)
            if words[:2] == ["id", "name"] and len(words) == 3:
                self.name = sanitize(words[2])
            elif words[:2] == ["id", "author"] and len(words) == 3:
                self.author = sanitize(words[2])
            else:
                option = read_option(line)
                if option is not None and len(self.options) < MOST_OPTIONS:
                    self.options += (option,)
                    if line.endswith(f" default {EMPTY}"):
                        self._writes_empty.add(option.name)
        await self._wait_ready()

    async def _start_search(self, position: Position, limit: Limit) -> None:
        moves = " ".join([position.action_text(move) for move in position.moves()])
        start = "startpos" if position.start == START else f"fen {position.start}"
        go = " ".join(["go", *_go_words(limit)])
        self._process.send(f"position {start}" + (f" moves {moves}" if moves else ""), go)
        self._search = PendingSearch(position, limit)

    def _on_line(self, line: str) -> Info | None:
        search, words = self._search, line.split()
        if search is None or not words:
            return None
        if words[0] == "info":
            return search.on_info(read_info(words))
        if words[0] == "bestmove":
            self._search = None
            return search.answer(words[1] if len(words) > 1 else "no move")
        return None

    def _send_option(self, option: Option, value: str) -> None:
        if not value and option.name in self._writes_empty:  # to others it would be a value like any other
            value = EMPTY
        command = f"setoption name {option.name}"
        self._process.send(command if option.kind == "button" else f"{command} value {value}")

    def _send_new_game(self) -> None:
        self._process.send("ucinewgame")

    async def _wait_ready(self) -> None:
        self._process.send("isready")
        async with self._within(self._timeouts.ready, "answer isready"):
            while await self._process.line() != "readyok":
                pass


def read_option(line: str) -> Option | None:
    """The option that a line announces; None if it does not, or cannot be true."""
    match = OPTION.match(line)
    if match is None:
        return None
    name, kind, rest = match.groups()
    fields: dict[str, list[str]] = {}
    for field, value in FIELD.findall(rest):
        fields.setdefault(field, []).append(value.strip())
    default = fields.get("default", [""])[0]
    return checked_option(
        Option(
            name=name,
            kind=kind,  # type: ignore[arg-type]  # the pattern lets no other through
            default="" if default == EMPTY else default,
            minimum=read_number(fields.get("min", ["0"])[0]) or 0,
            maximum=read_number(fields.get("max", ["0"])[0]) or 0,
            choices=tuple(fields.get("var", [])),
        )
    )


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


def _go_words(limit: Limit) -> Iterator[str]:
    """The words after go. One clock is known, and is sent for both sides."""
    if not limit.nodes_per_second:
        if limit.clock is not None:
            left, gain = max(_milliseconds(limit.clock.seconds), 1), _milliseconds(limit.clock.increment)
            yield f"wtime {left} btime {left} winc {gain} binc {gain}"
            if limit.clock.moves_to_reset is not None:
                yield f"movestogo {limit.clock.moves_to_reset}"
        if limit.seconds is not None:
            yield f"movetime {max(_milliseconds(limit.seconds), 1)}"
    if (nodes := node_budget(limit)) is not None:
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
