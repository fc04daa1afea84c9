"""The board-scoring genes as numbers: what a genome expresses and the evaluation reads.

Reference: Genetic Chess, sections 4.1.1 and 4.2. score(side) = sum of priority x gene(side). The
eight genes of 2017 come first; then those that a genome may have besides.
"""

from typing import Final, final

GENES: Final = (
    "Total Force",
    "Freedom to Move",
    "Pawn Advancement",
    "Opponent Pieces Targeted",
    "Sphere of Influence",
    "King Confinement",
    "King Protection",
    "Castling Possible",
    "Placement",
    "Passed Pawn",
    "Pawn Structure",
    "Stacked Pawns",
    "Pawn Islands",
    "Bishop Pair",
)
PLACEMENT: Final = 8
NOWHERE: Final[tuple[float, ...]] = (0.0,) * 6  # no bonus for any kind


@final
class Stage:
    """What may differ between the opening and the endgame, or a blend of both.

    `priorities` are of GENES, 0 for one that is switched off or missing. `centre` and `advance` are
    Placement's bonuses for pawn, knight, bishop, rook, queen and king in the middle of the board
    and on the last rank.
    """

    def __init__(
        self,
        priorities: tuple[float, ...],
        centre: tuple[float, ...] = NOWHERE,
        advance: tuple[float, ...] = NOWHERE,
    ) -> None:
        self.priorities = priorities
        self.centre = centre
        self.advance = advance

    def stakes(self) -> list[float]:
        """What the genes share a genome's attention by: priorities, Placement's times its largest bonus.

        So a Placement without bonuses takes nothing from the other genes.
        """
        stakes = list(self.priorities)
        stakes[PLACEMENT] *= max([abs(bonus) for bonus in self.centre + self.advance])
        return stakes

    def blended(self, other: "Stage", share: float) -> "Stage":
        """`share` of these numbers, the rest of the other's."""
        return Stage(
            _blended(self.priorities, other.priorities, share),
            _blended(self.centre, other.centre, share),
            _blended(self.advance, other.advance, share),
        )

    def equals(self, other: "Stage") -> bool:
        return (
            self.priorities == other.priorities
            and self.centre == other.centre
            and self.advance == other.advance
        )


@final
class Weights:
    """The opening's and the endgame's numbers, and the inner factors of the genes.

    `strengths` are of pawn, knight, bishop, rook and queen, scaled so that the army is worth 1.
    """

    def __init__(
        self,
        *,
        strengths: tuple[float, float, float, float, float],
        opening: Stage,
        endgame: Stage | None = None,
        legal_bonus: float = 1.0,
        king_target_factor: float = 0.0,
        guards: bool = True,
        kingside_preference: float = 0.5,
    ) -> None:
        """Without `endgame`, it is like the opening.

        `guards`: squares guarded by own pieces do not expose the king (section 4.2.7's text).
        """
        self.strengths = strengths
        self.opening = opening
        self.endgame = endgame or opening
        self.has_phases = not self.opening.equals(self.endgame)
        self.legal_bonus = legal_bonus
        self.king_target_factor = king_target_factor
        self.guards = guards
        self.kingside_preference = kingside_preference

    def stage(self, share: float) -> Stage:
        """The numbers where `share` of the opening is left, from 1 to 0."""
        return self.opening.blended(self.endgame, share) if self.has_phases else self.opening

    def total(self) -> float:
        """The sum of all stakes without their signs, half of it the opening's and half the endgame's."""
        opening: float = sum([abs(stake) for stake in self.opening.stakes()])
        endgame: float = sum([abs(stake) for stake in self.endgame.stakes()])
        return (opening + endgame) / 2

    def alone(self, gene: int) -> "Weights":
        """The same genes with priority 1 for one of them and 0 for the others."""
        priorities = tuple([1.0 if index == gene else 0.0 for index in range(len(GENES))])
        return Weights(
            strengths=self.strengths,
            opening=Stage(priorities, self.opening.centre, self.opening.advance),
            endgame=Stage(priorities, self.endgame.centre, self.endgame.advance),
            legal_bonus=self.legal_bonus,
            king_target_factor=self.king_target_factor,
            guards=self.guards,
            kingside_preference=self.kingside_preference,
        )


def _blended(numbers: tuple[float, ...], others: tuple[float, ...], share: float) -> tuple[float, ...]:
    return tuple([a * share + b * (1.0 - share) for a, b in zip(numbers, others, strict=True)])
