"""Nonsense of all kinds sent to both sessions, with the engine's infos in between.

Whatever was said: only ProtocolError escapes, every line out is one line, and the session lives on.
"""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core.random import Random
from protocols.cecp import CecpSession
from protocols.engine_session import Session
from protocols.uci import UciSession
from tests.protocols.conversation import Conversation, actions

MOVES = st.sampled_from(("e2e4", "e7e5", "g1f3", "b8c6", "a7a8q", "e1g1", "e2e5", "0000", "O-O", "all", ""))
NUMBERS = st.one_of(
    st.integers(-(2**70), 2**70).map(str),
    st.floats().map(str),
    st.sampled_from(("0", "1", "-1", "1e999", "0x10", "٣", "1_0", "", "40 5 0", "0 0:05 0.1", "9" * 5000)),
)
FENS = st.sampled_from((
    "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "7k/5Q2/8/8/8/8/8/K7 b - - 0 1", "8/8/8/8/8/8/8/8 w - - 0 1",
    "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", "4k3/8/8/8/8/8/8/R3K3 w - - 100 80",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e9 0 1", "a b c d e f g", "",
))  # fmt: skip
WORDS = st.one_of(MOVES, NUMBERS, FENS, st.text(max_size=20))

CECP_WORDS = """
    analyze draw easy edit exclude exit force go hard hint include memory new nopost option ping playother
    post protover remove result setboard undo usermove variant level st sd nps time otim . ? # c Pa4 xe2
    xboard random computer name rating accepted rejected do_new receive
"""
UCI_WORDS = """
    uci isready ucinewgame position go stop ponderhit setoption debug register name value Hash fen startpos
    moves wtime btime winc binc movestogo depth nodes mate movetime searchmoves ponder infinite
"""
CECP_COMMANDS = st.sampled_from(CECP_WORDS.split())
UCI_COMMANDS = st.sampled_from(UCI_WORDS.split())
RAW = st.one_of(
    st.text(max_size=200), st.binary(max_size=200).map(lambda data: data.decode("utf-8", "replace"))
)
CECP_SENSE = st.sampled_from((
    "go", "usermove e2e4", "usermove e7e5", "force", "analyze", "hard", "ping 2", "new", "?", "undo", "hint", "post",
    "setboard 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "exclude all", "include e2e4", "edit", "draw", "playother",
))  # fmt: skip
UCI_SENSE = st.sampled_from((
    "go", "go movetime 10", "go ponder", "go ponder depth 3", "stop", "ponderhit", "position startpos moves e2e4",
    "go searchmoves e2e4", "position startpos moves f2f3 e7e5 g2g4 d8h4", "setoption name Hash value 2",
))  # fmt: skip
# Drawn as a number, the engine has an info; every third of them ends its search.
INFOS = st.integers(0, 1000)


def lines(sensible: st.SearchStrategy[str], commands: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    grammatical = st.tuples(commands, st.lists(st.one_of(WORDS, commands), max_size=5))
    return st.one_of(sensible, commands, grammatical.map(lambda drawn: " ".join((drawn[0], *drawn[1]))), RAW)


@given(st.lists(st.one_of(lines(CECP_SENSE, CECP_COMMANDS), INFOS), max_size=40))
@example(["ping 0\r0"])
def test_a_cecp_session_survives_nonsense(steps: list[str | int]) -> None:
    conversation = Conversation(CecpSession)
    _converse(conversation, steps)
    said = conversation.send(".", "force", "ping last")
    assert said[-1] == "pong last" and said.count("pong last") == 1
    assert conversation.search is None


@given(st.lists(st.one_of(lines(UCI_SENSE, UCI_COMMANDS), INFOS), max_size=40))
@example(
    ["position startpos moves f2f3 e7e5 g2g4 d8h4", "go ponder", "setoption name Hash value 2", "ponderhit"]
)
def test_a_uci_session_survives_nonsense(steps: list[str | int]) -> None:
    conversation = Conversation(UciSession)
    _converse(conversation, steps)
    assert conversation.send("stop", "isready")[-1] == "readyok"
    assert conversation.send("position startpos", "go depth 1") == []
    assert conversation.finish("e2e4") == ["bestmove e2e4"]


@pytest.mark.parametrize("kind", [CecpSession, UciSession])
@pytest.mark.parametrize(
    "line",
    [
        "\x00",
        "é" * 1000,
        "go\x00",
        "usermove \ud800",
        "position fen " + "k" * 100_000,
        "1" * 100_000,
        " " * 10_000,
    ],
)
def test_odd_lines_get_short_answers(kind: type[Session], line: str) -> None:
    conversation = Conversation(kind)
    assert all(len(answer) < 300 for answer in conversation.send(line))


def _converse(conversation: Conversation, steps: list[str | int]) -> None:
    """Quitting is for another test."""
    for step in steps:
        if isinstance(step, str):
            if "quit" not in step:
                conversation.send(step)
        elif conversation.search is not None:
            state = conversation.search.state
            choices = actions(conversation.search)
            move = state.action_text(choices[Random(step).below(len(choices))])
            act = conversation.report if step % 3 else conversation.finish
            act(move, depth=1, cents=step - 500, resign=step % 7 == 0)
