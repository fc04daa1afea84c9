"""The end of games that are left to their agents: a worker process plays them to their end, from their record.

Six nets of Acquire play a whole game within 30 ms, which is too long for the event loop, whether such a game has just
been created or its last client has resigned. A game is a function of its record, so the worker replays the record,
plays the rest, and returns what the server needs to show the game afterwards. If the server is killed in the
meantime, it finds the same record at its next start and does the same again.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from protocols.jsonl.adapter import GameAdapter
from protocols.jsonl.game import FinishedGame
from protocols.jsonl.record import replay_record
from protocols.limits import GameLimits


@dataclass(frozen=True, slots=True, kw_only=True)
class UnfinishedGame:
    """A game in which no client decides any more."""

    adapter: GameAdapter
    limits: GameLimits
    record: Sequence[bytes]  # lines with their breaks


def play_to_end(unfinished: UnfinishedGame) -> FinishedGame:
    """Play a game to its end. Runs in a worker process. Raises RecordError if the record is damaged."""
    record, adapter = unfinished.record, unfinished.adapter
    replayed = replay_record(
        [line.rstrip(b"\n") for line in record], {adapter.name: adapter}, unfinished.limits
    )
    game = replayed.game
    seen = game.seq
    for index, entry in replayed.seated.items():
        if entry.agent and adapter.has_agent(entry.agent, index):
            game.seats[index].agent = adapter.agent(entry.agent, game.state, game.seed.stream, index)
    if game.is_started:
        game.continue_from(replayed.moves, list(replayed.pending_events))
    else:
        game.start()
    history = game.lines.history
    public = [event.public for event in history.between(seen + 1, history.seq)]
    history.pack()
    assert game.result is not None
    return FinishedGame(
        state=game.state,
        history=history,
        lines=game.lines.record[len(record) : -1],
        public=public,
        end_line=game.end_line,
        result=game.result,
    )
