"""One game between two genomes: the task that evolution gives to its workers.

There is no event loop and no referee. With a clock of nodes, a game is a function of its SelfPlayGame alone,
and can still be lost on time (Genetic Chess, section 6.6).
"""

from dataclasses import dataclass
from functools import lru_cache
from time import perf_counter
from typing import Final

from core.chess.evaluation import Evaluator
from core.chess.move_ordering import is_quiet
from core.chess.notation import START, position_from_fen
from core.chess.position import Position
from core.random import Random
from engines.chess.game_record import (
    ADJUDICATION,
    BARE_MATERIAL,
    LONGEST_LINE,
    MAX_CENTS,
    TIME,
    Clocks,
    GameRecord,
    RecordedMove,
)
from engines.chess.genome import Genome
from engines.chess.player import Player, SearchName
from engines.engine import Clock, Info, Limit
from engines.match.referee import Ending, forfeited

MEASURE: Final = "mean result of games: 1 won, 0 drawn, -1 lost"  # the fitness of the players
# A position is searched a second time for a target with a probability of BASE_DIFFERENCE / CERTAIN_DIFFERENCE if search
# and evaluation agree, and always if they differ by CERTAIN_DIFFERENCE - BASE_DIFFERENCE: a pawn or more.
BASE_DIFFERENCE: Final = 20
CERTAIN_DIFFERENCE: Final = 300
TABLE_MEBIBYTES: Final = 1  # 65,536 positions; larger tables take long to create, some 0.6 ms a MiB


@dataclass(frozen=True, slots=True, kw_only=True)
class SelfPlayGame:
    """A game to be played with `seconds` on each clock, with at most `nodes` a move, or both.

    With `nodes_per_second` the seconds are counted in nodes, without it they are real.
    """

    white: Genome
    black: Genome
    start: str = START  # FEN; Black may be to move
    seed: int
    search: SearchName = "seed"
    seconds: float | None = None  # None: no clock
    increment: float = 0.0  # seconds, after each own move
    nodes_per_second: float | None = None
    nodes: int | None = None
    max_moves: int = 500  # of each side, after which the game is a draw
    lines: bool = True  # whether the record keeps the expected lines
    target_nodes: int | None = None  # of a second search of positions that suit as targets of a training set
    targets: int = 0  # the most positions that are searched a second time

    def __post_init__(self) -> None:
        if self.seconds is None and self.nodes is None:
            raise ValueError("a game of self-play needs seconds or nodes")
        bounds = (self.seconds, self.nodes, self.nodes_per_second)
        if any(bound is not None and bound <= 0 for bound in bounds):
            raise ValueError("the limits of a game of self-play must be above zero")
        if self.target_nodes is not None and (self.nodes is None or self.target_nodes <= self.nodes):
            raise ValueError("the nodes of a target must be more than those of a move")


@dataclass(frozen=True, slots=True, kw_only=True)
class GameResult:
    """The result of a game: `returns` are White's and Black's, `ending` is one of game_record.ENDINGS."""

    returns: tuple[float, float]
    ending: str
    plies: int
    record: bytes  # a GameRecord, packed


def play(game: SelfPlayGame) -> GameResult:
    """Play the game. Raises ValueError if `start` is no position."""
    position = position_from_fen(game.start)
    rng = Random(game.seed)
    seats = [_Seat(genome, game, Random(rng.bits())) for genome in (game.white, game.black)]
    selection = Random(rng.bits()) if game.target_nodes else None
    targets = 0
    plies: list[RecordedMove] = []
    while not (ending := position.outcome()):
        if len(plies) == 2 * game.max_moves:
            ending = ADJUDICATION
            break
        seat = seats[position.player()]
        info = seat.think(position)
        if seat.clock is not None and seat.clock <= 0.0:  # the move comes too late
            ending = TIME
            break
        if selection and targets < game.targets and seat.disagrees(position, info, selection):
            info = seat.think(position, game.target_nodes)
            targets += 1
        plies.append(_recorded(info, game.lines))
        position.make(info.action)
    white, black = position.returns()
    if ending == TIME:
        white, black = forfeited(position, position.player(), 2, Ending.TIME)
        ending = TIME if white else BARE_MATERIAL
    record = GameRecord(
        start=position.start,
        plies=tuple(plies),
        returns=(white, black),
        ending=ending,
        clocks=_clocks(game, seats),
    )
    return GameResult(returns=(white, black), ending=ending, plies=len(plies), record=record.pack())


class _Seat:
    """A player and its clock."""

    def __init__(self, genome: Genome, game: SelfPlayGame, rng: Random) -> None:
        self.clock = game.seconds  # seconds left
        self._game = game
        self._player = Player(genome, game.search, TABLE_MEBIBYTES, rng, _evaluator(genome))
        self._player.prepare()

    def think(self, position: Position, nodes: int | None = None) -> Info:
        """Search a position on the player's clock, or with other nodes than the game's; return the search's Info."""
        game = self._game
        clock = None if self.clock is None else Clock(seconds=self.clock, increment=game.increment)
        limit = Limit(clock=clock, nodes=nodes or game.nodes, nodes_per_second=game.nodes_per_second)
        started = perf_counter()
        for _ in self._player.think(position, limit, is_silent=True):
            pass
        info = self._player.info
        if self.clock is not None:
            rate = game.nodes_per_second
            self.clock -= perf_counter() - started if rate is None else info.nodes / rate
            if self.clock > 0.0:
                self.clock += game.increment
        return info

    def disagrees(self, position: Position, info: Info, rng: Random) -> bool:
        """Return whether to search a position again for a target, after the search that gave `info`.

        The position must be quiet and no mate in sight. The more the search and the evaluation without a search
        disagree, the more probable it is.
        """
        if info.mate or position.in_check() or not is_quiet(position.board, info.action):
            return False
        difference = abs(_squashed(info.cents or 0) - _squashed(self._player.evaluate(position)))
        return rng.below(CERTAIN_DIFFERENCE) < BASE_DIFFERENCE + difference


@lru_cache(maxsize=4)
def _evaluator(genome: Genome) -> Evaluator:
    """Return an evaluator, kept for later games: with positional genes it takes 6 ms to make, and a game some 70 ms."""
    return Evaluator(genome.express().weights)


def _squashed(cents: int) -> int:
    """Return a score as a whole number from -1000 to 1000, by which lopsided positions differ little."""
    return 1000 * cents // (400 + abs(cents))


def _recorded(info: Info, has_line: bool) -> RecordedMove:
    mate = info.mate or 0
    cents = 0 if mate else info.cents or 0
    return RecordedMove(
        move=info.action,
        cents=max(-MAX_CENTS, min(cents, MAX_CENTS)),
        mate=mate,
        depth=info.depth,
        nodes=info.nodes,
        line=info.line[:LONGEST_LINE] if has_line else (),
    )


def _clocks(game: SelfPlayGame, seats: list[_Seat]) -> Clocks | None:
    white, black = (seat.clock for seat in seats)
    if game.seconds is None or white is None or black is None:
        return None
    return Clocks(seconds=game.seconds, increment=game.increment, left=(white, black))
