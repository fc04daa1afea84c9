"""One game between two genomes, as lean as it can be: the task that evolution hands to its workers.

The players think as engines.chess.engine's do, without an event loop. Where nodes are the clock, a
game is a function of the duel alone, and can yet be lost on time (Genetic Chess, section 6.6).
"""

from dataclasses import dataclass, replace
from typing import Final, Literal

from core.chess.evaluation import Evaluator, moves_to_mate
from core.chess.genetic_search import GeneticSearch
from core.chess.notation import START, position_from_fen
from core.chess.position import Position
from core.chess.search import MAX_DEPTH, AlphaBetaSearch
from core.chess.transposition import TranspositionTable
from core.random import Random
from engines.chess.engine import FIRST_RATE, LONGEST
from engines.chess.game_record import LONGEST_LINE, MOST_CENTS, Clocks, GameRecord, RecordedMove
from engines.chess.genome import Genome
from engines.chess.time_manager import MoveTimer, TimeBudget, allot
from engines.engine import Clock, Limit
from engines.match import Ending, forfeited

TABLE_MEBIBYTES: Final = 1  # 65,536 positions; larger ones take long to make, some 0.6 ms a MiB
ENDLESS: Final = 1 << 60  # nodes: the clock ends it


@dataclass(frozen=True, slots=True, kw_only=True)
class SelfPlayGame:
    """A game to be played with `seconds` on each clock, with at most `nodes` a move, or both.

    With `nodes_per_second` the seconds are counted in nodes, without it on the wall.
    """

    white: Genome
    black: Genome
    start: str = START  # FEN; Black may be to move
    seed: int
    search: Literal["seed", "strong"] = "seed"
    seconds: float | None = None  # None: no clock
    increment: float = 0.0  # seconds, after each own move
    nodes_per_second: float | None = None
    nodes: int | None = None
    max_moves: int = 500  # of each side; then the game is a draw
    lines: bool = True  # whether the record keeps the expected lines

    def __post_init__(self) -> None:
        if self.seconds is None and self.nodes is None:
            raise ValueError("a duel needs seconds or nodes")
        bounds = (self.seconds, self.nodes, self.nodes_per_second)
        if any(bound is not None and bound <= 0 for bound in bounds):
            raise ValueError("the bounds of a duel are above zero")


@dataclass(frozen=True, slots=True, kw_only=True)
class GameResult:
    """How a duel ended: `returns` are White's and Black's, `ending` is one of record.ENDINGS."""

    returns: tuple[float, float]
    ending: str
    plies: int
    record: bytes  # a GameRecord, packed


def play(duel: SelfPlayGame) -> GameResult:
    """Play the game. ValueError if `start` is no position."""
    position = position_from_fen(duel.start)
    rng = Random(duel.seed)
    players = [_Player(genome, duel, Random(rng.bits())) for genome in (duel.white, duel.black)]
    plies: list[RecordedMove] = []
    returns, ending = _result(position)
    while not ending:
        if len(plies) == 2 * duel.max_moves:
            ending = "adjudication"
            break
        mover = players[position.player()]
        ply = mover.think(position)
        if mover.clock is not None and mover.clock <= 0.0:  # the move comes too late
            returns, ending = _forfeit(position)
            break
        plies.append(ply)
        position.make(ply.move)
        players[position.player()].follow(ply.move)
        returns, ending = _result(position)
    record = GameRecord(
        start=position.start,
        plies=tuple(plies),
        returns=returns,
        ending=ending,
        clocks=_clocks(duel, players),
    )
    return GameResult(returns=returns, ending=ending, plies=len(plies), record=record.pack())


# -- How games end ---------------------------------------------------------------------------------


def _result(position: Position) -> tuple[tuple[float, float], str]:
    """Returns and ending by the rules; the ending is empty while the game goes on."""
    draw = (0.0, 0.0)
    if not position.is_terminal():
        return draw, ""
    if position.is_insufficient_material():
        return draw, "insufficient material"
    if position.is_draw():
        return draw, "threefold repetition" if position.repetitions(2) >= 2 else "fifty moves"
    if not position.in_check():
        return draw, "stalemate"
    return _lost(position.player()), "checkmate"


def _forfeit(position: Position) -> tuple[tuple[float, float], str]:
    """Returns and ending where the side to move has used up its time."""
    white, black = forfeited(position, position.player(), 2, Ending.TIME)
    return (white, black), "time" if white else "time against bare material"


