"""Whatever arrives while the engine thinks, in both protocols: each command in each state, and random conversations."""

import asyncio
import re
from collections import deque
from collections.abc import AsyncGenerator

import chess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.chess.notation import fen
from core.chess.position import Position
from core.game import State
from engines.engine import Engine, Info, Limit
from protocols.cecp import CecpSession
from protocols.engine_session import WAITING_BYTES, run_session
from protocols.uci import UciSession
from tests.protocols.conversation import OPTIONS, Conversation, actions

# -- UCI: each command in each state -----------------------------------------------------------------

BENCH = "bench 16 1 1 current depth"
UCI_STATES = {  # how to get there
    "idle": (),
    "timed": ("go movetime 100",),
    "on a clock": ("go wtime 1000 btime 1000",),
    "infinite": ("go infinite",),
    "pondering": ("go ponder wtime 1000 btime 1000",),
    "held": ("go infinite", "finish"),
    "bench": (BENCH,),
    "perft": ("go perft 3",),
}
ENDLESS = ("infinite", "pondering", "held")
# At once when idle, while a search with an end runs, and while one without runs; `...` is the answer of that search.
UCI_CELLS: dict[str, tuple[list[str], list[str], list[str]]] = {
    "uci": (["uciok"], ["uciok"], ["uciok"]),
    "isready": (["readyok"], ["readyok"], ["readyok"]),
    "d": (["Checkers:"], ["Checkers:"], ["Checkers:"]),
    "eval": (["[eval]"], ["[eval]"], ["[eval]"]),
    "debug on": ([], [], []),
    "register later": ([], [], []),
    "fnord": ([], [], []),
    "": ([], [], []),
    "ucinewgame": (["[new game]"], [], []),
    "setoption name Hash value 2": (["[Hash=2]"], [], []),
    "setoption name Clear": (["[Clear=]"], [], []),
    "setoption name Hash value x": (["info string Hash must be 1..64, not 'x'"], [], []),
    "setoption name Ponder value true": ([], [], []),
    "position startpos moves e2e4": ([], [], []),
    "position fen x": (["info string FEN: 8 ranks expected, 1 found: 'x'"], [], []),
    "go depth 1": ([], [], ["..."]),
    "go infinite": ([], [], ["..."]),
    "go ponder": ([], [], ["..."]),
    "go perft 2": ([], [], ["..."]),
    BENCH: (["[Hash=16]", "[new game]"], [], ["...", "[Hash=16]", "[new game]"]),
    "ponderhit": ([], [], []),
    "stop": ([], ["..."], ["..."]),
    "quit": (["[quit]"], ["...", "[quit]"], ["...", "[quit]"]),
}
ANSWER = re.compile("bestmove [a-h][1-8][a-h][1-8]|Nodes/second|info string perft was stopped")


@pytest.mark.parametrize("state", UCI_STATES)
@pytest.mark.parametrize("command", UCI_CELLS)
def test_each_uci_command_is_answered_in_each_state(command: str, state: str) -> None:
    conversation = Conversation(UciSession)
    for line in UCI_STATES[state]:
        assert not (
            conversation.finish("e2e4")
            if line == "finish"
            else set(conversation.send(line)) - {"[new game]", "[Hash=16]"}
        )
    idle, busy, endless = UCI_CELLS[command]
    expected = idle if state == "idle" else endless if state in ENDLESS else busy
    said = conversation.send(command)
    seen = ["..." if ANSWER.match(line) else line for line in said]
    assert [line for line in seen if line in (*expected, "...") or line.startswith("[")] == expected
    assert not [line for line in said if "0000" in line]
    if conversation.has_quit:
        return
    # In the end everything is answered that was asked, and what waited is done.
    said += conversation.send("stop")
    assert conversation.search is None and not conversation.send("stop")
    asked = (*UCI_STATES[state], command)
    goes = sum(line.startswith("go") and "perft" not in line for line in asked)
    assert sum(line.startswith("bestmove ") for line in said) == goes and "bestmove 0000" not in said
    assert sum(line.startswith("Nodes/second") for line in said) == asked.count(BENCH)
    assert all(line in said for line in idle if line != "Checkers:")


