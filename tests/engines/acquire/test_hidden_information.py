"""No bundled player decides by what its seat cannot see: hands, the bag, and holdings where the rules hide them."""

from collections.abc import Iterator

import pytest

from core.acquire.rules import PRESETS, GameSpec
from core.acquire.state import AcquireState
from core.random import Random
from engines.acquire.engine import AcquireEngine
from engines.acquire.player import LOOKAHEAD, RegistryPlayer
from engines.acquire.registry import PLAYERS, create_player
from engines.engine import Limit
from protocols.jsonl.acquire import AcquireGameState
from protocols.jsonl.state_adapter import PlayerAgent
from tests.core.acquire.tables import random_game
from tests.core.acquire.test_observation import hidden, moved

NAMES = ("mc-2", "search-8", *(name for name in PLAYERS if not name.startswith(LOOKAHEAD)))
HIDDEN = [GameSpec(hidden("thesis-7"), 2), GameSpec(hidden("classic"), 4)]
OPEN = [GameSpec(PRESETS["thesis-7"], 2), GameSpec(PRESETS["classic"], 4)]


def pairs(spec: GameSpec) -> Iterator[tuple[AcquireState, AcquireState]]:
    """A state, and one that looks the same to who decides."""
    rng = Random(1)
    for number, state in enumerate(random_game(spec, 7)):
        if not state.is_terminal() and number % 2:
            yield state, moved(state, state.player(), rng)


@pytest.mark.parametrize("name", NAMES)
async def test_engines_do_not_use_hidden_information(name: str) -> None:
    for spec in HIDDEN + OPEN:
        for state, other in pairs(spec):
            actions = []
            for each in (state, other):
                engine = AcquireEngine(name, seed=5)
                actions.append([info.action async for info in engine.think(each, Limit())])
            assert actions[0] == actions[1]


@pytest.mark.parametrize("name", NAMES)
def test_json_lines_agents_do_not_use_hidden_information(name: str) -> None:
    for spec in HIDDEN:
        for state, other in pairs(spec):
            seat = state.player()
            moves = [
                PlayerAgent(name, RegistryPlayer(name), lambda _: Random(3), seat).choose(
                    AcquireGameState(each, "custom", ""), seat
                )
                for each in (state, other)
            ]
            assert moves[0] == moves[1]


@pytest.mark.parametrize("name", NAMES)
def test_core_players_ignore_hands_and_bag_in_the_full_state(name: str) -> None:
    """Where holdings are open, whole games inside the core show players the state itself."""
    player = create_player(name)
    for spec in OPEN:
        for state, other in pairs(spec):
            actions = []
            for each in (state, other, state.observation(state.player())):
                player.begin()
                actions.append(int(player.choose(each, Random(9))))
            assert len(set(actions)) == 1
