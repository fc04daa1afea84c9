"""The score of each gene of a genome for a position, as a table: for `galapagos genome score` and UCI's `eval`."""

from collections.abc import Iterator
from dataclasses import dataclass

from core.chess import evaluation
from core.chess.notation import fen
from core.chess.position import Position
from core.chess.positional_weights import NAMES
from engines.chess.calibration import factor, normalised
from engines.chess.genome import Genome
from engines.statistics import ordered_sum


@dataclass(frozen=True, slots=True, kw_only=True)
class GeneScore:
    """The score of one gene for a position."""

    gene: str
    white: float
    black: float
    priority: float  # in the position's phase of the game; 0 for a gene that is switched off

    @property
    def weighted(self) -> float:
        """The gene's part of the position's score for White; adding 0 turns -0 into 0."""
        return self.priority * (self.white - self.black) + 0.0

    def __str__(self) -> str:
        numbers = f"{self.white:10.4f}{self.black:10.4f}{self.priority:12.6g}{self.weighted:+21.4f}"
        return f"{self.gene:26}{numbers}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreTable:
    """The scores of all genes for a position, and the engine's score."""

    fen: str
    genes: tuple[GeneScore, ...]
    left: float  # the factor for a drawish ending, 1 for any other position
    cents: int  # the engine's score for White, normalised
    pawn: float  # the units of the genome that make 1.00 in that score; 0 for a genome without priorities

    @property
    def total(self) -> float:
        """The sum of the weighted differences of all genes."""
        return ordered_sum(gene.weighted for gene in self.genes)

    def lines(self) -> list[str]:
        """Return the table as lines of text."""
        return [
            self.fen,
            "",
            f"{'':26}{'White':>10}{'Black':>10}{'Priority':>12}{'Weighted difference':>21}",
            *map(str, self.genes),
            f"{'Sum':58}{self.total:+21.4f}",
            *(
                [f"Drawishness reduces the sum to {self.left:.0%}".replace("%", " %")]
                if self.left != 1
                else []
            ),
            "",
            f"As the engine's score: {self.cents / 100:+.2f} for White"
            + (f"; 1.00 is {self.pawn:.4g} in the units of the genome above" if self.pawn else ""),
        ]


def score_table(genome: Genome, position: Position) -> Iterator[ScoreTable | None]:
    """Yield None after each step of some ten milliseconds, then the table."""
    weights = genome.express().weights
    present = {gene.name for gene in genome.genes}
    opening = int(evaluation.phase(position.board)) / int(evaluation.OPENING)
    stage = weights.stage(opening)
    genes: list[GeneScore] = []
    for names, scores, priorities in (
        (evaluation.GENES, evaluation.gene_scores, stage.priorities),
        (NAMES, evaluation.positional_scores, (1.0,) * len(NAMES)),
    ):
        sides = []
        for side in (0, 1):
            sides.append(scores(position.board, side, weights))
            yield None
        genes += [
            GeneScore(gene=name, white=white, black=black, priority=priority)
            for name, white, black, priority in zip(names, *sides, priorities, strict=True)
            if f"{name} Gene" in present
        ]
    evaluator = evaluation.Evaluator(weights)
    own = evaluator.centipawns(evaluator.score(position.board)) * (-1 if position.player() else 1)
    cents = normalised(own, opening)
    pawn = evaluator.pawn / evaluator.unit / factor(opening) if evaluator.unit else 0.0
    total = ordered_sum(gene.weighted for gene in genes)
    ending = evaluation.drawish_ending(position.board, 0 if total > 0 else 1)
    left = 1.0 if ending < 0 else weights.scaling[ending]
    yield ScoreTable(fen=fen(position), genes=tuple(genes), left=left, cents=cents, pawn=pawn)
