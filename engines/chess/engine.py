"""The chess engine: a Player for the event loop, with options, an opening book, endgame tables and resignation.

Two searches share the genome's evaluation: `strong`, the default, and `seed`, which searches as
Genetic Chess did in 2017. The result of a search depends on position, genome, nodes and seed only.
"""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing, closing
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import Final

from core.chess.evaluation import OPENING, phase
from core.chess.position import Position
from core.chess.search_task import MAX_DEPTH
from core.game import State
from core.random import Random
from engines.chess.calibration import NODES, nodes_for, normalised_info
from engines.chess.genome import Genome
from engines.chess.genome_file import bundled, load_bundled, read_genome
from engines.chess.opening_book import OpeningBook, choose
from engines.chess.player import Player, SearchName
from engines.chess.tablebase import DRAWN, LOST, WON, RankedMove, Solution, Tablebase
from engines.chess.time_manager import SLICE_SECONDS, LagEstimator
from engines.engine import Engine, Info, Limit, Line, Option
from engines.version import VERSION

DEFAULT: Final = "evolved"
MIN_ELO: Final = NODES[0][0]
MAX_ELO: Final = NODES[-1][0]
OPTIONS: Final = (
    Option(name="Hash", kind="spin", default="16", minimum=1, maximum=4096),  # MiB
    Option(name="Clear Hash", kind="button"),
    Option(name="MultiPV", kind="spin", default="1", minimum=1, maximum=256),  # lines; the best is played
    Option(name="Genome", kind="combo", default=DEFAULT, choices=bundled()),
    Option(name="GenomeFile", kind="file"),  # FILE, or FILE ID
    Option(name="Search", kind="combo", default="strong", choices=("strong", "seed")),
    Option(name="Strength", kind="spin", default="100", minimum=1, maximum=100),
    Option(name="UCI_LimitStrength", kind="check", default="false"),
    Option(
        name="UCI_Elo",
        kind="spin",
        default=str(MIN_ELO),
        minimum=MIN_ELO,
        maximum=MAX_ELO,
        needs="UCI_LimitStrength",
    ),
    Option(name="Resign", kind="spin", default="0", minimum=0, maximum=10_000),  # centipawns; 0: never
    Option(name="Overhead", kind="spin", default="30", minimum=0, maximum=5_000),  # ms lost a move
    Option(name="Seed", kind="spin", default="0", minimum=0, maximum=2**31 - 1),
    Option(name="OwnBook", kind="check", default="false", needs="BookFile"),
    Option(name="BookFile", kind="file"),  # in the Polyglot format
    Option(name="BestBookMove", kind="check", default="false", needs="BookFile"),
    Option(name="SyzygyPath", kind="path"),  # folders, separated as in PATH
    Option(name="SyzygyProbeLimit", kind="spin", default="7", minimum=0, maximum=7, needs="SyzygyPath"),
)
LOST_MOVES: Final = 3  # moves in a row with a lost score, after which the engine resigns
WIN_CENTIPAWNS: Final = 20_000  # score of a solved position, above that of any evaluation
DRAW: Final = (0, 1000, 0)  # chances
SCORES: Final = {WON: (WIN_CENTIPAWNS, (1000, 0, 0)), LOST: (-WIN_CENTIPAWNS, (0, 0, 1000))}
PROBING_SECONDS: Final = 0.25  # forty moves take half of it on a busy machine


