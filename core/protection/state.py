"""A game of Advanced Protection from setup to setup: treasuries, the human's units, and what a turn has brought.

It is no core.game.State: both sides decide at once, and Chaos chooses one of 2 ** 1056 strings.
"""

from typing import Final, final

from core.protection.arrangement import Arrangement, arranged
from core.protection.battle.dice import Dice
from core.protection.battle.log import Log
from core.protection.ending import CHAOS, ending
from core.protection.policy import Policy
from core.protection.rules import KINDS, MINIONS, MOST_MINIONS, START_DOLLARS
from core.protection.setting import Setting
from core.protection.turn import Turn
from core.random import Random


@final
class Standing:
    """A unit on the field. `is_new` until the turn of its purchase begins."""

    def __init__(self, number: int, code: int, square: int, is_new: bool) -> None:
        self.number: Final = number
        self.code: Final = code
        self.square: Final = square
        self.is_new: Final = is_new


@final
class Report:
    """What a turn has brought, in dollars; minions are counted by kind.

    `produced` is all that units have made, `plundered` what minions took of it, `harvest` what came to the human's
    treasury. `carried` and `refund` came to Chaos's, `kept` it had not spent; `left_off` minions found no free
    square. `lost_units` has (unit, phase). `rating` is the human's change of value less Chaos's.
    """

    def __init__(self, turn: Turn, left_off: int, lost_units: list[tuple[Standing, int]]) -> None:
        counts = turn.counts
        rules = turn.setting.rules
        self.bought: Final = [int(count) for count in counts]
        self.kept: Final = int(turn.kept)
        self.left_off: Final = left_off
        self.guarded: Final = not rules.max_minions and sum(self.bought) == MOST_MINIONS
        self.produced: Final = int(turn.produced())
        self.plundered: Final = int(turn.plundered)
        self.harvest: Final = int(turn.harvest())
        self.lost_units: Final = lost_units
        self.lost_minions: Final = [int(count) for count in turn.lost]
        self.carried: Final = int(turn.carried_home())
        self.refund: Final = sum(
            [(self.bought[kind] - self.lost_minions[kind]) * MINIONS[kind].cost for kind in range(KINDS)]
        )
        self.human_change: Final = int(turn.human_change())
        self.chaos_change: Final = int(turn.chaos_change())

    @property
    def rating(self) -> int:
        return self.human_change - self.chaos_change


@final
class ProtectionState:
    """A game under way, at the setup of a turn or over. Turns count from 1."""

    def __init__(
        self, setting: Setting, human_dollars: int = START_DOLLARS, chaos_dollars: int = START_DOLLARS
    ) -> None:
        if human_dollars < 0 or chaos_dollars < 0:
            raise ValueError(f"nobody starts with debts: {human_dollars}, {chaos_dollars}")
        self.setting: Final = setting
        self.turn = 1
        self.treasury = human_dollars
        self.chaos_treasury = chaos_dollars
        self.units: dict[int, Standing] = {}  # by number, as they were bought
        self.over: tuple[int, str] | None = None  # (winner, reason), see core.protection.ending
        self._next_number = 1
        self._field = Turn(setting)

    # -- Setup -------------------------------------------------------------------------------------

    def is_free(self, square: int) -> bool:
        """Whether a unit may be placed there."""
        return self.setting.map.is_land(square) and all(unit.square != square for unit in self.units.values())

    def place(self, code: int, square: int) -> int:
        """Buy a unit and put it on a square: its number. ValueError if that is impossible."""
        self._check_open()
        if not 0 < code < len(self.setting.rules.units):
            raise ValueError(f"there is no unit {code}")
        if not 0 <= square < len(self.setting.map.codes) or not self.is_free(square):
            raise ValueError(f"no unit can be placed on square {square}")
        cost = self.setting.rules.units[code].cost
        if cost > self.treasury:
            raise ValueError(f"it costs ${cost}, and there are ${self.treasury}")
        self.treasury -= cost
        number = self._next_number
        self._next_number += 1
        self.units[number] = Standing(number, code, square, True)
        return number

    def refund(self, number: int) -> int:
        """The dollars for a unit: all if it was bought in this setup, else its salvage. ValueError if it is gone."""
        if number not in self.units:
            raise ValueError(f"there is no unit number {number}")
        unit = self.units[number]
        kind = self.setting.rules.units[unit.code]
        return kind.cost if unit.is_new else kind.salvage

    def salvage(self, number: int) -> int:
        """Take a unit off the field: the dollars for it. ValueError if it is gone."""
        self._check_open()
        dollars = self.refund(number)
        del self.units[number]
        self.treasury += dollars
        return dollars

    def arrangement(self) -> Arrangement:
        return arranged({unit.square: unit.code for unit in self.units.values()})

    # -- Values ------------------------------------------------------------------------------------

    def units_value(self) -> int:
        return sum([self.setting.rules.units[unit.code].cost for unit in self.units.values()])

    def human_value(self) -> int:
        return self.treasury + self.units_value()

    def chaos_value(self) -> int:
        """Between turns Chaos has nothing but its treasury."""
        return self.chaos_treasury

    # -- The turn ----------------------------------------------------------------------------------

    def play(
        self,
        policy: Policy,
        placing: Random,
        dice: Dice,
        log: Log | None = None,
        bought: list[int] | None = None,
    ) -> Report:
        """The turn against this string: Chaos buys with its whole treasury, or so many minions of each kind.

        ValueError when the game is over, or where these minions cannot be bought; nothing is done then. Afterwards it is the next setup, with the grant given, or the game is over.
        """
        self._check_open()
        field = self._field
        field.arrange(self.arrangement())
        if bought is None:
            field.deploy(policy, self.chaos_treasury, placing)
        else:
            field.deploy_these(policy, bought, self.chaos_treasury, placing)
        left_off = int(field.begin[KINDS] - field.living)
        field.play(dice, log)
        by_square = {unit.square: unit for unit in self.units.values()}
        lost_units = []
        for square in [int(field.fallen[place]) for place in range(int(field.fallen_count))]:
            unit = by_square[square]
            lost_units.append((unit, int(field.fallen_phase[square])))
            del self.units[unit.number]
        for unit in list(self.units.values()):
            self.units[unit.number] = Standing(unit.number, unit.code, unit.square, False)
        report = Report(field, left_off, lost_units)
        self.treasury += report.harvest
        self.chaos_treasury = report.kept + report.carried + report.refund
        self.over = ending(
            self.setting.rules,
            self.turn,
            bool(self.units),
            self.treasury,
            self.human_value(),
            self.chaos_value(),
        )
        if self.over is None:
            self.chaos_treasury += self.setting.rules.grant(self.turn)
            self.turn += 1
        return report

    def resign(self) -> None:
        """The human gives up. ValueError when the game is over."""
        self._check_open()
        self.over = CHAOS, "resign"

    def _check_open(self) -> None:
        if self.over is not None:
            raise ValueError("the game is over")
