"""The turns of a game that are over, at the terminal: their fights with their odds, and their films."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any, Final

from protocols.jsonl.connection import Connection
from tools.play.protection.screen.film import Frame, frames
from tools.play.protection.screen.picture import odds

Square = tuple[int, int]


class Past:
    """All turns of one game so far."""

    def __init__(self, connection: Connection, game_id: str, rules: dict[str, Any]) -> None:
        self.stood: Final[list[dict[Square, str]]] = []  # the units as each turn began
        self._connection = connection
        self._game_id = game_id
        self._rules = rules

    def film(self, turn: int) -> tuple[list[Frame], list[int]]:
        """Its frames, and the kind of each minion by number."""
        *events, _ = self._connection.say(type="replay", game_id=self._game_id, turn=turn)
        roster = [minion for event in events if event["kind"] == "roster" for minion in event["roster"]]
        phases = [event for event in events if event["kind"] == "phases"]
        twice = [kind for kind, minion in enumerate(self._rules["minions"]) if minion["actions"] == 2]
        film = list(frames(self.stood[turn - 1], roster, phases, twice))
        return film, [minion[1] for minion in roster]

    def log(self, turn: int) -> Iterator[str]:
        """Its fights."""
        film, kinds = self.film(turn)
        by_name = {unit["name"]: unit for unit in self._rules["units"]}
        for before, frame in pairwise(film):
            for fight in frame.fights:
                unit = by_name.get(before.units.get(tuple(fight["at"]), ""))
                yield odds(fight, self._rules["minions"][kinds[fight["by"]]], unit)
