"""The yardstick: players with fixed names that strength is measured against, and that nothing trains on."""

import re
from typing import Final

from core.acquire.players.heuristic import Heuristic
from core.acquire.players.monte_carlo import MonteCarlo
from core.acquire.players.player import Player

MOST_ROLLOUTS: Final = 100  # a tile; a decision then takes some 15 ms
ROLLOUTS: Final = re.compile(r"mc-([1-9][0-9]{0,2})")

MEMBERS: Final = {
    "random": "a tile, a chain, a purchase by chance; trades what it can, sells the rest; ends by a coin",
    "heuristic": "rules of thumb: found, grow what it leads, merge what pays, buy where it is first or could be",
    "mc-10": "each tile tried in 10 games that the heuristic plays for all; the rest as the heuristic",
    "mc-40": "the same with 40 games a tile",
}


def member(name: str) -> Player:
    """A new player of that name; mc-K is there for any K up to 100. ValueError if there is none."""
    if name == "random":
        return Player()
    if name == "heuristic":
        return Heuristic()
    rollouts = ROLLOUTS.fullmatch(name)
    if rollouts and int(rollouts[1]) <= MOST_ROLLOUTS:
        return MonteCarlo(int(rollouts[1]))
    raise ValueError(f"no player is called {name[:40]!r}; there are {', '.join(MEMBERS)}")
