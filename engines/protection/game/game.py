"""A whole game of Advanced Protection: setups and turns, a function of its setting, its chance and what both do.

It can be told again: the same actions on the same chance are the same game, die by die.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from core.protection.board import Scenario, generate_map
from core.protection.policy import Policy
from core.protection.rules import MINIONS, START_DOLLARS, Rules
from core.protection.state import ProtectionState, TurnResult
from core.protection.turn import Dice, TurnLog
from engines.protection.game.chance import MAP, Chance, combat, placing
from engines.protection.game.setup import Done, Setup, apply

Bought = tuple[int, ...]  # minions by kind
Action = tuple[
    tuple[Setup, ...], bytes, Bought | None
]  # of a turn: the human's setups, Chaos's string and purchase


@dataclass(frozen=True, slots=True, kw_only=True)
class Audit:
    """Chaos's money over a turn, in dollars: it buys with its own and with nothing else."""

    turn: int
    before: int
    spent: int
    refunds: int  # of surviving minions
    brought: int  # by surviving minions: farmed and plundered
    grant: int
    after: int

    def __str__(self) -> str:
        return (
            f"turn {self.turn}: {self.before} - {self.spent} spent + {self.refunds} refunded "
            f"+ {self.brought} brought home + {self.grant} granted = {self.after}"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """A turn that is over. The values are those at its end, before the grant."""

    turn: int
    string: bytes
    report: TurnResult
    human_value: int
    chaos_value: int
    audit: Audit
    log: TurnLog | None


class ProtectionGame:
    """A game under way. Setups may follow one another until the turn is played."""

    def __init__(
        self,
        setting: Scenario,
        chance: Chance,
        human_dollars: int = START_DOLLARS,
        chaos_dollars: int = START_DOLLARS,
    ) -> None:
        self.state = ProtectionState(setting, human_dollars, chaos_dollars)
        self.chance = chance
        self.actions: list[Action] = []
        self.turns: list[Played] = []
        self._setups: list[Setup] = []

    @property
    def over(self) -> tuple[int, str] | None:
        """(Winner, reason), see core.protection.rules."""
        return self.state.over

    def set_up(self, setup: Setup) -> Done:
        """SetupError with every fault, and nothing is done, where there is one."""
        done = apply(self.state, setup)
        self._setups.append(setup)
        return done

    def play(self, string: bytes, log: TurnLog | None = None, bought: Bought | None = None) -> Played:
        """The turn, against a string of 132 bytes, which also buys unless it is told what is bought.

        ValueError when the game is over, or where that cannot be bought.
        """
        state, turn, before = self.state, self.state.turn, self.state.chaos_treasury
        policy = Policy(string)
        report = state.play(
            policy,
            self.chance.stream(placing(turn)),
            Dice(self.chance.stream(combat(turn))),
            log,
            None if bought is None else list(bought),
        )
        grant = state.scenario.rules.grant(turn) if state.over is None else 0
        played = Played(
            turn=turn,
            string=string,
            report=report,
            human_value=state.human_value(),
            chaos_value=state.chaos_value() - grant,
            audit=_audit(turn, before, report, grant, state.chaos_treasury),
            log=log,
        )
        self.actions.append((tuple(self._setups), string, bought))
        self._setups.clear()
        self.turns.append(played)
        return played

    def resign(self) -> None:
        """The human gives up. ValueError when the game is over."""
        self.state.resign()


def begun(rules: Rules, chance: Chance) -> ProtectionGame:
    """A game on the map of its own chance."""
    return ProtectionGame(Scenario(rules, generate_map(chance.stream(MAP))), chance)


def replayed(game: ProtectionGame, actions: Iterable[Action]) -> ProtectionGame:
    """A new game after these turns. SetupError or ValueError for actions that do not belong to it."""
    for setups, string, bought in actions:
        for setup in setups:
            game.set_up(setup)
        game.play(string, bought=bought)
    return game


def _audit(turn: int, before: int, report: TurnResult, grant: int, after: int) -> Audit:
    spent = sum(count * kind.cost for count, kind in zip(report.bought, MINIONS, strict=True))
    return Audit(
        turn=turn,
        before=before,
        spent=spent,
        refunds=report.refund,
        brought=report.carried,
        grant=grant,
        after=after,
    )
