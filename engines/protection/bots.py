"""Bots: scripted users of Advanced Protection by name, which follow build plans with a skill and a budget."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Final, Protocol

from core.protection.board import Arrangement, Map, Scenario, arrangement_of
from core.protection.evaluate import Evaluator
from core.protection.policy import STRING_BYTES
from core.protection.rules import ARTILLERY, DRONE, Rules
from core.random import Random
from engines.names import near
from engines.player import Player
from engines.protection.bot_plans import PLANS, Observation, Plan, evolved, mixed, nothing, observe
from engines.protection.defender import DIGITS, HEX, Defender, DefenderError
from engines.protection.game import Placement, ProtectionGame, Setup
from engines.protection.pool import handwritten
from engines.seeds import SeededStreams
from engines.storage import read_text

SWITCHED: Final = ("drones", "artillery", "turtle", "mines", "fortress")
SWITCHES_EVERY: Final = 5  # games
LEARNS_IN: Final = 40  # games from the lowest skill to full skill
LOWEST_SKILL: Final = 0.2
SLEEPS: Final = 0.3  # of the sleeper's turns
SKILL: Final = re.compile(r"0(\.[0-9]{1,6})?|1(\.0{1,6})?")
CANDIDATES: Final = 30  # setups that the greedy bot compares
DEFENDER_SUFFIX: Final = ".apd"
ARMS_RACE: Final = "arms-race"
SEED_RANGE: Final = 1 << 60


class Bot(Player, Protocol):
    """A player of the human's side, whose decisions are whole setups."""

    about: str = ""
    is_slow: bool = True

    @property
    def watches(self) -> bool:
        """Whether the bot needs the logs of turns."""
        ...

    def choose(self, state: Observation, rng: Random) -> Setup:
        """Return a setup without faults."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanBot(Bot):
    """A bot that follows a plan and never salvages. With probability 1 - `skill` a purchase is random."""

    plan: Plan
    skill: float = 1.0
    spends: float = 1.0  # share of the treasury that is spent in a turn
    sleeps: float = 0.0  # share of the turns in which the bot does nothing
    watches: bool = False

    def choose(self, state: Observation, rng: Random) -> Setup:
        if self.sleeps and rng.chance(self.sleeps):
            return Setup()
        costs = [unit.cost for unit in state.scenario.rules.units]
        budget = money = int(state.treasury * self.spends)
        free = state.free()
        wishes = self.plan(state, rng)
        placed = []
        while money >= costs[DRONE] and free:
            if self.skill < 1 and not rng.chance(self.skill):
                affordable = [unit for unit in range(DRONE, ARTILLERY + 1) if costs[unit] <= money]
                unit = affordable[rng.below(len(affordable))]
                square = free[rng.below(len(free))]
            else:
                wish = next(wishes, None)
                if wish is None:
                    break
                if wish.square not in free:
                    continue
                unit, square = wish.unit, wish.square
                if costs[unit] > budget:
                    unit = DRONE  # too poor for the plan: the rest of the money buys farms
            if costs[unit] > money:
                break
            free.remove(square)
            money -= costs[unit]
            placed.append(Placement(unit, square))
        return Setup(place=tuple(placed))


@dataclass(frozen=True, slots=True, kw_only=True)
class GreedyBot(Bot):
    """A bot that draws setups by random plans and skills, and chooses the best against the hand-written strings."""

    watches: bool = False

    def choose(self, state: Observation, rng: Random) -> Setup:
        plans, strings = tuple(PLANS.values()), _handwritten_code()
        candidates = []
        for _ in range(CANDIDATES):
            plan = plans[rng.below(len(plans))]
            candidates.append(PlanBot(plan=plan, skill=rng.uniform()).choose(state, rng))
        seeds = [rng.below(SEED_RANGE) for _ in range(len(strings) // STRING_BYTES)]  # equal dice for all
        return max(candidates, key=lambda candidate: _rating(state, candidate, strings, seeds))


def bundled_defender(observation: Observation, rng: Random) -> Iterator[Placement]:
    """Place units as the last defender of the bundled arms race does (bots/arms-race.md)."""
    return _bundled_defender().plan(observation, rng)


@cache
def _bundled_defender() -> Defender:
    path = Path(__file__).parent / "bots" / f"{ARMS_RACE}{DEFENDER_SUFFIX}"
    return Defender.loads(path.read_text(encoding="utf-8"))


BOTS: Final[Mapping[str, PlanBot | GreedyBot]] = MappingProxyType({
    **{name: PlanBot(plan=plan, watches=name == "reactive") for name, plan in PLANS.items()},
    "idle": PlanBot(plan=nothing, spends=0.0),
    "random": PlanBot(plan=nothing, skill=0.0),
    "novice": PlanBot(plan=nothing, skill=0.0, spends=0.5),
    "saver": PlanBot(plan=mixed, spends=0.4),
    "switcher": PlanBot(plan=nothing),  # another plan every five games: see create_bot()
    "learner": PlanBot(plan=mixed),  # more skilled from game to game
    "sleeper": PlanBot(plan=mixed, sleeps=SLEEPS),
    "greedy": GreedyBot(),
    "evolved": PlanBot(plan=evolved),
    ARMS_RACE: PlanBot(plan=bundled_defender),
})  # fmt: skip
# The bots whose first setups differ: `reactive` has nothing to react to yet.
BUILDERS: Final = (*(name for name in PLANS if name != "reactive"), "random")


def create_bot(name: str, game: int, skill: float = 1.0) -> Bot:
    """Return the bot of a name for its game number `game`, counted from 0. Raises ValueError for an unknown name.

    `mines:0.4` is a bot with a skill of 0.4, which replaces `skill`. Bots that buy at random always have skill 0, and
    the learner's skill depends on the game alone. The 96 hex digits of a defender are also a name.
    """
    plan, colon, own = name.partition(":")
    if colon:
        if not SKILL.fullmatch(own):
            raise ValueError(f"a skill must be 0 to 1 with at most six decimals, not {own[:40]!r}")
        skill = float(own)
    if len(plan) == DIGITS and HEX.issuperset(plan):
        return replace(defender_bot(Defender.loads(plan)), skill=skill)
    if plan not in BOTS:
        raise ValueError(f"no scripted user is called {plan[:40]!r}; {near(plan, BOTS)}")
    if plan == "switcher":
        plan = SWITCHED[game // SWITCHES_EVERY % len(SWITCHED)]
    elif plan == "learner":
        skill = LOWEST_SKILL + (1 - LOWEST_SKILL) * min(game / LEARNS_IN, 1.0)
    found = BOTS[plan]
    return replace(found, skill=min(found.skill, skill)) if isinstance(found, PlanBot) else found


def from_file(name: str) -> str:
    """Return the name of a bot that may be given as the file of a defender: `FILE.apd`, or `FILE.apd:SKILL`.

    The file's name is replaced by the hex digits of its defender. Raises ValueError or OSError if the file cannot be
    read.
    """
    path, colon, skill = name.rpartition(":") if SKILL.fullmatch(name.rpartition(":")[2]) else (name, "", "")
    if Path(path).suffix != DEFENDER_SUFFIX:
        return name
    try:
        return Defender.loads(read_text(Path(path))).hex + colon + skill
    except DefenderError as error:
        raise ValueError(f"{path}: {error}") from None


def defender_bot(defender: Defender) -> PlanBot:
    """Return the bot that follows the policy of a defender."""
    return PlanBot(plan=defender.express())


def set_up(game: ProtectionGame, bot: Bot) -> None:
    """Apply the setup that a bot chooses."""
    game.set_up(choose_setup(game, bot))


def choose_setup(game: ProtectionGame, bot: Bot) -> Setup:
    """Return a bot's setup of a turn, with the random stream that the game has for the setup."""
    return bot.choose(observe(game), game.streams.stream(f"user|{game.state.turn}"))


def first_setup(name: str, rules: Rules, board: Map, dollars: int, rng: Random) -> Arrangement:
    """Return the first setup of a bot of full skill on an empty map, for `dollars`.

    Raises ValueError if no bot has that name.
    """
    game = ProtectionGame(Scenario(rules, board), SeededStreams(0), dollars)
    game.set_up(create_bot(name, 0).choose(observe(game), rng))
    return game.state.arrangement()


def _rating(observation: Observation, setup: Setup, strings: bytes, seeds: list[int]) -> int:
    units = {unit.square: unit.code for unit in observation.units}
    units |= {item.square: item.unit for item in setup.place}
    evaluator = Evaluator(observation.scenario, arrangement_of(units))
    return sum(human - chaos for human, chaos in evaluator.evaluate(strings, observation.chaos_value, seeds))


@cache
def _handwritten_code() -> bytes:
    return b"".join(genome.code for genome in handwritten().values())
