"""The engine's side of the Universal Chess Interface (Stefan Meyer-Kahlen, 2004).

Each `go` is answered by exactly one `bestmove` (`go perft` by its count). Unknown tokens are skipped, as the protocol
demands; a known command that is wrong is answered by an `info string`. After an invalid `position` the session has no
position, so that nothing is searched that was not asked for.

While a search runs:

    stop, ponderhit, quit    end or change the search at once
    isready, uci, d, eval    are answered at once (d and eval stay behind lines that wait)
    all other lines          wait for its end, in their order: setoption, ucinewgame, position, go, bench

A `go` or `bench` that waits ends a search that has no end of its own; so do waiting lines of more than WAITING_BYTES.
So if a file has two `go`, each is searched as it asks, and an option never changes or spoils the running search.
"""

import re
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, replace
from typing import Final

from core.chess import bitboard, movegen
from core.chess.notation import FILES, PIECES, START, fen, position_from_fen
from core.chess.position import Position, move_text
from engines.engine import Clock, Info, Limit, Line, Option
from protocols.engine_session import (
    AbortSearch,
    Configure,
    Event,
    Explain,
    NewGame,
    Pause,
    ProtocolError,
    Quit,
    Send,
    Session,
    StartSearch,
    StopSearch,
)

NUMBERS: Final = ("wtime", "btime", "winc", "binc", "movestogo", "depth", "nodes", "mate", "movetime")
COMMANDS: Final = frozenset((
    "uci", "isready", "ucinewgame", "position", "go", "stop", "ponderhit", "setoption", "quit",
    "bench", "d", "eval",  # as Stockfish has them
    "debug", "register",  # accepted without effect
))  # fmt: skip
IMMEDIATE_COMMANDS: Final = frozenset(("uci", "isready", "stop", "ponderhit", "quit", "debug", "register"))
SHOWS: Final = frozenset(("d", "eval"))
GO_WORDS: Final = frozenset((*NUMBERS, "searchmoves", "ponder", "infinite", "perft"))
DEEPEST_PERFT: Final = 64
MOVES_AT_ONCE: Final = 500  # of the command `position`; they take a millisecond
NUMBER: Final = re.compile(r"-?[0-9]+(?:\.[0-9]*)?")
MAX_DIGITS: Final = 15
PONDER: Final = Option(name="Ponder", kind="check", default="false")
CHESS960: Final = Option(name="UCI_Chess960", kind="check", default="false")  # how castling is written
SHOW_WDL: Final = Option(
    name="UCI_ShowWDL", kind="check", default="false"
)  # scores with the chances of a win, a draw and a loss

BENCH_WORDS: Final = ("16", "1", "12", "default", "depth")
BENCH_MAXIMA: Final = {"depth": 60, "nodes": 10**12, "movetime": 10**9}
BENCH_POSITIONS: Final = (
    START,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 8",
    "r2q1rk1/1b1nbppp/p2ppn2/1p6/3NPP2/1BN1B3/PPP1Q1PP/R4RK1 w - - 2 12",
    "2rr2k1/1p3ppp/p1n1bn2/4p3/4P3/1BN1B3/PP3PPP/2RR2K1 w - - 0 18",
    "8/pp3pkp/2p1r1p1/8/3R4/1P4P1/P4P1P/6K1 w - - 0 30",
    "8/5pk1/6p1/4P1Kp/5P1P/6P1/8/8 b - - 0 45",
    "6k1/1b3pp1/p2p3p/1p1Bn3/4P3/1P3N1P/P4PP1/6K1 b - - 0 28",
)


@dataclass(slots=True)
class _Bench:
    """A running benchmark: the searches that are left, and the nodes and seconds of the finished ones."""

    searches: list[StartSearch]
    nodes: int = 0
    seconds: float = 0.0


@dataclass(slots=True)
class _Perft:
    """A running count of the legal move tree's leaves: the first moves still to count, and the leaves so far."""

    moves_left: int
    leaves: int = 0


