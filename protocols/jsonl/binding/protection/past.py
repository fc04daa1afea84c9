"""The turns of a game that are over: with the game's chance enough is kept of each to play and to tell it again."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from core.protection.board import Arrangement
from core.protection.policy import Policy
from core.protection.turn import Dice, Turn, TurnLog
from engines.protection.boardfiles import ArrangementRecord
from engines.protection.game import ProtectionGame, combat_purpose, placement_purpose
from protocols.jsonl.binding.binding import Explanation
from protocols.jsonl.binding.protection.chaos.story import Told, game_story, turn_story


@dataclass(frozen=True, slots=True, kw_only=True)
class Began:
    """How a turn began, and what came of it; money in dollars."""

    arrangement: Arrangement
    treasury: int
    chaos_treasury: int
    told: Told


class Past:
    """All turns of one game, from the first on."""

    def __init__(self, game: ProtectionGame) -> None:
        self.turns: Final[list[Began]] = []
        self._game = game

    def log(self, turn: int) -> TurnLog:
        """The turn once more: to keep all logs would take a hundred times the room. ValueError if there was none."""
        began = self._turn(turn)
        streams, field, log = self._game.streams, Turn(self._game.state.scenario), TurnLog()
        field.arrange(began.arrangement)
        strategy, dollars, rng = (
            began.told.strategy,
            began.chaos_treasury,
            streams.stream(placement_purpose(turn)),
        )
        policy = Policy(strategy.string)
        if strategy.bought is None:
            field.deploy(policy, dollars, rng)
        else:
            field.deploy_bought(policy, list(strategy.bought), dollars, rng)
        field.play(Dice(streams.stream(combat_purpose(turn))), log)
        return log

    def story(self, turn: int) -> Explanation:
        """How Chaos played a turn. ValueError if there was none."""
        return turn_story(self._turn(turn).told, self.log(turn))

    def whole_story(self, winner: int) -> Explanation:
        """How Chaos played them all."""
        return game_story([each.told for each in self.turns], winner, self.log)

    def arrangements(self, rules_hash: str) -> Iterator[ArrangementRecord]:
        """The setups as others may learn from them."""
        for each in self.turns:
            yield ArrangementRecord(
                board=self._game.state.scenario.map,
                arrangement=each.arrangement,
                rules_hash=rules_hash,
                turn=each.told.played.turn,
                treasury=each.treasury,
                chaos_treasury=each.chaos_treasury,
            )

    def _turn(self, turn: int) -> Began:
        if not 1 <= turn <= len(self.turns):
            raise ValueError(f"turns 1 to {len(self.turns)} are over" if self.turns else "no turn is over")
        return self.turns[turn - 1]
