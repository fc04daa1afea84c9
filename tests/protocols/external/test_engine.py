"""What holds of external engines whatever they speak: searches end, and commands and answers stay in step."""

import asyncio
from dataclasses import replace

import pytest

from core.chess.game import Chess
from core.chess.position import move_text
from core.random import Random
from engines.engine import EngineError, Limit
from engines.match.referee import Ending, play
from engines.random_engine import RandomEngine
from engines.time_control import TimeControl
from protocols.external.cecp import CecpEngine
from protocols.external.engine import ExternalEngine
from protocols.external.uci import UciEngine
from tests.protocols.external.scripted import (
    CECP,
    FAST,
    UCI,
    Answers,
    ScriptedProcess,
    answer,
    infos,
    opened,
    position,
)

pytestmark = pytest.mark.usefixtures("virtual_time")
BOTH = pytest.mark.parametrize("kind", [UciEngine, CecpEngine])


def searching(kind: type[ExternalEngine], *lines: str, stopped: str = "") -> Answers:
    """An engine that sends `lines` as it searches, and moves when it is stopped, if ever."""
    if kind is UciEngine:
        stop = (0.01, f"bestmove {stopped}") if stopped else ()
        return {**UCI, "go .*": [f"info {line}" for line in lines], "stop": stop}
    return {**CECP, "go": lines, r"\?": (0.01, f"move {stopped}") if stopped else ()}


LINES = {UciEngine: "depth 4 score cp 3 nodes 50 pv d2d4", CecpEngine: "4 3 0 50 d2d4"}


async def cancelled(engine: ExternalEngine, limit: Limit, times: int = 1) -> None:
    """Cancel a search while it waits for the engine."""
    search = asyncio.create_task(infos(engine, position("d2d4", "d7d5"), limit))
    await asyncio.sleep(0.01)
    for _ in range(times):
        search.cancel()
        await asyncio.sleep(0)
    await asyncio.wait({search})
    assert search.cancelled()


@BOTH
async def test_stopping_a_search_keeps_commands_and_answers_in_step(kind: type[ExternalEngine]) -> None:
    """The stopped search's answer, d2d4, is legal in the next one too."""
    engine, received = await opened(kind, searching(kind, LINES[kind], stopped="d2d4"))
    search = engine.think(position(), Limit())
    await anext(search)
    assert move_text((await anext(search)).action) == "d2d4"
    await search.aclose()
    await cancelled(engine, Limit(), times=2)  # which does not wait for the answer
    assert await answer(engine, position(), Limit(nodes=40)) == "d2d4"
    await cancelled(engine, Limit())
    await engine.new_game()
    asked = [line.split()[0] for line in received if line.startswith(("go", "stop", "?"))]
    assert asked == 4 * ["go", engine.stop_command]


@BOTH
@pytest.mark.parametrize("limit", [Limit(nodes=40), Limit(depth=3), Limit(seconds=1.0, nodes_per_second=40)])
async def test_an_engine_that_exceeds_its_limit_is_stopped(kind: type[ExternalEngine], limit: Limit) -> None:
    engine, received = await opened(kind, searching(kind, LINES[kind], stopped="e2e4"))
    assert await answer(engine, position(), limit) == "e2e4"
    assert received.count(engine.stop_command) == 1


@BOTH
async def test_an_engine_that_ignores_stop_fails_from_then_on(kind: type[ExternalEngine]) -> None:
    engine, _ = await opened(kind, searching(kind))
    await cancelled(engine, Limit(depth=1))
    for _ in range(2):
        with pytest.raises(EngineError, match="did not move when stopped"):
            await engine.new_game()


@pytest.mark.parametrize(
    ("kind", "answers", "failure"),
    [
        (UciEngine, {".*": ("hello",)}, "did not introduce itself within 0.1 s"),
        (UciEngine, {"uci": ("uciok",)}, "did not answer isready within 0.05 s"),
        (CecpEngine, {"protover 2": ("feature ping=1 done=1",)}, "did not answer ping within 0.05 s"),
    ],
)
async def test_programs_that_do_not_complete_the_handshake_are_refused(
    kind: type[ExternalEngine], answers: Answers, failure: str
) -> None:
    with pytest.raises(EngineError, match=failure):
        await kind(ScriptedProcess(answers), replace(FAST, introduction=0.1)).initialize()


@BOTH
async def test_a_program_that_repeats_its_input_is_no_engine(kind: type[ExternalEngine]) -> None:
    echo = {".*": (r"\g<0>",)}
    with pytest.raises(EngineError, match="script repeats its input, so it does not speak"):
        await kind(ScriptedProcess(echo), replace(FAST, introduction=60.0)).initialize()