class UciSession(Session):
    """A UCI session, whose state is the position and the search that `bestmove` must answer."""

    def __init__(self, name: str, author: str, options: tuple[Option, ...]) -> None:
        super().__init__(name, author, (*options, PONDER, CHESS960, SHOW_WDL))
        self.position: Position | None = position_from_fen(START)
        self.is_chess960 = False
        self.shows_wdl = False
        self.bench: _Bench | None = None  # while one runs
        self.perft: _Perft | None = None  # while one runs
        self.problem = ""  # why there is no position
        self.searched = self.position  # the position of the last search
        self.is_searching = False  # until bestmove is sent
        self.is_infinite = False  # only stop or ponderhit may end the search
        self.held_info: Info | None = None  # the last of an infinite search that has ended before stop
        self.on_ponderhit: StartSearch | None = None

    def _must_wait(self, line: str) -> bool:
        if not self.is_searching:
            return False
        command, *_ = *_words(line), ""
        if command in IMMEDIATE_COMMANDS or not command:
            return False
        return command not in SHOWS or (bool(self._waiting) and line is not self._waiting[0])

    def _interrupts_search(self, line: str) -> bool:
        return self.is_infinite and (self.is_full or _words(line)[:1] in (["go"], ["bench"]))

    def _obey(self, line: str) -> Iterator[Event]:
        match _words(line):
            case ["uci", *_]:
                yield from self._introduce()
            case ["isready", *_]:
                yield Send("readyok")
            case ["ucinewgame", *_]:
                yield NewGame()
            case ["position", *words]:
                yield from self._set_position(words)
            case ["go", *words]:
                yield from self._go(words)
            case ["bench", *words]:
                yield from self._begin_bench(words)
            case ["d", *_]:
                yield from map(Send, _diagram(self._known_position()))
            case ["eval", *_]:
                yield Explain(self._known_position().clone())
            case ["stop", *_]:
                yield from self._stop_all()
            case ["ponderhit", *_]:
                yield from self._ponderhit()
            case ["setoption", *words]:
                yield from self._set_option(words, line)
            case ["quit", *_]:
                yield from self._stop_all()
                yield Quit()

    def report(self, info: Info) -> Iterator[str]:
        if self.perft is not None:
            if info.current is not None:
                self.perft.moves_left -= 1
                self.perft.leaves += info.nodes
                yield f"{self._text(info.action)}: {info.nodes}"
        elif info.current:
            move, number = info.current
            yield f"info depth {info.depth + 1} currmove {self._text(move)} currmovenumber {number}"
        elif info.depth:
            yield from _info_lines(info, self._text, self.shows_wdl)

    def _answer(self, info: Info) -> Iterator[Event]:
        if info.cents is not None and not info.depth:
            # No line has been sent, but clients expect a score with each move.
            yield from map(Send, _info_lines(info, self._text, self.shows_wdl))
        if self.bench is not None:
            yield from self._continue_bench(self.bench, info)
        elif self.perft is not None:
            yield from self._end_perft(self.perft)
        elif self.is_infinite:
            self.held_info = info
        else:
            yield self._best_move(info)

    def ends_script(self, line: str) -> bool:
        """Return whether the line is `quit`, which does not end a search if it follows `go` in a file."""
        return _words(line)[:1] == ["quit"]

    def error_line(self, problem: str) -> str:
        return f"info string {' '.join(problem.split())}"

    def _introduce(self) -> Iterator[Event]:
        yield Send(f"id name {self.name}")
        yield Send(f"id author {self.author}")
        for option in self.options:
            yield Send(_option_line(option))
        yield Send("uciok")

    def _set_position(self, words: list[str]) -> Iterator[Event]:
        try:
            self.position = yield from _read_position(words, self.is_chess960)
        except ValueError as error:
            self.position, self.problem = None, str(error)
            raise ProtocolError(self.error_line(self.problem)) from error
        yield from (Send(self.error_line(note)) for note in self.position.notes)

    def _known_position(self) -> Position:
        """Return the position that was set. Raises ProtocolError if there is none."""
        if self.position is None:
            raise ProtocolError(self.error_line(f"there is no position: {self.problem}"))
        return self.position

    def _set_option(self, words: list[str], line: str) -> Iterator[Event]:
        """Set the option that `words`, the words after `setoption`, name.

        The value is cut from `line`, which still has the inner spaces of a file name.
        """
        if words[:1] != ["name"]:
            raise ProtocolError(self.error_line("setoption needs: name NAME value VALUE"))
        cut = words.index("value") if "value" in words else len(words)
        name = " ".join(words[1:cut])
        before = len(line.split()) - len(words) + cut + 1  # words of the line up to `value`
        value = "".join(line.split(maxsplit=before)[before:]).strip()
        option = self._option(name)
        if option is None:
            raise ProtocolError(self.error_line(f"no option is named {name[:40]!r}"))
        try:
            value = option.checked("" if value == "<empty>" else value)
        except ValueError as error:
            raise ProtocolError(self.error_line(str(error))) from error
        if option is CHESS960:
            self.is_chess960 = value == "true"
        elif option is SHOW_WDL:
            self.shows_wdl = value == "true"
        elif option is not PONDER:
            yield Configure(option.name, value)

    # -- The search --------------------------------------------------------------------------------

    def _go(self, words: list[str]) -> Iterator[Event]:
        if "perft" in words:
            yield from self._begin_perft(words)
            return
        if self.position is None:
            yield Send(self.error_line(f"there is no position to search: {self.problem}"))
            self.is_searching, self.is_infinite = True, "infinite" in words
            yield from self._answer(Info(action=0))
            return
        numbers, actions, problems = _read_go(words, self.position)
        for problem in problems:
            yield Send(self.error_line(problem))
        if not actions and self.position.is_draw():
            actions = self.position.legal_moves()  # the GUI plays on where the rules would not
        limit = Limit(actions=tuple(actions))
        if "infinite" not in words:
            limit = _limit(numbers, limit.actions, self.position.player())
            if limit.is_infinite and (numbers or problems):
                limit = replace(limit, seconds=0.0)  # better a move at once than none
        search = StartSearch(self.position.clone(), limit)
        if "ponder" in words:
            self.on_ponderhit = search
            search = replace(search, limit=Limit(actions=limit.actions))
        yield from self._start(search)

    def _start(self, search: StartSearch) -> Iterator[Event]:
        assert isinstance(search.state, Position)
        self.is_searching = True
        self.is_infinite = search.limit.is_infinite
        self.searched = search.state
        if search.state.legal_moves():
            yield search
            return
        yield Send(f"info depth 0 score {'mate 0' if search.state.in_check() else 'cp 0'}")
        yield from self._answer(Info(action=0))

    def _begin_perft(self, words: list[str]) -> Iterator[Event]:
        """Start `go perft N`, which counts the legal move tree's leaves below each first move, as in Stockfish."""
        text = "".join(words[words.index("perft") + 1 :][:1])
        if not (text.isascii() and text.isdigit() and len(text) <= 2 and int(text) <= DEEPEST_PERFT):
            raise ProtocolError(self.error_line(f"perft needs a depth of 0 to {DEEPEST_PERFT}"))
        position = self._known_position().clone()
        moves, depth = position.legal_moves(), int(text)
        if moves and depth:
            self.perft = _Perft(len(moves))
            self.is_searching, self.is_infinite, self.searched = True, False, position
            yield StartSearch(position, Limit(perft=depth, actions=tuple(moves)))
        else:
            yield from self._end_perft(_Perft(0, int(not depth)))

    def _end_perft(self, perft: _Perft) -> Iterator[Event]:
        self.perft, self.is_searching = None, False
        if perft.moves_left:
            yield Send(self.error_line(f"perft was stopped before {perft.moves_left} moves were counted"))
            return
        yield Send("")
        yield Send(f"Nodes searched: {perft.leaves}")

    def _begin_bench(self, words: list[str]) -> Iterator[Event]:
        """Start `bench [hash] [threads] [limit] [default or current] [depth, nodes or movetime]`.

        Words may be left out from the end; `threads` has no effect.
        """
        hash, _, limit, which, kind = (*words[:5], *BENCH_WORDS[len(words) :])
        if kind not in BENCH_MAXIMA or which not in ("default", "current"):
            raise ProtocolError(
                self.error_line("bench needs: bench HASH THREADS LIMIT default|current depth|nodes|movetime")
            )
        most = len(str(BENCH_MAXIMA[kind]))
        if not (
            limit.isascii()
            and limit.isdigit()
            and len(limit) <= most
            and 0 < int(limit) <= BENCH_MAXIMA[kind]
        ):
            raise ProtocolError(self.error_line(f"bench: {kind} must be 1..{BENCH_MAXIMA[kind]}"))
        if which == "current":
            positions = [self._known_position().clone()]
        else:
            positions = list(map(position_from_fen, BENCH_POSITIONS))
        if words:
            yield from self._set_option(["name", "Hash", "value", hash], f"name Hash value {hash}")
        yield NewGame()
        self.bench = _Bench([
            StartSearch(position, _limit({kind: int(limit)}, tuple(position.legal_moves()), 0))
            for position in positions
        ])  # fmt: skip
        yield from self._start(self.bench.searches.pop(0))

    def _continue_bench(self, bench: _Bench, info: Info) -> Iterator[Event]:
        """Count a finished search of the benchmark, then start the next one, or send the totals."""
        bench.nodes += info.nodes
        bench.seconds += info.seconds
        if bench.searches:
            yield from self._start(bench.searches.pop(0))
            return
        self.bench, self.is_searching = None, False
        rate = int(bench.nodes / bench.seconds) if bench.seconds > 0 else 0
        yield Send(f"Total time (ms) : {int(bench.seconds * 1000)}")
        yield Send(f"Nodes searched  : {bench.nodes}")
        yield Send(f"Nodes/second    : {rate}")

    def _stop(self) -> Iterator[Event]:
        """End the search with its move, and obey the lines that waited for it."""
        if self.bench is not None:
            self.bench.searches.clear()
        self.is_infinite = False
        if self.held_info is None:
            yield StopSearch()
        else:
            yield self._best_move(self.held_info)
            yield from self._resume()

    def _stop_all(self) -> Iterator[Event]:
        """End the search, and then every search that a waiting line starts, each with its move."""
        while self.is_searching:
            yield from self._stop()

    def _ponderhit(self) -> Iterator[Event]:
        """Restart the search with its clock, which runs now; the transposition table is warm from pondering."""
        if self.on_ponderhit is None:
            return
        search, self.on_ponderhit, self.held_info = self.on_ponderhit, None, None
        yield AbortSearch()
        yield from self._start(search)
        if not self.is_searching:  # the position has no moves, so that the answer was given
            yield from self._resume()

    def _best_move(self, info: Info) -> Send:
        self.is_searching = False
        self.held_info = self.on_ponderhit = None
        ponder = f" ponder {self._text(info.line[1])}" if len(info.line) > 1 else ""
        return Send(f"bestmove {self._text(info.action)}{ponder}")

    def _text(self, move: int) -> str:
        return move_text(move, self.searched is not None and self.searched.is_chess960())


