"""The genome of a chess player: ten genes that mutate, mate and express its evaluation and its haste.

Reference: Genetic Chess, sections 4 and 5.
"""

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from core.chess.search.look_ahead import LookAhead
from core.chess.weights import Weights
from core.random import Random
from engines.chess.genes import LAWS, LIMIT, Gene, blank
from engines.chess.genome_text import GenomeError, blocks, parse, write

SCRAMBLING: Final = 100  # mutations that make a random genome of a blank one
BUNDLED: Final = Path(__file__).with_name("genomes")


@dataclass(frozen=True, slots=True, kw_only=True)
class Phenotype:
    """What the searches read of a genome."""

    weights: Weights
    look_ahead: LookAhead


@dataclass(frozen=True, slots=True, kw_only=True)
class Genome:
    """The ten genes in the order of the table, and the ID that a file gave them."""

    genes: tuple[Gene, ...]
    id: int | None = None

    @classmethod
    def blank(cls) -> Self:
        """Strengths and priorities 0, everything active."""
        return cls(genes=tuple(map(blank, LAWS)))

    @classmethod
    def random(cls, rng: Random) -> Self:
        """A blank genome after a hundred mutations."""
        genome = cls.blank()
        for _ in range(SCRAMBLING):
            genome = genome.mutate(rng)
        return genome

    @classmethod
    def loads(cls, text: str) -> Self:
        """The only genome in `text`. GenomeError tells line and gene."""
        found = list(blocks(text))
        if len(found) != 1:
            raise GenomeError(f"one genome expected, {len(found)} found")
        record = parse(found[0])
        return cls(id=record.id, genes=record.genes)

    def dumps(self) -> str:
        return write(self.id, self.genes)

    def mutate(self, rng: Random) -> Self:
        """Each gene mutates with probability 2/10, so two on average (section 5)."""
        chance = 2 / len(self.genes)
        return type(self)(
            genes=tuple(gene.mutate(rng) if rng.chance(chance) else gene for gene in self.genes)
        )

    def mate(self, other: Self, rng: Random) -> Self:
        """Each gene whole from either parent with probability 1/2 (section 5)."""
        pairs = zip(self.genes, other.genes, strict=True)
        return type(self)(genes=tuple(own if rng.chance(0.5) else others for own, others in pairs))

    def __getitem__(self, name: str) -> Gene:
        """The gene called `name`. KeyError if there is none."""
        for gene in self.genes:
            if gene.name == name:
                return gene
        raise KeyError(name)

    def express(self) -> Phenotype:
        """The player's numbers. A gene that is switched off weighs nothing (section 4)."""
        sphere = self["Sphere of Influence Gene"]
        weights = Weights(
            strengths=self._strengths(),
            total_force=self._priority("Total Force Gene"),
            freedom_to_move=self._priority("Freedom to Move Gene"),
            pawn_advancement=self._priority("Pawn Advancement Gene"),
            opponent_pieces_targeted=self._priority("Opponent Pieces Targeted Gene"),
            sphere_of_influence=self._priority("Sphere of Influence Gene"),
            legal_bonus=sphere["Legal Bonus"],
            king_target_factor=sphere["King Target Factor"],
            king_confinement=self._priority("King Confinement Gene"),
            king_protection=self._priority("King Protection Gene"),
            castling_possible=self._priority("Castling Possible Gene"),
            kingside_preference=self["Castling Possible Gene"]["Kingside Preference"],
        )
        ahead = self["Look Ahead Gene"]
        look_ahead = LookAhead(
            mean_game_length=ahead["Mean Game Length"],
            minimum_moves=ahead["Minimum Moves Left"],
            positions_per_second=ahead["Positions Per Second"],
            speculation=ahead["Speculation Constant"],
            active=ahead.active,
        )
        return Phenotype(weights=weights, look_ahead=look_ahead)

    def _priority(self, name: str) -> float:
        gene = self[name]
        return gene["Priority"] if gene.active else 0.0

    def _strengths(self) -> tuple[float, float, float, float, float]:
        """P, N, B, R, Q as parts of an army of 1 (section 4.1.1).

        The absolute value keeps them from jumping where the sum changes its sign, so that an army of
        negative sum is worth -1. A sum of almost nothing is left alone, and where one is merely small,
        no strength goes beyond LIMIT armies: the searches count in 64 bits.
        """
        gene = self["Piece Strength Gene"]
        if not gene.active:
            return 0.0, 0.0, 0.0, 0.0, 0.0
        p, n, b, r, q = (gene[piece] for piece in "PNBRQ")
        army = abs(8 * p + 2 * n + 2 * b + 2 * r + q)
        if army < sys.float_info.epsilon:
            army = 1.0
        p, n, b, r, q = (min(max(strength / army, -LIMIT), LIMIT) for strength in (p, n, b, r, q))
        return p, n, b, r, q


def read(text: str) -> tuple[list[Genome], tuple[str, ...]]:
    """All genomes of a file, and each remark once: what was ignored, and what was filled in.

    GenomeError tells the line and the gene of the first error.
    """
    records = [parse(block) for block in blocks(text)]
    remarks = dict.fromkeys(remark for record in records for remark in record.remarks)
    return [Genome(id=record.id, genes=record.genes) for record in records], tuple(remarks)


def choose(text: str, id: int | None = None) -> Genome:
    """The last genome of a file that has this ID; without an ID the last of all (section 2).

    GenomeError if there is none. Only the chosen genome is read.
    """
    chosen = None
    for block in blocks(text):
        if id is None or block.id == id:
            chosen = block
    if chosen is None:
        raise GenomeError("no genome in the file" if id is None else f"no genome has ID {id}")
    record = parse(chosen)
    return Genome(id=record.id, genes=record.genes)


def bundled() -> tuple[str, ...]:
    """The names of the genomes that come with the program."""
    return tuple(sorted(path.stem for path in BUNDLED.glob("*.txt")))


def load_bundled(name: str) -> Genome:
    """A genome that comes with the program. ValueError if there is none of this name."""
    if name not in bundled():
        raise ValueError(f"no bundled genome {name[:40]!r}; there are {', '.join(bundled())}")
    return choose((BUNDLED / f"{name}.txt").read_text(encoding="utf-8"))
