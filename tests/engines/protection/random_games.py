"""Random games of Advanced Protection with one digest of all that happens in them, whoever keeps the board.

What is set up and which strings are played follows from the number of the game and from what the human sees, so a
board that differs by a die or a dollar goes another way. Facts are told in plain lists, numbers and words.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final, Protocol

from core.protection.rules import MINIONS, PHASES, RULES, SIDE
from core.protection.state import PlacedUnit
from core.protection.turn import FIGHTS, TurnLog
from engines.protection.bot_plans import Observation, observe
from engines.protection.bots import BUILDERS, create_bot
from engines.protection.game import AppliedSetup, ProtectionGame, Setup, TurnRecord, new_game
from engines.protection.genome import Genome
from engines.protection.pool import bundled_pool
from engines.seeds import SeededStreams
from tests.core.protection.boards import UNIT_NAMES

MOST_TURNS: Final = 8  # a game is left then: by the rules of old scavengers breed without end
GAMES: Final = 60  # 411 turns
GOLDEN: Final = "841dd145e1e5cab1c21dab9778d12bbba9a4c5381665cc786d6e79208e4f89c1"
MANY_GAMES: Final = 1430  # 10,105 turns
MANY_GOLDEN: Final = "f79deda4484d09db84ac56184873f72ed365e978a1d4c349a5c919868c330e9e"

Facts = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What both sides do in a turn."""

    setup: Setup
    string: Genome


class Board(Protocol):
    """Who plays by the rules."""

    def begin(self, rules: str, seed: int) -> Observation:
        """A new game; what the human sees."""
        ...

    def play(self, wish: Wish) -> tuple[Facts, Observation | None]:
        """A turn: what has happened, and what the human sees then; None when the game is over."""
        ...

    def leave(self) -> None:
        """The game is given up."""
        ...


class EngineBoard:
    """The game of the engines, in this process."""

    def begin(self, rules: str, seed: int) -> Observation:
        self._game = new_game(RULES[rules], SeededStreams(seed))
        return observe(self._game)

    def play(self, wish: Wish) -> tuple[Facts, Observation | None]:
        game, log = self._game, TurnLog()
        done = game.set_up(wish.setup)
        played = game.play(wish.string.code, log)
        return facts_of(game, done, played, log), None if game.over else observe(game)

    def leave(self) -> None:
        self._game.resign()


def digest(board: Board, number: int) -> tuple[int, str]:
    """Play a game: how many turns it had, and the hash of them all."""
    told = sha256()
    view: Observation | None = board.begin(("seed", "improved")[number % 2], number)
    turns = 0
    while view:
        if turns == MOST_TURNS:
            board.leave()
            break
        facts, view = board.play(wish(number, view))
        told.update(json.dumps(facts, sort_keys=True).encode())
        turns += 1
    return turns, told.hexdigest()


def digests(first: int, end: int) -> list[tuple[int, str]]:
    """Those of some games in this process."""
    board = EngineBoard()
    return [digest(board, number) for number in range(first, end)]


def together(found: Iterable[tuple[int, str]]) -> str:
    """One hash of many games, in their order."""
    return sha256("".join(each for _, each in found).encode()).hexdigest()


def wish(number: int, view: Observation) -> Wish:
    """A scripted user of any skill who now and then sells something, against any string or one of the pool."""
    game, turn = SeededStreams(number).stream("who"), SeededStreams(number).stream(f"wish|{view.turn}")
    name = BUILDERS[int(game.below(len(BUILDERS)))]
    setup = create_bot(name, 0, game.uniform()).choose(view, turn)
    owned = [unit.number for unit in view.units]
    sold = (owned[int(turn.below(len(owned)))],) if owned and turn.chance(0.3) else ()
    pool = bundled_pool().entries
    string = pool[int(turn.below(len(pool)))].genome if turn.chance(0.7) else Genome.random(turn)
    return Wish(setup=Setup(place=setup.place, salvage=sold), string=string)


def facts_of(game: ProtectionGame, done: AppliedSetup, played: TurnRecord, log: TurnLog) -> Facts:
    """A turn in plain words."""
    report = played.report
    return {
        "turn": played.turn,
        "placed": [_stood(unit) for unit in done.placed],
        "salvaged": [_stood(unit) for unit in done.salvaged],
        "bought": _counted(report.bought),
        "kept": report.unspent,
        "left_off": report.unplaced,
        "guard": report.hit_minion_limit,
        "roster": [
            [number, kind, *((*place(pose >> 2), pose & 3) if pose >= 0 else (-1, -1, -1))]
            for number, (kind, pose) in enumerate(log.roster)
        ],
        "acts": log.acts + [""] * (PHASES - len(log.acts)),
        "fights": [
            [phase, by, *place(square), FIGHTS[kind], n, of, bool(win), plunder]
            for phase, kind, by, square, n, of, win, plunder in log.fights
        ],
        "produced": report.produced,
        "plundered": report.plundered,
        "treasury": game.state.treasury,
        "lost": [[unit.number, UNIT_NAMES[unit.code], phase] for unit, phase in report.lost_units],
        "carried": report.carried,
        "refund": report.refund,
        "destroyed": _counted(report.lost_minions),
        "values": [played.human_value, played.chaos_value],
        "change": [report.human_change, report.chaos_change],
        "grant": played.audit.grant,
        "over": game.over[1] if game.over else "",
    }


def place(square: int) -> tuple[int, int]:
    return square % SIDE, square // SIDE


def _stood(unit: PlacedUnit) -> list[Any]:
    return [unit.number, UNIT_NAMES[unit.code], *place(unit.square)]


def _counted(counts: Iterable[int]) -> dict[str, int]:
    return {minion.name: count for minion, count in zip(MINIONS, counts, strict=True) if count}
