"""A match between engines as tests play one."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from core.game import Game, State
from engines.engine import Engine
from engines.match.engine_games import DrawnSeeds, EngineGames
from engines.match.match import Match
from engines.match.referee import Result
from engines.match.schedule import MatchGame, Schedule
from engines.match.standings import GameOutcome, Standings
from engines.statistics import Sprt
from engines.time_control import TimeControl


@dataclass(slots=True)
class PlayedMatch:
    """A match that was played: its games in the order of the schedule, and the actions of each."""

    match: Match
    outcomes: list[GameOutcome] = field(default_factory=list)
    actions: dict[int, tuple[int, ...]] = field(default_factory=dict)  # by number

    @property
    def standings(self) -> Standings:
        return self.match.standings

    def summary(self) -> list[tuple[int, int, tuple[int, ...], tuple[int, ...]]]:
        """Number, opening, players and actions of each game."""
        return [
            (each.game.number, each.game.deal, each.game.players, self.actions[each.game.number])
            for each in self.outcomes
        ]


async def play_match(
    game: Game,
    engines: Sequence[Callable[[], Awaitable[Engine]]],
    control: TimeControl | Sequence[TimeControl],
    seed: int,
    *,
    games: int,
    sprt: Sprt | None = None,
    **more: Any,
) -> PlayedMatch:
    """Play a round robin with a time control for all players, or one for each; `more` are further fields of EngineGames."""
    controls = [control] * len(engines) if isinstance(control, TimeControl) else control
    seeds = DrawnSeeds(seed)
    schedule = Schedule(
        players=tuple(map(str, range(len(engines)))),
        games=games,
        mirror=True,
        seed=seed,
        block=2,
        seeds=seeds,
    )
    played = PlayedMatch(Match(schedule))

    def record(game: MatchGame, start: State | None, result: Result) -> bytes:
        played.actions[game.number] = tuple(turn.action for turn in result.history)
        return b"played"

    def is_decided() -> bool:
        return sprt is not None and sprt.verdict(played.standings.test_counts(0, 1)).value != "continue"

    def add(outcomes: Sequence[GameOutcome]) -> None:
        played.outcomes += played.match.add(outcomes, is_decided)

    players = EngineGames(game=game, engines=engines, seeds=seeds, controls=controls, record=record, **more)
    await players.play(played.match, add)
    return played