@pytest.mark.parametrize("said", ["Error (unknown command): uci", "Illegal move: uci", "uci: INVALID"])
async def test_a_program_that_refuses_the_first_command_does_not_speak_uci(said: str) -> None:
    with pytest.raises(EngineError, match=r"script answers .*, so it does not speak UCI"):
        await UciEngine(ScriptedProcess({"uci": (said,)}), replace(FAST, introduction=60.0)).initialize()


@pytest.mark.parametrize(
    "banner",
    [
        "an unknown engine",
        "UCI engine of errors, unknown to most",
        "error: no tables",
        "hello",
        "",
        "id",
        "option name",
    ],
)
async def test_other_lines_before_uciok_are_ignored(banner: str) -> None:
    engine, received = await opened(UciEngine, {**UCI, "uci": (banner, *UCI["uci"])})
    assert (engine.name, engine.author, engine.options) == ("Script", "a test", ())
    assert received == ["uci", "isready"]


@BOTH
async def test_a_notice_is_sent_while_a_program_stays_silent(kind: type[ExternalEngine]) -> None:
    notices: list[str] = []
    patience = replace(FAST, notice=0.01, introduction=0.1, first_line=10.0)
    with pytest.raises(EngineError, match="did not introduce itself"):
        await kind(ScriptedProcess({}), patience).initialize(notify=notices.append)
    (notice,) = notices
    assert (
        notice.startswith(f"script has not introduced itself by {kind.protocol} yet") and "Ctrl-C" in notice
    )


@BOTH
async def test_no_notice_comes_once_an_engine_has_introduced_itself(kind: type[ExternalEngine]) -> None:
    notices: list[str] = []
    engine = kind(ScriptedProcess(UCI if kind is UciEngine else CECP), replace(FAST, notice=0.05))
    await engine.initialize(notify=notices.append)
    await asyncio.sleep(0.1)
    assert notices == []


@BOTH
async def test_names_keep_letters_of_any_language(kind: type[ExternalEngine]) -> None:
    cecp = ('feature ping=1 myname="Pok\xe9 \u0416\x07" done=1',)
    uci = ("id name Pok\xe9 \u0416\x07", "uciok")
    engine, _ = await opened(kind, {**UCI, **CECP, "uci": uci, "protover 2": cecp})
    assert engine.name == "Pok\xe9 \u0416?"


@BOTH
async def test_the_first_info_does_not_wait_for_the_engine(kind: type[ExternalEngine]) -> None:
    engine, received = await opened(kind, searching(kind))
    before = len(received)
    search = engine.think(position(), Limit())
    with pytest.raises(StopIteration):
        search.__anext__().__await__().__next__()
    await search.aclose()
    assert len(received) == before


@BOTH
@pytest.mark.parametrize("said", ["e2e5", "(none)", "0000", "Ke2", "\x00\x1b[2J"])
async def test_an_illegal_move_forfeits(kind: type[ExternalEngine], said: str) -> None:
    mover = (
        {**UCI, "go .*": (f"bestmove {said}",)} if kind is UciEngine else {**CECP, "go": (f"move {said}",)}
    )
    engine, _ = await opened(kind, mover)
    result = await play(Chess(), [engine, RandomEngine()], TimeControl(nodes=1), Random(1))
    assert (result.ending, result.culprit) == (Ending.ILLEGAL_ACTION, 0)
    assert result.reason.isprintable()
    assert result.reason[:3] in said or said.startswith("\x00")


@BOTH
async def test_unknown_options_and_invalid_values_are_not_sent(kind: type[ExternalEngine]) -> None:
    hash_uci = ("option name Hash type spin default 16 min 1 max 64", "option name Log type string", "uciok")
    hash_cecp = ('feature ping=1 option="Hash -spin 16 1 64" option="Log -string " done=1',)
    engine, received = await opened(kind, {**UCI, **CECP, "uci": hash_uci, "protover 2": hash_cecp})
    before = len(received)
    for name, value in (("Hash", "65"), ("Threads", "1"), ("Log", "a\nquit")):
        with pytest.raises(ValueError, match=name):
            await engine.configure(name, value)
    assert len(received) == before
    await engine.configure("hash", "032")
    assert received[before] in ("setoption name Hash value 32", "option Hash=32")


async def test_an_engine_whose_initial_options_fail_cannot_be_used() -> None:
    process = ScriptedProcess({**UCI, "uci": ("option name Hash type spin default 16 min 1 max 64", "uciok")})
    await UciEngine(process, FAST).initialize({"Hash": "2"})
    assert "setoption name Hash value 2" in process.received
    engine = UciEngine(ScriptedProcess(UCI), FAST)
    with pytest.raises(ValueError, match="Hash"):
        await engine.initialize({"Hash": "0"})
    with pytest.raises(EngineError, match="could not be set up"):
        await engine.new_game()
