"""CECP without input and output: a transcript for each command, and what every GUI is known to need."""

import re
import shlex
from dataclasses import replace

import pytest

from engines.engine import Clock, Limit
from protocols.cecp import CecpSession, TimeControl
from tests.protocols.conversation import Conversation, play, transcripts

MATED = "setboard rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"
TRANSCRIPTS = transcripts("cecp.txt")


@pytest.mark.parametrize("name", TRANSCRIPTS)
def test_the_session_answers_as_in_the_transcript(name: str) -> None:
    play(CecpSession, TRANSCRIPTS[name])


def test_every_command_has_a_transcript() -> None:
    commands = {name.removeprefix("do_") for name in dir(CecpSession) if name.startswith("do_")}
    said = {
        line.split()[1] for text in TRANSCRIPTS.values() for line in text.splitlines() if line[:2] == "> "
    }
    assert commands <= said


@pytest.mark.parametrize(
    ("lines", "limit"),
    [
        ("", Limit(clock=Clock(seconds=300))),
        ("level 40 5 0", Limit(clock=Clock(seconds=300, moves_to_reset=40))),
        ("level 0 5 12", Limit(clock=Clock(seconds=300, increment=12))),
        ("level 40 0:30 0", Limit(clock=Clock(seconds=30, moves_to_reset=40))),
        ("level 0 1 0.5", Limit(clock=Clock(seconds=60, increment=0.5))),
        ("level 0 0:05 0.1", Limit(clock=Clock(seconds=5, increment=0.1))),
        ("level 20 0:04 0.30000000000000004", Limit(clock=Clock(seconds=4, increment=0.30000000000000004, moves_to_reset=20))),
        ("level 0 0:00 1e-05", Limit(clock=Clock(seconds=0, increment=1e-05))),
        ("level 0  2:07   3", Limit(clock=Clock(seconds=127, increment=3))),
        ("level 0 1 0\ntime 4500\notim 6000", Limit(clock=Clock(seconds=45))),
        ("level 0 1 0\ntime -50", Limit(clock=Clock(seconds=-0.5))),
        ("level 0 1 0\ntime 0", Limit(clock=Clock(seconds=0))),
        ("st 1", Limit(seconds=1)),
        ("st 0", Limit(seconds=0)),
        ("st 0.01", Limit(seconds=0.01)),
        ("st 0.30000000000000004", Limit(seconds=0.30000000000000004)),
        ("st 1e-05", Limit(seconds=1e-05)),
        ("st -3", Limit(seconds=0)),
        ("st 1e300", Limit(seconds=1e9)),
        ("level 40 5 0\nst 2", Limit(seconds=2)),
        ("st 2\nlevel 0 1 0", Limit(clock=Clock(seconds=60))),
        ("sd 4", Limit(clock=Clock(seconds=300), depth=4)),
        ("sd 0\nst 3", Limit(seconds=3, depth=1)),
        ("st 3\nsd 4", Limit(seconds=3, depth=4)),
        ("sd 4\nnew", Limit(clock=Clock(seconds=300))),
        ("level 0 2 0\ntime 100\nnew", Limit(clock=Clock(seconds=120))),
        ("st 2\nnew", Limit(seconds=2)),
        # cutechess: st, then nps, once a game
        ("st 1\nnps 5000", Limit(seconds=1, nodes_per_second=5000)),
        ("st 1\nnps 5000\ngo\nforce", Limit(seconds=1, nodes_per_second=5000)),
        # python-chess: nps, then st, for each move; and later a plain st
        ("nps 1\nst 500", Limit(seconds=500, nodes_per_second=1)),
        ("nps 1\nst 500\ngo\nforce\nnps 1\nst 700", Limit(seconds=700, nodes_per_second=1)),
        ("nps 1\nst 500\ngo\nforce\nst 0.5", Limit(seconds=0.5)),
        ("nps 1\nst 500\ngo\nforce\nlevel 0 1 0", Limit(clock=Clock(seconds=60))),
        ("nps 100\nlevel 0 1 0", Limit(clock=Clock(seconds=60), nodes_per_second=100)),
        ("nps 100\nnps 0\nst 1", Limit(seconds=1)),
        ("nps -1\nst 1", Limit(seconds=1)),
    ],
)  # fmt: skip
def test_time_and_depth_commands_become_limits(lines: str, limit: Limit) -> None:
    conversation = Conversation(CecpSession)
    assert all(line == "[new game]" for line in conversation.send(*lines.splitlines()))
    conversation.send("force", "usermove e2e4", "undo", "new" if "\nnew" in lines else "force")
    play(CecpSession, "> usermove e2e4" if "\nnew" in lines else "> go", conversation)
    assert conversation.limit in (limit, _with_all_moves(limit, conversation))


