"""How a game adapts, by name: `seed`, `calibrated`, `fixed:INDEX`, `random` or `best`.

Whatever the mode, the string for the next turn is a function of the profile, the game so far and the random
source: the board of that turn is not asked.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from core.random import Random
from engines.protection.adaptation.calibration import Calibration
from engines.protection.adaptation.choice import Choice, chosen
from engines.protection.adaptation.hybrids import ADVANCED
from engines.protection.profile.profile import STRINGS, Profile

PLAIN: Final = ("seed", "calibrated", "random", "best")
FIXED: Final = "fixed:"
EVEN: Final = Calibration()


@dataclass(frozen=True, slots=True, kw_only=True)
class Mode:
    """A mode and what it needs to know."""

    name: str
    starter: int  # the string for a user of whom nothing is known
    calibration: Calibration = EVEN

    def __post_init__(self) -> None:
        fixed(self.name)  # or it raises
        if not 0 <= self.starter < STRINGS:
            raise ValueError(f"the starter is 0 to {STRINGS - 1}, not {self.starter}")

    def choose(self, profile: Profile, rng: Random, standings: Sequence[float] = ()) -> Choice:
        """The string for the next turn; from 250 on it is a hybrid of the profile."""
        ratings = profile.ratings
        index = fixed(self.name)
        if index is None and self.name == "random":
            index = rng.below(STRINGS)
        if index is None and profile.is_new:
            index = self.starter
        if index is not None:
            return Choice(index=index, rating=ratings[index], target=None)
        if self.name == "seed":
            return chosen(profile.wins, profile.losses, ratings)
        share = self.calibration.share(profile.wins, profile.losses, standings)
        if share > ADVANCED:
            ratings += tuple(each.rating for each in profile.hybrids)
        if self.name == "best":
            best = min(range(len(ratings)), key=ratings.__getitem__)
            return Choice(index=best, rating=ratings[best], target=float(ratings[best]))
        return self.calibration.chosen(share, ratings)


def fixed(name: str) -> int | None:
    """The string that a mode always plays, None if it does not. ValueError if there is no such mode."""
    number = name.removeprefix(FIXED)
    if number != name and number.isascii() and number.isdigit() and len(number) < 4 and int(number) < STRINGS:
        return int(number)
    if name not in PLAIN:
        raise ValueError(f"a mode is {', '.join(PLAIN)} or fixed:0 to fixed:{STRINGS - 1}, not {name[:40]!r}")
    return None