def _words(line: str) -> list[str]:
    """Return the words of a line from the first known command on, or no words if there is no command."""
    words = line.split()
    return words[next((index for index, word in enumerate(words) if word in COMMANDS), len(words)) :]


def _diagram(position: Position) -> Iterator[str]:
    """Yield a drawing of the board, the FEN, the key of the transposition table and the pieces that give check."""
    board = position.board
    edge = " +" + 8 * "---+"
    yield ""
    yield edge
    for rank in range(7, -1, -1):
        pieces = (board[movegen.MAILBOX + rank * 8 + file] for file in range(8))
        letters = (" " if piece == movegen.EMPTY else PIECES[piece] for piece in pieces)
        yield f" | {' | '.join(letters)} | {rank + 1}"
        yield edge
    yield "   " + "   ".join(FILES)
    yield ""
    yield f"Fen: {fen(position)}"
    yield f"Key: {board[movegen.HASH] & (1 << 64) - 1:016X}"
    side = position.player()
    king = bitboard.lowest(board[side * 6 + movegen.KINGS])
    occupied = board[movegen.SIDE] | board[movegen.SIDE + 1]
    checkers = movegen.attackers(board, king, 1 - side, occupied)
    squares = (f"{FILES[square & 7]}{(square >> 3) + 1}" for square in range(64) if checkers >> square & 1)
    yield f"Checkers: {' '.join(squares)}".rstrip()


