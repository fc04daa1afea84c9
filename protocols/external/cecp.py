"""The GUI's side of the Chess Engine Communication Protocol: version 2, or version 1 for engines that know only that.

Reference: Tim Mann, H. G. Muller, "Chess Engine Communication Protocol". The engine is kept in force mode and sent
`go` for each move, so that one order of commands serves games, analysis and take-backs.
"""

import asyncio
import re
from collections.abc import Iterator
from contextlib import suppress
from math import ceil
from typing import Final

from core.chess.notation import START
from core.chess.position import Position
from engines.engine import Clock, EngineError, Info, Limit, Option
from protocols.cecp import variant_move_text
from protocols.external.engine import (
    MAX_OPTIONS,
    ExternalEngine,
    PendingSearch,
    Report,
    checked_option,
    read_number,
)
from protocols.external.process import TIMEOUTS, EngineProcess, Timeouts, sanitize

MOVE: Final = re.compile(r"(?:move|\d+\.\s+\.\.\.)\s+(\S+)")
RESIGNATION: Final = re.compile(r"(?:tellics\s+)?resign\b.*")
RESULT: Final = re.compile(r"(1-0|0-1|1/2-1/2|\*)(?:\s.*)?")
THINKING: Final = re.compile(r"(\d{1,4})\S? +([-+]?\d{1,9}) +(\d{1,12}) +(\d{1,15})\b(.*)")
BOUNDS: Final = ("++", "--")  # at the end of a line, like ! and ?, they mean that the score is a bound
NO_MOVE: Final = re.compile(r"\d*\.+|\(.\)")  # move numbers, marks such as (-)
# An engine that refuses one of these is out of step; it may refuse any other command.
VITAL: Final = r"(?:usermove|new|force|go|setboard|edit|[a-h][1-8][a-h][1-8][nbrq]?)\b.*"
REFUSAL: Final = re.compile(
    rf"illegal move[^:]*|(?:illegal move|error)[^:]*: *{VITAL}|tellusererror +illegal position.*",
    re.IGNORECASE,
)
MATE: Final = 100_000
LOST: Final = ("0-1", "1-0")  # [player]: the result that is a loss
FEATURE: Final = re.compile(r'\b(\w+)=("[^"]*"|\S+)')
OPTION: Final = re.compile(r"(.+?) -(button|save|reset|check|string|spin|combo|slider|file|path)\b *(.*)")
LARGEST_MEMORY: Final = 65_536  # MiB
MAX_CORES: Final = 1024

# The features that are obeyed, and their values until the engine sends others.
DEFAULTS: Final = {
    "ping": "0", "setboard": "0", "usermove": "0", "time": "1", "nps": "0", "memory": "0", "smp": "0",
    "variants": "normal", "myname": "", "done": "",
    "sigint": "1", "sigterm": "1", "colors": "1", "name": "0", "debug": "0", "analyze": "1",  # never used
}  # fmt: skip

# Not more, because Fairy-Max and HoiChess cannot be stopped and would run for as long after this program has ended;
# above 17 days Fairy-Max takes legal moves for illegal.
UNBOUNDED_SECONDS: Final = 3_600
UNBOUNDED_DEPTH: Final = 50  # engines have arrays of 64 and more


