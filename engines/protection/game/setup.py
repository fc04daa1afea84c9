"""A setup: what the human buys, places and salvages before a turn, checked and applied as a whole.

What is salvaged counts first, so its money and its squares are free; otherwise the order does not matter.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from core.protection.rules import NO_UNIT, SQUARES, TERRAINS
from core.protection.state import PlacedUnit, ProtectionState


@dataclass(frozen=True, slots=True)
class Placement:
    """A unit to buy, by code, and its square."""

    unit: int
    square: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """`salvage` has the numbers of units; one bought since the last turn brings its full price."""

    place: tuple[Placement, ...] = ()
    salvage: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """What is wrong with one item of a setup: place[N] or salvage[N].

    `reason` is `money` (with what is needed and what is left), `terrain` (with its name), `occupied`, `twice`,
    `square`, `unit` (there is no such one) or `over` (so is the game).
    """

    field: str
    reason: str
    need: int | None = None  # dollars
    have: int | None = None
    terrain: str | None = None


class SetupError(ValueError):
    """A setup that was refused as a whole, for these faults."""

    def __init__(self, faults: tuple[Fault, ...]) -> None:
        super().__init__("; ".join(f"{fault.field}: {fault.reason}" for fault in faults))
        self.faults = faults


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """A setup that was applied: the new units, and those that are gone."""

    placed: tuple[PlacedUnit, ...]
    salvaged: tuple[PlacedUnit, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """What a setup would cost and bring, in dollars."""

    cost: int
    refund: int
    treasury: int  # what is left
    human_value: int
    income: int  # a phase, if every unit lives


def faults(state: ProtectionState, setup: Setup) -> tuple[Fault, ...]:
    """Everything that is wrong with it; nothing is changed."""
    if state.over is not None:
        return (Fault(field="setup", reason="over"),)
    return (*_salvage_faults(state, setup), *_place_faults(state, setup))


def apply(state: ProtectionState, setup: Setup) -> Done:
    """Do it. SetupError with every fault, and nothing is done, where there is one."""
    found = faults(state, setup)
    if found:
        raise SetupError(found)
    salvaged = tuple(state.units[number] for number in setup.salvage)
    for number in setup.salvage:
        state.salvage(number)
    placed = [state.place(item.unit, item.square) for item in setup.place]
    return Done(placed=tuple(state.units[number] for number in placed), salvaged=salvaged)


def preview(state: ProtectionState, setup: Setup) -> Preview:
    """What it would do. ValueError for a setup with faults."""
    if found := faults(state, setup):
        raise SetupError(found)
    rules, gone = state.scenario.rules, set(setup.salvage)
    cost = sum(rules.units[item.unit].cost for item in setup.place)
    refund = sum(state.refund(number) for number in setup.salvage)
    standing = [(unit.code, unit.square) for unit in state.units.values() if unit.number not in gone]
    standing += [(item.unit, item.square) for item in setup.place]
    treasury = state.treasury + refund - cost
    return Preview(
        cost=cost,
        refund=refund,
        treasury=treasury,
        human_value=treasury + sum(rules.units[code].cost for code, _ in standing),
        income=sum(int(state.scenario.yields[code * SQUARES + square]) for code, square in standing),
    )


# -- Helpers ---------------------------------------------------------------------------------------


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
