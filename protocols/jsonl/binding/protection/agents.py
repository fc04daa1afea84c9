"""The players of the house for Advanced Protection: Chaos in its modes at seat 1, scripted users at seat 0."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from core.protection.rules import CHAOS, HUMAN
from core.protection.state import PlacedUnit
from core.random import Random
from engines.protection import MODES
from engines.protection.adaptation import PAPER_RULE, REPLICATES, Mode, fixed_string
from engines.protection.bot_plans import Observation, observe
from engines.protection.bots import BOTS, create_bot
from engines.protection.chaos import Chaos, OpponentModel
from engines.protection.game import Setup
from engines.protection.pool import bundled_pool
from engines.protection.profile import Profile, ProfileStore
from engines.version import VERSION
from protocols.jsonl.binding.binding import Agent, Move, Play
from protocols.jsonl.binding.protection.actions import strategy_of
from protocols.jsonl.binding.protection.binding import ProtectionBinding
from protocols.jsonl.binding.protection.chaos.store import ShownProfiles
from protocols.jsonl.binding.protection.play import ProtectionPlay

OF_CHAOS: Final = "chaos:"
OF_USERS: Final = "user:"
SEEDS: Final = 2**53


def protection(profiles: Path | None = None) -> ProtectionBinding:
    """Advanced Protection with all players of the house; profiles are kept in a folder, if there is one."""
    names = [*(OF_CHAOS + mode for mode in MODES), *(OF_USERS + name for name in BOTS)]
    return ProtectionBinding(names, agent, ShownProfiles(profiles), bundled_pool())


def agent(name: str, seat: int, play: ProtectionPlay | None, store: ProfileStore) -> Agent:
    """KeyError if nobody of this name sits in that seat. Without a game it is a player who may only be named."""
    kind, colon, rest = name.partition(":")
    try:
        if kind + colon == OF_CHAOS and seat == CHAOS:
            fixed_string(rest)
            return ChaosAgent(name, rest, play, store)
        if kind + colon == OF_USERS and seat == HUMAN:
            create_bot(rest, 0)
            return UserAgent(name, rest)
    except ValueError:
        pass
    raise KeyError(name)


class ChaosAgent(Agent):
    """Chaos: it chooses when the human's setup is done, and sees nothing of that."""

    def __init__(self, name: str, mode: str, play: ProtectionPlay | None, store: ProfileStore) -> None:
        self.about = f"{name}, galapagos {VERSION}"
        self.is_slow = False
        self.decides_last = True
        if play is not None:
            self.about += f": pool {play.pool.hash}"
            self._memory = play.memory = _memory(mode, play, store)

    def choose(self, play: Play, seat: int) -> Move:
        assert isinstance(play, ProtectionPlay)
        return strategy_of(self._memory.mode.name, self._memory.choose(play.game))


@dataclass(frozen=True, slots=True, kw_only=True)
class Considered:
    """A setup to be thought about in another process."""

    name: str
    seen: Observation  # without the units, which as objects of the core do not travel:
    units: tuple[tuple[int, int, int, bool], ...]
    seed: int


class UserAgent(Agent):
    """A scripted user; the chance of each setup follows from the game and the turn."""

    def __init__(self, name: str, plan: str) -> None:
        self.about = f"{name}, galapagos {VERSION}"
        self.is_slow = True
        self._plan = plan
        self._watches = create_bot(plan, 0).watches

    def choose(self, play: Play, seat: int) -> Move:
        function, task = self.errand(play, seat)
        return function(task)

    def errand(self, play: Play, seat: int) -> tuple[Callable[[Considered], Setup], Considered]:
        assert isinstance(play, ProtectionPlay)
        play.is_watched = play.is_watched or self._watches
        rng, view = play.game.streams.stream(f"seat|{seat}|{play.game.state.turn}"), observe(play.game)
        return considered, Considered(
            name=self._plan,
            seen=replace(view, units=()),
            units=tuple((unit.number, unit.code, unit.square, unit.is_new) for unit in view.units),
            seed=int(rng.below(SEEDS)),
        )


def considered(task: Considered) -> Setup:
    """What the user does."""
    view = replace(task.seen, units=tuple(PlacedUnit(*unit) for unit in task.units))
    return create_bot(task.name, 0).setup(view, Random(task.seed))


def _memory(mode: str, play: ProtectionPlay, store: ProfileStore) -> OpponentModel:
    wishes = play.wishes
    is_old = mode == PAPER_RULE  # rules of old: one test a string, with what the units have cost
    chaos = Chaos(
        pool=tuple(each.genome for each in play.pool.entries),
        mode=Mode(mode, play.pool.starter, wishes.calibration),
        profile=Profile(),
        tests=wishes.tests or (1 if is_old else REPLICATES),
        real_money=not is_old,
    )
    return OpponentModel(chaos, store, wishes.profile, play.pool.hash, (play.variant, play.rules_hash))
