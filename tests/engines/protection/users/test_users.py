"""Scripted users: legal, the same for the same seed, and each what its name says."""

import pytest

from core.protection.board import distance
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
from engines.protection.game.chance import Seeded
from engines.protection.game.game import ProtectionGame, begun
from engines.protection.game.setup import Setup
from engines.protection.pool.handwritten import handwritten
from engines.protection.users.reactive import reactive
from engines.protection.users.seen import Loss, Seen, seen
from engines.protection.users.table import USERS, user

STRINGS = [genome.code for genome in handwritten().values()]


def played(name: str, seed: int, turns: int, skill: float = 1.0) -> ProtectionGame:
    game = begun(RULES["improved"], Seeded(seed))
    who = user(name, 0, skill)
    while game.over is None and len(game.turns) < turns:
        game.set_up(who.setup(seen(game), Random(seed + len(game.turns))))
        game.play(STRINGS[(seed + len(game.turns)) % len(STRINGS)], TurnLog() if who.watches else None)
    return game


@pytest.mark.parametrize("name", USERS)
def test_every_setup_is_legal_and_the_same_for_the_same_seed(name: str) -> None:
    turns = 2 if name == "greedy" else 6
    game = played(name, 4, turns)
    assert played(name, 4, turns).actions == game.actions


def first_setup(name: str, seed: int = 1, skill: float = 1.0) -> tuple[Seen, Setup]:
    view = seen(begun(RULES["improved"], Seeded(seed)))
    return view, user(name, 0, skill).setup(view, Random(seed))


def test_a_name_may_say_the_skill() -> None:
    assert first_setup("mines:0.4") == first_setup("mines", skill=0.4) != first_setup("mines")
    assert first_setup("mines:1.0", skill=0.4) == first_setup("mines")
    for name in ("mines:", "mines:2", "mines:0,4", "mines:-1", "mines:1e-3", "mines:0.4:1", "nero:0.4"):
        with pytest.raises(ValueError):
            user(name, 0)


@pytest.mark.parametrize(("name", "unit"), [("drones", DRONE), ("settlers", SETTLER)])
def test_farmers_take_the_best_squares(name: str, unit: int) -> None:
    view, setup = first_setup(name)
    assert {item.unit for item in setup.place} == {unit}
    taken = {item.square for item in setup.place}
    worst = min(view.yields(DRONE, square) for square in taken)
    assert all(view.yields(DRONE, square) <= worst for square in view.free() if square not in taken)


def test_thrift() -> None:
    costs = [unit.cost for unit in RULES["improved"].units]
    for name, low, high in (
        ("idle", 0, 0),
        ("novice", 950, 1000),
        ("saver", 650, 800),
        ("random", 1950, 2000),
    ):
        _, setup = first_setup(name)
        assert low <= sum(costs[item.unit] for item in setup.place) <= high, name


@pytest.mark.parametrize("name", ["artillery", "jammers", "turtle"])
def test_who_settles_close_together(name: str) -> None:
    """Guns have drones within their reach, villages are jammed, settlers have soldiers near."""
    guard, reach = {
        "artillery": (ARTILLERY, 2),
        "jammers": (JAMMER, JAMMING_RADIUS),
        "turtle": (INFANTRY, 4),
    }[name]
    _, setup = first_setup(name)
    guards = [item.square for item in setup.place if item.unit == guard]
    farms = [item.square for item in setup.place if item.unit in (DRONE, SETTLER)]
    assert guards and len(farms) > 5
    near = [min(distance(farm, other) for other in guards) <= reach for farm in farms]
    assert sum(near) >= len(near) * 0.8


def test_a_fortress_stands_around_gold() -> None:
    view, setup = first_setup("fortress")
    armor = [item.square for item in setup.place if item.unit == ARMOR]
    assert armor
    assert all(min(distance(square, gold) for gold in view.scenario.map.gold) <= 3 for square in armor)


def test_mines_lie_beside_drones() -> None:
    _, setup = first_setup("mines")
    drones = [item.square for item in setup.place if item.unit == DRONE]
    mines = [item.square for item in setup.place if item.unit == MINE]
    assert mines and len(drones) > len(mines)
    assert all(min(distance(mine, drone) for drone in drones) == 1 for mine in mines)


def test_skill_is_the_share_of_purchases_by_plan() -> None:
    """Half of them are drones by plan, the others any unit."""
    kinds = [item.unit for seed in range(8) for item in first_setup("drones", seed, 0.5)[1].place]
    by_plan = kinds.count(DRONE) / len(kinds)
    assert 0.5 < by_plan < 0.85


def test_who_reacts_knows_the_killer() -> None:
    """What a logged turn has destroyed is rebuilt first, by the killer's counter."""
    for seed in range(6):
        game = played("reactive", seed, 1)
        view = seen(game)
        known = [loss for loss in view.losses if loss.killer is not None and loss.unit != MINE]
        if known:
            break
    assert known and {loss.killer for loss in known} <= set(range(2, 8))
    first = next(reactive(view, Random(1)))
    assert first.square == view.losses[0].square


def test_without_a_log_nobody_knows_the_killer() -> None:
    for seed in range(6):
        game = played("drones", seed, 1)
        losses: tuple[Loss, ...] = seen(game).losses
        if losses:
            break
    assert losses and all(loss.killer is None for loss in losses)
    assert all(0 <= loss.square < SQUARES for loss in losses)


def test_the_switcher_switches_and_the_learner_learns() -> None:
    view = seen(begun(RULES["improved"], Seeded(1)))
    early, late = (user("switcher", game).setup(view, Random(1)) for game in (4, 5))
    assert {item.unit for item in early.place} == {DRONE} != {item.unit for item in late.place}
    novice, master = (user("learner", game).setup(view, Random(1)) for game in (0, 40))
    assert master == user("mixed", 0).setup(view, Random(1)) != novice


def test_who_is_not_there() -> None:
    with pytest.raises(ValueError, match="no scripted user is called 'napoleon'"):
        user("napoleon", 0)
