"""The turns of a game that are over: with the game's chance enough is kept of each to play and to tell it again."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from core.protection.board import Arrangement
from core.protection.policy import Policy
from core.protection.turn import Dice, Turn, TurnLog
from engines.protection.game.chance import combat, placing
from engines.protection.game.game import ProtectionGame
from protocols.jsonl.binding.binding import Explanation
from protocols.jsonl.binding.protection.chaos.story import Told, game_story, turn_story
from protocols.jsonl.binding.protection.lexicon import UNITS, map_lines, place_of


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
        chance, field, log = self._game.chance, Turn(self._game.state.scenario), TurnLog()
        field.arrange(began.arrangement)
        strategy, dollars, rng = began.told.strategy, began.chaos_treasury, chance.stream(placing(turn))
        policy = Policy(strategy.string)
        if strategy.bought is None:
            field.deploy(policy, dollars, rng)
        else:
            field.deploy_bought(policy, list(strategy.bought), dollars, rng)
        field.play(Dice(chance.stream(combat(turn))), log)
        return log

    def story(self, turn: int) -> Explanation:
        """How Chaos played a turn. ValueError if there was none."""
        return turn_story(self._turn(turn).told, self.log(turn))

    def whole_story(self, winner: int) -> Explanation:
        """How Chaos played them all."""
        return game_story([each.told for each in self.turns], winner, self.log)

    def arrangements(self, rules_hash: str) -> Iterator[dict[str, Any]]:
        """The setups as others may learn from them."""
        ground = self._game.state.scenario.map
        for each in self.turns:
            yield {
                "format": "galapagos-arrangement/1",
                "rules_hash": rules_hash,
                "map": map_lines(ground),
                "gold": list(map(place_of, ground.gold)),
                "turn": each.told.played.turn,
                "treasury": each.treasury,
                "chaos_treasury": each.chaos_treasury,
                "units": [[UNITS[code], *place_of(square)] for square, code in each.arrangement.units()],
            }

    def _turn(self, turn: int) -> Began:
        if not 1 <= turn <= len(self.turns):
            raise ValueError(f"turns 1 to {len(self.turns)} are over" if self.turns else "no turn is over")
        return self.turns[turn - 1]
