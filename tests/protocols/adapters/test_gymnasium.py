"""Advanced Protection for learning programs: Gymnasium's own checks, and turns that are built step by step."""

import warnings
from typing import Any

import pytest

numpy = pytest.importorskip("numpy", reason="numpy is missing: pip install '.[gymnasium]'")
pytest.importorskip("gymnasium", reason="Gymnasium is missing: pip install '.[gymnasium]'")

from gymnasium.utils.env_checker import check_env  # noqa: E402  # behind the question whether it is there

from core.protection.rules import SQUARES  # noqa: E402
from protocols.adapters.environment import ILLEGAL, PLANES, UNITS, ProtectionEnvironment  # noqa: E402
from protocols.adapters.gymnasium import ACTIONS, GO, SALVAGE, ProtectionGym  # noqa: E402
from protocols.jsonl.local import Refused  # noqa: E402
from tests.protocols.jsonl.protection_games import adapters  # noqa: E402

LINES = ["t" * 24] * 23 + ["~,tnM^" * 4]
OPTIONS = {"map": {"lines": LINES, "gold": [[2, 1]]}, "money": {"human": 1000, "chaos": 300}}
DRONE, ARTILLERY = UNITS.index("drone"), UNITS.index("artillery")


def gym(**more: Any) -> ProtectionGym:
    return ProtectionGym("chaos:fixed:2", binding=adapters()["protection"], **more)


def put(unit: int, x: int, y: int) -> int:
    return 1 + unit * SQUARES + y * 24 + x


def test_the_environment_checker_of_gymnasium_raises_no_warning() -> None:
    """check_env acts without a mask, so most of what it does is illegal and changes nothing."""
    with warnings.catch_warnings(record=True) as raised:
        warnings.simplefilter("always")
        check_env(gym(), skip_render_check=True)
    assert not [str(each.message) for each in raised]


def test_a_turn_is_built_and_played() -> None:
    world = gym(render_mode="ansi")
    seen, info = world.reset(seed=1, options=OPTIONS)
    assert seen["scalars"].tolist() == [1, 1, 1, numpy.float32(0.3)]
    free = int(seen["planes"][PLANES.index("free")].sum())
    assert info["action_mask"].sum() == 1 + len(UNITS) * free
    seen, reward, _, _, info = world.step(put(ARTILLERY, 3, 4))
    assert reward == 0 and seen["scalars"][1] == numpy.float32(0.6)
    assert seen["planes"][PLANES.index("artillery"), 4, 3] == 1 and not info["action_mask"][put(DRONE, 3, 4)]
    text = world.render()
    assert text is not None and text.splitlines()[4][:5] == "...8."
    world.step(put(ARTILLERY, 5, 4))
    *_, info = world.step(put(DRONE, 0, 0))
    assert not info["action_mask"][put(ARTILLERY, 7, 7)] and info["action_mask"][put(DRONE, 7, 7)]
    assert not info["action_mask"][SALVAGE:].any()
    seen, _, terminated, truncated, info = world.step(GO)
    assert seen["scalars"][0] == 2 and not terminated and not truncated
    assert [event["kind"] for event in info["events"]]
    world.close()


def test_salvaging_a_unit_refunds_money_and_frees_its_square() -> None:
    world = gym()
    world.reset(seed=1, options=OPTIONS)
    world.step(put(ARTILLERY, 3, 4))
    seen, _, _, _, info = world.step(GO)
    square = 4 * 24 + 3
    assert seen["planes"][PLANES.index("artillery"), 4, 3] == 1 and info["action_mask"][SALVAGE + square]
    before = seen["scalars"][1]
    seen, _, _, _, info = world.step(SALVAGE + square)
    assert seen["scalars"][1] == pytest.approx(before + 0.3) and not info["action_mask"][SALVAGE + square]
    assert info["action_mask"][put(DRONE, 3, 4)]
    world.step(put(DRONE, 3, 4))
    seen, *_ = world.step(GO)
    assert seen["planes"][PLANES.index("drone"), 4, 3] == 1


@pytest.mark.parametrize("action", [put(DRONE, 0, 23), SALVAGE, -1, ACTIONS])
def test_an_illegal_action_does_nothing(action: int) -> None:
    world = gym()
    before, first = world.reset(seed=1, options=OPTIONS)
    after, reward, terminated, truncated, second = world.step(action)
    assert reward == ILLEGAL and not terminated and not truncated
    assert (before["planes"] == after["planes"]).all() and (before["scalars"] == after["scalars"]).all()
    assert (first["action_mask"] == second["action_mask"]).all()


def test_rewards_equal_those_of_the_turn_based_environment() -> None:
    world, whole = gym(), ProtectionEnvironment(adapters()["protection"], "chaos:fixed:2")
    options = {**OPTIONS, "turn_cap": 3}
    world.reset(seed=4, options=options)
    whole.reset(seed=int(numpy.random.default_rng(4).integers(2**53)), options=options)
    for turn in range(3):
        for x in range(4):
            world.step(put(DRONE, x, turn))
        ours, theirs = world.step(GO), whole.step([("drone", x, turn) for x in range(4)])
        assert ours[1:4] == theirs[1:4]
        if ours[2] or ours[3]:
            break
    assert ours[4]["result"] and not world.action_masks().any()


@pytest.mark.parametrize("seed", range(3))
def test_random_masked_actions_play_a_whole_game_without_penalty(seed: int) -> None:
    world = gym()
    _, info = world.reset(seed=seed, options={**OPTIONS, "turn_cap": 4})
    world.action_space.seed(seed)
    rng, ended, turns = numpy.random.default_rng(seed), False, 0
    while not ended:
        action = GO if rng.random() < 0.1 else int(world.action_space.sample(info["action_mask"]))
        _, reward, terminated, truncated, info = world.step(action)
        assert reward != ILLEGAL
        ended, turns = terminated or truncated, turns + (action == GO)
    assert turns == info["result"]["turns"]
    with pytest.raises(ValueError, match="call reset"):
        world.step(GO)


def test_reset_refuses_unknown_options() -> None:
    with pytest.raises(Refused, match="no option"):
        gym().reset(options={"wings": 2})
