"""A game of Advanced Protection: random streams, setups, and turns.

A game is a function of its setting, its random streams and the actions of both sides: the same actions on the same
streams give the same game, die by die. Each purpose and turn has a stream of its own, so that no draw shifts another.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from core.protection.board import Scenario, generate_map
from core.protection.policy import Policy
from core.protection.rules import MINIONS, NO_UNIT, SQUARES, START_DOLLARS, TERRAINS, Rules
from core.protection.state import PlacedUnit, ProtectionState, TurnResult
from core.protection.turn import Dice, TurnLog
from engines.seeds import RandomStreams

Purchase = tuple[int, ...]  # minions by kind


# -- Random streams --------------------------------------------------------------------------------

MAP: Final = "map"  # the purpose of the stream that a map is generated from


def placement_purpose(turn: int) -> str:
    """Return the purpose of the stream that places the minions of a turn."""
    return f"place|{turn}"


def combat_purpose(turn: int) -> str:
    """Return the purpose of the stream that rolls the dice of a turn."""
    return f"combat|{turn}"


def choice_purpose(turn: int) -> str:
    """Return the purpose of the stream for the random part of Chaos's choice of a string."""
    return f"choice|{turn}"


def hybrid_purpose(turn: int) -> str:
    """Return the purpose of the stream that draws the parents of a turn's hybrids and the genes of each child."""
    return f"hybrid|{turn}"


def rating_purpose(turn: int, index: int, replicate: int) -> str:
    """Return the purpose of the stream of one test of a string against the arrangement of a turn."""
    return f"rate|{turn}|{index}|{replicate}"


# -- Setups ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Placement:
    """A unit to buy, by code, and its square."""

    unit: int
    square: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """The units that the human buys, places and salvages before a turn, checked and applied as a whole.

    `salvage` holds the numbers of units; a unit that was bought since the last turn is refunded at its full price.
    Units are salvaged first, so that their money and squares can be used; otherwise the order does not matter.
    """

    place: tuple[Placement, ...] = ()
    salvage: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """A fault of one item of a setup, place[N] or salvage[N], or of the whole setup.

    `reason` is `money` (with the dollars that are needed and left), `terrain` (with its name), `occupied`,
    `twice`, `square`, `unit` (the unit does not exist) or `over` (the game has ended).
    """

    field: str
    reason: str
    need: int | None = None  # dollars
    have: int | None = None
    terrain: str | None = None


class SetupError(ValueError):
    """A setup was refused as a whole; `faults` holds all reasons."""

    def __init__(self, faults: tuple[Fault, ...]) -> None:
        super().__init__("; ".join(f"{fault.field}: {fault.reason}" for fault in faults))
        self.faults = faults


