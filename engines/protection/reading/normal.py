"""A string without what it never uses: the states that no minion comes to are zero.

For display and to find strings that are the same player; never inside the genetic algorithm.
"""

from core.protection.policy import INPUTS, STATES
from engines.protection.genome import AUTOMATON, Genome
from engines.protection.words import MINIONS


def reachable(genome: Genome, minion: int) -> list[int]:
    """The states that the minion comes to from state 0 if it meets every input, in order."""
    found = {0}
    waiting = [0]
    while waiting:
        state = waiting.pop()
        for input in range(INPUTS):
            new, _ = genome.step(minion, state, input)
            if new not in found:
                found.add(new)
                waiting.append(new)
    return sorted(found)


def normalised(genome: Genome) -> Genome:
    """The same player, with zeros in all states that are never reached."""
    nibbles = genome.nibbles
    for minion in range(len(MINIONS)):
        for state in set(range(STATES)) - set(reachable(genome, minion)):
            start = minion * AUTOMATON + state * INPUTS
            nibbles[start : start + INPUTS] = [0] * INPUTS
    return Genome.of(nibbles)
