"""A game of Advanced Protection from setup to setup: treasuries, the human's units, and the results of turns.

ProtectionState is no core.game.State, because both sides decide at once and Chaos can choose any of 2 ** 1056
strings. core.protection.game has a State in which the sides decide one after the other.
"""

from typing import Final, final

from mypy_extensions import mypyc_attr

from core.protection.board import Arrangement, Scenario, arrangement_of
from core.protection.policy import Policy
from core.protection.rules import CHAOS, KINDS, MAX_MINIONS, MINIONS, START_DOLLARS, ending
from core.protection.turn import Dice, Turn, TurnLog
from core.random import Random


@final
class PlacedUnit:
    """A unit on the map. `is_new` is true until the turn of its purchase has been played."""

    def __init__(self, number: int, code: int, square: int, is_new: bool) -> None:
        self.number: Final = number
        self.code: Final = code
        self.square: Final = square
        self.is_new: Final = is_new

    def __reduce__(self) -> tuple[object, tuple[int, int, int, bool]]:
        return PlacedUnit, (self.number, self.code, self.square, self.is_new)


@final
@mypyc_attr(serializable=True)
class TurnResult:
    """The result of a turn: money in dollars, minions counted by kind.

    `produced` is what all units have made, `plundered` what minions have taken of it, `harvest` what the human's
    treasury has received. Chaos's treasury has received `carried` and `refund`, and kept `unspent`. `unplaced`
    minions had no free square. `lost_units` lists (unit, phase of its loss). `hit_minion_limit` is true if Chaos has
    bought MAX_MINIONS, where the rules set no limit. No attribute is Final, because pickle could not set it.
    """

    def __init__(self, turn: Turn, unplaced: int, lost_units: list[tuple[PlacedUnit, int]]) -> None:
        counts = turn.counts
        rules = turn.scenario.rules
        self.bought = [int(count) for count in counts]
        self.unspent = int(turn.unspent)
        self.unplaced = unplaced
        self.hit_minion_limit = not rules.max_minions and sum(self.bought) == MAX_MINIONS
        self.produced = int(turn.produced())
        self.plundered = int(turn.plundered)
        self.harvest = int(turn.harvest())
        self.lost_units = lost_units
        self.lost_minions = [int(count) for count in turn.lost]
        self.carried = int(turn.carried_home())
        self.refund = sum(
            [(self.bought[kind] - self.lost_minions[kind]) * MINIONS[kind].cost for kind in range(KINDS)]
        )
        self.human_change = int(turn.human_change())
        self.chaos_change = int(turn.chaos_change())

    @property
    def rating(self) -> int:
        """The human's change of value less Chaos's, in dollars."""
        return self.human_change - self.chaos_change


