"""The GUI's side of the Universal Chess Interface (Stefan Meyer-Kahlen, 2004)."""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from core.chess.notation import START
from core.chess.position import Position
from engines.engine import EngineError, Info, Limit, Option
from protocols.external.engine import (
    MAX_OPTIONS,
    ExternalEngine,
    PendingSearch,
    Report,
    checked_option,
    node_budget,
    read_number,
)
from protocols.external.process import TIMEOUTS, EngineProcess, Timeouts, sanitize

KINDS: Final = ("check", "spin", "combo", "button", "string")
FIELDS: Final = ("default", "min", "max", "var")
COMPLAINTS: Final = frozenset(
    ("error", "unknown", "illegal", "invalid", "unrecognized", "unrecognised", "bad")
)
WORD: Final = re.compile("[a-z]+")
CHESS960: Final = "UCI_Chess960"
EMPTY: Final = "<empty>"


class UciEngine(ExternalEngine):
    """An engine that speaks UCI."""

    protocol = "UCI"
    stop_command = "stop"

    def __init__(self, process: EngineProcess, timeouts: Timeouts = TIMEOUTS) -> None:
        super().__init__(process, timeouts)
        self._writes_empty: set[str] = set()  # the options whose empty value is written <empty>
        self._is_chess960 = False  # the value of UCI_Chess960 that the engine was sent last

    @property
    def plays_chess960(self) -> bool:
        return any(option.name == CHESS960 for option in self.options)

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
                if option is None:
                    self._check_echo(line, "uci")
                    names_command = "uci" in WORD.findall(line)  # a title has UCI
                    if names_command and COMPLAINTS.intersection(WORD.findall(line.lower())):
                        raise EngineError(
                            f"{self._process.program} answers {sanitize(line)!r}, so it does not speak UCI"
                        )
                elif len(self.options) < MAX_OPTIONS:
                    self.options += (option,)
                    if line.split()[-2:] == ["default", EMPTY]:
                        self._writes_empty.add(option.name)
        await self._wait_ready()

    async def _start_search(self, position: Position, limit: Limit) -> None:
        moves = " ".join([position.action_text(move) for move in position.moves()])
        start = "startpos" if position.start == START else f"fen {position.start}"
        go = " ".join(["go", *_go_words(limit, position)])
        if position.is_chess960() != self._is_chess960:
            self._is_chess960 = position.is_chess960()
            self._process.send(f"setoption name {CHESS960} value {'true' if self._is_chess960 else 'false'}")
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
        if not value and option.name in self._writes_empty:  # other options would read <empty> as text
            value = EMPTY
        if option.name == CHESS960:
            self._is_chess960 = value == "true"
        command = f"setoption name {option.name}"
        self._process.send(command if option.kind == "button" else f"{command} value {value}")

    def _send_new_game(self) -> None:
        self._process.send("ucinewgame")

    async def _wait_ready(self) -> None:
        self._process.send("isready")
        async with self._time_limit(self._timeouts.ready, "answer isready"):
            while await self._process.line() != "readyok":
                pass


def read_option(line: str) -> Option | None:
    """Return the option that a line announces, or None if it announces none, or one with an invalid default.

    The line may have any white space between its words.
    """
    words = line.split()
    at = next((at for at in range(3, len(words) - 1) if words[at] == "type" and words[at + 1] in KINDS), 0)
    if words[:2] != ["option", "name"] or not at:
        return None
    name, kind, rest = " ".join(words[2:at]), words[at + 1], words[at + 2 :]
    fields: dict[str, list[list[str]]] = {}
    for word in rest:
        if word in FIELDS and not (kind == "string" and fields):  # a string may contain any words
            fields.setdefault(word, []).append([])
            current = fields[word][-1]
        elif fields:
            current.append(word)
    texts = {field: [" ".join(value) for value in values] for field, values in fields.items()}
    default = texts.get("default", [""])[0]
    return checked_option(
        Option(
            name=name,
            kind=kind,  # type: ignore[arg-type]  # it is one of KINDS
            default="" if default == EMPTY else default,
            minimum=read_number(texts.get("min", ["0"])[0]) or 0,
            maximum=read_number(texts.get("max", ["0"])[0]) or 0,
            choices=tuple(texts.get("var", [])),
        )
    )


def read_info(words: list[str]) -> Report:
    """Return the report of an info line about the best line of play; an empty one for other lines of MultiPV.

    If the score is a bound, score and depth are left out, because a game's record has exact scores.
    """
    cut = words.index("pv") if "pv" in words else len(words)
    head, moves = words[:cut], words[cut + 1 :]
    if "string" in head:
        return Report()
    figures = {name: read_number(value) for name, value in pairwise(head)}
    if figures.get("multipv") not in (None, 1):
        return Report()
    milliseconds = figures.get("time")
    is_exact = "lowerbound" not in head and "upperbound" not in head
    return Report(
        moves=moves,
        cents=figures.get("cp") if is_exact else None,
        mate=figures.get("mate") if is_exact else None,
        depth=figures.get("depth") if is_exact else None,
        nodes=figures.get("nodes"),
        seconds=None if milliseconds is None else milliseconds / 1000,
    )


def _go_words(limit: Limit, position: Position) -> Iterator[str]:
    """Yield the words after `go`. If the opponent's clock is not known, the engine's own is sent for it."""
    if not limit.nodes_per_second:
        if limit.clock is not None:
            clocks = [limit.clock, limit.other_clock or limit.clock]
            for side, clock in zip("wb", clocks[::-1] if position.player() else clocks, strict=True):
                yield f"{side}time {max(_milliseconds(clock.seconds), 1)}"
            for side, clock in zip("wb", clocks[::-1] if position.player() else clocks, strict=True):
                yield f"{side}inc {_milliseconds(clock.increment)}"
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
    if limit.actions:  # last, because Stockfish takes all words that follow for moves
        yield "searchmoves " + " ".join([position.action_text(action) for action in limit.actions])


def _milliseconds(seconds: float) -> int:
    return int(seconds * 1000)
