"""The card of a chess genome: all that its text says, put so that a person sees what the player wants."""

from dataclasses import dataclass
from typing import Final

from engines.chess.genes import Gene
from engines.chess.genome import Genome

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
        """Each scoring gene's part of all priorities, with its sign; 0 for one that is switched off."""
        priorities = {
            gene.name: gene["Priority"] if gene.active else 0.0
            for gene in self.genome.genes
            if _scores_boards(gene)
        }
        total = sum(map(abs, priorities.values())) or 1.0
        return {name: priority / total for name, priority in priorities.items()}

    def text(self) -> str:
        """For people. A bar of - stands for something to have as little of as possible."""
        shares = self.shares
        lines = [self.title]
        for gene in self.genome.genes:
            if not _scores_boards(gene):
                lines += ["", f"{gene.name:36}{_switch(gene):>8}"]
                lines += self._strengths(gene) if gene.name == "Piece Strength Gene" else _values(gene)
        lines += ["", f"{'Board-scoring genes':47}{'Priority':>10}{'Share':>9}"]
        for gene in self.genome.genes:
            if _scores_boards(gene):
                share = shares[gene.name]
                bar = ("+" if share > 0 else "-") * round(abs(share) * BAR)
                name = f"{gene.name:36}{_switch(gene):>8}{gene['Priority']:13.6g}"
                lines.append(f"{name}{abs(share):9.1%}  {bar}".rstrip())
                lines += _values(gene)
        if self.remarks:
            lines += ["", "Remarks of the reader", *(f"  {remark}" for remark in self.remarks)]
        return "\n".join(lines)

    def data(self) -> dict[str, object]:
        """For JSON."""
        genes = {
            gene.name: {"active": gene.active} | {rule.name: gene[rule.name] for rule in gene.law.properties}
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


def _scores_boards(gene: Gene) -> bool:
    """Whether it has a priority; the others regulate (Genetic Chess, section 4)."""
    return any(rule.name == "Priority" for rule in gene.law.properties)


def _switch(gene: Gene) -> str:
    return "ACTIVE" if gene.active else "INACTIVE"


def _values(gene: Gene) -> list[str]:
    """All but the priority, which has a column of its own."""
    names = [rule.name for rule in gene.law.properties if rule.name != "Priority"]
    return [f"  {name:32}{gene[name]:>10.6g}" for name in names]
