"""Scripted users: legal, paid, the same for the same seed, and each what its name says."""

import pickle
from hashlib import sha256

import pytest

from core.protection.board import Arrangement, around, distance, generate_map
from core.protection.rules import (
    ARMOR,
    ARTILLERY,
    DRONE,
    INFANTRY,
    JAMMER,
    JAMMING_RADIUS,
    MINE,
    RULES,
    SETTLER,
    SQUARES,
)
from core.protection.turn import TurnLog
from core.random import Random
from engines.player import Player
from engines.protection.bot_plans import Loss, Observation, observe, reactive
from engines.protection.bots import BOTS, BUILDERS, create_bot, first_setup
from engines.protection.game import ProtectionGame, Setup, new_game
from engines.protection.pool import handwritten
from engines.seeds import SeededStreams

STRINGS = [genome.code for genome in handwritten().values()]


def played(name: str, seed: int, turns: int, skill: float = 1.0) -> ProtectionGame:
    game = new_game(RULES["improved"], SeededStreams(seed))
    who = create_bot(name, 0, skill)
    while game.over is None and len(game.turns) < turns:
        game.set_up(who.choose(observe(game), Random(seed + len(game.turns))))
        game.play(STRINGS[(seed + len(game.turns)) % len(STRINGS)], TurnLog() if who.watches else None)
    return game


@pytest.mark.parametrize("name", BOTS)
def test_every_setup_is_legal_and_the_same_for_the_same_seed(name: str) -> None:
    one, other = (played(name, 4, 2 if name == "greedy" else 6) for _ in range(2))
    assert [turn.audit for turn in one.turns] == [turn.audit for turn in other.turns]
    assert list(one.state.arrangement().units()) == list(other.state.arrangement().units())


def chosen_setup(name: str, seed: int = 1, skill: float = 1.0) -> tuple[Observation, Setup]:
    view = observe(new_game(RULES["improved"], SeededStreams(seed)))
    return view, create_bot(name, 0, skill).choose(view, Random(seed))


def test_a_bot_name_may_contain_the_skill() -> None:
    assert chosen_setup("mines:0.4") == chosen_setup("mines", skill=0.4) != chosen_setup("mines")
    assert chosen_setup("mines:1.0", skill=0.4) == chosen_setup("mines")
    for name in ("mines:", "mines:2", "mines:0,4", "mines:-1", "mines:1e-3", "mines:0.4:1", "nero:0.4"):
        with pytest.raises(ValueError):
            create_bot(name, 0)


@pytest.mark.parametrize(("name", "unit"), [("drones", DRONE), ("settlers", SETTLER)])
def test_farmers_take_the_best_squares(name: str, unit: int) -> None:
    view, setup = chosen_setup(name)
    assert {item.unit for item in setup.place} == {unit}
    taken = {item.square for item in setup.place}
    worst = min(view.yields(DRONE, square) for square in taken)
    assert all(view.yields(DRONE, square) <= worst for square in view.free() if square not in taken)


def test_bots_spend_their_expected_amounts() -> None:
    costs = [unit.cost for unit in RULES["improved"].units]
    for name, low, high in (
        ("idle", 0, 0),
        ("novice", 950, 1000),
        ("saver", 650, 800),
        ("random", 1950, 2000),
    ):
        _, setup = chosen_setup(name)
        assert low <= sum(costs[item.unit] for item in setup.place) <= high, name


@pytest.mark.parametrize("name", ["artillery", "jammers", "turtle"])
def test_some_bots_place_guards_near_their_farms(name: str) -> None:
    """Guns have drones within their reach, villages are jammed, settlers have soldiers near."""
    guard, reach = {
        "artillery": (ARTILLERY, 2),
        "jammers": (JAMMER, JAMMING_RADIUS),
        "turtle": (INFANTRY, 4),
    }[name]
    _, setup = chosen_setup(name)
    guards = [item.square for item in setup.place if item.unit == guard]
    farms = [item.square for item in setup.place if item.unit in (DRONE, SETTLER)]
    assert guards and len(farms) > 5
    near = [min(distance(farm, other) for other in guards) <= reach for farm in farms]
    assert sum(near) >= len(near) * 0.8


def test_a_fortress_stands_around_gold() -> None:
    view, setup = chosen_setup("fortress")
    armor = [item.square for item in setup.place if item.unit == ARMOR]
    assert armor
    assert all(min(distance(square, gold) for gold in view.scenario.map.gold) <= 3 for square in armor)


def test_skill_is_the_share_of_purchases_by_plan() -> None:
    """Half of them are drones by plan, the others any unit."""
    kinds = [item.unit for seed in range(8) for item in chosen_setup("drones", seed, 0.5)[1].place]
    by_plan = kinds.count(DRONE) / len(kinds)
    assert 0.5 < by_plan < 0.85