def _lost(loser: int) -> tuple[float, float]:
    return (1.0, -1.0) if loser else (-1.0, 1.0)


# -- The players -----------------------------------------------------------------------------------


class _Player:
    """A genome at the board, with its clock and the line it expects."""

    def __init__(self, genome: Genome, duel: SelfPlayGame, rng: Random) -> None:
        phenotype = genome.express()
        self.clock = duel.seconds  # left
        self._is_on_the_wall = duel.seconds is not None and duel.nodes_per_second is None
        self._duel = duel
        self._rng = rng
        self._look_ahead = phenotype.look_ahead
        self._evaluator = Evaluator(phenotype.weights)
        self._table = TranspositionTable(TABLE_MEBIBYTES) if duel.search == "strong" else None
        self._rate = duel.nodes_per_second or FIRST_RATE
        self._line: tuple[int, ...] = ()  # the move played, and what is expected to follow

    def think(self, position: Position) -> RecordedMove:
        """Choose a move, on the clock."""
        duel = self._duel
        clock = None if self.clock is None else Clock(seconds=self.clock, increment=duel.increment)
        limit = Limit(clock=clock, nodes=duel.nodes, nodes_per_second=duel.nodes_per_second)
        allotment = allot(self._look_ahead, limit, position.plies // 2, 0.0)
        if self._table is None and self._is_on_the_wall:  # it heeds its clock and nothing sooner
            allotment = replace(allotment, most=allotment.left)
        watch = MoveTimer(self._look_ahead, limit, allotment, self._rng)
        search = self._search(position, allotment)
        if isinstance(search, AlphaBetaSearch):
            _deepen(search, watch)
        elif self._is_on_the_wall:
            self._keep_time(search, watch)
        else:
            search.run(duel.nodes or ENDLESS)
        if self.clock is not None:
            self.clock -= watch.spent(search.nodes)
            if self.clock > 0.0:
                self.clock += duel.increment
        self._line = tuple(search.line)
        return self._ply(search)

    def follow(self, reply: int) -> None:
        """The opponent has moved: keep what is left of the expected line (section 3.4)."""
        self._line = self._line[2:] if self._line[1:2] == (reply,) else ()

    def _search(self, position: Position, allotment: TimeBudget) -> AlphaBetaSearch | GeneticSearch:
        if self._table is not None:
            return AlphaBetaSearch(position, self._evaluator, self._table, MAX_DEPTH, (), self._line)
        seconds = min(allotment.planned, LONGEST)
        if self._duel.nodes is not None:
            seconds = min(seconds, self._duel.nodes / self._rate)
        return GeneticSearch(
            position,
            self._evaluator,
            self._look_ahead,
            self._rng,
            seconds=seconds,
            clock=min(allotment.left, LONGEST),
            rate=self._rate,
            recalled=self._line,
        )

    def _keep_time(self, search: GeneticSearch, watch: MoveTimer) -> None:
        """AlphaBetaSearch by the wall's clock, which the search knows by its own speed."""
        while not search.finished and (nodes := watch.slice(search.nodes)):
            search.run(nodes)
            self._rate = search.rate = int(search.nodes) / max(watch.wall(), 1e-6)
            if watch.is_up(search.nodes, 0, 0):
                return

    def _ply(self, search: AlphaBetaSearch | GeneticSearch) -> RecordedMove:
        mate = moves_to_mate(search.score)
        cents = 0 if mate else self._evaluator.centipawns(search.score)
        return RecordedMove(
            move=search.line[0],
            cents=max(-MOST_CENTS, min(cents, MOST_CENTS)),
            mate=mate,
            depth=search.depth,
            nodes=search.nodes,
            line=self._line[:LONGEST_LINE] if self._duel.lines else (),
        )


def _deepen(search: AlphaBetaSearch, watch: MoveTimer) -> None:
    """AlphaBetaSearch until the mover's time is up; what is found depends on nodes alone where they are the clock."""
    while not search.finished and (nodes := watch.slice(search.nodes)):
        search.run(nodes)
        if watch.is_up(search.nodes, search.depth, moves_to_mate(search.score)):
            return


def _clocks(duel: SelfPlayGame, players: list[_Player]) -> Clocks | None:
    white, black = (player.clock for player in players)
    if duel.seconds is None or white is None or black is None:
        return None
    return Clocks(seconds=duel.seconds, increment=duel.increment, left=(white, black))
