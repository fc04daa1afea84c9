"""The sources of matches: a source names the players of a game and plans the matches between them.

A server has an AdapterMatches for each game that clients can play over the JSON lines, and a source of its own kind
for a game that has matches only, such as Core War (`warrior_match.py`).
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
    """A game as the source of matches between its players."""

    name: str
    variants: Sequence[str]
    agents: Sequence[str]  # the players that are listed; there may be more

    def has_agent(self, name: str, seat: int) -> bool:
        """Return whether there is a player of this name that can play in the seat."""
        ...

    def plan(self, request: MatchRequest, schedule: Schedule, match_id: str, recorded: int) -> MatchPlan:
        """Return the plan of a match; the records of the first `recorded` games are kept.

        Raises Refusal if the match cannot be played.
        """
        ...


class AdapterMatches(MatchSource):
    """The source of matches between the built-in players of a game of the JSON lines."""

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
    """Return whether one of the players is slow, that is, needs more than a few milliseconds for a decision.

    Raises OptionError if the game has no such variant, options or seats.
    """
    streams = SeededStreams(0)
    state = adapter.open(GameConfig(variant=variant, seats=seats, options=options, streams=streams))
    for name in players:
        seat = next(seat for seat in range(seats) if adapter.has_agent(name, seat))
        if adapter.agent(name, state, streams.stream, seat).is_slow:
            return True
    return False
