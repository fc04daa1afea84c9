"""The style of a warrior, told from its conduct: paper, stone, scissors and what else authors call their work.

Paper copies itself everywhere, stone bombs blindly, scissors scan and then attack what they have found (S. Morell,
"My First Core War Book"). Code says nothing about style: only what was executed counts.

The thresholds were chosen on 183 warriors of the '94 hills whose comments say what they are: the main style is one
that the author names for 90 of 100. For 44 of the '88 hill, which had no part in the choice, it is for 77 of 100.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from engines.corewar.ranking.conduct import Conduct


class Style(Enum):
    """What a warrior does; the value is how it is called."""

    SWITCHER = "switcher"
    IMP = "imp"
    PAPER = "paper"
    VAMPIRE = "vampire"
    SCANNER = "scanner"
    STONE = "stone"
    CLEAR = "clear"
    QUICK_SCAN = "quick scan"
    WAITS = "waits"
    DIES = "dies"

    @property
    def meaning(self) -> str:
        """What it does, as the rest of a sentence that begins with "it"."""
        return _MEANINGS[self]


@dataclass(frozen=True, slots=True, kw_only=True)
class Manner:
    """The style that says most about a warrior, and the others that it shows too."""

    main: Style
    also: tuple[Style, ...]

    def __str__(self) -> str:
        return "/".join(style.value for style in (self.main, *self.also))


def manner(conducts: Sequence[Conduct]) -> Manner:
    """From conduct alone in the core, which decides, and against others, which may show more. ValueError for none."""
    if not conducts:
        raise ValueError("no conduct, no style")
    alone, *others = conducts
    shown = [style for style, shows in _SIGNS if shows(alone)]
    shown += [style for style, shows in _SIGNS if style not in shown and any(map(shows, others))]
    if shown and (shown[0] is not Style.QUICK_SCAN or len(shown) > 1):
        main = next(style for style in shown if style is not Style.QUICK_SCAN)
    else:
        main = Style.WAITS if alone.survived else Style.DIES
    return Manner(main=main, also=tuple(style for style in shown if style is not main))


def _switches(conduct: Conduct) -> bool:
    return conduct.pspace > 0


def _is_imp(conduct: Conduct) -> bool:
    return conduct.imps >= 0.02


def _is_paper(conduct: Conduct) -> bool:
    """Its processes are at home in many places, which it has written itself."""
    return conduct.homes >= 8 and conduct.copies >= 0.02


def _is_vampire(conduct: Conduct) -> bool:
    """Most of its bombs are jumps. Scanners that stun with SPL and JMP throw fewer of them."""
    return conduct.bombs >= 0.05 and conduct.bombed_with_jumps >= 0.6


def _scans(conduct: Conduct) -> bool:
    """More than a quick scan looks at."""
    goes_on = conduct.scans >= 0.01 or conduct.quick_scans >= 0.3
    return conduct.scanned >= (0.03 if goes_on else 0.06)


def _is_stone(conduct: Conduct) -> bool:
    return conduct.bombs >= 0.05


def _clears(conduct: Conduct) -> bool:
    return conduct.clears >= 0.1


def _scans_quickly(conduct: Conduct) -> bool:
    return conduct.quick_scans >= 0.03 and not _scans(conduct)


# In the order in which they say more about a warrior than what follows.
_SIGNS: Final[Sequence[tuple[Style, Callable[[Conduct], bool]]]] = (
    (Style.SWITCHER, _switches),
    (Style.PAPER, _is_paper),
    (Style.VAMPIRE, _is_vampire),
    (Style.SCANNER, _scans),
    (Style.STONE, _is_stone),
    (Style.CLEAR, _clears),
    (Style.IMP, _is_imp),
    (Style.QUICK_SCAN, _scans_quickly),
)

_MEANINGS: Final = {
    Style.SWITCHER: "remembers in its P-space how rounds went, and may fight otherwise in the next",
    Style.IMP: "sends instructions on their way that copy themselves before them",
    Style.PAPER: "copies itself all over the core and goes on there",
    Style.VAMPIRE: "throws jumps that lead the processes of others astray",
    Style.SCANNER: "looks for others before it attacks",
    Style.STONE: "throws bombs at places far from each other, without looking",
    Style.CLEAR: "writes over cell after cell",
    Style.QUICK_SCAN: "has a quick look at a few places when a round begins",
    Style.WAITS: "waits, and leaves the core as it is",
    Style.DIES: "comes to its end before it does anything to others",
}
