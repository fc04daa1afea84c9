"""The minions on the field: where they are, in which state, what they carry, and who has fallen."""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from core.protection.arrangement import Arrangement
from core.protection.battle.dice import Dice
from core.protection.battle.log import Log
from core.protection.rules import KINDS, SQUARES
from core.protection.setting import Setting
from core.protection.terrain.field import Field
from core.random import Random

GONE: Final = -1  # in place of a minion's word


class Minions(Field):
    """Minions have numbers in acting order: by kind, and within a kind as they were bought.

    A minion's word is pose * 4 + state, or GONE.
    """

    def __init__(self, setting: Setting) -> None:
        super().__init__(setting)
        self.words = vec[i64]([0] * 64)
        self.kinds = vec[i64]([0] * 64)
        self.carried = vec[i64]([0] * 64)  # dollars
        self.begin = vec[i64](
            [0] * (KINDS + 1)
        )  # [kind]: its first number; the next kind begins after its last
        self.living: i64 = 0
        self.lost = vec[i64]([0] * KINDS)  # [kind]: minions destroyed this turn
        self.fallen = vec[i64]([0] * SQUARES)  # squares whose unit was destroyed this turn, in this order
        self.fallen_phase = vec[i64]([0] * SQUARES)
        self.fallen_count: i64 = 0
        self.plundered: i64 = 0  # dollars taken this turn, also by minions that have fallen since
        self.phase: i64 = 0
        self.dice = Dice(Random(0))
        self.log: Log | None = None

    def muster(self, counts: vec[i64]) -> None:
        """Make room for so many of each kind, none of them on the field yet."""
        total: i64 = 0
        begin = self.begin
        for kind in range(i64(KINDS)):
            begin[kind] = total
            total += counts[kind]
            self.lost[kind] = 0
        begin[KINDS] = total
        if total > len(self.words):
            self.words = vec[i64]([0] * int(2 * total))
            self.kinds = vec[i64]([0] * int(2 * total))
            self.carried = vec[i64]([0] * int(2 * total))
        words, kinds, carried = self.words, self.kinds, self.carried
        for kind in range(i64(KINDS)):
            for number in range(begin[kind], begin[kind + 1]):
                words[number] = GONE
                kinds[number] = kind
                carried[number] = 0
        self.living = 0
        self.plundered = 0
        self.phase = 0

    def station(self, number: i64, pose: i64) -> None:
        """A minion enters the field, in state 0."""
        self.words[number] = pose << 2
        self.living += 1

    def lose(self, number: i64) -> None:
        """A minion is destroyed, with the money that it carries."""
        self.words[number] = GONE
        self.carried[number] = 0
        self.lost[self.kinds[number]] += 1
        self.living -= 1

    def fell(self, square: i64) -> i64:
        """The unit there is destroyed; the dollars that it had made this turn."""
        made = (self.phase - 1) * self.setting.yields[self.units[square] * SQUARES + square]
        self.put(square, 0)
        self.fallen[self.fallen_count] = square
        self.fallen_phase[square] = self.phase
        self.fallen_count += 1
        return made

    def raise_fallen(self, arrangement: Arrangement) -> None:
        """All stand again as they were arranged."""
        for place in range(self.fallen_count):
            square = self.fallen[place]
            self.put(square, arrangement.codes[square])
        self.fallen_count = 0
