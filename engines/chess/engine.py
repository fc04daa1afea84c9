"""The chess engine: a genome that thinks, in slices short enough for the event loop.

Two searches share the genome's evaluation: `strong`, the default, and `seed`, which thinks as
Genetic Chess did in 2017. What a search finds depends on position, genome, nodes and seed only.
"""

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import replace
from typing import Final

from core.chess.evaluation import Evaluator, moves_to_mate
from core.chess.genetic_search import GeneticSearch
from core.chess.position import Position
from core.chess.search import MAX_DEPTH, AlphaBetaSearch
from core.chess.transposition import TranspositionTable
from core.game import State
from core.random import Random
from engines.chess import tablebase
from engines.chess.genome import Genome, bundled, load_bundled
from engines.chess.genome_file import read_genome
from engines.chess.time_manager import LagEstimator, MoveTimer, TimeBudget, allot
from engines.engine import Engine, Info, Limit, Option
from engines.version import VERSION

DEFAULT: Final = "evolved"
OPTIONS: Final = (
    Option(name="Hash", kind="spin", default="16", minimum=1, maximum=4096),  # MiB
    Option(name="Genome", kind="combo", default=DEFAULT, choices=bundled()),
    Option(name="GenomeFile", kind="file"),  # FILE, or FILE ID
    Option(name="Search", kind="combo", default="strong", choices=("strong", "seed")),
    Option(name="Strength", kind="spin", default="100", minimum=1, maximum=100),
    Option(name="Resign", kind="spin", default="0", minimum=0, maximum=10_000),  # cents; 0: never
    Option(name="Overhead", kind="spin", default="30", minimum=0, maximum=5_000),  # ms lost a move
    Option(name="Seed", kind="spin", default="0", minimum=0, maximum=2**31 - 1),
    *tablebase.OPTIONS,
)
LOST_MOVES: Final = 3  # resign when the score was that bad for so many moves
WORSE: Final = -30  # cents below which a draw is welcome
FIRST_RATE: Final = (
    400_000.0  # nodes a second, until a search has shown it; always, where no real time counts
)
LONGEST: Final = 1e9  # seconds: a seed search without a clock


