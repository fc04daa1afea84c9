"""A match source gives the players of a game, and says how their games are played.

A server has a source for each game of the JSON lines (AdapterMatches), and for games that are played in matches alone.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from engines.match.match import MatchPlan
from engines.match.schedule import Schedule
from engines.seeds import SeededStreams
from protocols.jsonl.adapter import GameAdapter, GameConfig, OptionError
from protocols.jsonl.match import BATCH_GAMES, MatchConfig, play_batch
from protocols.jsonl.messages import MatchRequest, invalid


class MatchSource(Protocol):
    """A game whose players meet in matches."""

    name: str
    variants: Sequence[str]
    agents: Sequence[str]  # the players that are listed; there may be more

    def has_agent(self, name: str, seat: int) -> bool:
        """Return whether a player of this name may sit there."""
        ...

    def plan(self, request: MatchRequest, schedule: Schedule, match_id: str, recorded: int) -> MatchPlan:
        """Return how the games of a request are played, of which so many are recorded. Raises Refusal if they cannot be."""
        ...


class AdapterMatches(MatchSource):
    """Matches between the built-in players of a game of the JSON lines."""

    def __init__(self, adapter: GameAdapter) -> None:
        self.name = adapter.name
        self.variants = adapter.variants
        self.agents = adapter.agents
        self._adapter = adapter

    def has_agent(self, name: str, seat: int) -> bool:
        return self._adapter.has_agent(name, seat)

    def plan(self, request: MatchRequest, schedule: Schedule, match_id: str, recorded: int) -> MatchPlan:
        adapter = self._adapter
        variant, options = request.variant or adapter.variants[0], request.options or {}
        try:
            is_slow = has_slow_agent(adapter, variant, options, schedule.players, schedule.seats)
        except OptionError as error:
            raise invalid(error.path, str(error), error.reason) from None
        return MatchPlan(
            game=self.name,
            schedule=schedule,
            config=MatchConfig(
                adapter=adapter,
                variant=variant,
                options=options,
                players=schedule.players,
                clock=request.clock,
                match_id=match_id,
                recorded=recorded,
            ),
            play=play_batch,
            batch=1 if is_slow else BATCH_GAMES,
            match_id=match_id,
            recorded=recorded,
        )


def has_slow_agent(
    adapter: GameAdapter, variant: str, options: Mapping[str, Any], players: Sequence[str], seats: int
) -> bool:
    """Return whether one of the players thinks longer than milliseconds. Raises OptionError if there is no such game."""
    streams = SeededStreams(0)
    state = adapter.open(GameConfig(variant=variant, seats=seats, options=options, streams=streams))
    for name in players:
        seat = next(seat for seat in range(seats) if adapter.has_agent(name, seat))
        if adapter.agent(name, state, streams.stream, seat).is_slow:
            return True
    return False
