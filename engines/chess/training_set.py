"""A training set: positions of a run's own games with a target for each, and the loss of a genome on them.

This is Texel's tuning (chessprogramming.org). The target of a position is the share of points that White can expect:
a blend of the game's result and of the score that a search gave. A genome's own score becomes such a share by a
logistic curve, and its loss is the mean cross-entropy of target and share.

A genome's score of a position is a sum of counts times weights (core.chess.positional), so a whole generation is
graded by one matrix product for each phase of the game. Weights are rounded to whole numbers, small enough for floats
to hold their sums exactly, so losses are the same on every machine.
"""

from collections.abc import Iterator
from math import log
from typing import Final

import numpy as np
import numpy.typing as npt

from core.chess.evaluation import GENES, OPENING, EvalParams, drawish_ending, phase
from core.chess.move_ordering import is_quiet
from core.chess.notation import position_from_fen
from core.chess.position import Position
from core.chess.positional import Counter
from core.chess.positional_weights import WEIGHTS
from core.random import Random
from engines.chess.game_record import GameRecord

COLUMNS: Final = 5 + WEIGHTS  # counts: of the kinds of pieces, and positional ones
UNITS: Final = 512  # of a score in a pawn, which is a 39th of Total Force 39
MAX_SCORE_UNITS: Final = 32_767  # the largest weight or score, in units
SLOPE: Final = log(10) / 4 / UNITS  # a side that is four pawns ahead scores 10 : 1
CERTAIN: Final = 4096  # a target of 1
LOSS_ONE: Final = 65_536
QUIET_FROM: Final = 2  # plies after the opening

Losses = npt.NDArray[np.float64]
# [weight] or [weight, genome]: the opening's, the endgame's, and the factors of scores in drawish endings.
Weights = npt.NDArray[np.float64]
# [weight, weight], of opening and endgame: the mean product of the two counts.
Moments = npt.NDArray[np.float64]


def _loss_table() -> npt.NDArray[np.int32]:
    """Return the loss of each score where the target is 0, in parts of LOSS_ONE; indexed by units + MAX_SCORE_UNITS."""
    scores = np.arange(-MAX_SCORE_UNITS, MAX_SCORE_UNITS + 1) * SLOPE
    losses: npt.NDArray[np.int32] = np.round(LOSS_ONE * np.logaddexp(0.0, scores)).astype(np.int32)
    return losses


LOSS_TABLE: Final = _loss_table()