class ChessEngine(Engine):
    """One genome at one board."""

    author = "the Galapagos developers"
    options: tuple[Option, ...] = OPTIONS

    def __init__(self, genome: Genome | None = None, name: str | None = None, seed: int = 0) -> None:
        self.name = name or f"Galapagos {VERSION}"
        self._values = {option.name: option.default for option in OPTIONS}
        self._values["Seed"] = str(seed)
        self._rate = FIRST_RATE
        self._table: TranspositionTable | None = None  # made for a new game, at the latest for its first move
        self._line: tuple[int, ...] = ()  # expected play from the position after _plies moves
        self._plies = 0
        self._lost = 0  # moves running with a lost score
        self._lag = LagEstimator()
        self._rng = Random(seed)
        self._known = tablebase.Known()
        self._express(genome or load_bundled(DEFAULT))

    async def configure(self, name: str, value: str) -> None:
        option = next((option for option in OPTIONS if option.name == name), None)
        if option is None:
            raise ValueError(f"no option is named {name[:40]!r}")
        value = option.checked(value)
        if name == "Genome":
            self._express(load_bundled(value))
        elif name == "GenomeFile" and value:
            self._express(read_genome(value))
        elif name == "Hash":
            self._table = _new_table(value)
        else:
            self._known.configure(name, value)
        self._values[name] = value
        # A GUI that sends every default back must not undo what the command line chose.
        self.options = tuple(replace(option, default=self._values[option.name]) for option in OPTIONS)
        if name == "Seed":
            self._forget()

    async def new_game(self) -> None:
        self._forget()
        if self._values["Search"] == "strong":
            self._table = _new_table(self._values["Hash"])  # now, not in the first move's time

    async def close(self) -> None:
        self._forget()
        self._known.close()

    async def think(self, state: State, limit: Limit) -> AsyncGenerator[Info, None]:
        if not isinstance(state, Position):
            raise TypeError("the chess engine thinks about chess positions")
        self._lag.report(limit.clock)
        tablebase = self._known.book_move(state, limit, self._rng)
        if tablebase is None and self._known.may_solve(state, limit):
            yield Info(action=state.legal_moves()[0])  # one is ready while tables are read
            answer = await self._known.solve(state, limit)
            if isinstance(answer, Info):
                tablebase = answer
            else:
                limit = answer
        if tablebase is not None:
            self._lag.moved(limit.clock, 0.0)
            yield self._verdict(tablebase)
            return
        limit = self._weakened(limit)
        lag = 0.0
        if limit.nodes_per_second is None:
            lag = max(self._lag.seconds, float(self._values["Overhead"]) / 1000)
        allotment = allot(self._look_ahead, limit, state.plies // 2, lag)
        search = self._search(state, limit, allotment)
        if isinstance(search, GeneticSearch):  # the program of 2017 heeds its clock and nothing sooner
            allotment = replace(allotment, most=allotment.left)
        watch = MoveTimer(self._look_ahead, limit, allotment, self._rng)
        yield self._thought(search, 0.0)
        seen = search.improved
        try:
            while not search.finished and (nodes := watch.slice(search.nodes)):
                search.run(nodes)
                if search.improved != seen:
                    seen = search.improved
                    yield self._thought(search, watch.wall())
                depth = search.depth if isinstance(search, AlphaBetaSearch) else 0
                if watch.is_up(search.nodes, depth, moves_to_mate(search.score)):
                    break
                self._rate = int(search.nodes) / max(watch.wall(), 1e-6)
                if isinstance(search, GeneticSearch) and _is_on_the_wall(limit):
                    search.rate = self._rate
                await asyncio.sleep(0)
        finally:  # also when told to move now
            self._line, self._plies = tuple(search.line), state.plies
            self._lag.moved(limit.clock, watch.spent(search.nodes))
        last = self._verdict(self._thought(search, watch.wall()))
        if isinstance(search, AlphaBetaSearch) and search.finished:
            # A mate that is found stays found, however deep one looks; python-chess may wait for a depth.
            last = replace(last, depth=search.max_depth)
        yield last

    # -- Parts of thinking -------------------------------------------------------------------------

    def _search(
        self, position: Position, limit: Limit, allotment: TimeBudget
    ) -> AlphaBetaSearch | GeneticSearch:
        depth = limit.depth or MAX_DEPTH
        recalled = self._recalled(position)
        if self._values["Search"] == "strong":
            if self._table is None:
                self._table = _new_table(self._values["Hash"])
            return AlphaBetaSearch(position, self._evaluator, self._table, depth, limit.actions, recalled)
        rate = limit.nodes_per_second or (self._rate if _is_on_the_wall(limit) else FIRST_RATE)
        seconds = min(allotment.planned, LONGEST)
        if limit.nodes is not None:
            seconds = min(seconds, limit.nodes / rate)
        return GeneticSearch(
            position,
            self._evaluator,
            self._look_ahead,
            self._rng,
            seconds=seconds,
            clock=min(allotment.left, LONGEST),
            rate=rate,
            depth=depth,
            actions=limit.actions,
            recalled=recalled,
        )

    def _recalled(self, position: Position) -> tuple[int, ...]:
        """What is left of the line expected at our last move, if the game has followed it."""
        made = position.plies - self._plies
        moves = position.moves()
        if 0 < made <= len(self._line) and tuple(moves[self._plies :]) == self._line[:made]:
            return self._line[made:]
        return ()

    def _thought(self, search: AlphaBetaSearch | GeneticSearch, seconds: float) -> Info:
        cents = self._evaluator.centipawns(search.score)  # of a mate, too many to be mistaken
        return Info(
            action=search.line[0],
            line=tuple(search.line),
            cents=cents,
            mate=moves_to_mate(search.score) or None,
            depth=search.depth,
            nodes=search.nodes,
            seconds=seconds,
            # The players of 2017 play on: "they don't offer or accept draws" (section 6.5).
            takes_draw=isinstance(search, AlphaBetaSearch) and cents < WORSE,
        )

    def _verdict(self, thought: Info) -> Info:
        """The last thought of a move, which may be to resign."""
        threshold = int(self._values["Resign"])
        losing = (thought.mate or 0) < 0 or (thought.mate is None and (thought.cents or 0) <= -threshold)
        self._lost = self._lost + 1 if threshold and losing else 0
        return replace(thought, resign=self._lost >= LOST_MOVES)

    def _weakened(self, limit: Limit) -> Limit:
        """Below full strength: a tenth of the nodes for each 20 % less, 11 at 1 %, 700,000 at 99 %."""
        strength = int(self._values["Strength"])
        if strength == 100:
            return limit
        nodes = int(10 ** (1 + strength / 20 * 0.98))
        return replace(limit, nodes=min(nodes, limit.nodes or nodes))

    # -- Memory ------------------------------------------------------------------------------------

    def _express(self, genome: Genome) -> None:
        phenotype = genome.express()
        self._evaluator = Evaluator(phenotype.weights)
        self._look_ahead = phenotype.look_ahead
        self._table = None

    def _forget(self) -> None:
        self._table = None
        self._line = ()
        self._plies = 0
        self._lost = 0
        self._lag = LagEstimator()
        self._rng = Random(int(self._values["Seed"]))


def _is_on_the_wall(limit: Limit) -> bool:
    """Whether real time bounds the thinking; if not, nothing may depend on it."""
    return limit.nodes_per_second is None and not (limit.clock is None and limit.seconds is None)


def _new_table(mebibytes: str) -> TranspositionTable:
    """ValueError if there is no memory for it."""
    try:
        return TranspositionTable(int(mebibytes))
    except MemoryError:
        raise ValueError(f"there is no memory for {mebibytes} MiB of Hash") from None
