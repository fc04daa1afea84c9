"""UCI without input and output: a transcript for each command, and exactly one bestmove for each go."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.engine import Clock, Limit
from protocols.uci import UciSession
from tests.protocols.conversation import Conversation, play, transcripts

TRANSCRIPTS = transcripts("uci.txt")


@pytest.mark.parametrize("name", TRANSCRIPTS)
def test_the_session_answers_as_in_the_transcript(name: str) -> None:
    play(UciSession, TRANSCRIPTS[name])


@pytest.mark.parametrize(
    ("words", "limit"),
    [
        ("", Limit()),
        ("infinite", Limit()),
        ("infinite wtime 1000 btime 1000", Limit()),
        ("wtime 5100 btime 400 winc 100 binc 10 movestogo 40",
         Limit(clock=Clock(seconds=5.1, increment=0.1, moves_to_reset=40))),
        ("wtime 1000 btime 1000", Limit(clock=Clock(seconds=1))),
        ("wtime 0 btime 1000", Limit(clock=Clock(seconds=0))),
        ("wtime -20 btime 1000 winc -5", Limit(clock=Clock(seconds=-0.02))),
        ("wtime 1000.75 btime 1000", Limit(clock=Clock(seconds=1))),
        ("wtime 1000 movestogo 0", Limit(clock=Clock(seconds=1))),
        ("wtime 1000 movestogo 1", Limit(clock=Clock(seconds=1, moves_to_reset=1))),
        ("movetime 250", Limit(seconds=0.25)),
        ("movetime 0", Limit(seconds=0)),
        ("depth 7", Limit(depth=7)),
        ("depth 0", Limit(depth=1)),
        ("nodes 1000", Limit(nodes=1000)),
        ("nodes 18446744073709551615", Limit(nodes=184467440737095)),
        ("mate 3", Limit(mate=3)),
        ("depth 5 movetime 100 nodes 9", Limit(depth=5, seconds=0.1, nodes=9)),
        ("movetime fast", Limit(seconds=0)),
        ("movetime", Limit(seconds=0)),
        ("movetime fast 30", Limit(seconds=0.03)),
        ("depth infinite", Limit()),
        ("btime 885300", Limit(clock=Clock(seconds=885.3))),
        ("btime 5000 winc 9 binc 100 movestogo 7", Limit(clock=Clock(seconds=5, increment=0.1, moves_to_reset=7))),
        ("winc 100", Limit(seconds=0)),
        ("depth 5 winc 100 movestogo 3", Limit(depth=5)),
        ("fnord", Limit(seconds=0)),
        ("fnord depth 4", Limit(depth=4)),
        ("fnord infinite", Limit()),
        ("wtime soon", Limit(clock=Clock(seconds=0))),
        ("depth ten", Limit(depth=1)),
        ("nodes 1e6", Limit(nodes=1)),
        ("mate", Limit(mate=1)),
        ("searchmoves e2e5", Limit(seconds=0)),
        ("3", Limit(seconds=0)),
    ],
)  # fmt: skip
def test_go_parameters_become_limits(words: str, limit: Limit) -> None:
    conversation = Conversation(UciSession)
    conversation.send(f"go {words}")
    assert conversation.limit == limit


def test_black_is_limited_by_its_own_clock() -> None:
    conversation = Conversation(UciSession)
    conversation.send("position startpos moves e2e4", "go wtime 5000 btime 400 winc 100 binc 10")
    assert conversation.limit == Limit(clock=Clock(seconds=0.4, increment=0.01))


@pytest.mark.parametrize(
    ("words", "moves"),
    [
        ("searchmoves e2e4 d2d4", ["e2e4", "d2d4"]),
        ("searchmoves e2e4 d2d4 depth 3", ["e2e4", "d2d4"]),
        ("depth 3 searchmoves e2e4 infinite", ["e2e4"]),
        ("searchmoves e2e5 g1f3", ["g1f3"]),
        ("searchmoves", []),
        ("searchmoves e2e5", []),
    ],
)
def test_searchmoves_restricts_the_search_to_legal_moves(words: str, moves: list[str]) -> None:
    conversation = Conversation(UciSession)
    conversation.send(f"go {words}")
    assert conversation.search is not None
    state = conversation.search.state
    assert [state.action_text(move) for move in conversation.limit.actions] == moves


def test_pondering_has_no_limit_until_the_hit() -> None:
    conversation = Conversation(UciSession)
    conversation.send("go ponder wtime 1000 btime 1000 searchmoves e2e4")
    assert conversation.limit == Limit(actions=conversation.limit.actions) and conversation.limit.actions
    conversation.send("ponderhit")
    assert conversation.limit == Limit(clock=Clock(seconds=1), actions=conversation.limit.actions)


GOES = (
    "go",
    "go infinite",
    "go movetime 5",
    "go ponder",
    "go ponder wtime 9 btime 9",
    "go depth x",
    "go searchmoves e9",
)
OTHERS = (
    "stop", "ponderhit", "isready", "ucinewgame", "position startpos moves e2e4", "position fen x",
    "position startpos moves f2f3 e7e5 g2g4 d8h4", "setoption name Hash value 2", "think", "finish",
)  # fmt: skip


@settings(max_examples=500)
@given(st.lists(st.sampled_from(GOES + OTHERS), max_size=30))
def test_each_go_is_answered_by_exactly_one_bestmove(steps: list[str]) -> None:
    """Whatever is said in between, and whenever the engine ends."""
    conversation = Conversation(UciSession)
    said: list[str] = []
    asked = 0
    for step in steps:
        if step in ("think", "finish"):
            if conversation.search is not None:
                first = conversation.search.state.action_text(conversation.search.state.legal_actions()[0])
                said += conversation.report(first, depth=1) if step == "think" else conversation.finish(first)
            continue
        asked += step.startswith("go")
        answers = conversation.send(step)
        assert ("readyok" in answers) == (step == "isready")
        said += answers
        given_so_far = sum(line.startswith("bestmove ") for line in said)
        assert given_so_far <= asked and (step != "stop" or given_so_far == asked)
    said += conversation.send("stop")
    assert sum(line.startswith("bestmove ") for line in said) == asked
    assert conversation.send("stop", "ponderhit", "isready") == ["readyok"]
    assert all(" pv " not in line or line.rindex(" pv ") > line.index(" score ") for line in said)


def test_a_move_without_a_finished_iteration_has_a_line_with_its_score() -> None:
    conversation = Conversation(UciSession)
    conversation.send("go nodes 1")
    assert conversation.report("e2e4", cents=12, nodes=1) == []
    said = conversation.finish("e2e4", cents=12, nodes=1)
    assert said[0].startswith("info depth 0 score cp 12 ") and said[0].endswith(" pv e2e4")
    assert said[1] == "bestmove e2e4" and len(said) == 2
