"""A series of games of one user against Chaos, which remembers them all: what a study looks at."""

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from core.protection.rules import NOBODY, RULES
from core.protection.turn import TurnLog
from engines.protection.adaptation.course import Course
from engines.protection.chaos import Chaos
from engines.protection.game.chance import Chance, Seeded
from engines.protection.game.game import begun
from engines.protection.game.ratings import rated
from engines.protection.users.seen import seen
from engines.protection.users.table import user

MOST_TURNS: Final = 60  # a game without a turn cap is left open after them


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How a game of a series went."""

    winner: int  # HUMAN, CHAOS or NOBODY
    reason: str  # see core.protection.rules; `open` for a game that was left
    turns: int
    strings: tuple[int, ...]  # that Chaos chose, turn by turn
    guarded: bool  # whether the guard of minions ever held


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """Who plays, how long, by which rules; all chance follows from `seed` and the user's name."""

    user: str
    skill: float
    rules: str
    games: int
    seed: int


def played(series: Series, chaos: Chaos) -> Iterator[Outcome]:
    """The games, one after another."""
    for game in range(series.games):
        outcome, chaos = _played(series, chaos, game)
        yield outcome


def _played(series: Series, chaos: Chaos, number: int) -> tuple[Outcome, Chaos]:
    chance: Chance = Seeded(_game_seed(series, number))
    game = begun(RULES[series.rules], chance)
    who = user(series.user, number, series.skill)
    strings = []
    while game.over is None and len(game.turns) < MOST_TURNS:
        index = chaos.choose(Course.of(game), chance).index
        string = chaos.string(index)
        game.set_up(who.setup(seen(game), chance.stream(f"user|{game.state.turn}")))
        if chaos.chooser.learns:
            trial = chaos.trial(game.state, chance)
            chaos = chaos.rated(trial, rated(trial))
        game.play(string, TurnLog() if who.watches else None)
        strings.append(index)
    winner, reason = game.over or (NOBODY, "open")
    outcome = Outcome(
        winner=winner,
        reason=reason,
        turns=len(game.turns),
        strings=tuple(strings),
        guarded=any(turn.report.hit_minion_limit for turn in game.turns),
    )
    return outcome, chaos.finished(winner)


def _game_seed(series: Series, number: int) -> int:
    """53 bits: the same maps and dice for all rules of choice, others for each user."""
    text = f"{series.seed}|{series.user}|{number}"
    return int.from_bytes(sha256(text.encode()).digest()[:8], "big") >> 11
