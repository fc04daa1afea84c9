"""The board: geometry of the torus, maps, arrangements of units, and the precomputed tables of a map and its rules.

The board wraps around in both directions. A square is y * 24 + x. A pose is a square and a facing in one number,
square * 4 + facing, where facing is 0 for north (y - 1), 1 for east, 2 for south, 3 for west. The distance of two
squares is the larger of their distances in rows and in columns, each the shorter way around the board.
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

POSES: Final = 2304  # SQUARES * 4, as a literal (see SQUARES)
STEPS: Final = ((0, -1), (1, 0), (0, 1), (-1, 0))  # [facing]: the change of x and y by a step

NEAR: Final = 24  # the number of squares within BOMBING_RADIUS of a square, without the square itself


# The minions that may enter a square.
OPEN: Final = 0  # all
WET: Final = 1  # amphibious ones only
CLOSED: Final = 2  # none

SMOOTHINGS: Final = 4  # how often generate_map() smooths the heights


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
        self.ahead: Final = POSES_AHEAD  # [pose]: the pose one square ahead
        # [square]: OPEN, WET or CLOSED
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
        self.scavenger_senses: Final = vec[i64](_scavenger_senses(ground))  # [pose]
        self.near: Final = NEAR_SQUARES  # [square * NEAR + n]: the squares that artillery reaches, ascending
        self.near_distance: Final = NEAR_DISTANCE  # [as near]: the distance of these squares
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
    """Return a random map.

    Random heights are smoothed, and the squares in order of height divided among the terrains by their shares, water
    lowest. Gold lies on GOLD_SQUARES random squares of land.
    """
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
    """Return all squares within `radius` of a square, including the square itself, in ascending order."""
    offsets = range(-radius, radius + 1)
    return sorted([shifted_square(square, east, south) for south in offsets for east in offsets])


def distance(one: int, other: int) -> int:
    rows = (one // SIDE - other // SIDE) % SIDE
    columns = (one - other) % SIDE
    return max(min(rows, SIDE - rows), min(columns, SIDE - columns))


def is_in_front(facing: int, east: int, south: int) -> bool:
    """Return whether an offset, in squares east and south, is in the quadrant in front; a diagonal is in two."""
    step_east, step_south = STEPS[facing]
    forward = east * step_east + south * step_south
    sideways = east * step_south + south * step_east
    return forward >= 1 and forward >= abs(sideways)


# These tables are the same for every map and larger than all others together, so all scenarios share them.
_NEAR_PAIRS: Final = [
    (square, other)
    for square in range(SQUARES)
    for other in around(square, BOMBING_RADIUS)
    if other != square
]
NEAR_SQUARES: Final = vec[i64]([other for _, other in _NEAR_PAIRS])
NEAR_DISTANCE: Final = vec[i64]([distance(square, other) for square, other in _NEAR_PAIRS])
POSES_AHEAD: Final = poses_ahead()


def farming_bonus(ground: Map, square: int) -> int:
    """Return the farming bonus of a square, terrain and gold together, in dollars a phase."""
    return ground.farming(square) + (GOLD_BONUS if square in ground.gold else 0)


def _ground(ground: Map, square: int) -> int:
    if ground.is_land(square):
        return OPEN
    return WET if ground.codes[square] == WATER else CLOSED


def _scavenger_senses(ground: Map) -> list[int]:
    """Return, for each pose, the input of a scavenger with no visible unit and no obstacle on the square ahead.

    If there is gold within GOLD_RADIUS but not on the scavenger's own square, the input is 3 for gold in the quadrant
    in front and 2 for other gold. Otherwise it is 4 plus the farming bonus of the square, which is cut to 0..3.
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