class ChessEngine(Engine):
    """A chess engine that plays one game with one genome."""

    author = "the Galapagos developers"
    options: tuple[Option, ...] = OPTIONS

    def __init__(self, genome: Genome | None = None, name: str | None = None, seed: int = 0) -> None:
        self.name = name or f"Galapagos {VERSION}"
        self._values = {option.name: option.default for option in OPTIONS}
        self._values["Seed"] = str(seed)
        self._genome = genome or load_bundled(DEFAULT)
        self._book: OpeningBook | None = None
        self._tables: Tablebase | None = None
        self._forget()

    async def configure(self, name: str, value: str) -> None:
        option = next((option for option in OPTIONS if option.name == name), None)
        if option is None:
            raise ValueError(f"no option is named {name[:40]!r}")
        before = self._values
        self._values = before | {name: option.checked(value)}
        try:
            self._apply(name, self._values[name])
        except ValueError:
            self._values = before
            raise
        # A GUI that sends every default back must not undo the choices of the command line.
        self.options = tuple(replace(option, default=self._values[option.name]) for option in OPTIONS)

    async def new_game(self) -> None:
        self._forget()
        self._player.prepare()  # now, not during the time of the first move

    async def close(self) -> None:
        self._forget()
        for files in (self._book, self._tables):
            if files is not None:
                files.close()
        self._book = self._tables = None

    async def think(self, state: State, limit: Limit) -> AsyncGenerator[Info, None]:
        if not isinstance(state, Position):
            raise TypeError("the chess engine thinks about chess positions")
        if limit.perft is not None:
            async with aclosing(_counted(state, limit.perft)) as counts:
                async for count in counts:
                    yield count
            return
        player = self._player  # an option may replace the player during the search, for the next search
        self._lag.report(limit.clock)
        known, solution = self._book_move(state, limit), None
        if known is None and self._tables is not None and self._may_probe(self._tables, state, limit):
            actions = limit.actions or tuple(state.legal_moves())
            yield Info(action=actions[0], cents=0)  # a legal move is available while tables are read
            solution = await self._tables.solve(state, actions)
            if solution is not None and solution.value == DRAWN:
                limit = replace(limit, actions=solution.moves)  # any move that holds the draw
            elif solution is not None:
                known = _solved(solution, limit, self._player.line_count)
        if known is not None:
            self._lag.moved(limit.clock, 0.0)
            yield self._resigned(known)
            return
        limit = self._weakened(_limit_to_clock(limit))
        lag, allowed = 0.0, limit
        if limit.nodes_per_second is None:
            lag = max(self._lag.seconds, float(self._values["Overhead"]) / 1000)
            if limit.clock is not None:  # on a busy machine a move may lose more time than its increment
                increment = limit.clock.increment - max(self._lag.average, 0.0)
                allowed = replace(limit, clock=replace(limit.clock, increment=increment))
        opening = int(phase(state.board)) / int(OPENING)
        started = perf_counter()
        try:
            with closing(player.think(state, allowed, lag)) as thinking:
                for found in thinking:
                    if found is not None:
                        info = normalised_info(found, opening)
                        yield info if solution is None else _info_of_draw(info, solution, player.line_count)
                    await asyncio.sleep(0)
        finally:  # also when the caller stops the search
            if limit.nodes_per_second is None:
                self._lag.moved(limit.clock, perf_counter() - started)
        last = normalised_info(player.info, opening)
        if solution is not None:
            last = _info_of_draw(last, solution, player.line_count)
        if player.is_finished:
            # A deeper search cannot change a mate; python-chess may wait for the depth.
            last = replace(last, depth=min(limit.depth or MAX_DEPTH, MAX_DEPTH))
        yield self._resigned(last)

    async def explain(self, state: State) -> list[str]:
        """Return the score of each gene for a position, as a table."""
        from engines.chess.gene_scores import score_table  # late: rarely needed, and the start must be fast

        if not isinstance(state, Position):
            raise TypeError("the chess engine explains chess positions")
        lines: list[str] = []
        for table in score_table(self._genome, state):
            lines = table.lines() if table else []
            await asyncio.sleep(0)
        return lines

    # -- Options -----------------------------------------------------------------------------------

    def _apply(self, name: str, value: str) -> None:
        """Apply a new value of an option. Raises ValueError, and changes nothing, if that fails."""
        match name:
            case "Genome":
                self._genome = load_bundled(value)
                self._player = self._new_player()
            case "GenomeFile" if value:
                self._genome = read_genome(value)
                self._player = self._new_player()
            case "Search" | "Clear Hash":
                self._player = self._new_player()
            case "MultiPV":
                self._player.line_count = int(value)
            case "Hash":
                player = self._new_player()
                player.prepare()
                self._player = player
            case "Seed":
                self._forget()
            case "BookFile":
                book = OpeningBook(Path(value)) if value else None
                if self._book is not None:
                    self._book.close()
                self._book = book
            case "SyzygyPath":
                tables = Tablebase(value) if value else None
                if self._tables is not None:
                    self._tables.close()
                self._tables = tables

    def _new_player(self) -> Player:
        search: SearchName = "seed" if self._values["Search"] == "seed" else "strong"
        player = Player(self._genome, search, int(self._values["Hash"]), self._rng)
        player.line_count = int(self._values["MultiPV"])
        return player

    def _forget(self) -> None:
        """Reset everything that belongs to a game."""
        self._rng = Random(int(self._values["Seed"]))
        self._player = self._new_player()
        self._lag = LagEstimator()
        self._lost_moves = 0  # moves running with a lost score

    # -- Before and after the search ---------------------------------------------------------------

    def _book_move(self, position: Position, limit: Limit) -> Info | None:
        """Return the book's move, with the score of a draw, or None if there is none or the search is an analysis."""
        if self._book is None or self._values["OwnBook"] == "false":
            return None
        if limit.is_infinite or limit.mate is not None:
            return None
        moves = [move for move in self._book.moves(position) if not limit.actions or move[0] in limit.actions]
        if not moves:
            return None
        move = choose(moves, None if self._values["BestBookMove"] == "true" else self._rng)
        return Info(action=move, line=(move,), cents=0, depth=limit.depth or 1, text="book")

    def _may_probe(self, tables: Tablebase, position: Position, limit: Limit) -> bool:
        """Return whether the tables may have the position, and there is time to read them.

        Searches for mates do not use the tables, which have no distance to mate.
        """
        if limit.mate is not None or not _has_time_to_probe(limit):
            return False
        return tables.may_hold(position, int(self._values["SyzygyProbeLimit"]))

    def _weakened(self, limit: Limit) -> Limit:
        """Return the limit with the nodes of the options Strength and UCI_Elo, if they are below full strength.

        Strength divides the nodes by ten for each 20 % less: 700,000 nodes at 99 %, 11 at 1 %.
        """
        strength = int(self._values["Strength"])
        bounds = [] if limit.nodes is None else [limit.nodes]
        if strength < 100:
            bounds.append(int(10 ** (1 + strength / 20 * 0.98)))
        if self._values["UCI_LimitStrength"] == "true":
            bounds.append(nodes_for(int(self._values["UCI_Elo"])))
        return replace(limit, nodes=min(bounds, default=None))

    def _resigned(self, last: Info) -> Info:
        """Return the last Info of a move, with a resignation if the score has been lost for LOST_MOVES moves."""
        threshold = int(self._values["Resign"])
        losing = (last.mate or 0) < 0 or (last.mate is None and (last.cents or 0) <= -threshold)
        self._lost_moves = self._lost_moves + 1 if threshold and losing else 0
        return replace(last, resign=self._lost_moves >= LOST_MOVES)