def test_the_reactive_bot_rebuilds_lost_units_first() -> None:
    """What a logged turn has destroyed is rebuilt first, by the killer's counter."""
    for seed in range(6):
        game = played("reactive", seed, 1)
        view = observe(game)
        known = [loss for loss in view.losses if loss.killer is not None and loss.unit != MINE]
        if known:
            break
    assert known and {loss.killer for loss in known} <= set(range(2, 8))
    first = next(reactive(view, Random(1)))
    assert first.square == view.losses[0].square


def test_losses_of_an_unlogged_turn_have_no_killer() -> None:
    for seed in range(6):
        game = played("drones", seed, 1)
        losses: tuple[Loss, ...] = observe(game).losses
        if losses:
            break
    assert losses and all(loss.killer is None for loss in losses)
    assert all(0 <= loss.square < SQUARES for loss in losses)


def test_the_switcher_and_the_learner_change_over_the_games() -> None:
    view = observe(new_game(RULES["improved"], SeededStreams(1)))
    early, late = (create_bot("switcher", game).choose(view, Random(1)) for game in (4, 5))
    assert {item.unit for item in early.place} == {DRONE} != {item.unit for item in late.place}
    novice, master = (create_bot("learner", game).choose(view, Random(1)) for game in (0, 40))
    assert master == create_bot("mixed", 0).choose(view, Random(1)) != novice


def test_the_sleeper_does_nothing_in_some_turns() -> None:
    view = observe(new_game(RULES["improved"], SeededStreams(1)))
    sleeper = create_bot("sleeper", 0)
    asleep = sum(not sleeper.choose(view, Random(seed)).place for seed in range(200))
    assert 40 <= asleep <= 80, "three tenths of them"


def test_pickled_bots_and_observations_give_the_same_setups() -> None:
    """A copy in another process decides the same, also from an observation that has travelled."""
    game = played("reactive", 2, 1)
    seen = observe(game)
    assert seen.units and seen.losses
    for name in BOTS:
        bot: Player = create_bot(name, 0, 0.9)
        copy, travelled = pickle.loads(pickle.dumps((bot, seen)))
        assert copy.choose(travelled, Random(5)) == bot.choose(seen, Random(5)), name
        assert seen == observe(game), name


def test_unknown_bot_names_are_refused() -> None:
    with pytest.raises(ValueError, match="no scripted user is called 'napoleon'"):
        create_bot("napoleon", 0)


GOLDEN = {
    "drones": "98281f3f",
    "farmers": "6c1e032d",
    "settlers": "5f002622",
    "turtle": "4b948ecf",
    "artillery": "9348e0f0",
    "mines": "f4416666",
    "mixed": "3d42069e",
    "jammers": "6f210ffa",
    "fortress": "77eb160d",
    "reactive": "3d42069e",
    "idle": "4f53cda1",
    "random": "9cd677a0",
    "novice": "0703cfac",
    "saver": "94676cd1",
    "switcher": "98281f3f",
    "learner": "4c9a4276",
    "greedy": "52043400",
    "evolved": "a187cc0b",
    "arms-race": "c979b041",
    "sleeper": "3d42069e",  # awake
}


def test_setups_have_their_golden_digests() -> None:
    setups = {
        name: repr([(item.unit, item.square) for item in chosen_setup(name, 3)[1].place]) for name in BOTS
    }
    assert {name: sha256(setup.encode()).hexdigest()[:8] for name, setup in setups.items()} == GOLDEN


# -- First setups ----------------------------------------------------------------------------------

BOARD = generate_map(Random(3))


def first(name: str, dollars: int = 2000, seed: int = 1) -> Arrangement:
    return first_setup(name, RULES["improved"], BOARD, dollars, Random(seed))


@pytest.mark.parametrize("dollars", [0, 19, 2000, 18_000])
@pytest.mark.parametrize("name", BUILDERS)
def test_first_setups_are_paid_for_and_stand_on_land(name: str, dollars: int) -> None:
    arrangement = first(name, dollars)
    assert min(dollars, 9000) * 0.8 - 200 < arrangement.value(RULES["improved"]) <= dollars
    assert all(BOARD.is_land(square) for square, _ in arrangement.units())
    assert first(name, dollars) == arrangement


def test_no_two_builders_build_the_same_setup() -> None:
    assert len({first(name) for name in BUILDERS}) == len(BUILDERS)


def test_mines_lie_next_to_drones() -> None:
    units = dict(first("mines").units())
    assert all(unit == DRONE or _near(units, square, DRONE) for square, unit in units.items())
    assert list(units.values()).count(MINE) > 5
    assert first("mines", seed=1) != first("mines", seed=2)


def test_a_turtle_has_settlers_within_infantry() -> None:
    units = dict(first("turtle", 4000).units())
    assert list(units.values()).count(SETTLER) > 4
    assert all(_near(units, square, SETTLER) for square, unit in units.items() if unit == INFANTRY)


def _near(units: dict[int, int], square: int, kind: int) -> bool:
    return any(units.get(each) == kind for each in around(square, 1))