def _read_position(words: list[str], is_chess960: bool) -> Generator[Pause, None, Position]:
    """Yield a pause after every MOVES_AT_ONCE moves, and return the position that the words describe.

    `words` are those after `position`. Raises ValueError if the words describe no legal position or have an illegal
    move.
    """
    cut = words.index("moves") if "moves" in words else len(words)
    if words[:1] == ["startpos"]:
        text = START
    elif words[:1] == ["fen"]:
        text = " ".join(words[1:cut])
    else:
        raise ValueError("position needs startpos or fen")
    position = position_from_fen(text, is_chess960)
    for number, move in enumerate(words[cut + 1 :], 1):
        position.make(position.parse_uci(move.lower()))
        if number % MOVES_AT_ONCE == 0:
            yield Pause()
    return position


def _read_go(words: list[str], position: Position) -> tuple[dict[str, int], list[int], list[str]]:
    """Return the numbers, the moves to search, and the problems found in the words.

    A number that cannot be read counts as 0, because a move at once is better than none. Unknown words are a problem
    only if there are no numbers, no other problems and no `infinite`.
    """
    numbers: dict[str, int] = {}
    actions: list[int] = []
    problems: list[str] = []
    unknown = ""
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
            numbers[reading] = int(word.partition(".")[0][:MAX_DIGITS])
            reading = ""
        else:
            unknown = unknown or word
    if unknown and not (numbers or problems or "infinite" in words):
        problems.append(f"go does not know {unknown[:40]!r}")
    return numbers, actions, problems


