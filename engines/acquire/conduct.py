"""How a player goes about it, beside its programs: what "Evolving Board Evaluation Functions" leaves open."""

from dataclasses import dataclass
from typing import Final

# In words, in the order of the numbers in core.acquire.ranked_player and core.acquire.players.
TIES: Final = ("random", "first", "last")
PURCHASES: Final = ("all", "most", "single")
DISPOSING: Final = ("trade then sell", "sell all", "random split")
ENDING: Final = ("coin", "always", "never")
RANDOM_BUY: Final = ("number first", "any set")


@dataclass(frozen=True, slots=True, kw_only=True)
class Conduct:
    """Numbers that the core knows; the first of each is what the strengths of the printed pairs hold for."""

    tie: int = 0
    purchases: int = 0
    samples: int = 1  # of a tile's outcome; 0: all
    dollar: float = 1.0  # what a dollar counts in programs
    disposing: int = 0
    ending: int = 0
    buying: int = 0

    def __str__(self) -> str:
        """For people, with every strength."""
        return (
            f"tie {TIES[self.tie]}, purchases {PURCHASES[self.purchases]}, "
            f"outcomes {self.samples or 'all'}, disposing {DISPOSING[self.disposing]}, "
            f"ending {ENDING[self.ending]}"
        )
