"""Matches of warriors of Core War: each game is one round, with positions in the core from the game's seed."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from core.corewar.battle import SEEDS, seeded
from core.corewar.rules import Rules
from core.corewar.warrior import Warrior
from engines.corewar.battles import fight
from engines.corewar.presets import PRESETS, Preset
from engines.match.match import Batch, MatchPlan
from engines.match.schedule import MatchGame, Schedule
from engines.match.standings import GameOutcome
from engines.names import near
from protocols.jsonl.match_source import MatchSource
from protocols.jsonl.messages import MatchRequest, invalid
from protocols.redcode.library import bundled_names, bundled_text, parse

GAME: Final = "corewar"
SEATS: Final = 2
BATCH_ROUNDS: Final = 50  # of a job
POINTS: Final = (3.0, 1.0, 0.0)  # of a round: won, tied, lost
USUAL: Final = "94nop"  # the default hill


@dataclass(frozen=True, slots=True, kw_only=True)
class BattleConfig:
    """The rules and the warriors of a match."""

    rules: Rules
    warriors: tuple[Warrior, ...]
    match_id: str = ""


class WarriorMatches(MatchSource):
    """The source of matches between the warriors that come with the program, by the rules of a hill."""

    def __init__(self) -> None:
        self.name = GAME
        hills = [name for name, preset in PRESETS.items() if not preset.is_melee]
        self.variants: Sequence[str] = sorted(hills, key=lambda name: name != USUAL)
        self.agents: Sequence[str] = bundled_names()

    def has_agent(self, name: str, seat: int) -> bool:
        return name in self.agents and seat < SEATS

    def plan(self, request: MatchRequest, schedule: Schedule, match_id: str, recorded: int) -> MatchPlan:
        name = request.variant or USUAL
        if name not in self.variants:
            raise invalid("$.variant", f"there is no variant {name[:40]!r}; {near(name, self.variants)}")
        if request.options:
            raise invalid("$.options", "matches of warriors have no options")
        preset, warriors = PRESETS[name], []
        for index, player in enumerate(schedule.players):
            try:
                warriors.append(_assembled(player, name))
            except ValueError:
                text = f"{player} is not a warrior for the {name} rules"
                raise invalid(f"$.players[{index}]", text) from None
        return battle_plan(preset, warriors, schedule, match_id)


@lru_cache(maxsize=256)
def _assembled(player: str, hill: str) -> Warrior:
    """Return a bundled warrior for the rules of a hill. Raises ValueError if the rules do not allow the warrior."""
    return parse(bundled_text(f"{player}.red"), PRESETS[hill], player).warrior


def battle_plan(
    preset: Preset, warriors: Sequence[Warrior], schedule: Schedule, match_id: str = ""
) -> MatchPlan:
    """Return the plan of a match. No game is recorded, because a game follows from its seed."""
    return MatchPlan(
        game=GAME,
        schedule=schedule,
        config=BattleConfig(rules=preset.rules, warriors=tuple(warriors), match_id=match_id),
        play=play_rounds,
        batch=BATCH_ROUNDS,
        match_id=match_id,
    )


def play_rounds(batch: Batch) -> list[GameOutcome]:
    """Play all rounds of a batch."""
    return [play_round(batch.config, game) for game in batch.games]


def play_round(config: BattleConfig, game: MatchGame) -> GameOutcome:
    """Play one round. The warrior in the first seat is loaded first and executes first."""
    pair = [config.warriors[player] for player in game.players]
    places = seeded(config.rules, SEATS, game.seed % SEEDS, False)
    tallies = fight(config.rules, pair, 1, places)
    won = [tally.wins > 0 for tally in tallies]
    ranks = [1 if is_winner or not any(won) else 2 for is_winner in won]
    results = [POINTS[0] if is_winner else POINTS[2] if any(won) else POINTS[1] for is_winner in won]
    game_id = f"{config.match_id}-{game.number + 1}" if config.match_id else ""
    return GameOutcome(
        game=game, ranks=ranks, results=results, seconds=[0.0] * SEATS, forced=[0] * SEATS, game_id=game_id
    )
