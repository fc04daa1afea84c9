"""External CECP engines by script: features, the board kept in step, limits, and what they send."""

from collections.abc import Iterator
from time import process_time

import chess
import chess.engine
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core.chess.game import Chess
from core.chess.notation import START, fen, position_from_fen
from core.chess.position import move_text
from core.random import Random
from engines.engine import Clock, EngineError, Limit
from engines.match.referee import Ending, play
from engines.random_engine import RandomEngine
from engines.time_control import TimeControl
from protocols.cecp import BoardEditor
from protocols.external.cecp import (
    CecpEngine,
    Features,
    SentLimits,
    edit_commands,
    read_option,
    read_thinking,
)
from protocols.external.engine import Report, read_line
from tests.protocols.external.scripted import CECP, FAST, ScriptedProcess, answer, infos, opened, position

pytestmark = pytest.mark.usefixtures("virtual_time")
ARRAY = "1r1k1r2/3p1p2/8/8/8/8/3P1P2/1R1K1R2 w KQkq - 0 1"
SETTING_UP = ("new", "force", "easy", "post")


async def test_features_and_options_are_read_and_answered() -> None:
    lines = (
        'feature option="Threshold -spin 800 200 1200"',
        'feature option="Style -combo Solid /// *Very Wild" option="Book -check 1" option="Clear -button"',
        'feature option="Path -path ." memory=1 smp=1 option="Broken -spin 5 7 9" san=1 playother=1',
    )
    engine, received = await opened(CecpEngine, {**CECP, "protover 2": (*lines, *CECP["protover 2"])})
    assert engine.name == "Script"
    assert [(option.name, option.kind, option.default) for option in engine.options] == [
        ("Threshold", "spin", "800"),
        ("Style", "combo", "Very Wild"),
        ("Book", "check", "true"),
        ("Clear", "button", ""),
        ("Path", "path", "."),
        ("memory", "spin", "64"),
        ("cores", "spin", "1"),
    ]
    for name, value in (("threshold", "300"), ("Book", "off"), ("Clear", ""), ("memory", "16")):
        await engine.configure(name, value)
    assert [line for line in received if line.startswith(("option", "memory"))] == [
        "option Threshold=300", "option Book=0", "option Clear", "memory 16",
    ]  # fmt: skip
    assert [line for line in received if line.startswith("rejected")] == [
        "rejected san",
        "rejected playother",
    ]
    assert "accepted setboard" in received


async def test_slow_features_are_waited_for() -> None:
    slow = ("feature done=0", 0.1, *CECP["protover 2"])
    engine, _ = await opened(CecpEngine, {**CECP, "protover 2": slow})
    assert engine.name == "Script"


async def test_lines_with_tabs_and_double_spaces_are_understood() -> None:
    lines = (
        "feature\tping=1  usermove=1\tsetboard=1",
        'feature option="Own  Book\t-check 1"\toption="Style  -combo  Solid ///  *Very  Wild" done=1',
    )
    tabs = {"protover 2": lines, r"ping (\d+)": (r"pong\t\1",)}
    for move in ("move\te2e4", "move   e2e4", "1.\t...\te2e4"):
        engine, received = await opened(CecpEngine, {**tabs, "go": (move,)})
        assert [(option.name, option.default) for option in engine.options] == [
            ("Own Book", "true"),
            ("Style", "Very Wild"),
        ]
        await engine.configure("own book", "false")
        assert received[-2] == "option Own Book=0"
        assert await answer(engine, position()) == "e2e4"
    engine, _ = await opened(CecpEngine, {**CECP, "go": ("0-1\t{White resigns}",)})
    assert await answer(engine, position()) == "resigns"


async def test_chess960_is_played_as_fischerandom() -> None:
    offered = ('feature ping=1 setboard=1 usermove=1 variants="normal, fischerandom" done=1',)
    engine, received = await opened(CecpEngine, {**CECP, "protover 2": offered, "go": ("move O-O-O",)})
    assert engine.plays_chess960
    before = len(received)
    state = position(fen=ARRAY)
    assert (await infos(engine, state))[-1].action == state.parse_uci("d1b1")
    await infos(engine, position("d1b1", "d8f8", "c1c2", "b8b7", fen=ARRAY))
    await infos(engine, position())
    games = [
        line for line in received[before:] if line.split()[0] not in ("ping", "st", "sd", "time", "otim")
    ]
    set_up = ["new", "variant fischerandom", "force", "easy", "post", f"setboard {ARRAY}"]
    assert games[:11] == [
        *set_up, "go", "force", "usermove O-O", "usermove c1c2", "usermove b8b7",
    ]  # fmt: skip
    assert games[-5:] == [*SETTING_UP, "go"]