def test_waiting_lines_are_answered_in_order_when_the_search_ends() -> None:
    conversation = Conversation(UciSession)
    conversation.send(
        "go depth 3", "setoption name Hash value 2", "position startpos moves e2e4", "d", "go depth 4"
    )
    assert conversation.send("isready") == ["readyok"]
    said = conversation.finish("e2e4")
    assert said[:2] == ["bestmove e2e4", "[Hash=2]"] and said[-1] == "Checkers:"
    assert any(line.startswith("Fen: rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b") for line in said)
    assert conversation.limit.depth == 4 and conversation.finish("e7e5") == ["bestmove e7e5"]


def test_lines_that_wait_are_bounded() -> None:
    """A search with an end is waited for before more is read; one without is ended."""
    line = "setoption name GenomeFile value " + "x" * 1000
    timed, infinite = Conversation(UciSession), Conversation(UciSession)
    timed.send("go depth 3")
    infinite.send("go infinite")
    sent = 0
    while not timed.session.is_full:
        assert not timed.send(line)
        sent += 1
    assert 50 < sent <= WAITING_BYTES // 1000
    said = infinite.send(*[line] * sent)
    assert said[0] == "bestmove b1a3" and len(said) == 1 + sent and not infinite.session.is_full
    assert len(timed.finish("e2e4")) == 1 + sent and not timed.session.is_full


# -- CECP: each command in each state ----------------------------------------------------------------

THINKING = ("new", "usermove e2e4", "move e7e5", "usermove g1f3")
CECP_STATES = {
    "idle": ("new",),
    "force": ("new", "force", "usermove e2e4"),
    "thinking": THINKING,
    "thinking at first": ("new", "go"),
    "pondering": ("hard", *THINKING, "move b8c6 f1c4"),
    "analysing": ("new", "force", "usermove e2e4", "usermove e7e5", "usermove g1f3", "analyze"),
    "hint": ("new", "force", "usermove e2e4", "usermove e7e5", "hint"),
    "edit": ("new", "edit"),
}
# What becomes of the search while thinking, pondering and analysing: it is kept, or ended, or another one begins.
CECP_CELLS: dict[str, tuple[str, str, str]] = {
    "xboard": ("kept", "kept", "kept"),
    "protover 2": ("kept", "kept", "kept"),
    "accepted ping": ("kept", "kept", "kept"),
    "rejected san": ("kept", "kept", "kept"),
    "random": ("kept", "kept", "kept"),
    "computer": ("kept", "kept", "kept"),
    "name X": ("kept", "kept", "kept"),
    "rating 1 2": ("kept", "kept", "kept"),
    "ics -": ("kept", "kept", "kept"),
    "cores 2": ("kept", "kept", "kept"),
    "egtpath syzygy /tb": ("kept", "kept", "kept"),
    "bk": ("kept", "kept", "kept"),
    "white": ("kept", "kept", "kept"),
    "black": ("kept", "kept", "kept"),
    "post": ("kept", "kept", "kept"),
    "nopost": ("kept", "kept", "kept"),
    "hard": ("kept", "kept", "kept"),
    "easy": ("kept", "ended", "kept"),
    "draw": ("kept", "kept", "kept"),
    "hint": ("kept", "kept", "kept"),
    ".": ("kept", "kept", "kept"),
    "ping 7": ("kept", "kept", "kept"),
    "variant normal": ("kept", "kept", "kept"),
    "level 40 5 0": ("kept", "kept", "kept"),
    "st 3": ("kept", "kept", "kept"),
    "sd 4": ("kept", "kept", "kept"),
    "nps 100": ("kept", "kept", "kept"),
    "time 100": ("kept", "kept", "kept"),
    "otim 100": ("kept", "kept", "kept"),
    "memory 32": ("kept", "begun", "begun"),
    "option Genome=random": ("kept", "begun", "begun"),
    "option Clear": ("kept", "begun", "begun"),
    "option\tOwn  Book=0": ("kept", "begun", "begun"),
    "go": ("kept", "begun", "begun"),
    "playother": ("ended", "ended", "ended"),
    "force": ("ended", "ended", "ended"),
    "result 1-0 {x}": ("ended", "ended", "ended"),
    "edit": ("ended", "ended", "ended"),
    "new": ("ended", "ended", "begun"),
    "undo": ("ended", "ended", "begun"),
    "remove": ("ended", "ended", "begun"),
    "setboard 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1": ("ended", "ended", "begun"),
    "analyze": ("begun", "begun", "begun"),
    "exit": ("kept", "kept", "ended"),
    "exclude b8c6": ("kept", "kept", "begun"),
    "include b8c6": ("kept", "kept", "begun"),
    "usermove a1a8": ("kept", "kept", "kept"),
    "fnord": ("kept", "kept", "kept"),
    "st soon": ("kept", "kept", "kept"),
    "level": ("kept", "kept", "kept"),
    "memory x": ("kept", "kept", "kept"),
    "option Hash=x": ("kept", "kept", "kept"),
    "option Fnord=1": ("kept", "kept", "kept"),
    "exclude a1a8": ("kept", "kept", "kept"),
    "variant crazyhouse": ("kept", "kept", "kept"),
    "setboard x": ("kept", "ended", "ended"),
    "quit": ("kept", "kept", "kept"),
}


