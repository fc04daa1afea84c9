"""Players with fixed names, for people to play and strength to be measured against.

What an evolution has trained on is said beside what it makes of it: the evolved ones have met the heuristic.
"""

import re
from typing import Final

from core.acquire.players import Heuristic, Player
from core.acquire.playout import MonteCarlo
from engines.acquire.brain import named_brains

MOST_ROLLOUTS: Final = 100  # a tile; a decision then takes some 15 ms
ROLLOUTS: Final = re.compile(r"mc-([1-9][0-9]{0,2})")

MEMBERS: Final = {
    "random": "a tile, a chain, a purchase by chance; trades what it can, sells the rest; ends by a coin",
    "heuristic": "rules of thumb: found, grow what it leads, merge what pays, buy where it is first or could be",
    "mc-10": "each tile tried in 10 games that the heuristic plays for all; the rest as the heuristic",
    "mc-40": "each tile tried in 40 games that the heuristic plays for all; the rest as the heuristic",
    **{
        f"pair-{number}": f'winning pair {number} of "Evolving Board Evaluation Functions", section 4.3'
        for number in range(1, 5)
    },
    "best-of-run": 'the two best-of-run programs of "Evolving Board Evaluation Functions", section 4.1.3',
    "composed": "typed programs for all decisions, written by hand to be bred from",
    "evolved-three": "typed programs for all decisions, bred on three chains",
    "evolved-seven": "typed programs for all decisions, bred on seven chains",
    "evolved-four": "typed programs for all decisions, bred on seven chains with four players",
    "evolved-net-three": "a net for all decisions, bred on three chains",
    "evolved-net-seven": "a net for all decisions, bred on seven chains",
    "evolved-net-four": "a net for all decisions, bred on seven chains with four players",
}


def member(name: str) -> Player:
    """A new player of that name; mc-K is there for any K up to 100. ValueError if there is none."""
    if name == "random":
        return Player()
    if name == "heuristic":
        return Heuristic()
    if name in MEMBERS and not name.startswith("mc-"):
        return named_brains()[name].express()
    rollouts = ROLLOUTS.fullmatch(name)
    if rollouts and int(rollouts[1]) <= MOST_ROLLOUTS:
        return MonteCarlo(int(rollouts[1]))
    raise ValueError(f"no player is called {name[:40]!r}; there are {', '.join(MEMBERS)}")
