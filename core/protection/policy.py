"""A policy: Chaos's 1056-bit string, read as eight automata of four states and eight preferences.

A string is 132 bytes of two nibbles each, the high nibble first. Nibble minion * 32 + state * 8 + input is
(next state << 2) | action; nibble 256 + minion is the preference. Reference: "Advanced Protection", part
"Artificial Intelligence".
"""

from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64

from core.protection.rules import KINDS

STRING_BYTES: Final = 132
STATES: Final = 4
INPUTS: Final = 8
NIBBLES: Final = 256  # of the eight automata

FORWARD: Final = 0
RIGHT: Final = 1
LEFT: Final = 2
SPECIAL: Final = 3  # scouts broadcast, scavengers farm, barbarians attack


@final
class Policy:
    """A string made ready for play: automata of the eight kinds of minion, and preferences for buying them."""

    def __init__(self, string: bytes) -> None:
        """Read one string. Raises ValueError unless it has 132 bytes."""
        self.automata = vec[i64]([0] * NIBBLES)
        self.preferences = vec[i64]([0] * KINDS)
        self.load(string, 0)

    def load(self, strings: bytes, row: i64) -> None:
        """Read string number `row` of several in a row. Raises ValueError if there is no such string."""
        first = row * STRING_BYTES
        if len(strings) % STRING_BYTES or row < 0 or first >= len(strings):
            raise ValueError(f"{len(strings)} bytes have no string number {row} of {STRING_BYTES} bytes")
        automata, preferences = self.automata, self.preferences
        for place in range(i64(NIBBLES // 2)):
            pair: i64 = strings[first + place]
            automata[2 * place] = pair >> 4
            automata[2 * place + 1] = pair & 15
        for place in range(i64(KINDS // 2)):
            pair = strings[first + NIBBLES // 2 + place]
            preferences[2 * place] = pair >> 4
            preferences[2 * place + 1] = pair & 15