@final
class ProtectionState:
    """A game at the setup of a turn, or at its end. Turns count from 1."""

    def __init__(
        self, scenario: Scenario, human_dollars: int = START_DOLLARS, chaos_dollars: int = START_DOLLARS
    ) -> None:
        if human_dollars < 0 or chaos_dollars < 0:
            raise ValueError(f"dollars at the start cannot be negative: {human_dollars}, {chaos_dollars}")
        self.scenario: Final = scenario
        self.turn = 1
        self.treasury = human_dollars
        self.chaos_treasury = chaos_dollars
        self.units: dict[int, PlacedUnit] = {}  # by number, in the order of purchase
        self.over: tuple[int, str] | None = None  # (winner, reason), see core.protection.rules
        self._next_number = 1
        self._turn = Turn(scenario)

    # -- Setup -------------------------------------------------------------------------------------

    def is_free(self, square: int) -> bool:
        """Return whether a unit may be placed on a square."""
        return self.scenario.map.is_land(square) and all(
            unit.square != square for unit in self.units.values()
        )

    def place(self, code: int, square: int) -> int:
        """Buy a unit, put it on a square, and return its number. Raises ValueError if that is impossible."""
        self._check_open()
        if not 0 < code < len(self.scenario.rules.units):
            raise ValueError(f"there is no unit {code}")
        if not 0 <= square < len(self.scenario.map.codes) or not self.is_free(square):
            raise ValueError(f"no unit can be placed on square {square}")
        cost = self.scenario.rules.units[code].cost
        if cost > self.treasury:
            raise ValueError(f"the unit costs ${cost}, and the treasury has ${self.treasury}")
        self.treasury -= cost
        number = self._next_number
        self._next_number += 1
        self.units[number] = PlacedUnit(number, code, square, True)
        return number

    def refund(self, number: int) -> int:
        """Return the dollars for a unit: its cost if it was bought in this setup, else its salvage value.

        Raises ValueError if there is no unit of this number.
        """
        if number not in self.units:
            raise ValueError(f"there is no unit number {number}")
        unit = self.units[number]
        kind = self.scenario.rules.units[unit.code]
        return kind.cost if unit.is_new else kind.salvage

    def salvage(self, number: int) -> int:
        """Remove a unit and return the dollars for it. Raises ValueError if there is no unit of this number."""
        self._check_open()
        dollars = self.refund(number)
        del self.units[number]
        self.treasury += dollars
        return dollars

    def arrangement(self) -> Arrangement:
        return arrangement_of({unit.square: unit.code for unit in self.units.values()})

    # -- Values ------------------------------------------------------------------------------------

    def units_value(self) -> int:
        return sum([self.scenario.rules.units[unit.code].cost for unit in self.units.values()])

    def human_value(self) -> int:
        return self.treasury + self.units_value()

    def chaos_value(self) -> int:
        """Return the value of Chaos, which between turns has nothing but its treasury."""
        return self.chaos_treasury

    # -- The turn ----------------------------------------------------------------------------------

    def play(
        self,
        policy: Policy,
        placing: Random,
        dice: Dice,
        log: TurnLog | None = None,
        bought: list[int] | None = None,
    ) -> TurnResult:
        """Play the turn against a string and return its result.

        Chaos buys with its whole treasury by the preferences of the string, or buys the minions in `bought`, a count
        for each kind. `placing` draws where minions start, `dice` rolls in combat. Afterwards Chaos has received its
        grant and the next setup has started, or the game is over. Raises ValueError, with nothing changed, if the
        game is already over or the minions cannot be bought.
        """
        self._check_open()
        turn = self._turn
        turn.arrange(self.arrangement())
        if bought is None:
            turn.deploy(policy, self.chaos_treasury, placing)
        else:
            turn.deploy_bought(policy, bought, self.chaos_treasury, placing)
        unplaced = int(turn.begin[KINDS] - turn.living)
        turn.play(dice, log)
        by_square = {unit.square: unit for unit in self.units.values()}
        lost_units = []
        for square in [int(turn.fallen[place]) for place in range(int(turn.fallen_count))]:
            unit = by_square[square]
            lost_units.append((unit, int(turn.fallen_phase[square])))
            del self.units[unit.number]
        for unit in list(self.units.values()):
            self.units[unit.number] = PlacedUnit(unit.number, unit.code, unit.square, False)
        result = TurnResult(turn, unplaced, lost_units)
        self.treasury += result.harvest
        self.chaos_treasury = result.unspent + result.carried + result.refund
        self.over = ending(
            self.scenario.rules,
            self.turn,
            bool(self.units),
            self.treasury,
            self.human_value(),
            self.chaos_value(),
        )
        if self.over is None:
            self.chaos_treasury += self.scenario.rules.grant(self.turn)
            self.turn += 1
        return result

    def resign(self) -> None:
        """End the game as lost for the human. Raises ValueError if the game is over."""
        self._check_open()
        self.over = CHAOS, "resign"

    def _check_open(self) -> None:
        if self.over is not None:
            raise ValueError("the game is over")

    def clone(self) -> "ProtectionState":
        """Return a copy; the two share only what never changes."""
        copy = ProtectionState(self.scenario)
        copy.become(self)
        return copy

    def become(self, other: "ProtectionState") -> None:
        """Become equal to another game of the same scenario."""
        self.turn, self.treasury, self.chaos_treasury = other.turn, other.treasury, other.chaos_treasury
        self.units, self.over, self._next_number = dict(other.units), other.over, other._next_number

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        """Pickle the game without the tables of its turns, which are far larger than everything else."""
        numbers = self.turn, self.treasury, self.chaos_treasury, self._next_number
        return _restored, (self.scenario, numbers, self.units, self.over)


def _restored(
    scenario: Scenario,
    numbers: tuple[int, int, int, int],
    units: dict[int, PlacedUnit],
    over: tuple[int, str] | None,
) -> ProtectionState:
    """Return the game from the parts that __reduce__() gives to pickle."""
    turn, treasury, chaos_treasury, next_number = numbers
    state = ProtectionState(scenario, treasury, chaos_treasury)
    state.turn, state.units, state.over, state._next_number = turn, units, over, next_number
    return state
