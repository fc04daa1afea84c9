"""What moves a net: each input taken from it, and each made a little greater, in the same fixed states for all."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from statistics import fmean, pstdev
from typing import Final

from core.acquire import layout
from core.acquire.rules import Rules
from core.acquire.typed_features import FIRST_KIND, Move, TypedFeatures
from engines.acquire.nets.genome import NetGenome
from engines.acquire.nets.inputs import CHAIN_SLOTS, DOLLAR, SCALES, TABLE_SLOTS
from engines.acquire.nets.shape import CHAIN, TABLE
from engines.acquire.programs.behaviour import PHASE_OF, choices, fixed_states

STATES: Final = 300  # of each decision
LITTLE: Final = 0.05  # of what an input's scale makes 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Influence:
    """Of one input."""

    layer: str
    name: str
    changed: float  # the share of states in which the net chooses differently without it
    pull: (
        float | None
    )  # of the value, in its deviations between states, for an input greater by 1; None: of a move


def influences(genome: NetGenome, rules: Rules) -> list[Influence]:
    """Of all inputs, those first without which most choices change."""
    usual = _choices(genome, rules)
    pulls = dict(_pulls(genome, rules))
    shape = genome.shape
    named = [(CHAIN, name) for name in shape.chain_inputs] + [(TABLE, name) for name in shape.facts]
    found = []
    for layer, name in named:
        without = _choices(_without(genome, layer, name), rules)
        changed = fmean(one != other for one, other in zip(usual, without, strict=True))
        found.append(Influence(layer=layer, name=name, changed=changed, pull=pulls.get(name)))
    return sorted(found, key=lambda each: -each.changed)


def _choices(genome: NetGenome, rules: Rules) -> list[int]:
    return choices(genome.express(), rules, tuple(PHASE_OF), STATES)


def _without(genome: NetGenome, layer: str, name: str) -> NetGenome:
    """Its row is all 0."""
    weights: list[float] = []
    for each, title, row in genome.shape.rows(genome.weights):
        weights += [0.0] * len(row) if (each, title) == (layer, name) else row
    return replace(genome, weights=tuple(weights))


def _pulls(genome: NetGenome, rules: Rules) -> Iterator[tuple[str, float]]:
    """By an input's name; the value is that of the state as it is when a tile is to be placed."""
    net = genome.net("place")
    view = TypedFeatures(net, DOLLAR)
    slots = {name: CHAIN_SLOTS[name] for name in genome.shape.chain_inputs} | {
        name: TABLE_SLOTS[name] for name in genome.shape.facts
    }
    usual = []
    steps: dict[str, list[float]] = {
        name: [] for name, slot in slots.items() if slot >= FIRST_KIND or name in TABLE_SLOTS
    }
    for state in fixed_states(rules, "place", STATES):
        value = view.value(state, state.fields[layout.TURN], Move())
        usual.append(value)
        chains = [chain for chain in range(state.spec.chains) if state.fields[layout.ON_BOARD] >> chain & 1]
        for name, changes in steps.items():
            little = LITTLE / SCALES.get(name, 1.0)
            places = [slots[name]] if name in TABLE_SLOTS else [slots[name] + chain for chain in chains]
            for place in places:
                before = net.values[place]
                net.set(place, before + little)
                changes.append((net.value() - value) / LITTLE)
                net.set(place, before)
    spread = pstdev(usual) or 1.0
    for name, changes in steps.items():
        yield name, fmean(changes) / spread if changes else 0.0
