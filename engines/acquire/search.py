"""The player `search`: its name, its settings, and the policy whose decisions it compares with other options."""

import re
from dataclasses import dataclass, replace
from typing import Final, Self

from core.acquire.look_ahead import LookAhead
from core.acquire.players import Player
from core.acquire.state import AcquireState
from core.random import Random
from engines.names import near

NAME: Final = re.compile(r"search(?:-([1-9][0-9]{0,5}))?")
PLAYOUTS: Final = 2000  # for each decision, which then takes about 30 ms
MAX_PLAYOUTS: Final = 50_000
MAX_MILLISECONDS: Final = 600_000
UNLIMITED: Final = 10**12  # playouts, where time is the limit
SETTINGS: Final = ("milliseconds", "policy")


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchOptions:
    """The budget of `search` for each decision: a number of playouts, or a time."""

    playouts: int = PLAYOUTS
    milliseconds: int = 0  # 0: the playouts are the budget

    @classmethod
    def of(cls, name: str) -> Self | None:
        """Return the options that a name such as `search-500` stands for, or None if it is no such name."""
        found = NAME.fullmatch(name)
        playouts = int(found[1] or PLAYOUTS) if found else 0
        return cls(playouts=playouts) if 1 <= playouts <= MAX_PLAYOUTS else None

    def timed(self, text: str) -> Self:
        """Return options with a time as the budget. Raises ValueError if the text is not a time that is allowed."""
        if not (text.isascii() and text.isdecimal() and len(text) < 8 and 1 <= int(text) <= MAX_MILLISECONDS):
            raise ValueError(
                f"milliseconds must be a whole number from 1 to {MAX_MILLISECONDS:,}, not {text[:40]!r}"
            )
        return replace(self, milliseconds=int(text))

    def create(self, policy: Player, model: Player) -> LookAhead:
        """Create the player; `policy` proposes its decisions, and `model` plays the games."""
        return LookAhead(policy, model, UNLIMITED if self.milliseconds else self.playouts, self.milliseconds)

    def __str__(self) -> str:
        if self.milliseconds:
            return f"{self.milliseconds:,} ms a decision"
        return f"{self.playouts:,} playouts a decision"


def split_words(words: list[str]) -> dict[str, str]:
    """Return the settings of `search` by key. Raises ValueError for a word that is no setting."""
    settings = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals or key not in SETTINGS:
            raise ValueError(f"unknown setting {word[:40]!r}; {near(key, SETTINGS)}")
        settings[key] = value
    return settings


class TablePolicy(Player):
    """A player for all tables, made of players that were bred on three chains, for two seats, and for more seats.

    The players must not have a memory of the game.
    """

    def __init__(self, few_chains: Player, two_seats: Player, more_seats: Player) -> None:
        super().__init__()
        self._few_chains = few_chains
        self._two_seats = two_seats
        self._more_seats = more_seats

    def choose(self, state: AcquireState, rng: Random) -> int:
        if state.spec.chains <= 3:
            return int(self._few_chains.choose(state, rng))
        return int((self._two_seats if state.spec.seats == 2 else self._more_seats).choose(state, rng))
