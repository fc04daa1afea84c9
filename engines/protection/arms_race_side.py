"""A side of an arms race: the living, their standings, and the champions of the past."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Generic, Protocol, Self, TypeVar

from msgspec import Struct

from core.random import Random
from engines.evolution.generational import Past
from engines.evolution.population import Contest, Fitness, Genome, Individual
from engines.evolution.selection import HallOfFame, shuffled
from engines.evolution.state import Count
from engines.protection.arms_race_config import ArmsRaceConfig


class Breedable(Genome, Protocol):
    """A genome from which others are bred."""

    def mutate(self, rng: Random) -> Self:
        """Return a copy with one random change."""
        ...

    def mate(self, other: Self, rng: Random) -> Self:
        """Return a child of two parents."""
        ...


S = TypeVar("S", bound=Breedable)


class SideState(Struct, frozen=True, kw_only=True):
    """The state of a side: IDs, and the standings of those of the living that have survived a generation."""

    living: tuple[Count, ...]  # survivors first, the champion before all
    standings: tuple[float, ...]
    hall: tuple[Count, ...]


@dataclass(slots=True, kw_only=True)
class Side(Generic[S]):
    """One side of an arms race. Survivors, which have a standing, come first among the living."""

    config: ArmsRaceConfig
    living: list[Individual[S]]
    standings: list[float]  # of survivors; after rank() of all that are living
    hall: HallOfFame[S]
    _order: Sequence[int] = ()  # the places of the survivors of this generation, the champion first

    @classmethod
    def resumed(cls, config: ArmsRaceConfig, past: Past[S], state: SideState | None) -> Self:
        """Return a side in a state, or an empty one."""
        state = state or SideState(living=(), standings=(), hall=())
        return cls(
            config=config,
            living=[past(id) for id in state.living],
            standings=[*state.standings],
            hall=HallOfFame(config.hall_of_fame_size, [past(id) for id in state.hall]),
        )

    @property
    def state(self) -> SideState:
        return SideState(
            living=tuple(each.id for each in self.living),
            standings=tuple(self.standings),
            hall=tuple(each.id for each in self.hall.champions),
        )

    @property
    def spread(self) -> dict[str, float]:
        """The best, mean and worst standing of the living, for statistics."""
        standings = self.standings
        return {
            "best": round(standings[self._order[0]], 5),
            "mean": round(fmean(standings), 5),
            "worst": round(min(standings), 5),
        }

    def opponents(self, rng: Random) -> list[Individual[S]]:
        """Draw the opponents of the other side: champions of the past, and survivors."""
        config = self.config
        former = shuffled(self.hall.champions, rng)[: round(config.opponents * config.past_share)]
        present = config.opponents - len(former)
        return [*former, *shuffled(self.living[: max(config.elite, present)], rng)[:present]]

    def rank(self, contests: Sequence[Contest], seat: int) -> list[Fitness]:
        """Set the standings of all living by their bouts, choose the survivors, and return the fitness of all.

        The champion is the best of the individuals that have survived a generation, since others may only have been
        lucky.
        """
        results: dict[int, list[float]] = {each.id: [] for each in self.living}
        for contest in contests:
            results[contest.players[seat]].append(contest.returns[seat])
        before = self.standings
        means = [fmean(results[each.id]) for each in self.living]
        survived = [(old + new) / 2 for old, new in zip(before, means, strict=False)]
        self.standings = [*survived, *means[len(survived) :]]
        ranked = sorted(range(len(means)), key=lambda place: -self.standings[place])
        champion = [place for place in ranked if place < len(before)][:1]
        self._order = [*champion, *(place for place in ranked if place not in champion)][: self.config.elite]
        return [
            Fitness(id=each.id, value=standing, games=len(results[each.id]))
            for each, standing in zip(self.living, self.standings, strict=True)
        ]

    def enter_hall(self) -> None:
        """Add the champion to the hall of fame."""
        self.hall.add(self.living[self._order[0]])

    def selected(self, tournament: int, rng: Random) -> int:
        """Return the place of the best of some random individuals."""
        drawn = [int(rng.below(len(self.living))) for _ in range(tournament)]
        return max(drawn, key=self.standings.__getitem__)

    def keep_elite(self, children: Sequence[Individual[S]]) -> None:
        """Replace all but the survivors by children."""
        self.living = [*(self.living[place] for place in self._order), *children]
        self.standings = [self.standings[place] for place in self._order]