class CecpEngine(ExternalEngine):
    """An engine that speaks CECP, with or without ping, setboard and usermove."""

    protocol = "CECP"
    stop_command = "?"

    def __init__(self, process: EngineProcess, timeouts: Timeouts = TIMEOUTS) -> None:
        super().__init__(process, timeouts)
        self._features = Features()
        self._limits = SentLimits()
        self._pings = 0
        self._start = ""  # the FEN from which the engine's present game started; empty: unknown
        self._is_chess960 = False  # whether that game is of Chess960
        self._played: list[int] = []  # the moves of that game
        self._has_resigned = False  # unasked, as some engines do right after their move

    @property
    def plays_chess960(self) -> bool:
        return self._features.has_variant("fischerandom")

    async def _handshake(self) -> None:
        self._process.send("xboard", "protover 2")
        seconds: float | None = self._timeouts.first_line
        while not self._features.is_done:
            try:
                async with asyncio.timeout(seconds):
                    line = await self._process.line()
            except TimeoutError:
                break  # the engine speaks version 1, or has sent all features
            self._check_echo(line, "xboard")
            self._handle_notice(line)
            seconds = None if self._features.is_loading else self._timeouts.features
        if not self._features.has_variant("normal"):
            raise EngineError(f"{self.name} does not play normal chess")
        self.name = sanitize(self._features.name) or self.name
        self.options = tuple(self._features.options)
        self._send_new_game()
        await self._wait_ready()

    async def _start_search(self, position: Position, limit: Limit) -> Info | None:
        moves = position.moves()
        known = len(self._played)
        is_chess960 = position.is_chess960()
        is_new = (position.start, is_chess960) != (self._start, self._is_chess960)
        is_new = is_new or moves[:known] != self._played
        if is_new:
            self._set_up(position.start, is_chess960)
            known = 0
        usermove = "usermove " if self._features.has("usermove") else ""
        commands = [f"{usermove}{variant_move_text(move, is_chess960)}" for move in moves[known:]]
        self._played = moves
        if is_new:
            self._process.send(*commands)
            await self._wait_ready()
            commands = []
        else:  # the engine's clock runs: send all at once, without waiting
            commands.insert(0, "force")
        self._process.send(*commands, *self._limits.commands_for(limit, self._features), "go")
        self._search = PendingSearch(position, limit)
        return None

    def _on_line(self, line: str) -> Info | None:
        self._handle_notice(line)
        search = self._search
        if search is None:
            return None
        if match := MOVE.match(line):
            return self._answered(search, match[1])
        if self._has_resigned:
            return self._ended(Info(action=search.position.legal_actions()[0], resign=True))
        if match := RESULT.fullmatch(line):
            # The engine claims that the game has ended, which is wrong, and so it will not move.
            resign = match[1] == LOST[search.position.player()]
            action = search.position.legal_actions()[0] if resign else -1
            return self._ended(Info(action=action, text=sanitize(line), resign=resign))
        return search.on_info(read_thinking(line))

    def _send_option(self, option: Option, value: str) -> None:
        if option.name in ("memory", "cores"):
            self._process.send(f"{option.name} {value}")
        elif option.kind == "button":
            self._process.send(f"option {option.name}")
        else:
            number = {"true": "1", "false": "0"}.get(value, value) if option.kind == "check" else value
            self._process.send(f"option {option.name}={number}")

    def _send_new_game(self) -> None:
        self._set_up(START)

    async def _wait_ready(self) -> None:
        if not self._features.has("ping"):
            with suppress(TimeoutError):
                async with asyncio.timeout(self._timeouts.quiet):
                    while True:
                        self._handle_notice(await self._process.line())
            self._has_resigned = False  # a resignation so far was in another game
            return
        self._pings += 1
        pong = ["pong", str(self._pings)]
        self._process.send(f"ping {self._pings}")
        async with self._time_limit(self._timeouts.ready, "answer ping"):
            while (line := await self._process.line()).split() != pong:
                self._handle_notice(line)
        self._has_resigned = False  # a resignation so far was in another game

    # -- Parts -------------------------------------------------------------------------------------

    def _set_up(self, start: str, is_chess960: bool = False) -> None:
        """Start a game from a FEN; in Chess960 always send the FEN, since the engine may have shuffled its pieces."""
        self._process.send("new", *(["variant fischerandom"] if is_chess960 else []), "force", "easy", "post")
        if start != START or is_chess960:
            is_known = self._features.has("setboard")
            self._process.send(*([f"setboard {start}"] if is_known else edit_commands(start)))
        self._start, self._is_chess960, self._played = start, is_chess960, []
        self._limits.new_game()

    def _handle_notice(self, line: str) -> None:
        """Handle a line that may come at any time: a feature, a resignation or a refusal.

        Raises EngineError if the engine refuses a command that it must obey.
        """
        if line.split(maxsplit=1)[:1] == ["feature"]:
            replies = list(self._features.learn(line))
            self._process.send(*replies)
        elif RESIGNATION.fullmatch(line):
            self._has_resigned = True
        elif REFUSAL.fullmatch(line):
            self._search, self._start = None, ""
            raise EngineError(f"{self.name} answers {sanitize(line)!r}")

    def _answered(self, search: PendingSearch, text: str) -> Info | None:
        self._search = None
        info = search.answer(text)
        if info is None or info.action < 0:
            self._start = ""
        else:
            self._played.append(info.action)
        return info

    def _ended(self, info: Info) -> Info:
        """End the search and the engine's game, and return `info`, its last one."""
        self._search, self._start = None, ""
        return info


