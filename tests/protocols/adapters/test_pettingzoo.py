"""Acquire for learning programs: PettingZoo's own checks, and what an agent sees, may do and gets."""

import json
import warnings
from collections.abc import Iterator
from typing import Any

import pytest

numpy = pytest.importorskip("numpy", reason="numpy is missing: pip install '.[pettingzoo]'")
pytest.importorskip("pettingzoo", reason="PettingZoo is missing: pip install '.[pettingzoo]'")

from pettingzoo.test import api_test, seed_test  # noqa: E402  # behind the question whether it is there

from core.acquire.rules import PRESETS  # noqa: E402
from protocols.adapters.pettingzoo import AcquireEnvironment, AcquireSpace  # noqa: E402
from protocols.jsonl.acquire import AcquireAdapter, rules_data  # noqa: E402
from protocols.jsonl.local import Refused  # noqa: E402

BINDING = AcquireAdapter()
# A mask makes the space a dictionary, and who has nothing to decide may do nothing.
EXPECTED = ("should be gymnasium.spaces.box", "Action mask numpy array is all zeros", "not a NumPy array")


def environment(*seats: str, **more: Any) -> AcquireEnvironment:
    return AcquireEnvironment(seats or ("me", "me"), **{"variant": "mini", "binding": BINDING, **more})


def played(world: AcquireEnvironment, seed: int) -> Iterator[tuple[str, Any, float]]:
    """(agent, observation, reward) of a game of random actions."""
    world.reset(seed=seed)
    for agent in world.possible_agents:
        world.action_space(agent).seed(seed)
    for agent in world.agent_iter():
        seen, reward, over, _, _ = world.last()
        yield agent, seen, reward
        world.step(None if over else world.action_space(agent).sample(seen["action_mask"]))


# -- PettingZoo's checks ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seats", "variant"),
    [(("me", "me"), "mini"), (("me", "random", "me"), "classic"), (("me",) * 6, "thesis-7")],
)
def test_the_api_test_of_pettingzoo_raises_no_unexpected_warning(
    seats: tuple[str, ...], variant: str
) -> None:
    with warnings.catch_warnings(record=True) as raised:
        warnings.simplefilter("always")
        api_test(AcquireEnvironment(seats, variant), num_cycles=60)
    unexpected = {
        str(each.message) for each in raised if not any(part in str(each.message) for part in EXPECTED)
    }
    assert not unexpected


def test_the_same_seed_yields_the_same_observations() -> None:
    seed_test(lambda: environment("me", "random", "me", variant="classic"), num_cycles=30)
    first, again, other = (
        [seen["observation"].tolist() for _, seen, _ in played(environment(), seed)] for seed in (1, 1, 2)
    )
    assert first == again != other


def test_resets_without_a_seed_follow_from_the_first_seed() -> None:
    """Also those that are not given one."""

    def hands(seed: int) -> list[list[float]]:
        world = environment(variant="classic")
        seeds = (seed, None, None)
        shown = []
        for each in seeds:
            world.reset(seed=each)
            shown.append(world.last()[0]["observation"].tolist())
        return shown

    assert hands(1) == hands(1) != hands(2)
    assert len({tuple(hand) for hand in hands(1)}) == 3


# -- A game ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
def test_each_agent_receives_a_reward_for_its_rank(seed: int) -> None:
    """The share of the other seats that it has beaten, less the share that has beaten it, by the worths on record."""
    world = environment("me", "heuristic", "me", variant="thesis-2002")
    rewards, infos = dict.fromkeys(world.possible_agents, 0.0), {}
    for agent, _, reward in played(world, seed):
        rewards[agent] += reward
        infos[agent] = world.last()[4]
    assert world.agents == [] and rewards.keys() == infos.keys() == {"player_0", "player_2"}
    worths = json.loads(world._lines["player_0"].record(world._game_id)[-1])["result"]["worth"]
    for agent, seat in (("player_0", 0), ("player_2", 2)):
        beaten = sum(worth < worths[seat] for worth in worths)
        beaten_by = sum(worth > worths[seat] for worth in worths)
        assert infos[agent] == {"worth": worths[seat], "rank": beaten_by + 1}
        assert rewards[agent] == (beaten - beaten_by) / 2


def test_the_sum_of_rewards_is_zero() -> None:
    world = environment(*["me"] * 4, variant="classic")
    assert sum(reward for _, _, reward in played(world, 3)) == pytest.approx(0)


def test_an_illegal_action_changes_nothing() -> None:
    world = environment()
    world.reset(seed=1)
    before = world.last()[0]
    wrong = int(numpy.flatnonzero(before["action_mask"] == 0)[0])
    for action in (wrong, -1, len(world.space.actions), None) * 5:
        with pytest.raises(ValueError, match="not legal here"):
            world.step(action)
    after = world.last()[0]
    assert (before["observation"] == after["observation"]).all()
    assert (before["action_mask"] == after["action_mask"]).all()
    world.step(int(numpy.flatnonzero(before["action_mask"])[0]))