async def _counted(position: Position, depth: int) -> AsyncGenerator[Info, None]:
    """Count the leaves below each legal move; yield an Info for each, with its `current` move and their `nodes`."""
    from engines.chess.perft import divide  # late: the start must be fast

    yield Info(action=position.legal_moves()[0])
    number, since = 0, perf_counter()
    for found in divide(position.clone(), depth):
        if found is not None:
            number += 1
            move, leaves = found
            yield Info(action=move, nodes=leaves, current=(move, number))
        if perf_counter() - since > SLICE_SECONDS:
            await asyncio.sleep(0)
            since = perf_counter()


def _limit_to_clock(limit: Limit) -> Limit:
    """Return the limit with at most the nodes that are left on a clock of nodes.

    Otherwise a clock could run out by a fraction of a node.
    """
    rate = limit.nodes_per_second
    bounds = [limit.seconds, limit.clock.seconds if limit.clock else None]
    seconds = [bound for bound in bounds if bound is not None]
    if rate is None or not seconds:
        return limit
    left = max(min(seconds), 0.0)
    nodes = int(left * rate)
    if nodes / rate > left:  # the product was rounded up
        nodes -= 1
    return replace(limit, nodes=nodes if limit.nodes is None else min(nodes, limit.nodes))


def _has_time_to_probe(limit: Limit) -> bool:
    """Return whether there is enough real time for reading tables; a clock of nodes always has it."""
    if limit.nodes_per_second is not None:
        return True
    left = limit.clock.seconds if limit.clock is not None else PROBING_SECONDS
    return min(left, limit.seconds if limit.seconds is not None else left) >= PROBING_SECONDS


def _solved(solution: Solution, limit: Limit, line_count: int) -> Info:
    """Return the moves of the tables as an Info, of which the first is played.

    A requested depth counts as reached: python-chess may wait for it.
    """
    best, *others = [_line(ranked) for ranked in solution.ranking[:line_count]]
    return Info(
        action=best.line[0],
        line=best.line,
        cents=best.cents,
        mate=best.mate,
        chances=best.chances,
        alternatives=tuple(others),
        depth=limit.depth or 1,
        text="tablebase",
    )


def _info_of_draw(info: Info, solution: Solution, line_count: int) -> Info:
    """Return the result of a search among drawing moves, with the tables' scores.

    If more lines are requested than there are drawing moves, losing moves follow.
    """
    others = [replace(line, cents=0, mate=None, chances=DRAW) for line in info.alternatives]
    if len(others) + 1 == len(solution.moves):
        rest = solution.ranking[len(solution.moves) : line_count]
        others += [_line(ranked) for ranked in rest]
    return replace(info, cents=0, mate=None, chances=DRAW, alternatives=tuple(others))


def _line(ranked: RankedMove) -> Line:
    """Return a move of the tables as a line with its score."""
    cents, chances = SCORES.get(ranked.value, (0, DRAW))
    return Line(line=(ranked.move,), cents=cents, mate=1 if ranked.is_mate else None, chances=chances)
