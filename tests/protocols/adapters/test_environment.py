"""The environment for learning programs: what a step shows, rewards and ends are those of the game it is a client of."""

import pytest

from core.protection.rules import RULES, TERRAINS
from protocols.adapters.environment import GROUND, ILLEGAL, PLANES, UNITS, Observation, ProtectionEnvironment
from protocols.jsonl.local import Refused
from tests.protocols.jsonl.protection_games import adapters

LINES = ["t" * 24] * 23 + ["~,tnM^" * 4]
OPTIONS = {"map": {"lines": LINES, "gold": [[2, 1]]}, "money": {"human": 1000, "chaos": 300}}


def environment() -> ProtectionEnvironment:
    return ProtectionEnvironment(adapters()["protection"], "chaos:fixed:2")


def test_terrain_letters_and_unit_names_are_those_of_the_rules() -> None:
    assert tuple(GROUND) == tuple(terrain.letter for terrain in TERRAINS)
    assert tuple(unit.name for unit in RULES["improved"].units[1:]) == UNITS


def test_an_observation_shows_terrain_gold_units_and_money() -> None:
    world = environment()
    seen, info = world.reset(seed=1, options=OPTIONS)
    planes = seen["planes"]
    assert planes.shape == world.observation_shape == (16, 24, 24) and planes.contiguous
    assert seen["scalars"] == (1, 1000, 1000, 300) and info["game_id"]
    ground = [sum(planes[plane, 23, x] for plane in range(6)) for x in range(24)]
    assert ground == [1] * 24 and planes[GROUND.index("^"), 23, 5] == 1
    assert planes[PLANES.index("gold"), 1, 2] == 1 and planes[PLANES.index("free"), 23, 0] == 0
    seen, *_ = world.step([("settler", 3, 4), (0, 5, 4)])
    assert (3, 4) in seen["ids"] and seen["planes"][PLANES.index("settler"), 4, 3] == 1
    assert (
        seen["planes"][PLANES.index("drone"), 4, 5] == 1 and seen["planes"][PLANES.index("free"), 4, 3] == 0
    )


def test_a_setup_that_is_refused_changes_nothing() -> None:
    world = environment()
    seen, _ = world.reset(seed=1, options=OPTIONS)
    again, reward, terminated, truncated, info = world.step([("settler", 0, 23), ("armor", 30, 0)])
    assert again is seen and reward == ILLEGAL and not terminated and not truncated
    assert [each["reason"] for each in info["problems"]] == ["terrain", "square"]


def share(seen: Observation) -> float:
    _, _, human, chaos = seen["scalars"]
    return float(human / max(human + chaos, 1))


def test_rewards_of_a_game_sum_to_its_outcome_and_reset_starts_another() -> None:
    world = environment()
    for cap in (2, 3):
        seen, _ = world.reset(seed=4, options={**OPTIONS, "turn_cap": cap})
        first = share(seen)
        total, turns, ended, truncated = 0.0, 0, False, False
        while not (ended or truncated):
            seen, reward, ended, truncated, info = world.step(
                [] if turns else [("drone", x, 0) for x in range(20)]
            )
            total, turns = total + reward, turns + 1
        assert info["result"]["turns"] == turns <= cap
        won, lost = info["result"]["score"]
        assert total == pytest.approx(share(seen) - first + won - lost)
        assert truncated == (info["result"]["reason"] == "turn_cap")
        with pytest.raises(ValueError, match="reset"):
            world.step([])


def test_the_same_seed_yields_the_same_game() -> None:
    games = []
    for _ in range(2):
        world = environment()
        world.reset(seed=6)
        games.append([world.step([("drone", x, x) for x in range(turn)])[1:4] for turn in range(3)])
        world.close()
    assert games[0] == games[1]


def test_reset_refuses_unknown_options() -> None:
    with pytest.raises(Refused, match="no option"):
        environment().reset(options={"wings": 2})