@dataclass(frozen=True, slots=True, kw_only=True)
class AppliedSetup:
    """The units that a setup placed, and the units that it removed."""

    placed: tuple[PlacedUnit, ...]
    salvaged: tuple[PlacedUnit, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """The costs and the results of a setup that is not applied yet, in dollars."""

    cost: int
    refund: int
    treasury: int  # after the setup
    human_value: int
    income: int  # a phase, if every unit survives


def faults(state: ProtectionState, setup: Setup) -> tuple[Fault, ...]:
    """Return all faults of a setup, without changing the state."""
    if state.over is not None:
        return (Fault(field="setup", reason="over"),)
    return (*_salvage_faults(state, setup), *_place_faults(state, setup))


def apply(state: ProtectionState, setup: Setup) -> AppliedSetup:
    """Apply a setup to the state. Raises SetupError with all faults, and changes nothing, if there are any."""
    if found := faults(state, setup):
        raise SetupError(found)
    salvaged = tuple(state.units[number] for number in setup.salvage)
    for number in setup.salvage:
        state.salvage(number)
    placed = [state.place(item.unit, item.square) for item in setup.place]
    return AppliedSetup(placed=tuple(state.units[number] for number in placed), salvaged=salvaged)


def preview(state: ProtectionState, setup: Setup) -> Preview:
    """Return the costs and results of a setup without applying it. Raises SetupError if it has faults."""
    if found := faults(state, setup):
        raise SetupError(found)
    rules, gone = state.scenario.rules, set(setup.salvage)
    cost = sum(rules.units[item.unit].cost for item in setup.place)
    refund = sum(state.refund(number) for number in setup.salvage)
    units = [(unit.code, unit.square) for unit in state.units.values() if unit.number not in gone]
    units += [(item.unit, item.square) for item in setup.place]
    treasury = state.treasury + refund - cost
    return Preview(
        cost=cost,
        refund=refund,
        treasury=treasury,
        human_value=treasury + sum(rules.units[code].cost for code, _ in units),
        income=sum(int(state.scenario.yields[code * SQUARES + square]) for code, square in units),
    )


def _salvage_faults(state: ProtectionState, setup: Setup) -> Iterator[Fault]:
    seen = set()
    for place, number in enumerate(setup.salvage):
        if number not in state.units:
            yield Fault(field=f"salvage[{place}]", reason="unit")
        elif number in seen:
            yield Fault(field=f"salvage[{place}]", reason="twice")
        seen.add(number)


def _place_faults(state: ProtectionState, setup: Setup) -> Iterator[Fault]:
    gone = {number for number in setup.salvage if number in state.units}
    money = state.treasury + sum(state.refund(number) for number in gone)
    taken = {unit.square for unit in state.units.values() if unit.number not in gone}
    units, seen = state.scenario.rules.units, set()
    for place, item in enumerate(setup.place):
        field = f"place[{place}]"
        if not NO_UNIT < item.unit < len(units):
            yield Fault(field=field, reason="unit")
        elif not 0 <= item.square < SQUARES:
            yield Fault(field=field, reason="square")
        elif not state.scenario.map.is_land(item.square):
            terrain = TERRAINS[state.scenario.map.codes[item.square]].name
            yield Fault(field=field, reason="terrain", terrain=terrain)
        elif item.square in taken or item.square in seen:
            yield Fault(field=field, reason="occupied" if item.square in taken else "twice")
        elif units[item.unit].cost > money:
            yield Fault(field=field, reason="money", need=units[item.unit].cost, have=money)
        else:
            money -= units[item.unit].cost
            seen.add(item.square)


# -- The game --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Audit:
    """Chaos's money over a turn, in dollars, which shows that Chaos buys with its own money alone."""

    turn: int
    before: int
    spent: int
    refunds: int  # of surviving minions
    brought: int  # by surviving minions, from farming and plundering
    grant: int
    after: int

    def __str__(self) -> str:
        return (
            f"turn {self.turn}: {self.before} - {self.spent} spent + {self.refunds} refunded "
            f"+ {self.brought} brought home + {self.grant} granted = {self.after}"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnRecord:
    """A turn that was played. The values are taken at its end, before the grant."""

    turn: int
    string: bytes
    report: TurnResult
    human_value: int
    chaos_value: int
    audit: Audit
    log: TurnLog | None


class ProtectionGame:
    """A game in progress. Several setups may be applied before a turn is played."""

    def __init__(
        self,
        setting: Scenario,
        streams: RandomStreams,
        human_dollars: int = START_DOLLARS,
        chaos_dollars: int = START_DOLLARS,
    ) -> None:
        self.state = ProtectionState(setting, human_dollars, chaos_dollars)
        self.streams = streams
        self.turns: list[TurnRecord] = []

    @property
    def over(self) -> tuple[int, str] | None:
        """The winner and the reason (see core.protection.rules), or None while the game is in progress."""
        return self.state.over

    def set_up(self, setup: Setup) -> AppliedSetup:
        """Apply a setup. Raises SetupError with all faults, and changes nothing, if there are any."""
        return apply(self.state, setup)

    def play(self, string: bytes, log: TurnLog | None = None, bought: Purchase | None = None) -> TurnRecord:
        """Play the turn against a string of 132 bytes.

        Chaos buys minions by the preferences of the string, unless `bought` is given. Raises ValueError if the game
        has ended, or if Chaos cannot buy the minions.
        """
        state, turn, before = self.state, self.state.turn, self.state.chaos_treasury
        report = state.play(
            Policy(string),
            self.streams.stream(placement_purpose(turn)),
            Dice(self.streams.stream(combat_purpose(turn))),
            log,
            None if bought is None else list(bought),
        )
        grant = state.scenario.rules.grant(turn) if state.over is None else 0
        record = TurnRecord(
            turn=turn,
            string=string,
            report=report,
            human_value=state.human_value(),
            chaos_value=state.chaos_value() - grant,
            audit=Audit(
                turn=turn,
                before=before,
                spent=sum(count * kind.cost for count, kind in zip(report.bought, MINIONS, strict=True)),
                refunds=report.refund,
                brought=report.carried,
                grant=grant,
                after=state.chaos_treasury,
            ),
            log=log,
        )
        self.turns.append(record)
        return record

    def resign(self) -> None:
        """End the game by the human's resignation. Raises ValueError if the game has ended already."""
        self.state.resign()


def new_game(rules: Rules, streams: RandomStreams) -> ProtectionGame:
    """Return a new game on a map that is generated from its random streams."""
    return ProtectionGame(Scenario(rules, generate_map(streams.stream(MAP))), streams)
