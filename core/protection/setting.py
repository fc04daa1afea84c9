"""Rules and a map made ready: what every turn asks, as numbers by square, pose, unit and minion."""

from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64

from core.protection.buying import minion_costs
from core.protection.rules import (
    BOMBING_RADIUS,
    GOLD_BONUS,
    GOLD_RADIUS,
    MINIONS,
    MOST_MINIONS,
    SCAVENGER,
    SQUARES,
    WATER,
    Rules,
)
from core.protection.terrain.map import Map
from core.protection.terrain.torus import around, distance, is_in_front, poses_ahead, shifted_square

NEAR: Final = 24  # squares that artillery reaches

# The same on every map, and more than all the rest: shared by all settings.
_REACHED: Final = [
    (square, other)
    for square in range(SQUARES)
    for other in around(square, BOMBING_RADIUS)
    if other != square
]
_NEAR: Final = vec[i64]([other for _, other in _REACHED])
_NEAR_DISTANCE: Final = vec[i64]([distance(square, other) for square, other in _REACHED])
_AHEAD: Final = poses_ahead()

# What ground is to those who walk.
OPEN: Final = 0
WET: Final = 1  # passable to the amphibious
CLOSED: Final = 2


@final
class Setting:
    """Shared by all turns of a game, and by all ratings on its map."""

    def __init__(self, rules: Rules, ground: Map) -> None:
        self.rules: Final = rules
        self.map: Final = ground
        self.most_minions: Final[i64] = rules.max_minions or MOST_MINIONS
        self.yields_once: Final = rules.scavenger_yield == "first"
        self.ahead: Final = _AHEAD
        self.ground: Final = vec[i64]([_ground(ground, square) for square in range(SQUARES)])
        self.defence: Final = vec[i64]([ground.defence(square) for square in range(SQUARES)])
        self.yields: Final = vec[i64](  # [unit * SQUARES + square], dollars a phase
            [
                max(0, unit.rate + farming_bonus(ground, square)) if unit.farms else 0
                for unit in rules.units
                for square in range(SQUARES)
            ]
        )
        scavenged = MINIONS[SCAVENGER].rate
        self.scavenged: Final = vec[i64](  # [square], dollars an action
            [max(0, scavenged + farming_bonus(ground, square)) for square in range(SQUARES)]
        )
        self.scents: Final = vec[i64](_scents(ground))  # [pose]: what a scavenger senses on open ground
        self.near: Final = _NEAR  # [square * NEAR + n], in order of squares
        self.near_distance: Final = _NEAR_DISTANCE
        self.unit_cost: Final = vec[i64]([unit.cost for unit in rules.units])
        self.unit_attack: Final = vec[i64]([unit.attack for unit in rules.units])
        self.unit_defence: Final = vec[i64]([unit.defence for unit in rules.units])
        self.minion_cost: Final = minion_costs()
        self.minion_attack: Final = vec[i64]([minion.attack for minion in MINIONS])
        self.minion_defence: Final = vec[i64]([minion.defence for minion in MINIONS])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Setting) and self.rules == other.rules and self.map == other.map

    def __hash__(self) -> int:
        return hash((self.rules, self.map))

    def __reduce__(self) -> tuple[object, tuple[Rules, Map]]:
        return Setting, (self.rules, self.map)


def farming_bonus(ground: Map, square: int) -> int:
    """Of the terrain and of its gold together, dollars a phase."""
    return ground.farming(square) + (GOLD_BONUS if square in ground.gold else 0)


def _ground(ground: Map, square: int) -> int:
    if ground.is_land(square):
        return OPEN
    return WET if ground.codes[square] == WATER else CLOSED


def _scents(ground: Map) -> list[int]:
    """Gold within its radius outranks the bonus of the square, unless that has gold itself."""
    offsets = range(-GOLD_RADIUS, GOLD_RADIUS + 1)
    has_gold = [square in ground.gold for square in range(SQUARES)]
    scents = []
    for square in range(SQUARES):
        found = [
            (east, south)
            for south in offsets
            for east in offsets
            if has_gold[shifted_square(square, east, south)]
        ]
        for facing in range(4):
            if not found or has_gold[square]:
                scents.append(4 + min(max(farming_bonus(ground, square), 0), 3))
            else:
                faced = [gold for gold in found if is_in_front(facing, *gold)]
                scents.append(3 if faced else 2)
    return scents
