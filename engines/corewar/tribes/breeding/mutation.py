"""Point mutation: a few changes in randomly chosen instructions, by default flipped bits.

Reference: Evolving Warriors, section Copy with optional Point Mutation: one to eight bits, in parts of
which some change more readily. The other kinds of change are what later evolvers of warriors use.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Self

from core.random import Random
from engines.corewar.tribes.breeding.soup import A_VALUE, Cells, Parts, Soup
from engines.corewar.tribes.config import CHANGES, PARTS, TribesConfig
from engines.selection import drawn

FURTHEST_NUDGE: Final = 4  # cells
SPARED: Final = 20  # times that protection may turn a change away


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutation:
    """How a copy is changed: the weights of the kinds and of the parts, and how many changes."""

    soup: Soup
    kinds: tuple[float, ...]
    parts: tuple[float, ...]
    fewest: int
    most: int
    longest: int  # instructions
    protection: float

    @classmethod
    def of(cls, config: TribesConfig) -> Self:
        return cls(
            soup=Soup.of(config),
            kinds=tuple(getattr(config, f"{kind}_weight") for kind in CHANGES),
            parts=tuple(getattr(config, f"{part}_weight") for part in PARTS),
            fewest=config.fewest_changes,
            most=config.most_changes,
            longest=config.length,
            protection=config.protection,
        )

    def apply(self, cells: Cells, protected: Sequence[bool], rng: Random) -> tuple[Cells, int]:
        """The changed cells, and how many changes that took. `protected` says which cells should stay."""
        changed = list(cells)
        spared = list(protected)
        count = self.fewest + int(rng.below(self.most - self.fewest + 1))
        for _ in range(count):
            at = int(rng.below(len(changed)))
            if self.protection:
                for _ in range(SPARED):
                    if not (spared[at] and rng.chance(self.protection)):
                        break
                    at = int(rng.below(len(changed)))
            self._change(changed, spared, at, rng)
        return tuple(changed), count

    def _change(self, cells: list[int], spared: list[bool], at: int, rng: Random) -> None:
        kind = CHANGES[drawn(self.kinds, rng)]
        match kind:
            case "flip" | "redraw" | "nudge":
                parts = self.soup.parts(cells[at])
                getattr(self, f"_{kind}")(parts, rng)
                cells[at] = self.soup.joined(parts)
            case "fresh":
                cells[at] = self.soup.instruction(rng)
            case "duplicate":
                cells[at] = cells[rng.below(len(cells))]
            case "exchange":
                other = rng.below(len(cells))
                cells[at], cells[other] = cells[other], cells[at]
            case "insertion" if len(cells) < self.longest:
                cells.insert(at, self.soup.instruction(rng))
                spared.insert(at, False)
            case "deletion" if len(cells) > 1:
                del cells[at], spared[at]

    def _flip(self, parts: Parts, rng: Random) -> None:
        """One bit of the shortest code of a part; of another if there is no such code."""
        part = drawn(self.parts, rng)
        choices = self.soup.choices[part]
        if part >= A_VALUE:
            parts[part] = (parts[part] ^ (1 << int(rng.below(self.soup.value_bits)))) % choices
            return
        while True:
            flipped = parts[part] ^ (1 << int(rng.below((choices - 1).bit_length())))
            if flipped < choices:
                parts[part] = flipped
                return

    def _redraw(self, parts: Parts, rng: Random) -> None:
        part = drawn(self.parts, rng)
        parts[part] = rng.below(self.soup.choices[part])

    def _nudge(self, parts: Parts, rng: Random) -> None:
        """A value a few cells up or down."""
        value = A_VALUE + int(rng.below(2))
        step = 1 + rng.below(FURTHEST_NUDGE)
        parts[value] = (parts[value] + (step if rng.chance(0.5) else -step)) % self.soup.size