class Features:
    """The features that one engine has announced, its options included."""

    def __init__(self) -> None:
        self.options: list[Option] = []
        self._values = dict(DEFAULTS)

    def learn(self, line: str) -> Iterator[str]:
        """Store the features of a line, and yield the reply to each, `accepted` or `rejected`."""
        for name, quoted in FEATURE.findall(line):
            value = quoted.strip('"')
            accepted = name == "option" or name in DEFAULTS
            if name == "option":
                self._add(read_option(value))
            elif accepted:
                self._values[name] = value
                self._add(_command_option(name, value))
            yield f"{'accepted' if accepted else 'rejected'} {name}"

    def has(self, name: str) -> bool:
        return self._values[name] == "1"

    @property
    def name(self) -> str:
        return self._values["myname"]

    @property
    def is_done(self) -> bool:
        return self._values["done"] == "1"

    @property
    def is_loading(self) -> bool:
        """Whether the engine has asked for more time, by done=0."""
        return self._values["done"] == "0"

    def has_variant(self, name: str) -> bool:
        return name in (variant.strip() for variant in self._values["variants"].split(","))

    def _add(self, option: Option | None) -> None:
        if option is not None and len(self.options) < MAX_OPTIONS:
            self.options.append(option)


def _command_option(feature: str, value: str) -> Option | None:
    """Return the option for a feature that is a setting with a command of its own, or None for other features."""
    if value == "1" and feature == "memory":
        return Option(name="memory", kind="spin", default="64", minimum=1, maximum=LARGEST_MEMORY)
    if value == "1" and feature == "smp":
        return Option(name="cores", kind="spin", default="1", minimum=1, maximum=MAX_CORES)
    return None


def read_option(text: str) -> Option | None:
    """Return the option in `NAME -KIND FIGURES`, the value of the feature `option`, or None if it is invalid."""
    match = OPTION.match(" ".join(text.split()))
    if match is None:
        return None
    name, kind, rest = (group.strip() for group in match.groups())
    option = Option(name=name, kind="button")
    if kind == "check":
        option = Option(name=name, kind="check", default="true" if rest == "1" else "false")
    elif kind in ("spin", "slider"):
        figures = [read_number(word) for word in rest.split()]
        default, least, most = figures if len(figures) == 3 else (None, None, None)
        if default is None or least is None or most is None:
            return None
        option = Option(name=name, kind="spin", default=str(default), minimum=least, maximum=most)
    elif kind == "combo":
        marked = [choice.strip() for choice in rest.split("///")]
        default_choice = next((choice for choice in marked if choice.startswith("*")), marked[0])
        choices = tuple(choice.removeprefix("*") for choice in marked)
        option = Option(name=name, kind="combo", default=default_choice.removeprefix("*"), choices=choices)
    elif kind == "string":
        option = Option(name=name, kind="string", default=rest)
    elif kind in ("file", "path"):
        option = Option(name=name, kind="path" if kind == "path" else "file", default=rest)
    return checked_option(option)


