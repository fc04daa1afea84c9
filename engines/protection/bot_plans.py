"""The observations of scripted users, and their build plans: purchases with their squares, the most wanted first."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, partial
from itertools import chain, cycle, repeat
from pathlib import Path
from types import MappingProxyType
from typing import Final

from core.protection.board import Scenario, around, distance
from core.protection.rules import (
    AMPHIBIOUS,
    ARMOR,
    ARMORED,
    ARTILLERY,
    COMMON,
    DRONE,
    FARMER,
    HILLS,
    INFANTRY,
    JAMMER,
    JAMMING_RADIUS,
    JUMP,
    KAMIKAZEE,
    MINE,
    MOBILE,
    MOUNTAINS,
    SETTLER,
    SIDE,
    SQUARES,
    WETLANDS,
)
from core.protection.state import PlacedUnit
from core.protection.turn import ATTACK, RAM, TurnLog
from core.random import Random
from engines.protection.game import Placement, ProtectionGame

MINED: Final = 0.15  # share of a drone's neighbours that get a mine
MIXTURE: Final = (DRONE, SETTLER, INFANTRY, MINE)
BLOCK: Final = 9  # settlers of a turtle, inside a ring of 16 infantry
BATTERY: Final = (ARTILLERY, INFANTRY, *repeat(DRONE, 10))
VILLAGE: Final = (JAMMER, INFANTRY, INFANTRY, *repeat(DRONE, 8), SETTLER, SETTLER)
GUARDS: Final = 2  # armor around a gold square
MIN_LAND: Final = 20  # squares of a settlement's 25 that can be built on
COUNTERS: Final = MappingProxyType({
    COMMON: INFANTRY,
    AMPHIBIOUS: INFANTRY,
    MOBILE: INFANTRY,
    JUMP: ARMOR,
    KAMIKAZEE: ARTILLERY,  # no fight stops it, bombs may
    ARMORED: ARMOR,
})  # fmt: skip
UNITS: Final = range(DRONE, ARTILLERY + 1)
EVOLVED_FILE: Final = Path(__file__).with_name("bots") / "evolved.txt"


# -- Observation -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Loss:
    """A unit that was destroyed, and the kind of minion that destroyed it if that is known."""

    unit: int
    square: int
    killer: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """The view of the human at a setup; money in dollars."""

    scenario: Scenario
    turn: int
    treasury: int
    chaos_value: int
    units: tuple[PlacedUnit, ...]
    losses: tuple[Loss, ...]  # of the turn before

    def free(self) -> list[int]:
        """Return the squares where a unit may be placed, in order."""
        taken = {unit.square for unit in self.units}
        ground = self.scenario.map
        return [square for square in range(SQUARES) if ground.is_land(square) and square not in taken]

    def yields(self, unit: int, square: int) -> int:
        """Return the dollars that a unit would yield on a square in a phase."""
        return int(self.scenario.yields[unit * SQUARES + square])


def observe(game: ProtectionGame) -> Observation:
    """Return the human's view of a game; the killers of units are known if the last turn was logged."""
    state = game.state
    last = game.turns[-1] if game.turns else None
    killers = _killers(last.log) if last and last.log else {}
    return Observation(
        scenario=state.scenario,
        turn=state.turn,
        treasury=state.treasury,
        chaos_value=state.chaos_value(),
        units=tuple(state.units.values()),
        losses=tuple(
            Loss(unit=unit.code, square=unit.square, killer=killers.get(unit.square))
            for unit, _ in (last.report.lost_units if last else ())
        ),
    )


def _killers(log: TurnLog) -> Mapping[int, int]:
    """Return the kind of minion that destroyed a unit, by the square of the unit."""
    return {
        square: log.roster[number][0]
        for _, fight, number, square, _, _, has_won, _ in log.fights
        if fight in (ATTACK, RAM) and has_won
    }


# -- Where to build --------------------------------------------------------------------------------


def best_farms(observation: Observation) -> list[int]:
    """Return the free squares, those with the highest yield first."""
    return sorted(observation.free(), key=lambda square: -observation.yields(DRONE, square))


