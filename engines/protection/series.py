"""Series of games of one bot against Chaos, which learns from game to game: the data of a study."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from core.protection.rules import NO_WINNER, RULES
from core.protection.turn import TurnLog
from engines.protection import bots
from engines.protection.adaptation import GameHistory
from engines.protection.chaos import Chaos, rate
from engines.protection.game import ProtectionGame, new_game
from engines.seeds import SeededStreams

MAX_TURNS: Final = 60  # after which a game without a turn limit is left open
Watch = Callable[[ProtectionGame, Chaos], None]  # called when Chaos has learned from a setup, before the turn


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The outcome of a game."""

    winner: int  # HUMAN, CHAOS or NO_WINNER
    reason: str  # see core.protection.rules; `open` for a game that was left open
    turns: int
    strings: tuple[int, ...]  # Chaos's choices, turn by turn
    guarded: bool  # whether the program's limit of minions was ever reached


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """The parameters of a series; all random numbers follow from `seed` and the user's name."""

    user: str
    skill: float
    rules: str
    games: int
    seed: int


def play_games(series: Series, chaos: Chaos, watch: Watch | None = None) -> Iterator[Outcome]:
    """Play the games one after another, and yield their outcomes; `watch` must not change the game."""
    for number in range(series.games):
        outcome, chaos = _play(series, chaos, number, watch)
        yield outcome


def _play(series: Series, chaos: Chaos, number: int, watch: Watch | None) -> tuple[Outcome, Chaos]:
    game = new_game(RULES[series.rules], SeededStreams(_game_seed(series, number)))
    bot = bots.create_bot(series.user, number, series.skill)
    strings = []
    while game.over is None and len(game.turns) < MAX_TURNS:
        index = chaos.choose(GameHistory.of(game), game.streams).index
        string = chaos.string(index)
        bots.set_up(game, bot)
        if chaos.mode.learns:
            job = chaos.rating_job(game.state, game.streams)
            chaos = chaos.rated(job, rate(job))
            if watch:
                watch(game, chaos)
        game.play(string, TurnLog() if bot.watches else None)
        strings.append(index)
    winner, reason = game.over or (NO_WINNER, "open")
    outcome = Outcome(
        winner=winner,
        reason=reason,
        turns=len(game.turns),
        strings=tuple(strings),
        guarded=any(turn.report.hit_minion_limit for turn in game.turns),
    )
    return outcome, chaos.finished(winner)


def _game_seed(series: Series, number: int) -> int:
    """Return the seed of a game, 53 bits; all modes have the same maps and dice, each user has others."""
    text = f"{series.seed}|{series.user}|{number}"
    return int.from_bytes(sha256(text.encode()).digest()[:8], "big") >> 11