async def test_engines_without_fischerandom_are_sent_no_chess960_position() -> None:
    engine, received = await opened(CecpEngine, CECP)
    assert not engine.plays_chess960
    before = len(received)
    with pytest.raises(EngineError, match="Script does not offer Chess960"):
        await infos(engine, position(fen=ARRAY))
    assert len(received) == before


@pytest.mark.parametrize("pv", ["e2e4!", "e2e4 e7e5?", "e2e4 ++", "e2e4 --", "e2e4 !"])
async def test_the_score_of_a_bound_is_not_taken_for_an_exact_score(pv: str) -> None:
    lines = ("4 20 5 30 d2d4 d7d5", f"5 90 6 40 {pv}", f"5 100003 6 50 {pv}", "move e2e4")
    engine, _ = await opened(CecpEngine, {**CECP, "go": lines})
    last = (await infos(engine, position()))[-1]
    assert (move_text(last.action), last.cents, last.mate, last.depth, last.nodes) == (
        "e2e4",
        20,
        None,
        4,
        50,
    )
    assert read_thinking("5 90 6 40 1. e4 e5 2. Qh5 Nc6 3. Qxf7+").cents == 90


async def test_engines_of_protocol_version_1_can_play() -> None:
    engine, received = await opened(CecpEngine, {"go": ("1. ... e2e4",)})
    assert (engine.name, engine.options) == ("script", ())
    assert await answer(engine, position("g1f3", "g8f6")) == "e2e4"
    assert "g8f6" in received and not any(line.startswith("ping") for line in received)


async def test_engines_that_do_not_play_normal_chess_are_refused() -> None:
    process = ScriptedProcess({"protover 2": ('feature variants="xiangqi,shogi" done=1',)})
    with pytest.raises(EngineError, match="does not play normal chess"):
        await CecpEngine(process, FAST).initialize()


async def test_the_board_of_the_engine_is_kept_in_step() -> None:
    engine, received = await opened(CecpEngine, CECP)
    await engine.new_game()
    await answer(engine, position())
    await answer(engine, position("e2e4", "e7e5"))  # it goes on from the move that was made
    await answer(engine, position("d2d4"))  # it does not
    await answer(engine, position("e1d1", fen="8/8/8/4k3/8/8/4P3/4K3 w - - 0 1"))
    games = [
        line
        for line in received
        if line.split()[0] in ("new", "force", "easy", "post", "ping", "usermove", "setboard", "go")
    ]
    assert games == [
        *SETTING_UP, "ping 1", *SETTING_UP, "ping 2", "force", "go", "force", "usermove e7e5", "go",
        *SETTING_UP, "usermove d2d4", "ping 3", "go",
        *SETTING_UP, "setboard 8/8/8/4k3/8/8/4P3/4K3 w - - 0 1", "usermove e1d1", "ping 4", "go",
    ]  # fmt: skip


async def test_a_board_is_edited_where_setboard_is_unknown() -> None:
    bare = {**CECP, "protover 2": ("feature ping=1 usermove=0 done=1",), "go": ("move e5d5",)}
    engine, received = await opened(CecpEngine, bare)
    assert await answer(engine, position(fen="8/8/8/4k3/8/8/4P3/4K3 b - - 0 1")) == "e5d5"
    at = received.index("a2a3")
    assert received[at : at + 8] == ["a2a3", "edit", "#", "Pe2", "Ke1", "c", "Ke5", "."]


@given(st.integers(0, 2**32), st.integers(0, 60))
def test_edit_commands_rebuild_the_board(seed: int, plies: int) -> None:
    rng = Random(seed)
    state = position_from_fen(START)
    for _ in range(plies):
        if not state.is_terminal():
            actions = state.legal_actions()
            state.apply(actions[rng.below(len(actions))])
    commands = list(edit_commands(fen(state)))
    editor = BoardEditor(position("a2a3") if commands[0] == "a2a3" else position())
    for command in commands[commands.index("edit") + 1 : -1]:
        editor.edit(command)
    rebuilt = position_from_fen(" ".join([*editor.fen().split()[:2], "- - 0 1"]))
    assert fen(rebuilt).split()[:2] == fen(state).split()[:2]


def commands(*limits: Limit, features: str = "nps=1 time=0") -> list[str]:
    """What an engine is sent for these limits one after the other."""
    sent, known = SentLimits(), Features()
    list(known.learn(f"feature {features}"))
    return [command for limit in limits for command in sent.commands_for(limit, known)]


def clock(seconds: float, increment: float = 0.0, moves: int | None = None) -> Limit:
    return Limit(clock=Clock(seconds=seconds, increment=increment, moves_to_reset=moves))


