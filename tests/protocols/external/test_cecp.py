"""Foreign CECP engines by script: features, the board kept in step, limits, and what they say."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.chess.game import Chess
from core.chess.notation import START, fen, position_from_fen
from core.chess.position import move_text
from core.random import Random
from engines.engine import Clock, EngineError, Limit
from engines.match import Ending, play
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
from tests.protocols.external.scripted import CECP, HURRY, Write, answer, position, thoughts

OLD = "for line in heard():\n    if line == 'go':\n        say('1. ... e2e4')\n"
SETTING_UP = ("new", "force", "easy", "post")


def featuring(text: str) -> str:
    """The usual script with other features."""
    start = CECP.index("'feature")
    return CECP[:start] + repr(text) + CECP[CECP.index(")", start) :]


def saying(*lines: str) -> str:
    """The usual script with other words in answer to go."""
    return CECP.replace('say("move e2e4")', f"say(*{lines!r})")


async def test_features(write: Write) -> None:
    options = (
        'feature option="Threshold -spin 800 200 1200"',
        'feature option="Style -combo Solid /// *Very Wild" option="Book -check 1" option="Clear -button"',
        'feature option="Path -path ." memory=1 smp=1 option="Broken -spin 5 7 9" san=1 playother=1',
    )
    script = write(CECP.replace("say('feature", f"say(*{options!r})\n        say('feature"))
    engine = await CecpEngine.open(script.command, timeouts=HURRY)
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
    await engine.close()
    told = script.told()
    assert [line for line in told if line.startswith(("option", "memory"))] == [
        "option Threshold=300", "option Book=0", "option Clear", "memory 16",
    ]  # fmt: skip
    assert [line for line in told if line.startswith("rejected")] == ["rejected san", "rejected playother"]
    assert "accepted setboard" in told


async def test_slow_features_are_waited_for(write: Write) -> None:
    late = "say('feature done=0')\n        time.sleep(0.4)\n        say('feature"
    engine = await CecpEngine.open(write(CECP.replace("say('feature", late)).command, timeouts=HURRY)
    assert engine.name == "Script"
    await engine.close()


async def test_it_may_speak_version_1(write: Write) -> None:
    script = write(OLD)
    engine = await CecpEngine.open(script.command, timeouts=HURRY)
    assert (engine.name, engine.options) == (script.command[0].rpartition("/")[2], ())
    assert await answer(engine, position("g1f3", "g8f6")) == "e2e4"
    await engine.close()
    told = script.told()
    assert "g8f6" in told
    assert not any(line.startswith("ping") for line in told)


async def test_other_games_are_not_for_us(write: Write) -> None:
    with pytest.raises(EngineError, match="does not play normal chess"):
        await CecpEngine.open(
            write(featuring('feature variants="xiangqi,shogi" done=1')).command, timeouts=HURRY
        )


async def test_the_board_is_kept_in_step(write: Write) -> None:
    script = write(CECP)
    engine = await CecpEngine.open(script.command, timeouts=HURRY)
    await engine.new_game()
    await answer(engine, position())
    await answer(engine, position("e2e4", "e7e5"))  # it goes on from the move that was made
    await answer(engine, position("d2d4"))  # it does not
    await answer(engine, position("e1d1", fen="8/8/8/4k3/8/8/4P3/4K3 w - - 0 1"))
    await engine.close()
    told = script.told()
    opening = [*SETTING_UP, "ping 1", *SETTING_UP, "ping 2"]
    games = [
        line
        for line in told
        if line.split()[0] in ("new", "force", "easy", "post", "ping", "usermove", "setboard", "go")
    ]
    assert games == [
        *opening, "force", "ping 3", "go", "force", "usermove e7e5", "ping 4", "go",
        *SETTING_UP, "usermove d2d4", "ping 5", "go",
        *SETTING_UP, "setboard 8/8/8/4k3/8/8/4P3/4K3 w - - 0 1", "usermove e1d1", "ping 6", "go",
    ]  # fmt: skip


async def test_a_board_is_edited_where_setboard_is_unknown(write: Write) -> None:
    script = write(featuring("feature ping=1 usermove=0 done=1").replace("e2e4", "e5d5"))
    engine = await CecpEngine.open(script.command, timeouts=HURRY)
    assert await answer(engine, position(fen="8/8/8/4k3/8/8/4P3/4K3 b - - 0 1")) == "e5d5"
    await engine.close()
    told = script.told()
    at = told.index("a2a3")
    assert told[at : at + 8] == ["a2a3", "edit", "#", "Pe2", "Ke1", "c", "Ke5", "."]


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


def news(*limits: Limit, features: str = "nps=1 time=0") -> list[str]:
    """What an engine is told when it gets these limits one after the other."""
    told, known = SentLimits(), Features()
    list(known.learn(f"feature {features}"))
    return [command for limit in limits for command in told.commands_for(limit, known)]


def clock(seconds: float, increment: float = 0.0, moves: int | None = None) -> Limit:
    return Limit(clock=Clock(seconds=seconds, increment=increment, moves_to_reset=moves))


def test_limits() -> None:
    assert news(Limit(seconds=2), Limit(seconds=2), Limit(seconds=3)) == ["st 2", "st 3"]
    assert news(Limit(seconds=0.25)) == ["level 1 0:01 0"]
    assert news(Limit(depth=4), Limit(depth=4), Limit()) == ["st 3600", "sd 4", "sd 50"]
    assert news(Limit(mate=3, depth=9)) == ["st 3600", "sd 6"]
    assert news(clock(300, 0.1), clock(1, 0.1), clock(1)) == ["level 0 5 0.1", "level 0 0:01 0"]
    assert news(clock(61.5, moves=2), clock(30, moves=1)) == ["level 2 1:02 0"]
    assert news(clock(9, moves=2), clock(99, moves=40)) == ["level 2 0:09 0", "level 40 1:39 0"]
    assert news(Limit(nodes=70), Limit(nodes=70), Limit(seconds=1)) == ["st 1", "nps 70", "nps -1"]
    assert news(Limit(clock=Clock(seconds=5), nodes_per_second=1000)) == ["level 0 0:05 0", "nps 1000"]
    assert news(Limit(nodes=70), features="time=0") == ["st 3600"]


def test_the_clock_is_told_before_each_move() -> None:
    once = ["time 25", "otim 25"]
    assert news(Limit(seconds=0.25), Limit(seconds=0.25), features="") == ["level 1 0:01 0", *once, *once]
    assert news(clock(-1), features="") == ["level 0 0:01 0", "time 1", "otim 1"]


def test_limits_are_told_anew_in_a_new_game() -> None:
    told, features = SentLimits(), Features()
    list(features.learn("feature time=0"))
    limit = Limit(seconds=1, depth=4)
    assert list(told.commands_for(limit, features)) == ["st 1", "sd 4"]
    told.new_game()
    assert list(told.commands_for(limit, features)) == ["st 1", "sd 4"]
    told.new_game()
    assert list(told.commands_for(Limit(seconds=1), features)) == ["st 1", "sd 50"]


async def test_thoughts(write: Write) -> None:
    script = write(
        saying(
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
    )
    engine = await CecpEngine.open(script.command, timeouts=HURRY)
    _, first, second, third, last = await thoughts(engine, position())
    assert [move_text(move) for move in first.line] == ["d2d4", "d7d5"]
    assert (first.cents, first.mate, first.depth, first.nodes, first.seconds) == (20, None, 1, 30, 0.05)
    assert [move_text(move) for move in second.line] == ["g1f3", "g8f6"]
    assert (second.mate, third.mate, third.cents) == (3, -2, None)
    assert [move_text(move) for move in third.line] == ["g1f3", "g8f6", "d2d4"]
    assert last == third
    await engine.close()


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
async def test_endings(write: Write, lines: tuple[str, ...], moves: list[str]) -> None:
    engine = await CecpEngine.open(write(saying(*lines)).command, timeouts=HURRY)
    assert await answer(engine, position()) == moves[0]
    if len(moves) > 1:
        following = position("e2e4", "e7e5") if moves[1] == "resigns" else position()
        assert await answer(engine, following) == moves[1]
    await engine.new_game()
    assert await answer(engine, position()) == moves[0]
    await engine.close()


async def test_a_false_claim_loses(write: Write) -> None:
    engine = await CecpEngine.open(write(saying("1-0 {Black resigns}")).command, timeouts=HURRY)
    result = await play(Chess(), [engine, RandomEngine()], TimeControl(nodes=1), Random(1))
    assert (result.ending, result.reason) == (Ending.ILLEGAL_ACTION, "1-0 {Black resigns}")
    await engine.close()


@pytest.mark.parametrize(
    "refusal",
    [
        "Illegal move: e7e5",
        "Illegal move",
        "Error (unknown command): usermove",
        "tellusererror Illegal position",
    ],
)
async def test_one_that_refuses_our_moves_is_set_up_anew(write: Write, refusal: str) -> None:
    refusing = f"if line == 'usermove e7e5':\n        say({refusal!r})\n    elif line == 'protover 2'"
    script = write(CECP.replace('if line == "protover 2"', refusing))
    engine = await CecpEngine.open(script.command, timeouts=HURRY)
    await answer(engine, position())
    with pytest.raises(EngineError, match=refusal.split()[0]):
        await answer(engine, position("e2e4", "e7e5"))
    assert await answer(engine, position()) == "e2e4"
    await engine.close()


async def test_other_complaints_are_ignored(write: Write) -> None:
    complaints = (
        "Illegal move: sd 3",
        "Error (unknown command): easy",
        "telluser hello",
        "tellusererror no book",
    )
    script = write(saying(*complaints, "move e2e4"))
    engine = await CecpEngine.open(script.command, timeouts=HURRY)
    assert await answer(engine, position()) == "e2e4"
    await engine.close()


async def test_stopping_leaves_it_in_step(write: Write) -> None:
    thinking = CECP.replace('say("move e2e4")', 'say("1 3 0 20 d2d4")').replace(
        'elif line == "quit"', 'elif line == "?":\n        say("move d2d4")\n    elif line == "quit"'
    )
    script = write(thinking)
    engine = await CecpEngine.open(script.command, timeouts=HURRY)
    stream = engine.think(position(), Limit())
    await anext(stream)
    assert move_text((await anext(stream)).action) == "d2d4"
    await stream.aclose()
    listening = asyncio.create_task(thoughts(engine, position("d2d4", "d7d5"), Limit()))
    await asyncio.sleep(0.05)
    listening.cancel()
    await asyncio.wait({listening})
    # It cannot count nodes, and so is stopped.
    assert await answer(engine, position(), Limit(nodes=10)) == "d2d4"
    await engine.close()
    assert script.told().count("?") == 3


async def test_one_that_never_answers_is_given_up(write: Write) -> None:
    engine = await CecpEngine.open(write(saying()).command, timeouts=HURRY)
    listening = asyncio.create_task(thoughts(engine, position()))
    await asyncio.sleep(0.05)
    listening.cancel()
    await asyncio.wait({listening})
    assert listening.cancelled()
    with pytest.raises(EngineError, match="did not move when told to"):
        await engine.new_game()
    await engine.close()


async def test_a_ping_without_pong_is_deadly(write: Write) -> None:
    with pytest.raises(EngineError, match="did not answer ping"):
        await CecpEngine.open(write(CECP.replace('"pong"', '"pung"')).command, timeouts=HURRY)


@given(st.text(alphabet="0123456789 -+&.\t()e2e4Nf3move", max_size=80))
def test_thinking_lines_of_any_kind_are_read(line: str) -> None:
    report = read_thinking(line)
    assert report.depth is None or line.lstrip()[0].isdigit()


@given(st.text(alphabet='option=" -spincombo/*0123456789', max_size=80))
def test_features_of_any_kind_are_read(text: str) -> None:
    features = Features()
    replies = list(features.learn(f"feature {text}"))
    assert len(replies) == text.count("=") or '"' in text or len(replies) < text.count("=")
    option = read_option(text)
    assert option is None or option.kind == "button" or option.checked(option.default) is not None


def test_hostile_features_are_read_in_no_time() -> None:
    for text in ("a" * 65_000, " " * 65_000, 'option="a' + " " * 65_000 + '-"', '="' * 30_000):
        list(Features().learn(f"feature {text}"))
        read_option(text)
        read_thinking(text)