def _cecp(state: str) -> Conversation:
    conversation = Conversation(CecpSession)
    for line in CECP_STATES[state]:
        if line.startswith("move "):
            assert conversation.finish(*line.split()[1:])[0] == " ".join(line.split()[:2])
        else:
            conversation.send(line)
    return conversation


@pytest.mark.parametrize(("state", "column"), [("thinking", 0), ("pondering", 1), ("analysing", 2)])
@pytest.mark.parametrize("command", CECP_CELLS)
def test_each_cecp_command_keeps_ends_or_restarts_the_search(command: str, state: str, column: int) -> None:
    conversation = _cecp(state)
    search = conversation.search
    assert search is not None
    said = conversation.send(command)
    after = conversation.search
    fate = "ended" if after is None else "kept" if after is search else "begun"
    if command.startswith(("memory 32", "option")) and fate == "kept" and column:
        fate = "begun" if [line for line in said if line.startswith("[")] else fate  # the same search anew
    assert fate == CECP_CELLS[command][column]
    assert not [line for line in said if line.startswith("move ")]
    if column == 0 and fate == "kept" and not conversation.has_quit:
        waited = conversation.send("?")
        assert waited[0].startswith("move ") and waited[0] != "move 0000"
        said += waited[1:]
    if command.startswith(("memory 32", "option Genome", "option Clear", "option\t")):
        assert len([line for line in said if line.startswith("[")]) == 1
    assert said.count("pong 7") == (command == "ping 7")


@pytest.mark.parametrize(
    "command", ["undo", "remove", "setboard x", "usermove e2e4", "e2e4", "usermove x", "fnord", "go"]
)
def test_cecp_commands_that_cannot_be_obeyed_do_not_end_the_search(command: str) -> None:
    """xboard: `go`, then `undo` while it thinks with no move to take back, then `?`."""
    conversation = _cecp("thinking at first")
    search = conversation.search
    said = conversation.send(command)
    assert conversation.search is search and bool(said) == (command != "go")
    conversation.report("e2e4", depth=3)
    assert conversation.send("?") == ["move e2e4"]
    conversation.send("usermove e7e5")
    assert conversation.search is not None, "the engine plays on"


