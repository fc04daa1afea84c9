"""Foreign UCI engines by script: what they are told, and what becomes of what they say."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.chess.game import Chess
from core.chess.position import move_text
from core.random import Random
from engines.engine import Clock, EngineError, Limit
from engines.match import Ending, play
from engines.random_engine import RandomEngine
from engines.time_control import TimeControl
from protocols.external.engine import read_line
from protocols.external.uci import UciEngine, read_info, read_option
from tests.protocols.external.scripted import HURRY, UCI, Write, answer, position, thoughts

BARE = "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1"


def saying(*lines: str) -> str:
    """The usual script, with other words in answer to go."""
    return UCI.replace('say("bestmove e2e4")', f"say(*{lines!r})")


async def test_it_introduces_itself(write: Write) -> None:
    options = (
        "option name Hash type spin default 16 min 1 max 64",
        "option name Own Book type check default false",
        "option name Style type combo default Solid var Solid var Very Wild",
        "option name Clear Hash type button",
        "option name Log File type string default <empty>",
        "option name Debug File type string default",
        "option name Broken type spin default 5 min 7 max 9",
        "option name",
        "nonsense",
    )
    script = write(UCI.replace('"uciok"', f'*{options!r}, "uciok"'))
    engine = await UciEngine.open(script.command, timeouts=HURRY)
    assert (engine.name, engine.author) == ("Script", "a test")
    hash_size, book, style, clear, log, debug = engine.options
    assert (hash_size.kind, hash_size.minimum, hash_size.maximum) == ("spin", 1, 64)
    assert (book.name, book.default) == ("Own Book", "false")
    assert style.choices == ("Solid", "Very Wild")
    assert (clear.kind, log.default, debug.default) == ("button", "", "")

    await engine.configure("hash", "032")
    await engine.configure("Style", "very wild")
    await engine.configure("Clear Hash", "")
    await engine.configure("Log File", "")
    await engine.configure("Debug File", "")
    for name, value in (("Hash", "65"), ("Threads", "1"), ("Log File", "a\nquit")):
        with pytest.raises(ValueError, match=name):
            await engine.configure(name, value)
    await engine.close()
    assert [line for line in script.told() if line.startswith("setoption")] == [
        "setoption name Hash value 32",
        "setoption name Style value Very Wild",
        "setoption name Clear Hash",
        "setoption name Log File value <empty>",
        "setoption name Debug File value ",  # Stockfish would write to a file called <empty>
    ]


async def test_name_and_options_can_be_given(write: Write) -> None:
    script = write(UCI.replace('"uciok"', '"option name Hash type spin default 16 min 1 max 64", "uciok"'))
    engine = await UciEngine.open(script.command, name="Mine", options={"Hash": "2"}, timeouts=HURRY)
    assert engine.name == "Mine"
    await engine.close()
    assert "setoption name Hash value 2" in script.told()
    with pytest.raises(ValueError, match="Hash"):
        await UciEngine.open(script.command, options={"Hash": "0"}, timeouts=HURRY)


@pytest.mark.parametrize(
    ("limit", "go"),
    [
        (Limit(), "infinite"),
        (Limit(depth=3, nodes=100), "nodes 100 depth 3"),
        (Limit(seconds=0.25), "movetime 250"),
        (Limit(mate=2), "mate 2"),
        (Limit(clock=Clock(seconds=2.5, increment=0.1)), "wtime 2500 btime 2500 winc 100 binc 100"),
        (Limit(clock=Clock(seconds=-3, moves_to_reset=4)), "wtime 1 btime 1 winc 0 binc 0 movestogo 4"),
        (Limit(seconds=2, nodes_per_second=50), "nodes 100"),
        (Limit(clock=Clock(seconds=10, moves_to_reset=1), nodes_per_second=100), "nodes 500"),
    ],
)
async def test_limits(write: Write, limit: Limit, go: str) -> None:
    script = write(UCI)
    engine = await UciEngine.open(script.command, timeouts=HURRY)
    assert await answer(engine, position(), limit) == "e2e4"
    await engine.close()
    assert f"go {go}" in script.told()


async def test_positions(write: Write) -> None:
    script = write(saying("bestmove e8d8"))
    engine = await UciEngine.open(script.command, timeouts=HURRY)
    await engine.new_game()
    await answer(engine, position())
    await answer(engine, position("e2e4", "e7e5"))
    await answer(engine, position("e1d1", fen=BARE))
    await engine.close()
    assert [line for line in script.told() if line.startswith(("position", "ucinewgame"))] == [
        "ucinewgame",
        "position startpos",
        "position startpos moves e2e4 e7e5",
        f"position fen {BARE} moves e1d1",
    ]


async def test_thoughts(write: Write) -> None:
    script = write(
        saying(
            "info depth 1 score cp 20 nodes 30 time 5 pv d2d4 d7d5",
            "info string pv e2e4",
            "info depth 2 multipv 2 score cp 5 nodes 40 pv a2a3",
            "info depth 2 score mate -3 nodes 50 nps 10 pv g1f3 e7e5 e8e4 a2a4",
            "info depth 3 nodes 60 currmove a2a3",
            "info depth 9 score cp 1 pv e7e5",
            "bestmove g1f3 ponder e7e5",
        )
    )
    engine = await UciEngine.open(script.command, timeouts=HURRY)
    state = position()
    ours, first, second, last = await thoughts(engine, state, Limit(nodes=1000))
    assert ours.action == state.legal_actions()[0]
    assert [move_text(move) for move in first.line] == ["d2d4", "d7d5"]
    assert (first.cents, first.mate, first.depth, first.nodes, first.seconds) == (20, None, 1, 30, 0.005)
    assert [move_text(move) for move in second.line] == ["g1f3", "e7e5"]
    assert (second.cents, second.mate) == (None, -3)
    assert (last.line, last.nodes, last.depth) == (second.line, 60, 9)
    assert not state.moves()
    await engine.close()


async def test_the_first_thought_waits_for_nothing(write: Write) -> None:
    engine = await UciEngine.open(write(UCI).command, timeouts=HURRY)
    stream = engine.think(position(), Limit())
    with pytest.raises(StopIteration):
        stream.__anext__().__await__().__next__()
    await stream.aclose()
    await engine.close()


@pytest.mark.parametrize("said", ["e2e5", "(none)", "0000", "Ke2", "\x00\x1b[2J"])
async def test_an_illegal_move_forfeits(write: Write, said: str) -> None:
    engine = await UciEngine.open(write(saying(f"bestmove {said}")).command, timeouts=HURRY)
    result = await play(Chess(), [engine, RandomEngine()], TimeControl(nodes=1), Random(1))
    assert (result.ending, result.culprit) == (Ending.ILLEGAL_ACTION, 0)
    assert result.reason.isprintable()
    assert result.reason[:3] in said or said.startswith("\x00")
    await engine.close()


async def test_other_notations_are_understood(write: Write) -> None:
    engine = await UciEngine.open(write(saying("info score cp 1 pv Nf3 d7-d5", "bestmove G1F3")).command)
    *_, thought, last = await thoughts(engine, position())
    assert [move_text(move) for move in thought.line] == ["g1f3", "d7d5"]
    assert last.action == thought.action
    await engine.close()


async def test_moves_outside_the_limit_are_no_thoughts(write: Write) -> None:
    script = write(
        saying("info depth 1 score cp 9 pv e2e4", "info depth 1 score cp 8 pv d2d4", "bestmove e2e4")
    )
    engine = await UciEngine.open(script.command, timeouts=HURRY)
    state = position()
    actions = (state.action_from("c2c4"), state.action_from("d2d4"))
    found = await thoughts(engine, state, Limit(depth=1, actions=actions))
    assert [move_text(thought.action) for thought in found] == ["c2c4", "d2d4"]
    await engine.close()
    assert "go depth 1 searchmoves c2c4 d2d4" in script.told()


HEEDLESS = UCI.replace('say("bestmove e2e4")', "pass").replace(
    'elif line == "quit"', 'elif line == "stop":\n        say("bestmove d2d4")\n    elif line == "quit"'
)


async def test_stopping_leaves_it_in_step(write: Write) -> None:
    """The stopped question's answer, d2d4, is legal in the next one too."""
    thinking = HEEDLESS.replace("pass", "say('info depth 1 score cp 3 pv e2e4')", 1)
    script = write(thinking)
    engine = await UciEngine.open(script.command, timeouts=HURRY)
    stream = engine.think(position(), Limit())
    await anext(stream)
    assert move_text((await anext(stream)).action) == "e2e4"
    await stream.aclose()

    for cancellations in (1, 2):
        listening = asyncio.create_task(thoughts(engine, position("e2e4", "e7e5"), Limit()))
        await asyncio.sleep(0.02)
        for _ in range(cancellations):
            listening.cancel()
            await asyncio.sleep(0)
        await asyncio.wait({listening})
        assert listening.cancelled()
    await engine.new_game()
    assert [line for line in script.told() if line == "stop" or line.startswith("go")] == 3 * [
        "go infinite",
        "stop",
    ]
    await engine.close()


