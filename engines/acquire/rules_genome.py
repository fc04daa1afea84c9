"""The genome of a player by rules of thumb: one number for each weight of core.acquire.rules_of_thumb.

A gene is a weight in units of its scale, so that genes change by steps of like size. The text is `(rules 1)`, where 1
is the version of the format, followed by one line for each gene, such as `(ahead-lead -1.332)`, in any order. `;`
begins a comment.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import isfinite
from typing import Final, Self

from core.acquire.players import Player
from core.acquire.rules_of_thumb import RulesOfThumb
from engines.acquire.genome import DEFAULT_OPTIONS, PlayerOptions
from engines.acquire.gp.sexpr import NUMBER, number

VERSION: Final = "1"
HEAD: Final = re.compile(r"(?:[^\S\n]*(?:;[^\n]*)?\n)*[^\S\n]*\([^\S\n]*rules\b")  # of such a text
FORM: Final = re.compile(r"\(\s*([a-z-]+)\s+(\S+)\s*\)")
MAX_TEXT: Final = 1 << 16  # characters

# Each weight in the order of core.acquire.rules_of_thumb: its name, its scale, the gene of the first founder, whose rules
# are nearly those of the heuristic, and what it is the value of.
GENES: Final = (
    ("ahead", 12_000.0, 1.0, "a share of a chain that the player leads"),
    ("ahead-lead", 1200.0, -1.0, "the same, for each share of the lead"),
    ("near", 24_000.0, 1.0, "a share of a chain where the player is level, or one or two shares behind"),
    ("near-lead", 2400.0, 1.0, "the same, for each share of the lead, which is 0 or negative"),
    ("behind", 8000.0, 1.0, "a share of a chain where the player is further behind"),
    ("behind-lead", 800.0, 1.0, "the same, for each share of the lead, which is negative"),
    ("cost", 6.0, -1.0, "for each dollar of the price"),
    ("late-cost", 5.0, 0.0, "the same, times the part of the tiles that are drawn"),
    ("open", 2000.0, 1.0, "if the chain is not safe"),
    ("late-open", 1000.0, 0.0, "the same, times the part of the tiles that are drawn"),
    ("enough", 20_000.0, -2.5, "if the player holds more than 12 shares"),
    ("tiles", 100.0, 0.0, "for each tile of the chain"),
    ("late-lead", 1000.0, 0.0, "for each share of the lead, times the part of the tiles that are drawn"),
    ("supply", 200.0, 0.0, "for each share of the bank"),
    ("level", 1000.0, 0.0, "if the player is level with the best opponent"),
    ("unopposed", 1000.0, 0.0, "if no opponent holds a share"),
    ("first", 1000.0, 0.0, "if the player holds no share"),
    ("stop", 20_000.0, -1.0, "buying nothing more: shares that are worth less are not bought"),
    ("stop-bought", 2000.0, 0.0, "the same, for each share bought in this turn"),
    ("stop-cash", 0.5, 0.0, "the same, for each dollar of cash"),
    ("found", 3000.0, 6.5, "a tile that founds a chain"),
    ("found-late", 30.0, 0.0, "the same, for each tile drawn"),
    ("grow-lead", 1200.0, 1.0, "a tile that makes a chain grow, for each share of the lead"),
    ("grow-none", 2000.0, -1.0, "the same, if the player holds no share"),
    ("grow-tiles", 50.0, 0.0, "the same, for each tile of the chain"),
    ("grow-safe", 1000.0, 0.0, "the same, if the chain is safe"),
    ("merge", 4000.0, 1.0, "a tile that merges chains"),
    ("merge-gain", 8.0, 1.0, "the same, for each dollar of the player's bonus less the best opponent's"),
    ("merge-bonus", 2.0, 0.0, "the same, for each dollar of the player's bonus"),
    (
        "trade-price",
        0.5,
        4.0,
        "shares are traded if the survivor's price is this many times the lowest price of the defunct chain",
    ),
    ("trade-cash", 2000.0, 1.0, "and the player has more cash than this"),
)
NAMES: Final = tuple(name for name, *_ in GENES)


class RulesError(ValueError):
    """Raised for a text that holds no rules of thumb; its message contains the line and the text that was read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesGenome:
    """The genes of a player by rules of thumb, in the order of GENES."""

    weights: tuple[float, ...]

    def __post_init__(self) -> None:
        """Raise ValueError if the number of genes is wrong, or one is not finite."""
        if len(self.weights) != len(GENES):
            raise ValueError(f"rules of thumb have {len(GENES)} genes, not {len(self.weights)}")
        if not all(map(isfinite, self.weights)):
            raise ValueError("a gene must be a finite number")

    @classmethod
    def founder(cls) -> Self:
        """Return the first founder of each evolution, whose rules are nearly those of the heuristic."""
        return cls(weights=tuple(gene for _, _, gene, _ in GENES))

    @classmethod
    def loads(cls, text: str) -> Self:
        """Return the genome that a text describes. Raises RulesError if it describes none."""
        if len(text) > MAX_TEXT:
            raise RulesError(
                f"the text is too long for rules of thumb: {len(text)} characters, {MAX_TEXT} are allowed"
            )
        found: dict[str, float] = {}
        has_head = False
        for line, words in enumerate(text.split("\n"), 1):
            content = words.partition(";")[0].strip()
            if not content:
                continue
            form = FORM.fullmatch(content)
            if not form:
                raise RulesError(
                    f"line {line}: a line is a name and a number in parentheses, not {content[:60]!r}"
                )
            name, value = form[1], form[2]
            if not has_head:
                if (name, value) != ("rules", VERSION):
                    raise RulesError(f"line {line}: (rules {VERSION}) is expected, not {content[:60]!r}")
                has_head = True
            elif name not in NAMES or name in found:
                reason = "is there already" if name in found else "is no gene"
                raise RulesError(f"line {line}: {name[:40]!r} {reason}")
            elif not NUMBER.fullmatch(value) or not isfinite(float(value)):
                raise RulesError(f"line {line}: a number is expected, not {value[:60]!r}")
            else:
                found[name] = float(value)
        missing = [name for name in NAMES if name not in found]
        if missing:
            raise RulesError(f"line {text.count(chr(10)) + 1}: the text ends without ({missing[0]} ...)")
        return cls(weights=tuple(found[name] for name in NAMES))

    def dumps(self) -> str:
        """Return the text of the genome, with every number exact."""
        genes = (f"({name} {number(gene)})\n" for name, gene in zip(NAMES, self.weights, strict=True))
        return f"(rules {VERSION})\n{''.join(genes)}"

    def express(self, options: PlayerOptions = DEFAULT_OPTIONS) -> Player:
        """Return a new player. Options do not concern it, because it makes all decisions by its rules."""
        return RulesOfThumb(self.values())

    def values(self) -> tuple[float, ...]:
        """Return the weights themselves: the genes times their scales."""
        return tuple(gene * scale for gene, (_, scale, _, _) in zip(self.weights, GENES, strict=True))

    def moved(self, steps: Sequence[float]) -> Self:
        """Return the genome with a step added to each gene."""
        return replace(
            self, weights=tuple(gene + step for gene, step in zip(self.weights, steps, strict=True))
        )

    def with_weights(self, weights: Sequence[float]) -> Self:
        """Return a genome with other genes."""
        return replace(self, weights=tuple(weights))
