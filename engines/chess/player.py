"""A player with a genome, which chooses moves within a Limit: synchronous, for the engine and for self-play."""

from collections.abc import Generator
from dataclasses import replace
from typing import Final, Literal

from core.chess.evaluation import OPENING, Evaluator, moves_to_mate, phase
from core.chess.genetic_search import GeneticSearch
from core.chess.history import History
from core.chess.movegen import FULLMOVES
from core.chess.position import Position
from core.chess.search import AlphaBetaSearch
from core.chess.search_task import ENDLESS, MATE_PROVED, MATE_SEEN, MAX_DEPTH, SearchTask
from core.chess.transposition import TranspositionTable
from core.random import Random
from engines.chess.calibration import chances, normalised
from engines.chess.genome import Genome
from engines.chess.time_manager import UNLIMITED, MoveTimer, TimeBudget
from engines.engine import Info, Limit, Line

SearchName = Literal["seed", "strong"]  # as Genetic Chess searched in 2017, or alpha-beta

CURRENT_MOVE_SECONDS: Final = 1.0  # after which the moves of the root are reported, one by one
DRAW_ACCEPTANCE_CENTIPAWNS: Final = -30  # normalised score below which a draw is accepted
LONGEST: Final = 1e9  # seconds: a genetic search without a clock
FIRST_RATE: Final = (
    400_000.0  # nodes a second until a search has measured the rate; always, if real time does not count
)


