"""Behaviour: what players choose in fixed states, how far two are apart, and what moves a net.

The states come from games of random players and are the same in every run; so is the randomness of each choice, so that
players without preferences are alike, too.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import count
from statistics import fmean, pstdev
from typing import Final

from core.acquire.actions import BUY, DECLARE_END, DISPOSE, FOUND, PLACE, SURVIVOR
from core.acquire.game import deal, shuffled_bag
from core.acquire.players import Player
from core.acquire.rules import GameSpec, Rules
from core.acquire.state import AcquireState
from core.acquire.typed_features import FIRST_KIND, Move, TypedFeatures
from core.random import Random
from engines.acquire.net_genome import CHAIN, CHAIN_SLOTS, DOLLAR, TABLE, TABLE_SLOTS, NetGenome, scale_of

PHASE_OF: Final = {
    "place": PLACE, "buy": BUY, "found": FOUND, "survivor": SURVIVOR, "end": BUY, "dispose": DISPOSE,
}  # fmt: skip
WATCHED: Final = ("place", "buy")  # decisions by which an evolution tells behaviours apart
LATEST: Final = 120  # decisions of a game before one of these: half of what a long one has


def choices(player: Player, rules: Rules, decisions: Sequence[str], states: int) -> list[int]:
    """Return what a player chooses in `states` fixed states of each decision, each begun anew.

    Of a choice whether to end the game only that bit is returned.
    """
    chosen = []
    for decision in decisions:
        mask = DECLARE_END if decision == "end" else -1
        for number, state in enumerate(fixed_states(rules, decision, states)):
            player.begin()
            chosen.append(int(player.choose(state.observation(state.player()), Random(number))) & mask)
    return chosen


def behaviour_distance(one: Sequence[int], other: Sequence[int]) -> float:
    """The share of states in which two choose differently."""
    return sum(a != b for a, b in zip(one, other, strict=True)) / len(one)


@cache
def fixed_states(rules: Rules, decision: str, wanted: int) -> tuple[AcquireState, ...]:
    """So many states with several options, each from a game of its own."""
    spec = GameSpec(rules, 2)
    found: list[AcquireState] = []
    for seed in count():
        if len(found) == wanted:
            break
        rng = Random(seed)
        state = AcquireState(spec)
        deal(state, shuffled_bag(spec, rng))
        after = int(rng.below(LATEST)) if decision in WATCHED else 0
        if _reached(state, decision, after, rng):
            found.append(state)
    return tuple(found)


def _reached(state: AcquireState, decision: str, after: int, rng: Random) -> bool:
    """Play at least so many decisions, up to one that is wanted; False if the game ends before."""
    player = Player()
    number = 0
    while not state.is_terminal():
        if number >= after and state.phase() == PHASE_OF[decision]:
            actions = state.legal_actions()
            if any(action & DECLARE_END for action in actions) if decision == "end" else len(actions) > 1:
                return True
        state.apply(player.choose(state, rng))
        number += 1
    return False


# -- Sensitivity of nets ---------------------------------------------------------------------------

SENSITIVITY_STATES: Final = 300  # of each decision
LITTLE: Final = 0.05  # of what an input's scale makes 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Sensitivity:
    """How much a net's choices depend on one of its inputs."""

    layer: str
    name: str
    changed: float  # the share of states in which the net chooses differently without it
    pull: float | None  # of the value, in its deviations between states, for 1 more of it; None: of a move


def sensitivities(genome: NetGenome, rules: Rules) -> list[Sensitivity]:
    """Return the sensitivity of a net to each input, measured by removing it and by raising it a little.

    Inputs whose removal changes most choices come first.
    """
    usual = _net_choices(genome, rules)
    pulls = dict(_pulls(genome, rules))
    shape = genome.shape
    inputs = [(CHAIN, name) for name in shape.chain_inputs] + [(TABLE, name) for name in shape.facts]
    found = []
    for layer, name in inputs:
        without = _net_choices(_without(genome, layer, name), rules)
        changed = behaviour_distance(usual, without)
        found.append(Sensitivity(layer=layer, name=name, changed=changed, pull=pulls.get(name)))
    return sorted(found, key=lambda each: -each.changed)


def _net_choices(genome: NetGenome, rules: Rules) -> list[int]:
    return choices(genome.express(), rules, WATCHED, SENSITIVITY_STATES)


def _without(genome: NetGenome, layer: str, name: str) -> NetGenome:
    """Its row is all 0."""
    weights: list[float] = []
    for each, title, row in genome.shape.rows(genome.weights):
        weights += [0.0] * len(row) if (each, title) == (layer, name) else row
    return replace(genome, weights=tuple(weights))


def _pulls(genome: NetGenome, rules: Rules) -> Iterator[tuple[str, float]]:
    """Yield each input's name, and how much the value of a state in which a tile is due changes with the input."""
    net = genome.nets()["place"]
    features = TypedFeatures(net, DOLLAR)
    slots = {name: CHAIN_SLOTS[name] for name in genome.shape.chain_inputs} | {
        name: TABLE_SLOTS[name] for name in genome.shape.facts
    }
    usual = []
    steps: dict[str, list[float]] = {
        name: [] for name, slot in slots.items() if slot >= FIRST_KIND or name in TABLE_SLOTS
    }
    for state in fixed_states(rules, "place", SENSITIVITY_STATES):
        value = features.value(state, state.turn(), Move())
        usual.append(value)
        chains = [chain for chain in range(state.spec.chains) if state.size(chain)]
        for name, changes in steps.items():
            little = LITTLE / scale_of(name)
            places = [slots[name]] if name in TABLE_SLOTS else [slots[name] + chain for chain in chains]
            for place in places:
                before = net.values[place]
                net.set(place, before + little)
                changes.append((net.value() - value) / LITTLE)
                net.set(place, before)
    deviation = pstdev(usual) or 1.0
    for name, changes in steps.items():
        yield name, fmean(changes) / deviation if changes else 0.0