def test_limits_are_sent_only_when_they_change() -> None:
    assert commands(Limit(seconds=2), Limit(seconds=2), Limit(seconds=3)) == ["st 2", "st 3"]
    assert commands(Limit(seconds=0.25)) == ["level 1 0:01 0"]
    assert commands(Limit(depth=4), Limit(depth=4), Limit()) == ["st 3600", "sd 4", "sd 50"]
    assert commands(Limit(mate=3, depth=9)) == ["st 3600", "sd 6"]
    assert commands(clock(300, 0.1), clock(1, 0.1), clock(1)) == ["level 0 5 0.1", "level 0 0:01 0"]
    assert commands(clock(61.5, moves=2), clock(30, moves=1)) == ["level 2 1:02 0"]
    assert commands(clock(9, moves=2), clock(99, moves=40)) == ["level 2 0:09 0", "level 40 1:39 0"]
    assert commands(Limit(nodes=70), Limit(nodes=70), Limit(seconds=1)) == ["st 1", "nps 70", "nps -1"]
    assert commands(Limit(clock=Clock(seconds=5), nodes_per_second=1000)) == ["level 0 0:05 0", "nps 1000"]
    assert commands(Limit(nodes=70), features="time=0") == ["st 3600"]


def test_the_clock_is_sent_before_each_move() -> None:
    once = ["time 25", "otim 25"]
    assert commands(Limit(seconds=0.25), Limit(seconds=0.25), features="") == ["level 1 0:01 0", *once, *once]
    assert commands(clock(-1), features="") == ["level 0 0:01 0", "time 1", "otim 1"]


def test_both_clocks_are_sent() -> None:
    limit = Limit(clock=Clock(seconds=5), other_clock=Clock(seconds=7.25))
    assert commands(limit, features="") == ["level 0 0:05 0", "time 500", "otim 725"]


def test_limits_are_sent_anew_in_a_new_game() -> None:
    sent, features = SentLimits(), Features()
    list(features.learn("feature time=0"))
    limit = Limit(seconds=1, depth=4)
    assert list(sent.commands_for(limit, features)) == ["st 1", "sd 4"]
    sent.new_game()
    assert list(sent.commands_for(limit, features)) == ["st 1", "sd 4"]
    sent.new_game()
    assert list(sent.commands_for(Limit(seconds=1), features)) == ["st 1", "sd 50"]


async def test_thinking_lines_become_infos() -> None:
    lines = (
        "# 1 20 5 30 a2a3",
        " 1     20        5         30 d2d4 d7d5",
        " 0 0 0 0 (e2-e4 d2-d4)",
        "2. 100003 12 40 7 100 0\tg1f3 g8f6 f3f9 a2a3",
        "3& -100002 13 50 1. Nf3 Nf6 2. d4 (-)",
        "Hint: e2e4",
        "offer draw",
        "tellics say 12 men",
        "move Nf3",
    )
    engine, _ = await opened(CecpEngine, {**CECP, "go": lines})
    _, first, second, third, last = await infos(engine, position())
    assert [move_text(move) for move in first.line] == ["d2d4", "d7d5"]
    assert (first.cents, first.mate, first.depth, first.nodes, first.seconds) == (20, None, 1, 30, 0.05)
    assert [move_text(move) for move in second.line] == ["g1f3", "g8f6"]
    assert (second.mate, third.mate, third.cents) == (3, -2, None)
    assert [move_text(move) for move in third.line] == ["g1f3", "g8f6", "d2d4"]
    assert last == third


@pytest.mark.parametrize(
    ("lines", "moves"),
    [
        (("resign",), ["resigns"]),
        (("tellics resign",), ["resigns"]),
        (("0-1 {White resigns}",), ["resigns"]),
        (("1-0 {White mates}",), ["1-0 {White mates}"]),
        (("1/2-1/2 {Draw by repetition}",), ["1/2-1/2 {Draw by repetition}"]),
        (("move e2e4", "resign { I am lost }"), ["e2e4", "resigns"]),
        (("move e7e5",), ["e7e5"]),
        (("move e2e4", "1-0 {White mates}", "1. ... e2e4"), ["e2e4", "e2e4"]),
    ],
)
async def test_resignations_and_claimed_results_are_recognized(
    lines: tuple[str, ...], moves: list[str]
) -> None:
    engine, _ = await opened(CecpEngine, {**CECP, "go": lines})
    assert await answer(engine, position()) == moves[0]
    if len(moves) > 1:
        following = position("e2e4", "e7e5") if moves[1] == "resigns" else position()
        assert await answer(engine, following) == moves[1]
    await engine.new_game()
    assert await answer(engine, position()) == moves[0]


