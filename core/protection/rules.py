"""The rules of Advanced Protection as data: terrain, units, minions, money; how Chaos buys, and how a game ends.

There are two sets of rules: `seed` follows "Advanced Protection, Appendix A" to the letter; `improved`, for people
and studies, differs from `seed` in the fields of Rules. Points that the paper leaves open are the same in both.
"""

from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64

SIDE: Final = 24  # squares; the board wraps both ways
SQUARES: Final = 576  # a literal, not SIDE * SIDE: mypyc inlines only literals in other modules
PHASES: Final = 50  # of a turn
START_DOLLARS: Final = 2000  # of either side

WATER: Final = 0
WETLANDS: Final = 1
FOREST: Final = 2
HILLS: Final = 3
MOUNTAINS: Final = 4
PEAKS: Final = 5

NO_UNIT: Final = 0
DRONE: Final = 1
MINE: Final = 2
FARMER: Final = 3
INFANTRY: Final = 4
SETTLER: Final = 5
JAMMER: Final = 6
ARMOR: Final = 7
ARTILLERY: Final = 8

SCOUT: Final = 0
SCAVENGER: Final = 1
COMMON: Final = 2
AMPHIBIOUS: Final = 3
MOBILE: Final = 4
JUMP: Final = 5
KAMIKAZEE: Final = 6
ARMORED: Final = 7
KINDS: Final = 8  # of minions

GOLD_BONUS: Final = 2  # farming, on top of the terrain's
GOLD_SQUARES: Final = 16
GOLD_RADIUS: Final = 3  # all radii count the larger of rows and columns, around the edge
JAMMING_RADIUS: Final = 4
BOMBING_RADIUS: Final = 2
LARGEST_HEARING: Final = 3
MINE_ATTACK: Final = 10  # on a minion that enters; the 0 in the table of units is the counter-attack
BOMB_SIDES: Final = 8  # of the die, 0 to 7, that each artillery rolls for each minion near it
MINOR_HIT: Final = 5  # attack of a bomb: at distance 1 with a 0, at distance 2 with a 1
MAJOR_HIT: Final = 10  # at distance 2 with a 0
GRANT: Final = 100  # dollars to Chaos after turn 1
GRANT_PERCENT: Final = 108  # a grant in percent of the grant of the turn before
MAX_MINIONS: Final = 20_000  # a turn; a limit of this program, not a rule of the game


@final
class Terrain:
    """A kind of ground: `farming` is the bonus for farming it, `defence` the bonus for defending on it."""

    def __init__(self, name: str, letter: str, share: int, farming: int, defence: int) -> None:
        self.name: Final = name
        self.letter: Final = letter
        self.share: Final = share  # percent of a map
        self.farming: Final = farming
        self.defence: Final = defence


@final
class Unit:
    """A kind of unit of the human: money is in dollars, `rate` is its farming per phase without bonuses."""

    def __init__(
        self,
        name: str,
        cost: int,
        salvage: int,
        attack: int,
        defence: int,
        rate: int = 0,
        farms: bool = False,
    ) -> None:
        self.name: Final = name
        self.cost: Final = cost
        self.salvage: Final = salvage
        self.attack: Final = attack
        self.defence: Final = defence
        self.rate: Final = rate
        self.farms: Final = farms


@final
class Minion:
    """A kind of minion of Chaos: `actions` per phase; broadcasts reach it up to `hears` squares away."""

    def __init__(
        self, name: str, cost: int, attack: int, defence: int, actions: int = 1, hears: int = 0, rate: int = 0
    ) -> None:
        self.name: Final = name
        self.cost: Final = cost
        self.attack: Final = attack
        self.defence: Final = defence
        self.actions: Final = actions
        self.hears: Final = hears
        self.rate: Final = rate


