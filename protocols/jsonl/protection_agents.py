"""The built-in players of Advanced Protection: modes of Chaos (`chaos:pilot`), and bots as users (`user:mines`)."""

from collections.abc import Callable
from math import exp
from typing import Final

from core.protection.rules import CHAOS, HUMAN
from core.random import Random
from engines.protection import MODES
from engines.protection.adaptation import Mode, fixed_string
from engines.protection.bot_plans import observe
from engines.protection.bots import BOTS, create_bot
from engines.protection.chaos import new_chaos
from engines.protection.opponent_model import Decision, OpponentModel
from engines.protection.profile import STRINGS, ProfileStore
from engines.version import VERSION
from protocols.jsonl import protection_messages as messages
from protocols.jsonl.adapter import Agent, GameState, Move
from protocols.jsonl.protection_explain import Strategy
from protocols.jsonl.protection_state import ProtectionGameState
from protocols.jsonl.state_adapter import PlayerAgent, Thought, chosen

CHAOS_PREFIX: Final = "chaos:"
USER_PREFIX: Final = "user:"
AGENTS: Final = (*(CHAOS_PREFIX + mode for mode in MODES), *(USER_PREFIX + name for name in BOTS))


def has_agent(name: str, seat: int) -> bool:
    """Return whether there is an agent of this name that can play in a seat."""
    kind, colon, rest = name.partition(":")
    try:
        if kind + colon == CHAOS_PREFIX:
            fixed_string(rest)
            return seat == CHAOS
        create_bot(rest, 0)
    except ValueError:
        return False
    return kind + colon == USER_PREFIX and seat == HUMAN


def create_agent(
    name: str, seat: int, state: ProtectionGameState, stream: Callable[[str], Random], store: ProfileStore
) -> Agent:
    """Return an agent for a seat of a game. Raises KeyError if no agent of this name can play in the seat."""
    if not has_agent(name, seat):
        raise KeyError(name)
    rest = name.partition(":")[2]
    if seat == CHAOS:
        return ChaosAgent(name, rest, state, store)
    bot = create_bot(rest, 0)
    state.is_watched = bot.watches
    return BotAgent(name, bot, stream, seat)


class BotAgent(PlayerAgent):
    """A bot in the human's seat; its setup does not depend on the process that computes it."""

    def choose(self, state: GameState, seat: int) -> Move:
        function, thought = self.remote_call(state, seat)
        return function(thought)

    def remote_call(self, state: GameState, seat: int) -> tuple[Callable[[Thought], Move], Thought]:
        assert isinstance(state, ProtectionGameState)
        return chosen, self._thought(observe(state.game), f"seat|{seat}|{state.game.state.turn}")


class ChaosAgent(Agent):
    """The built-in Chaos. It is asked after the human's setup is complete, and does not see that setup.

    Chaos is not an engines.player.Player: between its decisions it learns from ratings that worker processes compute,
    and some of its random draws belong to the whole game.
    """

    is_slow = False
    decides_last = True

    def __init__(self, name: str, mode: str, state: ProtectionGameState, store: ProfileStore) -> None:
        self.about = f"{name}, galapagos {VERSION}: pool {state.pool.hash}"
        self._opponent_model = state.opponent_model = _opponent_model(mode, state, store)

    def choose(self, state: GameState, seat: int) -> Move:
        assert isinstance(state, ProtectionGameState)
        return strategy_of(self._opponent_model.mode.name, self._opponent_model.choose(state.game))


def strategy_of(mode: str, decision: Decision) -> Strategy:
    """Return the strategy for a decision of Chaos in a mode, with the reasons for its string, for the record."""
    choice = decision.choice
    aim = messages.Aim(
        mode=mode,
        target=choice.target,
        rating=choice.rating,
        done=decision.rated,
        of=decision.of,
        ms=decision.milliseconds,
        best=decision.best,
    )
    if plan := choice.plan:
        aim.due = "human" if plan.is_due else "chaos"
        aim.ratio = round(exp(plan.wanted), 3)
        aim.expected = None if plan.expected is None else round(exp(plan.expected), 3)
    return Strategy(string=decision.string, index=choice.index, hybrid=choice.index >= STRINGS, aim=aim)


def _opponent_model(name: str, state: ProtectionGameState, store: ProfileStore) -> OpponentModel:
    options, pool = state.options, state.pool
    mode = Mode(name, pool.starter, options.calibration)
    chaos = new_chaos(tuple(each.genome for each in pool.entries), mode, options.tests)
    return OpponentModel(
        chaos, store, options.profile, pool.hash, (state.variant, state.rules_hash), options.agrees
    )
