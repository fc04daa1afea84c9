"""The board: geometry of the torus, maps, arrangements of units, and the precomputed tables of a map and its rules.

A square is y * 24 + x. A pose is a square and a facing in one number, square * 4 + facing: north (y - 1), east,
south, west. A distance is the larger of rows and columns, the short way round.
"""

from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64

from core.protection.rules import (
    ARTILLERY,
    BOMBING_RADIUS,
    GOLD_BONUS,
    GOLD_RADIUS,
    GOLD_SQUARES,
    MAX_MINIONS,
    MINIONS,
    NO_UNIT,
    PEAKS,
    SCAVENGER,
    SIDE,
    SQUARES,
    TERRAINS,
    WATER,
    Rules,
    minion_costs,
)
from core.random import Random

POSES: Final = 2304
STEPS: Final = ((0, -1), (1, 0), (0, 1), (-1, 0))  # (x, y) by facing

NEAR: Final = 24  # squares that an artillery reaches, without its own


# What a square is to minions.
OPEN: Final = 0
WET: Final = 1  # passable to the amphibious
CLOSED: Final = 2

SMOOTHINGS: Final = 4


@final
class Map:
    """A map: `codes` has one terrain code per square, row by row; `gold` lists the squares with gold, in order."""

    def __init__(self, codes: bytes, gold: tuple[int, ...]) -> None:
        """Create a map. Raises ValueError for a wrong length, an unknown terrain, or gold that is off the board."""
        if len(codes) != SQUARES:
            raise ValueError(f"a map has {SQUARES} squares, not {len(codes)}")
        if max(codes) >= len(TERRAINS):
            raise ValueError(f"a terrain is 0 to {len(TERRAINS) - 1}, not {max(codes)}")
        for square in gold:
            if not 0 <= square < SQUARES:
                raise ValueError(f"gold lies on a square, 0 to {SQUARES - 1}, not on {square}")
        self.codes: Final = codes
        self.gold: Final = tuple(sorted(set(gold)))

    def is_land(self, square: int) -> bool:
        """Return whether units, and minions of every kind, may stand on a square."""
        return self.codes[square] != WATER and self.codes[square] != PEAKS

    def farming(self, square: int) -> int:
        """Return the farming bonus of the terrain of a square, without its gold, in dollars a phase."""
        return TERRAINS[self.codes[square]].farming

    def defence(self, square: int) -> int:
        """Return the defence bonus of the terrain of a square."""
        return TERRAINS[self.codes[square]].defence

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Map) and self.codes == other.codes and self.gold == other.gold

    def __hash__(self) -> int:
        return hash((self.codes, self.gold))

    def __reduce__(self) -> tuple[object, tuple[bytes, tuple[int, ...]]]:
        return Map, (self.codes, self.gold)


@final
class Arrangement:
    """An arrangement of units: `codes` has the code of the unit on each square, 0 for none."""

    def __init__(self, codes: bytes) -> None:
        """Create an arrangement. Raises ValueError for a wrong length or an unknown unit."""
        if len(codes) != SQUARES:
            raise ValueError(f"an arrangement has {SQUARES} squares, not {len(codes)}")
        if max(codes) > ARTILLERY:
            raise ValueError(f"a unit is 1 to {ARTILLERY}, not {max(codes)}")
        self.codes: Final = codes

    def units(self) -> list[tuple[int, int]]:
        """Return (square, code) of every unit, in order of squares."""
        return [(square, code) for square, code in enumerate(self.codes) if code != NO_UNIT]

    def value(self, rules: Rules) -> int:
        """Return the cost of all units together, in dollars."""
        return sum([rules.units[code].cost for code in self.codes])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Arrangement) and self.codes == other.codes

    def __hash__(self) -> int:
        return hash(self.codes)

    def __reduce__(self) -> tuple[object, tuple[bytes]]:
        return Arrangement, (self.codes,)


@final
class Scenario:
    """A map and its rules as tables, which all turns of a game and all ratings on its map share."""

    def __init__(self, rules: Rules, ground: Map) -> None:
        self.rules: Final = rules
        self.map: Final = ground
        self.minion_limit: Final[i64] = rules.max_minions or MAX_MINIONS
        self.yields_once: Final = rules.scavenger_yield == "first"
        self.ahead: Final = POSES_AHEAD
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
        self.scavenger_senses: Final = vec[i64](
            _scavenger_senses(ground)
        )  # [pose]: the input of a scavenger with nothing in front
        self.near: Final = NEAR_SQUARES  # [square * NEAR + n], in order of squares
        self.near_distance: Final = NEAR_DISTANCE
        self.unit_cost: Final = vec[i64]([unit.cost for unit in rules.units])
        self.unit_attack: Final = vec[i64]([unit.attack for unit in rules.units])
        self.unit_defence: Final = vec[i64]([unit.defence for unit in rules.units])
        self.minion_cost: Final = minion_costs()
        self.minion_attack: Final = vec[i64]([minion.attack for minion in MINIONS])
        self.minion_defence: Final = vec[i64]([minion.defence for minion in MINIONS])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Scenario) and self.rules == other.rules and self.map == other.map

    def __hash__(self) -> int:
        return hash((self.rules, self.map))

    def __reduce__(self) -> tuple[object, tuple[Rules, Map]]:
        return Scenario, (self.rules, self.map)