def _with_all_moves(limit: Limit, conversation: Conversation) -> Limit:
    assert conversation.search is not None
    return replace(limit, actions=tuple(conversation.search.state.legal_actions()))


@pytest.mark.parametrize(
    "line",
    ["level", "level 40 5", "level x 5 0", "level 40 5:x 0", "level 0 5 nan", "st", "st soon", "st inf", "sd deep",
     "nps x", "time", "time never", "otim -", "st " + "9" * 50],
)  # fmt: skip
def test_malformed_limits_are_refused_and_change_nothing(line: str) -> None:
    conversation = Conversation(CecpSession)
    (answer,) = conversation.send(line)
    assert answer.startswith("Error (") and line[:20] in answer
    conversation.send("go")
    assert conversation.limit.clock == Clock(seconds=300.0)


def test_moves_to_the_reset_count_down_and_start_again() -> None:
    conversation = Conversation(CecpSession)
    conversation.send("level 3 1 0")
    left: list[int | None] = []
    for ours, theirs in (("g1f3", "g8f6"), ("f3g1", "f6g8"), ("b1c3", "b8c6"), ("c3b1", "c6b8")):
        conversation.send("go" if not left else "otim 100")
        assert conversation.limit.clock is not None
        left.append(conversation.limit.clock.moves_to_reset)
        conversation.finish(ours)
        conversation.send(f"usermove {theirs}")
    assert left == [3, 2, 1, 3]


def test_moves_to_the_reset_are_counted_from_level() -> None:
    """python-chess sends the moves that remain with each move."""
    conversation = Conversation(CecpSession)
    conversation.send("force", "usermove e2e4", "usermove e7e5", "usermove g1f3", "level 20 0:04 0.2", "go")
    assert conversation.limit.clock == Clock(seconds=4.0, increment=0.2, moves_to_reset=20)
    conversation.finish("b8c6")
    conversation.send("level 20 0:04 0.2", "usermove b1c3")
    assert conversation.limit.clock == Clock(seconds=4.0, increment=0.2, moves_to_reset=20)


