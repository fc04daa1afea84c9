"""What a human sees at a setup: the map, their own side, both values, and what the last turn has cost them."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from core.protection.board import Scenario
from core.protection.rules import SQUARES
from core.protection.state import PlacedUnit
from core.protection.turn import ATTACK, RAM, TurnLog
from engines.protection.game.game import ProtectionGame


@dataclass(frozen=True, slots=True, kw_only=True)
class Loss:
    """A unit that fell, and the kind of minion that destroyed it where that is known."""

    unit: int
    square: int
    killer: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """The human's view; money in dollars."""

    scenario: Scenario
    turn: int
    treasury: int
    chaos_value: int
    units: tuple[PlacedUnit, ...]
    losses: tuple[Loss, ...]  # of the turn before

    def free(self) -> list[int]:
        """The squares where a unit may be placed, in order."""
        taken = {unit.square for unit in self.units}
        ground = self.scenario.map
        return [square for square in range(SQUARES) if ground.is_land(square) and square not in taken]

    def yields(self, unit: int, square: int) -> int:
        """What a unit would make there, a phase."""
        return int(self.scenario.yields[unit * SQUARES + square])


def seen(game: ProtectionGame) -> Seen:
    """Killers are known from turns that were logged."""
    state = game.state
    last = game.turns[-1] if game.turns else None
    killers = _killers(last.log) if last and last.log else MappingProxyType({})
    return Seen(
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
    """The kind of minion by the square of the unit that it destroyed."""
    return {
        square: log.roster[number][0]
        for _, fight, number, square, _, _, has_won, _ in log.fights
        if fight in (ATTACK, RAM) and has_won
    }
