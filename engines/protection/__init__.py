"""Advanced Protection, and the modes in which Chaos adapts to a user, for help texts that import no game."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

MODES: Final[Mapping[str, str]] = MappingProxyType({
    "pilot": "draws at random which side should win a game and leads it there, so that the user wins the target share",
    "calibrated": "aims at the target share by a rating in proportion to the games won and to the state of this game",
    "seed": "follows the paper's rule: users who win more than half of the games meet strings that are bad for them",
    "best": "always plays the string with the lowest rating",
    "random": "plays a random string",
})  # fmt: skip
DEFAULT_MODE: Final = "pilot"
FIXED: Final = "fixed:"  # followed by the number of the string that is always played