class Player:
    """One genome in one game. Both the genetic search and the timer take their random numbers from `rng`.

    The scores of an Info are in hundredths of the genome's pawn, as records of evolution have them.
    """

    def __init__(
        self,
        genome: Genome,
        search: SearchName,
        hash_mebibytes: int,
        rng: Random,
        evaluator: Evaluator | None = None,
    ) -> None:
        """Make a player; `evaluator` is that of another player with this genome, if they never think at once."""
        phenotype = genome.express()
        self.info = Info(action=0)  # of the last search that was not closed, as a whole
        self.is_finished = False  # whether that search was alpha-beta and reached the end of its depth
        self.evaluator = evaluator or Evaluator(phenotype.weights)
        self._look_ahead = phenotype.look_ahead
        self._params = phenotype.search
        self._search: SearchName = search
        self._hash_mebibytes = hash_mebibytes
        self._rng = rng
        self._rate = FIRST_RATE
        self._table: TranspositionTable | None = None
        self._history: History | None = None
        self._line: tuple[int, ...] = ()  # expected play from the position after _plies moves
        self._plies = 0
        self._opening = 1.0  # the share of the opening that is left
        self.line_count = 1  # lines to report

    def prepare(self) -> None:
        """Create the transposition table before the first move. Raises ValueError if there is no memory for it."""
        if self._search == "strong":
            self._made_table()

    def evaluate(self, position: Position) -> int:
        """Return the evaluation of a position without a search, for the side to move, in the units of an Info."""
        return self.evaluator.centipawns(self.evaluator.score(position.board))

    def think(
        self, position: Position, limit: Limit, lag_seconds: float = 0.0, is_silent: bool = False
    ) -> Generator[Info | None, None, None]:
        """Search until the limit or the time manager ends it; `lag_seconds` are lost between the clock and us.

        Yields an Info with a legal move at once, and after each slice of about 2 ms an Info if the best line has
        changed, else None, so that a caller with an event loop can yield to it; at the end `info` is of the whole
        search. Closing the generator ends the search at once. With `is_silent` each Info but that one is left out.

        With a clock of nodes, the search depends on position, genome, limit, seed and the earlier moves only.
        """
        moves_made = int(position.board[FULLMOVES]) - 1
        self._opening = int(phase(position.board)) / int(OPENING)
        budget = TimeBudget.for_move(self._look_ahead, limit, moves_made, lag_seconds)
        search = self._begin(position, limit, budget)
        if isinstance(search, GeneticSearch):
            # The genetic search divides its time itself, and counts it in nodes; a real clock is checked here.
            most = budget.left if _is_real_time(limit) else UNLIMITED
            budget = replace(budget, planned=most, most=most)
        timer = MoveTimer(self._look_ahead, limit, budget, self._rng)
        yield None if is_silent else self._info(search, 0.0)
        improved, current = search.improved, 0
        try:
            while not search.finished and (nodes := timer.slice(search.nodes)):
                search.run(nodes)
                has_improved, improved = search.improved != improved, search.improved
                yield self._info(search, timer.elapsed()) if has_improved and not is_silent else None
                if (
                    isinstance(search, AlphaBetaSearch)
                    and not is_silent
                    and timer.elapsed() > CURRENT_MOVE_SECONDS
                ):
                    move, number = search.current_move()
                    if number and move != current:
                        current = move
                        yield replace(self._info(search, timer.elapsed()), current=(move, number))
                if self._is_over(search, timer, limit):
                    break
        finally:
            self._line, self._plies = tuple(search.line), position.plies
        self.info = self._info(search, timer.elapsed())
        self.is_finished = isinstance(search, AlphaBetaSearch) and search.finished

    def _begin(self, position: Position, limit: Limit, budget: TimeBudget) -> AlphaBetaSearch | GeneticSearch:
        task = SearchTask(
            limit.depth or MAX_DEPTH,
            actions=limit.actions,
            recalled=self._recalled(position),
            lines=self.line_count,
            ending=_ending(limit),
            mate=limit.mate or 0,
        )
        if self._search == "strong":
            table = self._made_table()
            self._history = self._history or History()
            return AlphaBetaSearch(
                position,
                self.evaluator,
                table,
                task,
                self._history,
                self._params,
            )
        rate = limit.nodes_per_second or (self._rate if _is_real_time(limit) else FIRST_RATE)
        seconds = min(budget.planned, LONGEST)
        if limit.nodes is not None:
            seconds = min(seconds, limit.nodes / rate)
        return GeneticSearch(
            position,
            self.evaluator,
            self._look_ahead,
            self._rng,
            task,
            seconds=seconds,
            clock=min(budget.left, LONGEST),
            rate=rate,
        )

    def _is_over(self, search: AlphaBetaSearch | GeneticSearch, timer: MoveTimer, limit: Limit) -> bool:
        """Return whether to move now; update the rate of a genetic search against a real clock."""
        if isinstance(search, AlphaBetaSearch):
            cents = self.evaluator.centipawns(search.score)
            return timer.is_up(
                search.nodes, search.depth, 0, search.line[0], cents
            )  # the search knows its mates
        if _is_real_time(limit):
            self._rate = search.rate = int(search.nodes) / max(timer.elapsed(), 1e-6)
        return timer.is_up(search.nodes, 0, moves_to_mate(search.score))

    def _made_table(self) -> TranspositionTable:
        if self._table is None:
            try:
                self._table = TranspositionTable(self._hash_mebibytes)
            except MemoryError:
                raise ValueError(
                    f"there is not enough memory for {self._hash_mebibytes} MiB of Hash"
                ) from None
        return self._table

    def _recalled(self, position: Position) -> tuple[int, ...]:
        """Return the rest of the line expected at the last move, or () if the game has left it (section 3.4)."""
        made = position.plies - self._plies
        if 0 < made <= len(self._line) and tuple(position.moves()[self._plies :]) == self._line[:made]:
            return self._line[made:]
        return ()

    def _info(self, search: AlphaBetaSearch | GeneticSearch, seconds: float) -> Info:
        line = self._line_of(search.score, search.line)
        info = Info(
            action=search.line[0],
            line=line.line,
            cents=line.cents,
            mate=line.mate,
            chances=line.chances,
            depth=search.depth,
            nodes=search.nodes,
            seconds=seconds,
        )
        if isinstance(search, GeneticSearch):
            return info  # the players of 2017 play on: "they don't offer or accept draws" (section 6.5)
        return replace(
            info,
            takes_draw=normalised(line.cents, self._opening) < DRAW_ACCEPTANCE_CENTIPAWNS,
            most_depth=search.seldepth,
            permille_full=search.table.permille_full(),
            alternatives=tuple(self._line_of(score, line) for score, line in search.alternatives),
        )

    def _line_of(self, score: int, line: list[int]) -> Line:
        """Return a line with its score, whose cents are unmistakably many for a mate."""
        cents, mate = self.evaluator.centipawns(score), moves_to_mate(score) or None
        likely = chances(normalised(cents, self._opening), mate, self._opening)
        return Line(line=tuple(line), cents=cents, mate=mate, chances=likely)


def _ending(limit: Limit) -> int:
    """Return which mate ends the search: on a clock any that is seen, else a proved one, in analysis none."""
    if limit.is_infinite:
        return ENDLESS
    return MATE_SEEN if limit.clock is not None and limit.mate is None else MATE_PROVED


def _is_real_time(limit: Limit) -> bool:
    """Return whether real time limits the search; if not, nothing may depend on it."""
    return limit.nodes_per_second is None and not (limit.clock is None and limit.seconds is None)
