"""Behaviour: the choices of players in fixed states, the distance of two behaviours, and the sensitivity of nets.

The states come from games of random players and are the same in every run. The random numbers of each choice are
fixed as well, so that players without preferences behave alike.
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
WATCHED: Final = ("place", "buy")  # decisions that an evolution compares behaviours by
LATEST: Final = 120  # decisions played before a watched one, at most: half of those of a long game


def choices(player: Player, rules: Rules, decisions: Sequence[str], states: int) -> list[int]:
    """Return the choices of a player in `states` fixed states of each decision.

    The player begins a new game in each state. For the decision whether to end the game only that bit is returned.
    """
    chosen = []
    for decision in decisions:
        mask = DECLARE_END if decision == "end" else -1
        for number, state in enumerate(fixed_states(rules, decision, states)):
            player.begin()
            chosen.append(int(player.choose(state.observation(state.player()), Random(number))) & mask)
    return chosen


def behaviour_distance(one: Sequence[int], other: Sequence[int]) -> float:
    """Return the share of states in which two players choose differently."""
    return sum(a != b for a, b in zip(one, other, strict=True)) / len(one)


@cache
def fixed_states(rules: Rules, decision: str, wanted: int) -> tuple[AcquireState, ...]:
    """Return `wanted` states in which `decision` has several options, each from a different game."""
    spec = GameSpec(rules, 2)
    found: list[AcquireState] = []
    for seed in count():
        if len(found) == wanted:
            break
        rng = Random(seed)
        state = AcquireState(spec)
        deal(state, shuffled_bag(spec, rng))
        after = int(rng.below(LATEST)) if decision in WATCHED else 0
        if _play_to_decision(state, decision, after, rng):
            found.append(state)
    return tuple(found)


def _play_to_decision(state: AcquireState, decision: str, after: int, rng: Random) -> bool:
    """Play at least `after` decisions, then up to the wanted decision; return False if the game ends before.

    The wanted decision must have several options, or for `end` an action that ends the game.
    """
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
LITTLE: Final = 0.05  # the increase of an input, in units of its scale


@dataclass(frozen=True, slots=True, kw_only=True)
class Sensitivity:
    """The influence of one input of a net on its choices."""

    layer: str
    name: str
    changed: float  # the share of states in which the net chooses differently without it
    pull: float | None  # the value's change for 1 more of the input, in deviations; None: an input of a move


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
        without = _net_choices(_without_input(genome, layer, name), rules)
        changed = behaviour_distance(usual, without)
        found.append(Sensitivity(layer=layer, name=name, changed=changed, pull=pulls.get(name)))
    return sorted(found, key=lambda each: -each.changed)


def _net_choices(genome: NetGenome, rules: Rules) -> list[int]:
    return choices(genome.express(), rules, WATCHED, SENSITIVITY_STATES)


def _without_input(genome: NetGenome, layer: str, name: str) -> NetGenome:
    """Return the genome with all weights of an input set to 0."""
    weights: list[float] = []
    for each, title, row in genome.shape.rows(genome.weights):
        weights += [0.0] * len(row) if (each, title) == (layer, name) else row
    return replace(genome, weights=tuple(weights))


def _pulls(genome: NetGenome, rules: Rules) -> Iterator[tuple[str, float]]:
    """Yield each input's name and the change of a state's value for an increase of the input by 1 on its scale.

    The states are those in which a tile must be placed; the change is in standard deviations of the value between
    them.
    """
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