@pytest.mark.parametrize("state", CECP_STATES)
@pytest.mark.parametrize("command", CECP_CELLS)
def test_a_cecp_session_plays_on_after_each_command_in_each_state(command: str, state: str) -> None:
    conversation = _cecp(state)
    conversation.send(command)
    conversation.send(".")  # ends edit mode
    conversation.send("new", "force", "usermove e2e4", "ping 1")
    if not conversation.session.is_analyzing:  # type: ignore[attr-defined]
        assert conversation.search is None
    conversation.send("exit", "go")
    assert conversation.finish("e7e5")[0] == "move e7e5"


# -- Random conversations ----------------------------------------------------------------------------

UCI_LINES = (
    "go depth 3", "go movetime 5", "go wtime 100 btime 100", "go btime 5", "go fnord", "go", "go infinite",
    "go ponder wtime 9 btime 9", "go searchmoves e2e4 d2d4", "stop", "ponderhit", "isready", "d", "eval", "ucinewgame",
    "setoption name Hash value 2", "setoption name Clear", "setoption name UCI_Chess960 value true",
    "setoption name Genome value random", "position startpos", "position startpos moves e2e4",
    "position fen 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "position startpos moves g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8",
    "position fen r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 3 9", "finish", "finish", "think",
)  # fmt: skip


@settings(max_examples=300)
@given(st.lists(st.sampled_from(UCI_LINES), max_size=40), st.randoms(use_true_random=False))
def test_each_bestmove_is_legal_where_its_go_was_asked(lines: list[str], random: object) -> None:
    """The reference: positions kept with python-chess, one for each go, in their order."""
    conversation = Conversation(UciSession)
    board = chess.Board()
    asked: deque[chess.Board] = deque()

    def check(said: list[str]) -> None:
        for line in said:
            if line.startswith("bestmove "):
                assert chess.Move.from_uci(line.split()[1]) in asked.popleft().legal_moves

    for line in lines:
        if line in ("finish", "think"):
            if conversation.search is not None:
                state, moves = conversation.search.state, actions(conversation.search)
                move = state.action_text(random.choice(moves))  # type: ignore[attr-defined]
                check(conversation.finish(move) if line == "finish" else conversation.report(move, depth=1))
            continue
        if line.startswith("position"):
            board = chess.Board(line.partition(" fen ")[2] or chess.STARTING_FEN)
            for move in line.partition(" moves ")[2].split():
                board.push_uci(move)
        elif line.startswith("go"):
            asked.append(board.copy())
        check(conversation.send(line))
        assert line != "stop" or not asked
    check(conversation.send("stop"))
    assert not asked and conversation.search is None


CECP_LINES = (
    "new", "force", "go", "playother", "?", "undo", "remove", "hint", "analyze", "exit", "hard", "easy", "post", "draw",
    "memory 32", "option Genome=random", "option Clear", "cores 2", "egtpath nalimov /tb", "bk", "ping 1", ".",
    "result * {x}", "white", "black", "level 40 5 0", "st 1", "time 100", "otim 100", "setboard x",
    "setboard 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "setboard r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 3 9",
    "their move", "their move", "their move", "an illegal move", "finish", "finish", "think",
)  # fmt: skip