class SentLimits:
    """The limits that an engine was sent, which hold until other limits are sent."""

    def __init__(self) -> None:
        self._pace = ""
        self._moves = 0  # of the longest period that the engine was sent
        self._rate = 0  # nodes that the engine counts as a second; 0: it uses the clock
        self._depth = UNBOUNDED_DEPTH

    def new_game(self) -> None:
        """Have limits sent again with the next `go`: engines forget some at `new`, and do not agree on which."""
        self._pace = ""
        if self._depth != UNBOUNDED_DEPTH:
            self._depth = 0

    def commands_for(self, limit: Limit, features: Features) -> Iterator[str]:
        """Yield the commands that put `limit` in force; `go` must follow them."""
        pace, rate = _pace(limit, features)
        moves = 0
        if isinstance(pace, Clock):
            left = pace.seconds
            moves = pace.moves_to_reset or 0
            increment = f"{pace.increment:.3f}".rstrip("0").rstrip(".")
            command = f"level {moves} {_minutes(left)} {increment}"
            kind = f"level {increment} {'by moves' if moves else ''}"  # the time left is sent by `time`
        else:
            left = pace
            whole = left >= 1 and left == int(left)
            # Many engines read a whole number, and 0 as no bound, so fractions are sent as periods of one move.
            kind = command = f"st {int(left)}" if whole else f"level 1 {_minutes(left)} 0"
        anew = kind != self._pace or moves > self._moves
        if anew:
            self._pace, self._moves = kind, moves
            yield command
        if rate != self._rate or (anew and rate):  # some engines drop the rate at each st or level
            self._rate = rate
            yield f"nps {rate or -1}"
        depth = min(limit.depth or UNBOUNDED_DEPTH, 2 * (limit.mate or UNBOUNDED_DEPTH))
        if depth != self._depth:
            self._depth = depth
            yield f"sd {depth}"
        if features.has("time"):
            other = left if limit.other_clock is None else limit.other_clock.seconds
            yield f"time {max(int(left * 100), 1)}"
            yield f"otim {max(int(other * 100), 1)}"


def _pace(limit: Limit, features: Features) -> tuple[Clock | float, int]:
    """Return a clock or the seconds for one move, and the nodes that count as a second (0 for real seconds)."""
    if features.has("nps") and limit.nodes is not None:
        return 1.0, limit.nodes
    if limit.nodes_per_second and not features.has("nps"):
        return UNBOUNDED_SECONDS, 0  # PendingSearch.is_overdue will stop it
    rate = int(limit.nodes_per_second or 0)
    if limit.clock is not None:
        return limit.clock, rate
    return UNBOUNDED_SECONDS if limit.seconds is None else limit.seconds, rate


def _minutes(seconds: float) -> str:
    """Return a time in minutes and seconds as `level` has them, rounded up to at least one second."""
    whole = max(ceil(seconds), 1)
    return f"{whole // 60}:{whole % 60:02d}" if whole % 60 else f"{whole // 60}"


def read_thinking(line: str) -> Report:
    """Return the report of a line `ply score centiseconds nodes ... moves`; an empty one for any other line.

    If the score is a bound, which a mark at the end of the line says, score and depth are left out, because a game's
    record has exact scores.
    """
    match = THINKING.match(line.replace("\t", " "))
    if match is None:
        return Report()
    score = int(match[2])
    mate = None
    if MATE < abs(score) < MATE + 1000:
        mate = score - MATE if score > 0 else score + MATE
    # More figures may stand between the nodes and a tab, which then comes before the line.
    words = (line.rpartition("\t")[2] if "\t" in line else match[5]).split()
    is_exact = not words or not (words[-1].endswith(("!", "?")) or words[-1] in BOUNDS)
    return Report(
        moves=[word for word in words if not NO_MOVE.fullmatch(word)],
        cents=score if is_exact and mate is None else None,
        mate=mate if is_exact else None,
        depth=int(match[1]) if is_exact else None,
        nodes=int(match[4]),
        seconds=int(match[3]) / 100,
    )


def edit_commands(fen: str) -> Iterator[str]:
    """Yield the lines between `force` and the first move that lead from the start position to a FEN.

    `edit` has no words for castling rights, en passant and the counters: an engine takes kings and rooks on their
    home squares for unmoved.
    """
    board, turn = fen.split()[:2]
    if turn == "b":
        yield "a2a3"  # any move of White's, as xboard does it, since edit does not change the turn
    yield "edit"
    yield "#"
    pieces = list(_pieces(board))
    yield from (f"{piece}{square}" for piece, square in pieces if piece.isupper())
    yield "c"
    yield from (f"{piece.upper()}{square}" for piece, square in pieces if piece.islower())
    yield "."


def _pieces(board: str) -> Iterator[tuple[str, str]]:
    """Yield the FEN symbol and the square of every piece."""
    for rank, row in zip("87654321", board.split("/"), strict=True):
        file = 0
        for symbol in row:
            if symbol.isdigit():
                file += int(symbol)
            else:
                yield symbol, f"{'abcdefgh'[file]}{rank}"
                file += 1