@pytest.mark.parametrize("limit", [Limit(nodes=40), Limit(depth=3), Limit(seconds=1.0, nodes_per_second=40)])
async def test_one_that_heeds_no_bound_is_stopped(write: Write, limit: Limit) -> None:
    script = write(HEEDLESS.replace("pass", "say('info depth 4 score cp 3 nodes 50 pv e2e4')", 1))
    engine = await UciEngine.open(script.command, timeouts=HURRY)
    assert await answer(engine, position(), limit) == "d2d4"
    await engine.close()
    assert script.told().count("stop") == 1


async def test_one_that_never_answers_is_given_up(write: Write) -> None:
    engine = await UciEngine.open(write(saying()).command, timeouts=HURRY)
    listening = asyncio.create_task(thoughts(engine, position()))
    await asyncio.sleep(0.02)
    listening.cancel()
    await asyncio.wait({listening})
    assert listening.cancelled()
    with pytest.raises(EngineError, match="did not move when told to"):
        await engine.new_game()
    await engine.close()


@given(
    st.lists(
        st.sampled_from(["info", "pv", "score", "cp", "mate", "nodes", "-3", "9" * 30, "e2e4", "string"])
    )
)
def test_info_lines_of_any_kind_are_read(words: list[str]) -> None:
    report = read_info(words)
    assert len(read_line(position(), report.moves)) <= len(words)


@given(st.text(alphabet="option name type spin default min max var 0123456789-", max_size=80))
def test_options_of_any_kind_are_read(text: str) -> None:
    option = read_option(f"option name {text}")
    assert option is None or option.kind == "button" or option.checked(option.default) is not None
