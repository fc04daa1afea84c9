"""Real external engines, each skipped where it is not installed: a few plies, stopped, and whole games."""

import asyncio
import shutil
import sys
from pathlib import Path

import chess
import chess.engine
import pytest

from core.chess.game import Chess
from core.chess.position import Position, move_text
from core.random import Random
from engines.engine import Clock, EngineError, Limit
from engines.match.referee import Ending, play
from engines.time_control import TimeControl
from protocols.external.cecp import CecpEngine
from protocols.external.engine import ExternalEngine
from protocols.external.process import TIMEOUTS, Timeouts
from protocols.external.uci import UciEngine
from tests.conformance import check_engine
from tests.protocols.external.scripted import infos, position
from tests.waiting import patient_python_chess

pytestmark = pytest.mark.external

STOCKFISH = "uci stockfish"
FAIRYMAX = "cecp fairymax"
OURS = (f"uci {sys.executable} -m tools.chess_engine", f"cecp {sys.executable} -m tools.chess_engine")
STOPPABLE = (STOCKFISH, *OURS, "uci sunfish-uci", "uci gnuchess --uci", "cecp phalanx -b- -l-")
ALL = (*STOPPABLE, FAIRYMAX, "cecp hoichess")
PLACES = (str(Path(sys.executable).parent), "/usr/games", "/usr/local/games")


async def opened(description: str, timeouts: Timeouts = TIMEOUTS) -> ExternalEngine:
    protocol, program, *arguments = description.split()
    places = [shutil.which(program), *(shutil.which(program, path=place) for place in PLACES)]
    found = next((place for place in places if place), None)
    if found is None:
        pytest.skip(f"{program} is not installed")
    kind = UciEngine if protocol == "uci" else CecpEngine
    return await kind.open([found, *arguments], timeouts=timeouts)


@pytest.mark.parametrize("description", ALL)
async def test_external_engines_play_a_few_legal_plies(description: str) -> None:
    engine = await opened(description)
    try:
        for start in (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k3/8/8/8/8/8/8/4K2R b Kq - 0 1",
        ):
            state = position(fen=start)
            await engine.new_game()
            limits = (
                Limit(depth=2),
                Limit(seconds=0.1),
                Limit(clock=Clock(seconds=0.5)),
                Limit(depth=3),
            )
            for limit in limits:
                *_, last = await infos(engine, state, limit)
                assert last.action in state.legal_actions(), last.text
                assert not last.line or last.line[0] == last.action
                state.apply(last.action)
                state.apply(state.legal_actions()[0])
    finally:
        await engine.close()


@pytest.mark.parametrize("description", STOPPABLE)
async def test_stopped_external_engines_answer_the_next_search(description: str) -> None:
    engine = await opened(description)
    try:
        for state in (position(), position("d2d4"), position(fen="4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")):
            listening = asyncio.create_task(infos(engine, state, Limit()))
            await asyncio.sleep(0.1)
            listening.cancel()
            await asyncio.wait({listening})
        *_, last = await infos(engine, position("e2e4"), Limit(nodes=3000))
        assert last.action in position("e2e4").legal_actions()
    finally:
        await engine.close()


@pytest.mark.parametrize("description", [STOCKFISH, "cecp phalanx -b- -l-"])
async def test_external_engines_pass_the_conformance_checks(description: str) -> None:
    engine = await opened(description)
    try:
        await check_engine(engine, Chess())
    finally:
        await engine.close()


async def test_fairymax_cannot_be_stopped_and_is_given_up() -> None:
    engine = await opened(FAIRYMAX, Timeouts(stop=0.3))
    listening = asyncio.create_task(infos(engine, position(), Limit()))
    await asyncio.sleep(0.2)
    listening.cancel()
    await asyncio.wait({listening})
    with pytest.raises(EngineError, match="did not move when stopped"):
        await engine.new_game()
    await engine.close()


@pytest.mark.parametrize(
    ("control", "pair"),
    [
        ("1+0.05", (STOCKFISH, FAIRYMAX)),
        ("depth=2", (FAIRYMAX, OURS[1])),
        ("depth=2", (OURS[0], STOCKFISH)),
        ("st=0.05", (OURS[1], "cecp phalanx -b- -l-")),
    ],
)
async def test_pairs_of_engines_play_games_to_a_regular_ending(control: str, pair: tuple[str, str]) -> None:
    engines: list[ExternalEngine] = []
    try:
        for description in pair:
            engines.append(await opened(description))
        start: Position = position("e2e4", "e7e5", "g1f3")
        result = await play(
            Chess(), engines, TimeControl.parse(control), Random(1), start, margin_seconds=0.5, max_actions=20
        )
        moves = " ".join(move_text(turn.action) for turn in result.history)
        assert result.ending in (Ending.NORMAL, Ending.ADJUDICATION, Ending.RESIGNATION), (
            f"{result.reason}: {moves}"
        )
    finally:
        for engine in engines:
            await engine.close()


@pytest.mark.parametrize("protocol", ["uci", "cecp"])
@pytest.mark.parametrize("number", [0, 356, 518, 721])
async def test_chess960_games_against_stockfish_are_legal(protocol: str, number: int) -> None:
    """python-chess drives both engines and is the referee: it raises for any move that is not legal."""
    stockfish = next(filter(None, (shutil.which("stockfish", path=place) for place in PLACES)), None)
    if stockfish is None:
        pytest.skip("stockfish is not installed")
    kind = chess.engine.popen_uci if protocol == "uci" else chess.engine.popen_xboard
    with patient_python_chess():
        transport, ours = await kind([sys.executable, "-m", "tools.chess_engine"])
    their_transport, theirs = await chess.engine.popen_uci(stockfish)
    try:
        for colour in chess.COLORS:
            board = chess.Board.from_chess960_pos(number)
            while not board.is_game_over(claim_draw=True) and board.ply() < 80:
                engine = ours if board.turn == colour else theirs
                result = await engine.play(board, chess.engine.Limit(depth=3))
                assert result.move is not None
                board.push(result.move)
            assert board.ply() >= 10
    finally:
        await ours.quit()
        await theirs.quit()
        transport.close()
        their_transport.close()
