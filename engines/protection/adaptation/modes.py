"""How a game adapts, by name: `pilot`, `calibrated`, `seed`, `best`, `random` or `fixed:INDEX`.

Whatever the mode, the string for the next turn is a function of the profile, the game so far and the random
source: the board of that turn is not asked.
"""

from dataclasses import dataclass
from typing import Final

from engines.protection.adaptation.calibration import Calibration
from engines.protection.adaptation.choice import Choice, chosen
from engines.protection.adaptation.chooser import Chooser, Known
from engines.protection.adaptation.hybrids import ADVANCED
from engines.protection.adaptation.names import FIXED, MODES
from engines.protection.adaptation.pilot import PILOT, Pilot
from engines.protection.game.chance import Chance, choice
from engines.protection.profile.profile import STRINGS

RANDOM: Final = "random"
OF_OLD: Final = "seed"
EVEN: Final = Calibration()


def chooser(name: str, starter: int, calibration: Calibration = EVEN) -> Chooser:
    """The rule of a mode. ValueError if there is no such mode."""
    if name == PILOT:
        return Pilot(starter=starter, aim=calibration.aim)
    return Mode(name=name, starter=starter, calibration=calibration)


@dataclass(frozen=True, slots=True, kw_only=True)
class Mode:
    """A mode that chooses by ratings, or by none, and what it needs to know."""

    name: str
    starter: int  # the string for a user of whom nothing is known
    calibration: Calibration = EVEN

    def __post_init__(self) -> None:
        fixed(self.name)  # or it raises
        if not 0 <= self.starter < STRINGS:
            raise ValueError(f"the starter is 0 to {STRINGS - 1}, not {self.starter}")

    @property
    def learns(self) -> bool:
        return self.name != RANDOM and fixed(self.name) is None

    @property
    def breeds(self) -> bool:
        return self.learns and self.name != OF_OLD

    def choose(self, known: Known, chance: Chance) -> Choice:
        profile, course = known.profile, known.course
        ratings = profile.ratings
        index = fixed(self.name)
        if self.name == RANDOM:
            index = chance.stream(choice(course.turn)).below(STRINGS)
        if index is None and profile.is_new:
            index = self.starter
        if index is not None:
            return Choice(index=index, rating=ratings[index], target=None)
        if self.name == OF_OLD:
            return chosen(profile.wins, profile.losses, ratings)
        share = self.calibration.share(profile.wins, profile.losses, course.standings)
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
    if name not in MODES:
        raise ValueError(f"a mode is {', '.join(MODES)} or fixed:0 to fixed:{STRINGS - 1}, not {name[:40]!r}")
    return None
