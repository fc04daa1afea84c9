"""What is strange in a string: minions that are bought and cannot do what they are for."""

from collections.abc import Iterable, Iterator
from typing import Final

from core.protection.policy import FORWARD, INPUTS, SPECIAL
from core.protection.rules import SCAVENGER, SCOUT
from engines.protection.genome import Genome
from engines.protection.reading.normal import reachable
from engines.protection.words import BARBARIANS, MINIONS, met_inputs

HEARD: Final = (2, 3)  # the inputs of a broadcast
FARMS: Final = (2, 4, 5, 6, 7)  # inputs on which a scavenger may farm; the others say what is in front


def warnings(genome: Genome) -> list[str]:
    """A sentence each; a string of which there is none may still play badly."""
    if not any(genome.preferences):
        return ["all preferences are 0: Chaos buys nothing"]
    return list(_warnings(genome))


def _warnings(genome: Genome) -> Iterator[str]:
    bought = [minion for minion, preference in enumerate(genome.preferences) if preference]
    for minion in bought:
        name, preference = MINIONS[minion], genome.preferences[minion]
        if not _does(genome, minion, FORWARD, range(INPUTS)):
            yield f"{name} never walks"
        if minion in BARBARIANS and not _does(genome, minion, SPECIAL, met_inputs(minion)):
            yield f"{name} never attacks: preference {preference} is wasted"
        if minion == SCAVENGER and not _does(genome, minion, SPECIAL, FARMS):
            yield f"{name} never farms: preference {preference} is wasted"
    if SCOUT in bought:
        if not _does(genome, SCOUT, SPECIAL, range(INPUTS)):
            yield f"scout never broadcasts: preference {genome.preferences[SCOUT]} is wasted"
        elif not any(_listens(genome, minion) for minion in bought if minion in BARBARIANS):
            yield f"nobody listens to the scouts: preference {genome.preferences[SCOUT]} is wasted"


def _does(genome: Genome, minion: int, action: int, inputs: Iterable[int]) -> bool:
    """Whether there is a state that it comes to in which one of the inputs has this action."""
    return any(
        genome.step(minion, state, input)[1] == action
        for state in reachable(genome, minion)
        for input in inputs
    )


def _listens(genome: Genome, minion: int) -> bool:
    """Whether a broadcast changes anything of what it does."""
    return any(
        genome.step(minion, state, input) != genome.step(minion, state, 0)
        for state in reachable(genome, minion)
        for input in HEARD
    )
