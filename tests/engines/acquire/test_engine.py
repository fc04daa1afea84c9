"""The engine of Acquire keeps the laws of engines, for every player of the panel."""

import pytest

from core.acquire.game import Acquire
from core.acquire.rules import PRESETS
from core.random import Random
from engines.acquire.engine import AcquireEngine
from engines.acquire.registry import PLAYERS
from engines.match.referee import Ending, play
from engines.time_control import TimeControl
from tests.conformance import check_engine


@pytest.mark.parametrize("name", ["random", "heuristic", "mc-10"])
async def test_the_engine_conforms(name: str) -> None:
    await check_engine(AcquireEngine(name), Acquire(PRESETS["tlstyer"], 3))


async def test_four_engines_play_a_game_to_its_end() -> None:
    game = Acquire(PRESETS["classic"], 4)
    engines = [
        AcquireEngine(name, seed=seed) for seed, name in enumerate(["random", "heuristic", "mc-1", "random"])
    ]
    result = await play(game, engines, TimeControl(nodes=1), Random(7))
    assert result.ending is Ending.NORMAL and max(result.returns) == 1.0


async def test_the_player_option_accepts_any_case_and_refuses_unknown_names() -> None:
    engine = AcquireEngine(None, None, 3)
    assert engine.name == "heuristic" and engine.options[0].choices == tuple(PLAYERS)
    await engine.configure("Player", "MC-40")
    assert engine.options[0].default == "mc-40"
    with pytest.raises(ValueError, match="one of"):
        await engine.configure("Player", "nobody")
    with pytest.raises(ValueError, match="no option"):
        await engine.configure("Hash", "16")
