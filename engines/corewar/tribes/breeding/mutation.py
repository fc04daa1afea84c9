"""Point mutation: a few changes in randomly chosen instructions, by default flipped bits.

Reference: Evolving Warriors, section Copy with optional Point Mutation: one to eight bits, in parts of
which some change more readily. The other kinds of change are what later evolvers of warriors use.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Self

from core.random import Random
from engines.corewar.tribes.breeding.phrases import LONGEST, phrase
from engines.corewar.tribes.breeding.soup import A_VALUE, Parts, Soup
from engines.corewar.tribes.config import TribesConfig
from engines.corewar.tribes.genes import MARK, Cells, marked, unmarked
from engines.corewar.tribes.keys import CHANGES, PARTS
from engines.evolution.selection import drawn

FURTHEST_NUDGE: Final = 4  # cells


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
    start_moves: float  # the chance of it; 0 where warriors begin at their first cell

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
            start_moves=config.start_moves if config.start == "evolved" else 0.0,
        )

    def apply(self, cells: Cells, protected: Sequence[bool], rng: Random) -> tuple[Cells, int]:
        """The changed cells, and how many changes that took. `protected` says which cells should stay."""
        changed = list(cells)
        spared = list(protected)
        count = self.fewest + int(rng.below(self.most - self.fewest + 1))
        for _ in range(count):
            self._change(changed, spared, self._place(spared, rng), rng)
        mutated = tuple(changed)
        if self.start_moves and rng.chance(self.start_moves):
            mutated = marked(unmarked(mutated)[0], int(rng.below(len(mutated))))
        return mutated, count

    def _place(self, spared: Sequence[bool], rng: Random) -> int:
        """Any; one that is spared less often, by the chance of protection. Never, where that is 1 and others are left."""
        if not self.protection:
            return int(rng.below(len(spared)))
        weights = [1 - self.protection if each else 1.0 for each in spared]
        return drawn(weights, rng) if any(weights) else int(rng.below(len(spared)))

    def _change(self, cells: list[int], spared: list[bool], at: int, rng: Random) -> None:
        kind = CHANGES[drawn(self.kinds, rng)]
        match kind:
            case "flip" | "redraw" | "nudge":
                parts = self.soup.parts(cells[at])
                getattr(self, f"_{kind}")(parts, rng)
                _replace(cells, at, self.soup.joined(parts))
            case "aim":
                parts = self.soup.parts(cells[at])
                parts[_either_value(rng)] = (int(rng.below(len(cells))) - at) % self.soup.size
                _replace(cells, at, self.soup.joined(parts))
            case "fresh":
                _replace(cells, at, self.soup.instruction(rng))
            case "duplicate":
                _replace(cells, at, cells[rng.below(len(cells))])
            case "exchange":
                other = self._place(spared, rng)
                cells[at], cells[other] = cells[other], cells[at]
            case "phrase" if len(cells) + LONGEST <= self.longest:
                # Before the first one: so all that is there still finds its way.
                added = phrase(range(LONGEST + len(cells)), self.soup.size, rng)
                cells[:0] = added
                spared[:0] = [False] * len(added)
            case "insertion" if len(cells) < self.longest:
                cells.insert(at, self.soup.instruction(rng))
                spared.insert(at, False)
            case "deletion" if len(cells) > 1:
                mark = cells[at] & MARK
                del cells[at], spared[at]
                cells[at % len(cells)] |= mark

    def _flip(self, parts: Parts, rng: Random) -> None:
        """One bit of the shortest code of a part; of another if there is no such code."""
        part = drawn(self.parts, rng)
        choices = self.soup.choices[part]
        if part >= A_VALUE:
            parts[part] = self.soup.value(parts[part] ^ (1 << int(rng.below(self.soup.value_bits))))
            return
        while True:
            flipped = parts[part] ^ (1 << int(rng.below((choices - 1).bit_length())))
            if flipped < choices:
                parts[part] = flipped
                return

    def _redraw(self, parts: Parts, rng: Random) -> None:
        part = drawn(self.parts, rng)
        parts[part] = self.soup.drawn(part, rng)

    def _nudge(self, parts: Parts, rng: Random) -> None:
        """A value a few cells up or down."""
        value = _either_value(rng)
        step = 1 + rng.below(FURTHEST_NUDGE)
        parts[value] = self.soup.value(parts[value] + (step if rng.chance(0.5) else -step))


def _either_value(rng: Random) -> int:
    return A_VALUE + int(rng.below(2))


def _replace(cells: list[int], at: int, cell: int) -> None:
    """A warrior that begins there still does."""
    cells[at] = (cell & ~MARK) | (cells[at] & MARK)