async def test_an_engine_that_falsely_claims_a_win_loses() -> None:
    engine, _ = await opened(CecpEngine, {**CECP, "go": ("1-0 {Black resigns}",)})
    result = await play(Chess(), [engine, RandomEngine()], TimeControl(nodes=1), Random(1))
    assert (result.ending, result.reason) == (Ending.ILLEGAL_ACTION, "1-0 {Black resigns}")


@pytest.mark.parametrize(
    "refusal",
    [
        "Illegal move: e7e5",
        "Illegal move",
        "Error (unknown command): usermove",
        "tellusererror Illegal position",
    ],
)
async def test_an_engine_that_refuses_a_move_is_set_up_anew(refusal: str) -> None:
    engine, _ = await opened(CecpEngine, {**CECP, "usermove e7e5": (refusal,)})
    await answer(engine, position())
    with pytest.raises(EngineError, match=refusal.split()[0]):
        await answer(engine, position("e2e4", "e7e5"))
    assert await answer(engine, position()) == "e2e4"


async def test_complaints_about_other_commands_are_ignored() -> None:
    lines = ("Illegal move: sd 3", "Error (unknown command): easy", "telluser hello", "tellusererror no book")
    engine, _ = await opened(CecpEngine, {**CECP, "go": (*lines, "move e2e4")})
    assert await answer(engine, position()) == "e2e4"


@given(
    st.integers(0, 99), st.integers(-99_000, 99_000) | st.integers(100_001, 100_099), st.integers(0, 10**6),
    st.integers(0, 10**9), st.sampled_from(["d2d4 g8f6", "1. d4 Nf6 2. c4"]),
)  # fmt: skip
def test_thinking_lines_are_read_as_by_python_chess(
    depth: int, score: int, centiseconds: int, nodes: int, line: str
) -> None:
    text = f"{depth} {score} {centiseconds} {nodes} {line}"
    theirs = chess.engine._parse_xboard_post(text, chess.Board())
    ours = read_thinking(text)
    relative = theirs["score"].relative
    assert (ours.cents, ours.mate) == (relative.score(), relative.mate())
    assert (ours.depth, ours.nodes, ours.seconds) == (theirs["depth"], theirs["nodes"], theirs["time"])
    assert [move_text(move) for move in read_line(position(), ours.moves)] == list(map(str, theirs["pv"]))


@given(st.text(alphabet="0123456789 -+&.\t()e2e4Nf3move", max_size=80))
def test_random_thinking_lines_raise_no_error(line: str) -> None:
    report = read_thinking(line)
    assert report.depth is None or line.lstrip()[0].isdigit()


def names_of_features(text: str) -> Iterator[str]:
    """Yield each NAME of `NAME=WORD` and `NAME="WORDS"`, read letter by letter."""
    end = 0  # of the last value
    while (sign := text.find("=", end)) >= 0:
        start = sign
        while start > end and text[start - 1].isalnum():
            start -= 1
        value = text[sign + 1 :]
        end = sign + 1
        if start < sign and value[:1].strip():
            is_quoted = value.startswith('"') and value.count('"') > 1
            end += value.index('"', 1) + 1 if is_quoted else len(value.split()[0])
            yield text[start:sign]


PARTS = (
    "option",
    "ping",
    "name",
    "x2",
    "=",
    "=",
    '="',
    '"',
    " ",
    "1",
    "-",
    "spin 3 0 9",
    "check",
    "combo a /// *b",
)


@given(st.lists(st.sampled_from(PARTS)).map("".join))
@example('ping=1 x2=0 option="a -spin 3 0 9" name=')
@example('ping="1 x2=" name=1')
@example('ping="1 x2=')
def test_each_of_random_features_is_accepted_or_rejected(text: str) -> None:
    replies = [
        f"{'rejected' if name not in ('option', 'ping', 'name') else 'accepted'} {name}"
        for name in names_of_features(text)
    ]
    assert list(Features().learn(f"feature {text}")) == replies


@given(st.lists(st.sampled_from(PARTS)).map("".join))
def test_the_default_of_a_random_option_is_one_of_its_values(text: str) -> None:
    option = read_option(text)
    assert option is None or option.kind == "button" or option.checked(option.default) is not None


def test_hostile_features_and_options_are_read_quickly() -> None:
    began = process_time()
    for text, replies in (
        ("a" * 65_000, []),
        (" " * 65_000, []),
        ('option="a' + " " * 65_000 + '-"', ["accepted option"]),
        ('="' * 30_000, []),
    ):
        features = Features()
        assert list(features.learn(f"feature {text}")) == replies and features.options == []
        assert read_option(text) is None
        assert read_thinking(text) == Report()
    assert process_time() - began < 2.0  # some milliseconds; with quadratic costs it would be half a minute
