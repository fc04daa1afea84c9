"""Compare the choices of players with those in recorded games, and with the choices of chance.

A game is played again from its bag and its actions. At each counted decision a player gets the observation of the
seat that decided, and nothing else. One player sits in each seat and is asked at every counted decision of the seat in
order, so that a player with a memory has that of its own game. The random numbers of an answer follow from the game
and the number of the decision.

An action can contain two decisions: a tile or a purchase, and whether to announce the end of the game. They are
counted apart, and each only if it had two options or more. Three shares in any composition seldom agree as a whole, so
purchases are also compared by the shares in common.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from statistics import fmean
from typing import Final

from core.acquire.actions import BUY, DECLARE_END, PHASES, shares_in
from core.acquire.game import new_game
from core.acquire.rules import MAX_CHAINS, GameSpec, Rules
from core.acquire.state import AcquireState
from core.random import Random
from engines.acquire.registry import PlayerSpec
from engines.clusters import Cluster
from engines.evolution.population import derive_seed

END: Final = "end"
SHARES: Final = "shares"
KINDS: Final = (*PHASES[: BUY + 1], END)  # the kinds of decisions, which make up the whole

Agreement = Mapping[
    str, Cluster
]  # by measure, of one game: the sum of the agreements from 0 to 1, and their number


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedGame:
    """A game with its actions, which are legal; it need not have ended."""

    rules: Rules
    seats: int
    bag: tuple[int, ...]  # tiles in draw order
    actions: tuple[int, ...]
    is_counted: tuple[bool, ...]  # for each action: whether the decision is one to predict

    def decisions(self) -> Iterator[tuple[int, AcquireState, int]]:
        """Yield each counted decision: its number in the game, the state before it, and the action."""
        state = new_game(GameSpec(self.rules, self.seats), list(self.bag))
        for number, (action, is_counted) in enumerate(zip(self.actions, self.is_counted, strict=True)):
            if is_counted:
                yield number, state, action
            state.apply(action)


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A task: a game, and the player that predicts its decisions."""

    game: RecordedGame
    player: PlayerSpec


def predict(question: Question) -> Agreement:
    """Return the agreement of a player with the decisions of a game."""
    game = question.game
    players = [question.player.create() for _ in range(game.seats)]
    for player in players:
        player.begin()
    count = _Count()
    for number, state, action in game.decisions():
        seat = state.player()
        rng = Random(derive_seed(game.seats, *game.bag, number))
        predicted = int(players[seat].choose(state.observation(seat), rng))
        for measure in _options(state):
            count.add(measure, agreement(measure, predicted, action))
    return count.sums


def expect_chance(game: RecordedGame) -> Agreement:
    """Return the expected agreement of a player that takes each option with equal chances."""
    count = _Count()
    for _, state, action in game.decisions():
        for measure, options in _options(state).items():
            count.add(measure, fmean(agreement(measure, option, action) for option in options))
    return count.sums


def agreement(measure: str, one: int, other: int) -> float:
    """Return how far two actions of one state agree in a measure: 0 or 1, for SHARES also a number between.

    The agreement of two purchases in SHARES is the number of shares in common, divided by that of the larger purchase.
    """
    if measure == END:
        return float((one ^ other) & DECLARE_END == 0)
    one, other = one & ~DECLARE_END, other & ~DECLARE_END
    if measure != SHARES or one == other:
        return float(one == other)
    bought = [(int(shares_in(one, chain)), int(shares_in(other, chain))) for chain in range(MAX_CHAINS)]
    common = sum(map(min, bought))
    return common / max(sum(first for first, _ in bought), sum(second for _, second in bought))


def _options(state: AcquireState) -> dict[str, list[int]]:
    """Return the options of a state by measure, for each decision in it that has two options or more."""
    legal = state.legal_actions()
    plain = [action for action in legal if not action & DECLARE_END]
    options = {}
    if len(plain) > 1:
        options[PHASES[state.phase()]] = plain
        if state.phase() == BUY:
            options[SHARES] = plain
    if len(plain) < len(legal):
        options[END] = [0, DECLARE_END]
    return options


class _Count:
    """Sums of agreements by measure."""

    def __init__(self) -> None:
        self.sums: dict[str, Cluster] = {}

    def add(self, measure: str, agreed: float) -> None:
        total, number = self.sums.get(measure, (0.0, 0))
        self.sums[measure] = (total + agreed, number + 1)