class TrainingSet:
    """The newest `capacity` positions of the games that were added."""

    def __init__(
        self, capacity: int, result_weight: float, positions_per_game: int, least_nodes: int = 0
    ) -> None:
        """Make an empty set; `result_weight` is the part of a game's result in a target, the rest is the score.

        Only positions count that were searched with `least_nodes` or more.
        """
        self._capacity = capacity
        self._result_weight = result_weight
        self._positions_per_game = positions_per_game
        self._least_nodes = least_nodes
        self._counts = np.zeros((capacity, COLUMNS), np.int8)
        self._phases = np.zeros(capacity, np.int8)
        self._targets = np.zeros(capacity, np.int16)
        self._endings = np.zeros((capacity, 2), np.int8)  # with White, with Black as the stronger side
        self._counter = Counter()
        self.added = 0

    def __len__(self) -> int:
        return min(self.added, self._capacity)

    def add(self, game: GameRecord, force: float, seed: int) -> None:
        """Add quiet positions of a game, drawn at random: not in check, the move no capture, and no mate in sight.

        `force` is the Total Force of the game's players, by which their scores are scaled.
        """
        position = position_from_fen(game.start)
        quiet: list[int] = []
        for ply, recorded in enumerate(game.plies):
            if ply >= QUIET_FROM and recorded.nodes >= self._least_nodes and not recorded.mate:
                if _is_quiet(position, recorded.move):
                    quiet.append(ply)
            position.make(recorded.move)
        rng = Random(seed)
        chosen = {
            quiet.pop(int(rng.below(len(quiet)))) for _ in range(min(self._positions_per_game, len(quiet)))
        }
        result = (game.returns[0] + 1) / 2
        position = position_from_fen(game.start)
        for ply, recorded in enumerate(game.plies):
            if ply in chosen:
                score = recorded.cents / 100 * force / 39 * (1 - 2 * position.player())
                expected = 1 / (1 + 10 ** (-max(min(score, 64.0), -64.0) / 4))
                self._add(position, self._result_weight * result + (1 - self._result_weight) * expected)
            position.make(recorded.move)

    def _add(self, position: Position, target: float) -> None:
        board = position.board
        row = self.added % self._capacity
        self._counts[row] = self._counter.counts(board)
        self._phases[row] = phase(board)
        self._targets[row] = round(CERTAIN * target)
        self._endings[row] = drawish_ending(board, 0), drawish_ending(board, 1)
        self.added += 1

    def draw(self, count: int, seed: int) -> npt.NDArray[np.intp]:
        """Return the rows of `count` positions drawn at random with replacement, or all rows if there are no more."""
        if count >= len(self):
            return np.arange(len(self))
        rng = Random(seed)
        return np.array(sorted(rng.below(len(self)) for _ in range(count)))

    def moments(self, rows: npt.NDArray[np.intp]) -> Moments:
        """Return the mean product of each pair of counts, weighted by the shares of opening and endgame."""
        sums = np.zeros((2 * COLUMNS, 2 * COLUMNS))
        for share, some in self._rows_by_phase(rows):
            counts = self._counts[some].astype(np.float64)
            products = counts.T @ counts  # exact, since all counts are whole numbers
            parts = (share, 1 - share)
            for i in (0, 1):
                for j in (0, 1):
                    block = sums[i * COLUMNS : (i + 1) * COLUMNS, j * COLUMNS : (j + 1) * COLUMNS]
                    block += parts[i] * parts[j] * products
        return sums / len(rows)

    def losses(self, weights: Weights, rows: npt.NDArray[np.intp]) -> Losses:
        """Return the loss of each genome: the mean cross-entropy of its scores and the targets of the given rows."""
        opening, endgame = weights[:COLUMNS], weights[COLUMNS : 2 * COLUMNS]
        scaling = np.rint(64 * weights[2 * COLUMNS :]).astype(np.int64)
        losses = np.zeros(weights.shape[1])
        for share, some in self._rows_by_phase(rows):
            rounded = np.rint(UNITS * (share * opening + (1 - share) * endgame))
            counts = self._counts[some].astype(np.float32)
            scores = (counts @ np.clip(rounded, -MAX_SCORE_UNITS, MAX_SCORE_UNITS).astype(np.float32)).astype(
                np.int32
            )
            self._scale(scores, some, scaling)
            np.clip(scores, -MAX_SCORE_UNITS, MAX_SCORE_UNITS, out=scores)
            missed = LOSS_TABLE[scores + MAX_SCORE_UNITS].sum(axis=0, dtype=np.int64) / LOSS_ONE
            losses += missed - self._targets[some].astype(np.float64) @ scores * (SLOPE / CERTAIN)
        return losses / len(rows)

    def _rows_by_phase(self, rows: npt.NDArray[np.intp]) -> Iterator[tuple[float, npt.NDArray[np.intp]]]:
        """Yield each share of the opening that occurs, from 0 to 1, with the rows of the positions that have it."""
        phases = self._phases[rows]
        for number in range(int(OPENING) + 1):
            some = rows[phases == number]
            if len(some):
                yield number / int(OPENING), some

    def _scale(
        self, scores: npt.NDArray[np.int32], rows: npt.NDArray[np.intp], scaling: npt.NDArray[np.int64]
    ) -> None:
        """Scale the scores in drawish endings by each genome's factors, in place."""
        endings = self._endings[rows]
        drawish = np.flatnonzero((endings >= 0).any(axis=1))
        if not len(drawish):
            return
        shares = np.vstack([scaling, np.full((1, scaling.shape[1]), 64)])  # the last row is for other endings
        some = scores[drawish]
        ahead = some * shares[endings[drawish, 0]] >> 6
        behind = -(-some * shares[endings[drawish, 1]] >> 6)
        scores[drawish] = np.where(some > 0, ahead, behind)


def _is_quiet(position: Position, move: int) -> bool:
    """Return whether the player is not in check, and the move neither captures nor promotes."""
    return not position.in_check() and is_quiet(position.board, move)


def weights_of(params: EvalParams) -> Weights:
    """Return a genome's weights in the opening and in the endgame, then its factors for drawish endings."""
    columns: list[float] = []
    for share in (1.0, 0.0):
        stage = params.stage(share)
        force = stage.priorities[GENES.index("Total Force")]
        columns += [force * strength for strength in params.strengths]
        columns += stage.positional
    return np.array([*columns, *params.scaling])