TERRAINS: Final = (
    Terrain("water", "~", 12, 0, 0),
    Terrain("wetlands", ",", 20, 2, 0),
    Terrain("forest", "t", 26, 1, 0),
    Terrain("hills", "n", 22, 0, 1),
    Terrain("mountains", "M", 14, -1, 2),
    Terrain("peaks", "^", 6, 0, 0),  # the highest: whatever the others leave
)
MINIONS: Final = (
    Minion("scout", 10, 0, 1),
    Minion("scavenger", 100, 0, 1, rate=2),
    Minion("common", 50, 6, 3, hears=2),
    Minion("amphibious", 60, 6, 3, hears=2),
    Minion("mobile", 70, 5, 3, actions=2, hears=3),
    Minion("jump", 70, 6, 2, hears=2),
    Minion("kamikazee", 70, 0, 10, actions=2, hears=2),
    Minion("armored", 200, 15, 10, hears=3),
)

# The fields in which the two sets of rules differ.
FIELDS: Final = (
    "farmer_rate",
    "scavenger_yield",
    "max_minions",
    "human_wins_ratio",
    "chaos_wins_ratio",
    "turn_cap",
    "elimination_below",
)

# The winners of a game.
HUMAN: Final = 0
CHAOS: Final = 1
NO_WINNER: Final = -1  # a draw


@final
class Rules:
    """A set of rules: the points on which `seed` and `improved` differ.

    `farmer_rate` is what a farmer farms per phase, in dollars. `scavenger_yield` is `every` (all scavengers on a
    square farm it) or `first` (one scavenger a phase). `max_minions` limits the minions of a turn; 0 is no limit.
    A side wins when its value is more than its ratio times the other side's value; `chaos_wins_ratio` 0 switches that
    off for Chaos. After `turn_cap` turns the higher value wins; 0 is no cap. The human has lost with no unit and less
    than `elimination_below` dollars.
    """

    def __init__(
        self,
        name: str,
        farmer_rate: int,
        scavenger_yield: str,
        max_minions: int,
        human_wins_ratio: int,
        chaos_wins_ratio: int,
        turn_cap: int,
        elimination_below: int,
    ) -> None:
        """Create a set of rules. Raises ValueError if no game can be played by them."""
        if scavenger_yield not in ("every", "first"):
            raise ValueError(f"scavenger_yield is every or first, not {scavenger_yield[:40]!r}")
        if min(max_minions, chaos_wins_ratio, turn_cap) < 0 or max_minions > MAX_MINIONS:
            raise ValueError(
                "max_minions, chaos_wins_ratio and turn_cap must be 0 (off) or more, and max_minions at most 20,000"
            )
        if human_wins_ratio < 1 or elimination_below < 1 or not 0 <= farmer_rate <= 100:
            raise ValueError(
                "human_wins_ratio and elimination_below must be at least 1, and farmer_rate 0 to 100"
            )
        self.name: Final = name
        self.farmer_rate: Final = farmer_rate
        self.scavenger_yield: Final = scavenger_yield
        self.max_minions: Final = max_minions
        self.human_wins_ratio: Final = human_wins_ratio
        self.chaos_wins_ratio: Final = chaos_wins_ratio
        self.turn_cap: Final = turn_cap
        self.elimination_below: Final = elimination_below
        self.units: Final = (  # by code; 0 is an empty square
            Unit("", 0, 0, 0, 0),
            Unit("drone", 20, 20, 0, 1, 1, farms=True),
            Unit("mine", 50, 25, 0, 0),
            Unit("farmer", 100, 80, 0, 1, farmer_rate, farms=True),
            Unit("infantry", 100, 90, 3, 6),
            Unit("settler", 150, 120, 2, 4, 3, farms=True),
            Unit("jammer", 150, 90, 0, 2),
            Unit("armor", 200, 150, 8, 10),
            Unit("artillery", 400, 300, 3, 2),
        )

    def grant(self, turn: int) -> int:
        """Return the dollars that Chaos receives after a turn; turns count from 1."""
        grant: int = GRANT * GRANT_PERCENT ** (turn - 1) // 100 ** (turn - 1)
        return grant

    def fields(self) -> dict[str, object]:
        """Return all numbers that matter for a game as JSON values, in a fixed order; the name is not among them."""
        return {
            **{name: getattr(self, name) for name in FIELDS},
            "guard": MAX_MINIONS,
            "side": SIDE,
            "phases": PHASES,
            "money": START_DOLLARS,
            "grant": GRANT,
            "grant_percent": GRANT_PERCENT,
            "gold_bonus": GOLD_BONUS,
            "gold_squares": GOLD_SQUARES,
            "gold_radius": GOLD_RADIUS,
            "jamming_radius": JAMMING_RADIUS,
            "bombing_radius": BOMBING_RADIUS,
            "mine_attack": MINE_ATTACK,
            "bomb_sides": BOMB_SIDES,
            "minor_hit": MINOR_HIT,
            "major_hit": MAJOR_HIT,
            "terrains": [
                _fields(kind, ("name", "letter", "share", "farming", "defence")) for kind in TERRAINS
            ],
            "units": [
                _fields(unit, ("name", "cost", "salvage", "attack", "defence", "rate"))
                for unit in self.units[1:]
            ],
            "minions": [
                _fields(kind, ("name", "cost", "attack", "defence", "actions", "hears", "rate"))
                for kind in MINIONS
            ],
        }

    def __eq__(self, other: object) -> bool:
        """Return whether both rules make the same game; names are ignored."""
        return isinstance(other, Rules) and self._values() == other._values()

    def __hash__(self) -> int:
        return hash(self._values())

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return Rules, (self.name, *self._values())

    def _values(self) -> tuple[object, ...]:
        return tuple([getattr(self, name) for name in FIELDS])


