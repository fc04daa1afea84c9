"""Advanced Protection, and the modes in which Chaos adapts to a user, for help texts that import no game."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

MODES: Final[Mapping[str, str]] = MappingProxyType({
    "pilot": "settles who is due to win each game and leads it there, so that the user wins the aimed share",
    "calibrated": "aims at that share by a rating in proportion to the games won and to how this one stands",
    "seed": "the paper's rule of 1999: who wins more than half meets strings that are bad for them",
    "best": "the string with the lowest rating, always",
    "random": "any string",
})  # fmt: skip
DEFAULT_MODE: Final = "pilot"
FIXED: Final = "fixed:"  # followed by the number of the string that is always played