def test_moves_to_the_reset_are_counted_from_setboard() -> None:
    conversation = Conversation(CecpSession)
    conversation.send("force", "usermove e2e4", "usermove e7e5", "level 20 1 0")
    conversation.send("setboard 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "go")
    assert conversation.limit.clock == Clock(seconds=60.0, moves_to_reset=20)


def test_clock_runs_without_time_commands() -> None:
    conversation = Conversation(CecpSession)
    conversation.send("level 0 1 2", "go")
    conversation.finish("e2e4", seconds=10.0)
    conversation.send("usermove e7e5")
    assert conversation.limit.clock == Clock(seconds=52.0, increment=2.0)


def test_excluded_moves_are_not_analysed() -> None:
    conversation = Conversation(CecpSession)
    assert conversation.send("exclude all", "include e2e4", "include d2d4", "analyze") == []
    assert _searched_moves(conversation) == {"e2e4", "d2d4"}
    conversation.send("exclude e2e4")
    assert _searched_moves(conversation) == {"d2d4"}
    conversation.send("include all")
    assert len(_searched_moves(conversation)) == 20
    conversation.send("exclude all")
    assert conversation.search is None
    conversation.send("include a2a3")
    assert _searched_moves(conversation) == {"a2a3"}
    assert conversation.send("exclude e2e5") == ["Error (illegal move): exclude e2e5"]
    conversation.send("usermove e2e4")  # another position: nothing is excluded there
    assert len(_searched_moves(conversation)) == 20
    conversation.send("undo", "exclude e2e4", "exit", "analyze")  # nor in the next analysis
    assert len(_searched_moves(conversation)) == 20


def test_exclusion_is_for_analysis_only() -> None:
    conversation = Conversation(CecpSession)
    conversation.send("exclude all", "go")
    assert len(_searched_moves(conversation)) == 20


def _searched_moves(conversation: Conversation) -> set[str]:
    assert conversation.search is not None
    state = conversation.search.state
    return {state.action_text(move) for move in conversation.limit.actions or state.legal_actions()}


@pytest.mark.parametrize("state", ["idle", "thinking", "pondering", "analysing", "force", "illegal", "over"])
@pytest.mark.parametrize(
    "line",
    ["random", "computer", "name Stock: fish", "rating 0 0", "level 40 5 0", "level 0 0:01 0.05", "draw", "analyze",
     "accepted debug", "rejected sigterm", "hard", "easy", "post", "nopost", "time -10", "otim 5", "force", "new",
     "result * {xboard exit}", "memory 16", "cores 1", ".", "exit", "?", "hint", "go", "playother"],
)  # fmt: skip
def test_commands_of_guis_are_never_answered_by_an_error(state: str, line: str) -> None:
    """python-chess gives up at a line that begins with Error or Illegal."""
    conversation = Conversation(CecpSession)
    conversation.send("new", "hard", "post")
    match state:
        case "thinking":
            conversation.send("go")
        case "pondering":
            conversation.send("go")
            conversation.finish("e2e4", "e7e5")
        case "analysing":
            conversation.send("analyze")
        case "force":
            conversation.send("force")
        case "illegal":
            conversation.send("setboard 8/8/8/8/8/8/8/8 w - - 0 1")
        case "over":
            conversation.send("go", MATED)
    said = conversation.send(line, "ping 1")
    if conversation.search is not None and "pong 1" not in said:
        said += conversation.finish()
    assert not [text for text in said if re.match("Error|Illegal", text)]
    assert said.count("pong 1") == 1


def test_features_can_be_read_by_python_chess_and_cutechess() -> None:
    lines = Conversation(CecpSession).send("protover 2")
    assert all(line.startswith("feature ") for line in lines)
    python_chess = [word.split("=", 1) for line in lines for word in shlex.split(line)[1:]]
    features = dict(word for word in python_chess if word[0] != "option")
    assert features["ping"] == features["setboard"] == features["usermove"] == features["analyze"] == "1"
    assert features["sigint"] == features["sigterm"] == features["colors"] == features["san"] == "0"
    assert features["variants"] == "normal,fischerandom" and features["myname"] == "Galapagos"
    cutechess = [match for line in lines for match in re.findall(r'\w+\s*=\s*(?:"[^"]*"|\w+)', line)]
    assert len(cutechess) == len(python_chess)
    assert lines[0] == "feature done=0" and lines[-1] == "feature done=1"


def test_complaints_are_one_line() -> None:
    session = Conversation(CecpSession).session
    assert session.error_line("bad\nnews ") == "telluser bad news"


def test_a_clock_that_no_gui_updates_gets_the_time_of_each_period() -> None:
    control = TimeControl()
    control.obey("level", "2 1 0", 0)
    left = []
    for move in range(1, 5):
        control.moved(25.0, move)
        left.append(control.limit(move).clock)
    assert left == [
        Clock(seconds=35, moves_to_reset=1),
        Clock(seconds=70, moves_to_reset=2),
        Clock(seconds=45, moves_to_reset=1),
        Clock(seconds=80, moves_to_reset=2),
    ]