RULES: Final = {
    "seed": Rules("seed", 1, "every", 0, 20, 0, 0, 1),
    "improved": Rules("improved", 2, "first", 1000, 20, 20, 60, 20),
}


# -- Buying and the end of a game -------------------------------------------------------------------


def minion_costs() -> vec[i64]:
    return vec[i64]([minion.cost for minion in MINIONS])


def buy(preferences: vec[i64], costs: vec[i64], dollars: i64, most: i64, bought: vec[i64]) -> i64:
    """Fill `bought` by kind with at most `most` minions, and return the dollars that are left.

    Each step buys the affordable kind with the highest preference / (already bought + 1); of equals, the first. In a
    whole round each kind is bought as often as its preference says, so all rounds that the money pays for are bought
    at once, with the same result (checked in 3,000 random cases).
    """
    round_minions: i64 = 0
    round_dollars: i64 = 0
    for kind in range(i64(KINDS)):
        round_minions += preferences[kind]
        round_dollars += preferences[kind] * costs[kind]
    rounds: i64 = 0
    if round_minions:
        rounds = min(dollars // round_dollars, most // round_minions)
    for kind in range(i64(KINDS)):
        bought[kind] = rounds * preferences[kind]
    dollars -= rounds * round_dollars
    most -= rounds * round_minions
    while most > 0:
        best: i64 = -1
        for kind in range(i64(KINDS)):
            if preferences[kind] and costs[kind] <= dollars:
                if best < 0 or preferences[kind] * (bought[best] + 1) > preferences[best] * (
                    bought[kind] + 1
                ):
                    best = kind
        if best < 0:
            break
        bought[best] += 1
        dollars -= costs[best]
        most -= 1
    return dollars


def ending(
    rules: Rules, turn: int, has_units: bool, treasury: int, human_value: int, chaos_value: int
) -> tuple[int, str] | None:
    """Return (winner, reason) if the game has ended after turn `turn`, else None; money is in dollars."""
    if not has_units and treasury < rules.elimination_below:
        return CHAOS, "eliminated"
    if human_value > rules.human_wins_ratio * chaos_value:
        return HUMAN, "surrender"
    if rules.chaos_wins_ratio and chaos_value > rules.chaos_wins_ratio * human_value:
        return CHAOS, "chaos_twenty"
    if rules.turn_cap and turn >= rules.turn_cap:
        winner = HUMAN if human_value > chaos_value else CHAOS if chaos_value > human_value else NO_WINNER
        return winner, "turn_cap"
    return None


def _fields(thing: Terrain | Unit | Minion, names: tuple[str, ...]) -> dict[str, object]:
    return {name: getattr(thing, name) for name in names}
