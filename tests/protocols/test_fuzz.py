"""Nonsense of all kinds said to both sessions, with the engine's thoughts in between.

Whatever was said: only ProtocolError escapes, every line out is one line, and the session lives on.
"""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.random import Random
from protocols.cecp.session import CecpSession
from protocols.session import Session
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
# Drawn as a number, the engine has a thought; it ends its thinking with every third of them.
THOUGHTS = st.integers(0, 1000)


def lines(commands: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    grammatical = st.tuples(commands, st.lists(st.one_of(WORDS, commands), max_size=5))
    return st.one_of(commands, grammatical.map(lambda drawn: " ".join((drawn[0], *drawn[1]))), RAW)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.one_of(lines(CECP_COMMANDS), THOUGHTS), max_size=40))
def test_cecp_survives(steps: list[str | int]) -> None:
    conversation = Conversation(CecpSession)
    pings, said = _hold(conversation, steps, "ping")
    said += conversation.tell(".", "force", "ping 1")
    assert said[-1] == "pong 1"
    assert sum(line.split()[0] == "pong" for line in said) >= 1
    assert pings or said.count("pong 1") == 1


@settings(max_examples=300, deadline=None)
@given(st.lists(st.one_of(lines(UCI_COMMANDS), THOUGHTS), max_size=40))
def test_uci_survives(steps: list[str | int]) -> None:
    conversation = Conversation(UciSession)
    _hold(conversation, steps, "isready")
    assert conversation.tell("stop", "isready")[-1] == "readyok"
    assert conversation.tell("position startpos", "go depth 1") == []
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
def test_odd_lines(kind: type[Session], line: str) -> None:
    conversation = Conversation(kind)
    assert all(len(answer) < 300 for answer in conversation.tell(line))


def _hold(conversation: Conversation, steps: list[str | int], ping: str) -> tuple[int, list[str]]:
    """(lines with a ping in them, everything said). Quitting is for another test."""
    said: list[str] = []
    pings = 0
    for step in steps:
        if isinstance(step, str):
            pings += ping in step
            said += conversation.tell(step) if "quit" not in step else []
        elif conversation.thinking is not None:
            state = conversation.thinking.state
            choices = actions(conversation.thinking)
            move = state.action_text(choices[Random(step).below(len(choices))])
            act = conversation.think if step % 3 else conversation.finish
            said += act(move, depth=1, cents=step - 500, resign=step % 7 == 0)
    return pings, said