def settlements(observation: Observation, apart: int) -> Iterator[list[int]]:
    """Yield the land around each good centre, nearest squares first; centres are at least `apart` from each other.

    The centres depend on the map alone, so that a plan continues in later turns what it has started.
    """
    ground = observation.scenario.map
    worth = {}
    for square in range(SQUARES):
        near = [other for other in around(square, 2) if ground.is_land(other)]
        if ground.is_land(square) and len(near) >= MIN_LAND:
            worth[square] = sum(observation.yields(DRONE, other) for other in near)
    centres: list[int] = []
    for centre in sorted(worth, key=lambda square: -worth[square]):
        if all(distance(centre, other) >= apart for other in centres):
            centres.append(centre)
            reach = [square for square in around(centre, apart // 2) if ground.is_land(square)]
            yield sorted(reach, key=lambda square: distance(centre, square))


# -- Plans -----------------------------------------------------------------------------------------

Plan = Callable[[Observation, Random], Iterator[Placement]]


def nothing(observation: Observation, rng: Random) -> Iterator[Placement]:
    yield from ()


def place_one_kind(unit: int, observation: Observation, rng: Random) -> Iterator[Placement]:
    """Place one kind of unit on the squares with the highest yield."""
    return _placed(repeat(unit), best_farms(observation))


def mines(observation: Observation, rng: Random) -> Iterator[Placement]:
    """Place drones, with mines on some of the squares around each."""
    mined = set()
    for square in best_farms(observation):
        if square in mined:
            continue
        yield Placement(DRONE, square)
        for other in around(square, 1):
            if other != square and rng.chance(MINED):
                mined.add(other)
                yield Placement(MINE, other)


def mixed(observation: Observation, rng: Random) -> Iterator[Placement]:
    """Place several kinds in turn, continuing the sequence of the last setup."""
    first = len(observation.units) % len(MIXTURE)
    return _placed(cycle(MIXTURE[first:] + MIXTURE[:first]), best_farms(observation))


def turtle(observation: Observation, rng: Random) -> Iterator[Placement]:
    """Place compact blocks of settlers inside rings of infantry, one block after another."""
    for squares in settlements(observation, 5):
        yield from _placed(chain(repeat(SETTLER, BLOCK), repeat(INFANTRY)), squares)


def artillery(observation: Observation, rng: Random) -> Iterator[Placement]:
    """Place clusters of units within the range of a piece of artillery."""
    for squares in settlements(observation, 5):
        yield from _placed(iter(BATTERY), squares)


def jammers(observation: Observation, rng: Random) -> Iterator[Placement]:
    """Place villages, each around a jammer."""
    for squares in settlements(observation, JAMMING_RADIUS):
        yield from _placed(iter(VILLAGE), squares)


def fortress(observation: Observation, rng: Random) -> Iterator[Placement]:
    """Place settlers and drones at the gold, and armor on the nearest mountains."""
    ground, height = observation.scenario.map, {MOUNTAINS: 2, HILLS: 1}
    free = set(observation.free())
    for gold in ground.gold:
        near = sorted(
            (square for square in around(gold, 3) if ground.is_land(square) and square != gold),
            key=lambda square: (-height.get(ground.codes[square], 0), distance(gold, square)),
        )
        wanted = [Placement(SETTLER, gold), *(Placement(ARMOR, square) for square in near[:GUARDS])]
        wanted += [Placement(DRONE, square) for square in near if distance(gold, square) == 1]
        yield from [wish for wish in wanted if wish.square in free]


def reactive(observation: Observation, rng: Random) -> Iterator[Placement]:
    """Rebuild where units were lost, with units that stop their killer; then continue as `mixed` does."""
    for loss in observation.losses:
        yield Placement(DRONE if loss.killer is None else COUNTERS[loss.killer], loss.square)
    yield from mixed(observation, rng)


def evolved(observation: Observation, rng: Random) -> Iterator[Placement]:
    """Place units by evolved weights for a kind of ground, for gold, and for the distance to the best centre."""
    ground, centre = observation.scenario.map, next(settlements(observation, SIDE))[0]
    wishes = []
    for square in observation.free():
        for unit, (*grounds, gold, near) in zip(UNITS, _evolved_weights(), strict=True):
            worth = grounds[ground.codes[square] - WETLANDS] + gold * (square in ground.gold)
            wishes.append((worth + near * distance(square, centre) / SIDE, unit, square))
    for _, unit, square in sorted(wishes, reverse=True):
        yield Placement(unit, square)


PLANS: Final[Mapping[str, Plan]] = MappingProxyType({
    "drones": partial(place_one_kind, DRONE),
    "farmers": partial(place_one_kind, FARMER),
    "settlers": partial(place_one_kind, SETTLER),
    "turtle": turtle,
    "artillery": artillery,
    "mines": mines,
    "mixed": mixed,
    "jammers": jammers,
    "fortress": fortress,
    "reactive": reactive,
})  # fmt: skip


def _placed(units: Iterator[int], squares: list[int]) -> Iterator[Placement]:
    return map(Placement, units, squares)


@cache
def _evolved_weights() -> tuple[tuple[float, ...], ...]:
    """Return a row of weights for each unit, from drone to artillery."""
    lines = EVOLVED_FILE.read_text(encoding="utf-8").splitlines()
    return tuple(tuple(map(float, line.split())) for line in lines if not line.startswith("#"))
