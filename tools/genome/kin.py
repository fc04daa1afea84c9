"""The kin of a warrior: which known warriors its code is like, beside what strangers have in common by chance."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Final, Self

from engines.corewar.ranking.nearest import FIELDS, Likeness, nearest
from protocols.warriors import Named

# Of 55,631 pairs of hand-made warriors by different authors 99 % have at most 13 % of their instructions in
# common and in order, 99.9 % at most 36 %: these have borrowed from each other.
COPIED: Final = 0.2
FEWEST: Final = 4  # instructions; three in order say nothing


@dataclass(frozen=True, slots=True, kw_only=True)
class Kin:
    """The nearest, and the medians of all that were looked at."""

    named: Named
    known: int
    nearest: tuple[tuple[Named, Likeness], ...]
    usual: tuple[float, float, float]  # shares of operations in order, instructions in order, fields

    @classmethod
    def of(cls, named: Named, known: Sequence[Named], count: int) -> Self:
        """The warrior's own file is not among its kin. ValueError when nobody is."""
        others = [each for each in known if Path(each.source).resolve() != Path(named.source).resolve()]
        if not others:
            raise ValueError("there is nobody to compare with")
        likenesses = nearest(named.warrior, [each.warrior for each in others], len(others))
        return cls(
            named=named,
            known=len(others),
            nearest=tuple((others[each.seat], each) for each in likenesses[:count]),
            usual=(
                median(each.operations_in_order / each.length for each in likenesses),
                median(each.instructions_in_order / each.length for each in likenesses),
                median(each.fields / FIELDS / each.length for each in likenesses),
            ),
        )

    def text(self) -> str:
        """For people."""
        length = len(self.named.warrior.cells)
        lines = [
            f"{self.named.label} by {self.named.author}, {length} instructions, and the nearest of {self.known:,}",
            "",
            f"{'Likeness':>8}{'Length':>8}{'Same place':>12}{'Operations':>12}{'Fields':>12}"
            f"{'In order: operations':>22}{'instructions':>14}  Name, author",
        ]
        for other, each in self.nearest:
            lines.append(
                f"{each.share:8.1%}{each.length:8}{each.positions:12}{each.operations:12}"
                f"{f'{each.fields}/{FIELDS * each.length}':>12}{each.operations_in_order:22}"
                f"{each.instructions_in_order:14}  {other.label}, {other.author}"
            )
        operations, instructions, fields = self.usual
        lines += [
            "",
            f"The median of all: {operations:.0%} of the operations and {instructions:.0%} of the instructions in "
            f"order, {fields:.0%} of the fields in place.",
            self._verdict(),
        ]
        return "\n".join(lines)

    def data(self) -> dict[str, object]:
        """For JSON."""
        operations, instructions, fields = self.usual
        return {
            "name": self.named.label,
            "file": self.named.source,
            "known": self.known,
            "nearest": [
                {"file": other.source, "name": other.label, "author": other.author, "share": each.share}
                | asdict(each)
                for other, each in self.nearest
            ],
            "median": {
                "operations_in_order": operations,
                "instructions_in_order": instructions,
                "fields": fields,
            },
        }

    def _verdict(self) -> str:
        other, each = self.nearest[0]
        if each.instructions_in_order >= max(COPIED * each.length, FEWEST):
            return f"It shares so much with {other.label} that they have code of one origin."
        return "It is a stranger to all of them."
