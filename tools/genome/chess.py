"""The card of a chess genome: all that its text says, put so that a person sees what the player wants."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from math import copysign
from pathlib import Path
from statistics import median
from typing import Final, Self

from core.chess.evaluation import GENES
from engines.chess.genes import ENDGAME, OPENING, Gene
from engines.chess.genome import Genome
from engines.corewar.similarity import FIELDS, Likeness, nearest
from protocols.redcode.library import Named

PIECES: Final = "PNBRQ"
BAR: Final = 30  # columns of a gene that has all of the priority


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """A genome, where it comes from, and what its reader left out or filled in."""

    title: str
    genome: Genome
    remarks: tuple[str, ...] = ()

    @property
    def strengths_in_pawns(self) -> dict[str, float]:
        """With the pawn as 1, or as -1 where it is negative; as they are written where it is 0."""
        gene = self.genome["Piece Strength Gene"]
        unit = abs(gene["P"]) or 1.0
        return {piece: gene[piece] / unit for piece in PIECES}

    @property
    def shares(self) -> dict[str, float]:
        """Each scoring gene's part of all priorities, with its sign; 0 for one that is switched off.

        Opening and endgame count alike; Placement counts by its priority times its largest bonus.
        """
        weights = self.genome.express().weights
        total = weights.total() or 1.0
        stakes = zip(
            GENES, weights.opening.effective_priorities(), weights.endgame.effective_priorities(), strict=True
        )
        shares = {
            f"{name} Gene": copysign((abs(opening) + abs(endgame)) / 2 / total, opening + endgame)
            for name, opening, endgame in stakes
        }
        return {gene.name: shares[gene.name] for gene in self.genome.genes if gene.name in shares}

    def text(self) -> str:
        """For people. A bar of - stands for something to have as little of as possible."""
        shares = self.shares
        lines = [self.title]
        for gene in self.genome.genes:
            if gene.name not in shares:
                lines += ["", f"{gene.name:36}{_switch(gene):>8}"]
                lines += self._strengths(gene) if gene.name == "Piece Strength Gene" else _values(gene)
        phases = [OPENING, ENDGAME] if any(gene.has_phases for gene in self.genome.genes) else [OPENING]
        heads = phases if len(phases) > 1 else ["Priority"]
        lines += ["", f"{'Board-scoring genes':44}{''.join(f'{head:>13}' for head in heads)}{'Share':>9}"]
        for gene in self.genome.genes:
            if gene.name in shares:
                share = shares[gene.name]
                bar = ("+" if share > 0 else "-") * round(abs(share) * BAR)
                priorities = "".join(f"{gene.within(phase, 'Priority'):13.6g}" for phase in phases)
                name = f"{gene.name:36}{_switch(gene):>8}{priorities}"
                lines.append(f"{name}{abs(share):9.1%}  {bar}".rstrip())
                lines += _bonuses(gene) if gene.name == "Placement Gene" else _values(gene)
        if self.remarks:
            lines += ["", "Remarks of the reader", *(f"  {remark}" for remark in self.remarks)]
        return "\n".join(lines)

    def data(self) -> dict[str, object]:
        """For JSON."""
        genes = {
            gene.name: {"active": gene.active} | {rule.name: gene[rule.name] for rule in gene.properties}
            for gene in self.genome.genes
        }
        return {
            "title": self.title,
            "id": self.genome.id,
            "genes": genes,
            "strengths_in_pawns": self.strengths_in_pawns,
            "shares": self.shares,
            "remarks": list(self.remarks),
        }

    def _strengths(self, gene: Gene) -> list[str]:
        scaled = self.strengths_in_pawns
        lines = [
            "  " + " " * 12 + "".join(f"{piece:>11}" for piece in PIECES),
            f"  {'as written':12}" + "".join(f"{gene[piece]:11.6g}" for piece in PIECES),
        ]
        if scaled["P"]:
            in_pawns = "".join(f"{scaled[piece]:11.2f}" for piece in PIECES)
            scale = f"pawn = {scaled['P']:g}"
            lines.append(f"  {scale:12}{in_pawns}")
        return lines


def _switch(gene: Gene) -> str:
    return "ACTIVE" if gene.active else "INACTIVE"


def _values(gene: Gene) -> list[str]:
    """All but the priority, which has columns of its own."""
    names = [rule.name for rule in gene.properties if not rule.name.startswith("Priority")]
    return [f"  {name:32}{gene[name]:>10.6g}" for name in names]


def _bonuses(gene: Gene) -> list[str]:
    """Placement's, a column a piece."""
    lines = ["  " + " " * 16 + "".join(f"{piece:>9}" for piece in PIECES + "K")]
    for pattern in ("Centre", "Advance"):
        for phase in (OPENING, ENDGAME) if gene.has_phases else (OPENING,):
            name = f"{pattern}, {phase.lower()}" if gene.has_phases else pattern
            bonuses = [gene.within(phase, f"{pattern} {piece}") for piece in PIECES + "K"]
            lines.append(f"  {name:16}" + "".join(f"{bonus:9.4g}" for bonus in bonuses))
    return lines


# The kin of a warrior: which known warriors its code is like, beside what strangers have in common by chance.


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
