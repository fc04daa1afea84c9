"""A fight of two warriors: so many rounds from random places, or each place and starter once."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Self

from core.corewar.battle import Battle
from core.corewar.echo import Echo, finish
from core.corewar.mars import Mars
from core.corewar.placement import seeded
from core.corewar.warrior import Warrior
from core.random import Random
from engines.corewar.presets import exact_rounds
from engines.corewar.tribes.config import TribesConfig
from engines.corewar.tribes.evaluation.team import fought, line_up

SEEDS: Final = 2_147_483_647  # of the generator of places


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """Rounds as the first warrior sees them."""

    wins: int
    ties: int
    losses: int
    executed: int = 0  # instructions

    @property
    def rounds(self) -> int:
        return self.wins + self.ties + self.losses

    @property
    def reversed(self) -> "Outcome":
        return replace(self, wins=self.losses, losses=self.wins)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ring:
    """A core for many fights, how long they are, and what a round is worth."""

    mars: Mars
    echo: Echo
    rounds: int
    is_exact: bool
    alike: int | None  # a fight whose first rounds, so many, end alike is taken to go on so
    win: int  # points of a round for the only survivor
    tie: int  # and for each of two
    partners: tuple[Warrior, ...] = ()  # of the first warrior in every fight

    @classmethod
    def of(cls, config: TribesConfig, rounds: int | None, partners: Sequence[Warrior] = ()) -> Self:
        """`rounds` is None for every place and starter once."""
        rules = config.rules
        win, tie = config.points()
        mars = Mars(rules, [Warrior("", "", (), 0)])
        return cls(
            mars=mars,
            echo=Echo(mars),
            rounds=exact_rounds(rules) if rounds is None else rounds,
            is_exact=rounds is None,
            alike=config.rounds_alike,
            win=win,
            tie=tie,
            partners=tuple(partners),
        )

    def fight(self, first: Warrior, second: Warrior, rng: Random) -> Outcome:
        """Fight it out. Places and starters are drawn."""
        if self.partners:
            return self._fight_of_teams(first, second, rng)
        rules = self.mars.rules
        placement = seeded(rules, 2, rng.below(SEEDS), self.is_exact)
        battle = Battle(rules, [first, second], self.rounds, placement, self.mars)
        finish(self.mars, self.echo)
        while battle.next_round():
            if battle.round == self.alike and self.alike in battle.results[0]:
                break
            finish(self.mars, self.echo)
        wins, ties, losses = self._in_full(battle.results[0])
        return Outcome(wins=wins, ties=ties, losses=losses, executed=battle.executed)

    def _fight_of_teams(self, first: Warrior, second: Warrior, rng: Random) -> Outcome:
        side = [first, *self.partners]
        warriors = line_up([side, [second] * len(side)])
        placement = seeded(self.mars.rules, len(warriors), rng.below(SEEDS))
        battle = Battle(self.mars.rules, warriors, self.rounds, placement, self.mars)
        wins, ties, losses = fought(battle, self.echo)
        return Outcome(wins=wins, ties=ties, losses=losses, executed=battle.executed)

    def _in_full(self, results: list[int]) -> list[int]:
        """As if all rounds had been fought."""
        return [result * self.rounds // sum(results) for result in results]

    def points(self, outcome: Outcome) -> int:
        """Of the first warrior."""
        return self.win * outcome.wins + self.tie * outcome.ties