def _limit(numbers: dict[str, int], actions: tuple[int, ...], player: int) -> Limit:
    """Return the limit that the numbers of `go` set. If only the opponent's clock is given, it counts for both."""
    clocks = [("wtime", "winc"), ("btime", "binc")]
    own, increment = max(clocks[player], clocks[1 - player], key=lambda names: names[0] in numbers)
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


def _info_lines(info: Info, text: Callable[[int], str], shows_wdl: bool) -> Iterator[str]:
    """Yield an `info` line for the best line and for each alternative; with alternatives the lines are numbered."""
    deepest = f" seldepth {info.most_depth}" if info.most_depth else ""
    rate = int(info.nodes / info.seconds) if info.seconds > 0 else 0
    effort = f"time {int(info.seconds * 1000)} nodes {info.nodes} nps {rate}"
    if info.permille_full is not None:
        effort += f" hashfull {info.permille_full}"
    best = Line(line=info.line or (info.action,), cents=info.cents or 0, mate=info.mate, chances=info.chances)
    for number, line in enumerate((best, *info.alternatives), 1):
        rank = f" multipv {number}" if info.alternatives else ""
        score = f"cp {line.cents}" if line.mate is None else f"mate {line.mate}"
        if shows_wdl and line.chances:
            score += " wdl " + " ".join(map(str, line.chances))
        moves = " ".join(map(text, line.line))
        yield f"info depth {info.depth}{deepest}{rank} score {score} {effort} pv {moves}"


def _option_line(option: Option) -> str:
    kind = "string" if option.kind in ("file", "path") else option.kind
    text = f"option name {option.name} type {kind}"
    if kind != "button":
        text += f" default {option.default or '<empty>'}"
    if kind == "spin":
        text += f" min {option.minimum} max {option.maximum}"
    return text + "".join(f" var {choice}" for choice in option.choices)