def test_reset_accepts_rules_and_refuses_invalid_ones() -> None:
    world = environment()
    bag = [f"{column}{row}" for row in "ABC" for column in range(1, 5)]
    world.reset(options={"rules": {"bag": bag}})
    hands = [world.observe(agent)["observation"][world.space.layout["hand"]] for agent in world.agents]
    assert sorted(numpy.flatnonzero(numpy.sum(hands, axis=0)).tolist()) == [
        2,
        3,
        4,
        5,
    ]  # behind the tiles for the order
    with pytest.raises(Refused, match="no option"):
        world.reset(options={"rules": {"wings": 2}})
    for seats, more in (
        (("random", "random"), {}),
        (("me", "nobody"), {}),
        (("me", "me"), {"variant": "none"}),
    ):
        with pytest.raises(ValueError):
            environment(*seats, **more).reset()


def test_ansi_rendering_shows_the_board_row_by_row() -> None:
    world = environment(render_mode="ansi")
    assert world.render() is None
    world.reset(seed=1)
    text = world.render()
    assert text is not None and [len(row) for row in text.splitlines()] == [4, 4, 4]
    world.close()


# -- What is hidden --------------------------------------------------------------------------------


def test_an_agent_sees_only_its_own_hand() -> None:
    world = environment("me", "me", "me", variant="classic")
    world.reset(seed=5)
    part = world.space.layout["hand"]
    hands = [world.observe(agent)["observation"][part] for agent in world.agents]
    assert [int(hand.sum()) for hand in hands] == [6, 6, 6] and numpy.sum(hands, axis=0).max() == 1
    masks = [int(world.observe(agent)["action_mask"].sum()) for agent in world.agents]
    assert sorted(masks)[:2] == [0, 0] and max(masks) > 0


@pytest.mark.parametrize("holdings", ["open", "hidden"])
def test_hidden_holdings_mask_the_cash_and_shares_of_other_agents(holdings: str) -> None:
    world = environment("me", "me", "heuristic", variant="classic", holdings=holdings)
    cash, shares = world.space.layout["cash"], world.space.layout["shares"]
    for count, (_, seen, _) in enumerate(played(world, 2)):
        figures = seen["observation"]
        others = [*figures[cash][1:], *figures[shares][7:]]
        assert figures[cash][0] >= 0 and min(figures[shares][:7]) >= 0
        assert all(figure == -1 for figure in others) == (holdings == "hidden")
        if count > 40:
            break


# -- Numbers ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", PRESETS)
def test_every_action_has_a_unique_number(variant: str) -> None:
    space = AcquireSpace(rules_data(PRESETS[variant]), 2)
    assert [space.number(action) for action in space.actions] == list(range(len(space.actions)))
    spans = list(space.kinds.values())
    assert [span.start for span in spans] == [0, *(span.stop for span in spans[:-1])]
    assert spans[-1].stop == len(space.actions)


def test_the_action_space_of_the_classic_rules_has_the_expected_sizes() -> None:
    space = AcquireSpace(rules_data(PRESETS["classic"]), 4)
    assert [len(space.kinds[kind]) for kind in space.kinds] == [2 * 108, 7, 7, 7, 182, 2 * 120]
    assert space.actions[0] == {"kind": "place", "tile": "1A"} and space.actions[13]["tile"] == "2B"
    assert space.layout["cash"] == range(space.layout["cash"].start, space.layout["shares"].start)
    assert len(space.layout["cash"]) == 4 and space.figures == space.layout["held"].stop


def test_observation_figures_list_the_own_seat_first() -> None:
    """One's own seat comes first."""
    space = AcquireSpace(rules_data(PRESETS["mini"]), 2)
    seen: dict[str, Any] = {
        "board": ["..T.", "*.T.", "...o"], "size": [2, 0], "price": [200, 0], "bank": [4, 6], "cash": [1800, None],
        "shares": [[2, 0], None], "bag_left": 3, "turn": 0, "idle": 0, "hand": [("4A", "lone"), ("1C", "lone")],
    }  # fmt: skip
    seen["board"] = [row.replace("T", PRESETS["mini"].chains[0].letter) for row in seen["board"]]
    row = space.figures_of(seen, 1, None)
    part = {name: [row[index] for index in span] for name, span in space.layout.items()}
    assert [index for index, figure in enumerate(part["board"]) if figure] == [11, 12 + 4, 24 + 2, 24 + 6]
    assert [index for index, figure in enumerate(part["hand"]) if figure] == [3, 8]
    assert part["cash"] == [-1, 1.8] and part["shares"] == [-1, -1, 2, 0] and part["turn"] == [0, 1]
    assert part["price"] == [0.2, 0] and part["phase"] == [0] * 6 and part["bag"] == [3]
    decide = {
        "phase": "dispose",
        "legal": {"defunct": PRESETS["mini"].chains[1].name, "held": 3, "survivor": ""},
    }
    row = space.figures_of(seen, 0, decide)
    part = {name: [row[index] for index in span] for name, span in space.layout.items()}
    assert part["phase"] == [0, 0, 0, 0, 1, 0] and part["defunct"] == [0, 1] and part["held"] == [3]