@settings(max_examples=300)
@given(st.lists(st.sampled_from(CECP_LINES), max_size=50), st.randoms(use_true_random=False))
def test_the_board_agrees_with_python_chess_after_random_commands(lines: list[str], random: object) -> None:
    """The reference is python-chess's board, moved by the commands that are obeyed and the moves that are sent."""
    conversation = Conversation(CecpSession)
    session = conversation.session
    assert isinstance(session, CecpSession)
    board, is_legal = chess.Board(), True

    def check(said: list[str]) -> None:
        for line in said:
            if line.startswith("move "):
                board.push(board.parse_uci(line.split()[1]))

    for line in lines:
        was_thinking = session.mode == "move"
        text = line
        if line == "their move":
            replies = [move.uci() for move in board.legal_moves]
            text = f"usermove {random.choice(replies)}" if replies else "."  # type: ignore[attr-defined]
        elif line == "an illegal move":
            text = "usermove a1a1"
        if line in ("finish", "think"):
            if conversation.search is not None:
                state, moves = conversation.search.state, actions(conversation.search)
                move = state.action_text(random.choice(moves))  # type: ignore[attr-defined]
                check(conversation.finish(move) if line == "finish" else conversation.report(move, depth=1))
        else:
            said = conversation.send(text)
            refused = [answer for answer in said if re.match("Error|Illegal|tellusererror", answer)]
            if text.startswith("usermove") and not refused:
                board.push_uci(text.split()[1])
            elif text in ("undo", "remove") and not refused:
                for _ in range(1 if text == "undo" else 2):
                    board.pop()
            elif text == "new":
                board, is_legal = chess.Board(), True
            elif text.startswith("setboard"):
                if not refused:
                    board, is_legal = chess.Board(text.removeprefix("setboard ")), True
                elif not was_thinking:
                    is_legal = False
            check(said)
        if is_legal:
            assert fen(session.board.position) == board.fen()
            assert session.mode != "move" or conversation.search is not None
    thinks = session.mode == "move"
    said = conversation.send("?")
    assert len([answer for answer in said if answer.startswith("move ")]) == thinks
    check(said)
    assert not is_legal or fen(session.board.position) == board.fen()


# -- The same with the runner: the engine is never disturbed -------------------------------------------


class ScriptedEngine(Engine):
    """Thinks for three infos, or without end; it must be left alone meanwhile."""

    name, author, options = "Scripted", "tests", OPTIONS

    def __init__(self) -> None:
        self.is_thinking = False
        self.configured: list[str] = []

    async def think(self, state: State, limit: Limit) -> AsyncGenerator[Info, None]:
        assert isinstance(state, Position) and not self.is_thinking
        self.is_thinking = True
        try:
            for depth in range(3):
                yield Info(action=(limit.actions or state.legal_moves())[-1], depth=depth, cents=1)
                await asyncio.sleep(0)
            if limit.is_infinite:
                await asyncio.Event().wait()
        finally:
            self.is_thinking = False

    async def configure(self, name: str, value: str) -> None:
        assert not self.is_thinking
        await asyncio.sleep(0)
        self.configured.append(f"{name}={value}")
        assert not self.is_thinking

    async def new_game(self) -> None:
        assert not self.is_thinking


class Paper:
    """What was written."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def write(self, data: bytes) -> None:
        self.lines += data.decode().splitlines()

    async def drain(self) -> None:
        await asyncio.sleep(0)


SENT = tuple(line for line in UCI_LINES if line not in ("finish", "think"))


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(SENT), st.integers(0, 6)), max_size=25), st.booleans())
def test_the_runner_never_disturbs_a_search(steps: list[tuple[str, int]], quits: bool) -> None:
    """Lines come at once or after some turns of the loop; at the end every go has its bestmove."""

    async def converse() -> None:
        engine, paper, lines = ScriptedEngine(), Paper(), asyncio.StreamReader()
        session = UciSession(engine.name, engine.author, engine.options)
        running = asyncio.create_task(run_session(session, engine, lines, paper, "uci"))
        for line, turns in steps:
            lines.feed_data(f"{line}\n".encode())
            for _ in range(turns):
                await asyncio.sleep(0)
        if quits:
            lines.feed_data(b"quit\n")
        lines.feed_eof()
        await running
        asked = sum(line.startswith("go") for line, _ in steps)
        answers = [line for line in paper.lines if line.startswith("bestmove ")]
        assert len(answers) == asked and "bestmove 0000" not in answers
        options = sum(
            line.startswith(("setoption name Hash", "setoption name Clear", "setoption name Gen"))
            for line, _ in steps
        )
        assert len(engine.configured) == options

    asyncio.run(converse())