def generate_map(rng: Random) -> Map:
    """Return a random map: smoothed noise, cut by height into the shares of the terrains; gold anywhere on land."""
    heights = [rng.uniform() for _ in range(SQUARES)]
    for _ in range(SMOOTHINGS):
        heights = [_mean_around(heights, square) for square in range(SQUARES)]
    by_height = sorted([(height, square) for square, height in enumerate(heights)])
    codes = bytearray([PEAKS]) * SQUARES
    begin = 0
    for code, terrain in enumerate(TERRAINS[:PEAKS]):
        end = begin + (terrain.share * SQUARES + 50) // 100
        for _, square in by_height[begin:end]:
            codes[square] = code
        begin = end
    land = [square for square in range(SQUARES) if codes[square] != WATER and codes[square] != PEAKS]
    for place in range(GOLD_SQUARES):
        other = place + int(rng.below(len(land) - place))
        land[place], land[other] = land[other], land[place]
    return Map(bytes(codes), tuple(land[:GOLD_SQUARES]))


def _mean_around(heights: list[float], square: int) -> float:
    total = 0.0
    for south in (-1, 0, 1):
        for east in (-1, 0, 1):
            total += heights[shifted_square(square, east, south)]
    return total / 9.0


def arrangement_of(units: dict[int, int]) -> Arrangement:
    """Return the arrangement of units, given as code by square. Raises ValueError for an unknown square or unit."""
    codes = bytearray(SQUARES)
    for square, code in units.items():
        if not 0 <= square < SQUARES or not 0 < code <= ARTILLERY:
            raise ValueError(f"unit {code} cannot stand on square {square}")
        codes[square] = code
    return Arrangement(bytes(codes))


# -- Geometry ---------------------------------------------------------------------------------------


def poses_ahead() -> vec[i64]:
    """Return, for each pose, the pose one square ahead with the same facing."""
    poses = []
    for square in range(SQUARES):
        for facing, (east, south) in enumerate(STEPS):
            poses.append(shifted_square(square, east, south) * 4 + facing)
    return vec[i64](poses)


def shifted_square(square: int, east: int, south: int) -> int:
    return (square // SIDE + south) % SIDE * SIDE + (square + east) % SIDE


def around(square: int, radius: int) -> list[int]:
    """Return all squares within `radius` of a square, the square itself included, in order of their numbers."""
    offsets = range(-radius, radius + 1)
    return sorted([shifted_square(square, east, south) for south in offsets for east in offsets])


def distance(one: int, other: int) -> int:
    rows = (one // SIDE - other // SIDE) % SIDE
    columns = (one - other) % SIDE
    return max(min(rows, SIDE - rows), min(columns, SIDE - columns))


def is_in_front(facing: int, east: int, south: int) -> bool:
    """Return whether an offset, in squares east and south, is in the front quadrant; a diagonal is in two."""
    step_east, step_south = STEPS[facing]
    forward = east * step_east + south * step_south
    sideways = east * step_south + south * step_east
    return forward >= 1 and forward >= abs(sideways)


# The same on every map, and larger than all other tables together: shared by all scenarios.
_REACHED: Final = [
    (square, other)
    for square in range(SQUARES)
    for other in around(square, BOMBING_RADIUS)
    if other != square
]
NEAR_SQUARES: Final = vec[i64]([other for _, other in _REACHED])
NEAR_DISTANCE: Final = vec[i64]([distance(square, other) for square, other in _REACHED])
POSES_AHEAD: Final = poses_ahead()


def farming_bonus(ground: Map, square: int) -> int:
    """Return the farming bonus of a square, terrain and gold together, in dollars a phase."""
    return ground.farming(square) + (GOLD_BONUS if square in ground.gold else 0)


def _ground(ground: Map, square: int) -> int:
    if ground.is_land(square):
        return OPEN
    return WET if ground.codes[square] == WATER else CLOSED


def _scavenger_senses(ground: Map) -> list[int]:
    """Return, for each pose, the input of a scavenger with nothing in front.

    Gold within GOLD_RADIUS outranks the bonus of the square, unless the square itself has gold.
    """
    offsets = range(-GOLD_RADIUS, GOLD_RADIUS + 1)
    has_gold = [square in ground.gold for square in range(SQUARES)]
    scavenger_senses = []
    for square in range(SQUARES):
        found = [
            (east, south)
            for south in offsets
            for east in offsets
            if has_gold[shifted_square(square, east, south)]
        ]
        for facing in range(4):
            if not found or has_gold[square]:
                scavenger_senses.append(4 + min(max(farming_bonus(ground, square), 0), 3))
            else:
                faced = [gold for gold in found if is_in_front(facing, *gold)]
                scavenger_senses.append(3 if faced else 2)
    return scavenger_senses
