"""The tasks for workers: the sweeps of a tribe, with its fights, births and deaths; and a warrior against the panel.

The outcome of a sweep is determined by the run's seed, the numbers of the sweep and the tribe, and the tribe's
members.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from core.corewar.warrior import Warrior
from core.random import Random
from engines.corewar.battles import Tally
from engines.corewar.evolution.config import TribesConfig
from engines.corewar.evolution.evaluation import (
    Duel,
    Elite,
    Evaluator,
    Member,
    Opponent,
    Scrimmage,
    Solo,
    is_viable,
)
from engines.corewar.evolution.genome import Cells, expressed
from engines.corewar.evolution.variation import Breeder, Sequences, occurring, recurring
from engines.evolution.population import Contest, derive_seed

SWEEP: Final = 1  # stream of a sweep's random numbers; the others are in population.py
MAX_TRIES: Final = 1000  # for one offspring


@dataclass(frozen=True, slots=True, kw_only=True)
class Birth:
    """The birth of an offspring."""

    id: int
    genes: Cells
    parents: tuple[int, ...]  # IDs
    origin: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TribeOutcome:
    """The outcome of a tribe's sweeps; `births` are those of members that live, or have living descendants."""

    members: Sequence[Member]
    births: Sequence[Birth]
    contests: Sequence[Contest]  # one a sweep, with evaluation = scrimmage only
    viable: Sequence[str]  # for each sweep a letter for each try, + for a viable offspring


@dataclass(frozen=True, slots=True, kw_only=True)
class TribeTask:
    """The sweeps `first`, `first + 1`, ... of a tribe, as a task for a worker.

    The IDs of the births of a sweep follow from the numbers of the sweep and the tribe; `first_id` is the first of
    sweep `first` in tribe 0.
    """

    config: TribesConfig
    seed: int  # of the run
    tribe: int
    first: int
    sweeps: int
    first_id: int
    members: Sequence[Member]
    parts: Sequence[Cells]  # of founders; their sequences may be protected
    opponents: Sequence[Opponent]
    partners: Sequence[Warrior]  # of each member in every fight
    edition: int  # of the opponents and partners
    crossover: float
    is_selective: bool  # whether offspring that are not viable are discarded

    def play(self) -> TribeOutcome:
        tribe = _Tribe(self)
        for sweep in range(self.first, self.first + self.sweeps):
            tribe.sweep(sweep)
        return tribe.outcome()


@dataclass(frozen=True, slots=True, kw_only=True)
class PanelTask:
    """The fights of a warrior against the panel, as a task for a worker."""

    config: TribesConfig
    warrior: Warrior
    partners: Sequence[Warrior]  # of its team
    panel: Sequence[Warrior]
    seed: int

    def play(self) -> list[Tally]:
        """Return the tally of each fight, in the order of the panel."""
        duel = Duel.of(self.config, self.config.panel_rounds, self.partners)
        rng = Random(self.seed)
        return [duel.fight(self.warrior, opponent, rng) for opponent in self.panel]


Task = TribeTask | PanelTask


def play(task: Task) -> TribeOutcome | list[Tally]:
    """Return the outcome of a task. The function is pure and runs in worker processes."""
    return task.play()


class _Tribe:
    """A tribe during its sweeps, changed in place."""

    def __init__(self, task: TribeTask) -> None:
        config = task.config
        self._task = task
        self._members = [replace(member) for member in task.members]
        self._births: dict[int, Birth] = {}
        self._contests: list[Contest] = []
        self._viable: list[str] = []
        self._duel = Duel.of(config, config.rounds, task.partners)
        self._evaluator = self._evaluator_of(config)
        self._breeder = Breeder.of(config, task.crossover, self._protected())

    def sweep(self, sweep: int) -> None:
        """Evaluate the members, and replace the losers by offspring of the winners."""
        task, members = self._task, self._members
        rng = Random(derive_seed(task.seed, sweep, SWEEP, task.tribe))
        verdict = self._evaluator.judge(members, rng)
        if verdict.fought:
            contest = Contest(
                niche=task.tribe,
                players=tuple(members[seat].id for seat in verdict.fought),
                returns=tuple(map(float, verdict.points)),
                ending="scrimmage",
                length=verdict.executed,
                remark=f"sweep {sweep}",
            )
            self._contests.append(contest)
        parents = [members[seat] for seat in verdict.winners]
        place = (sweep - task.first) * task.config.tribes + task.tribe
        id = task.first_id + place * task.config.births
        tries: list[str] = []
        for seat in verdict.losers:
            birth = self._born(id, parents, rng, tries)
            self._births[id] = birth
            warrior = expressed(birth.genes, task.config.core_size)
            members[seat] = Member(id=id, warrior=warrior, genes=birth.genes)
            id += 1
        self._viable.append("".join(tries))

    def outcome(self) -> TribeOutcome:
        """Return the outcome, without the births of members that died and left no living descendant."""
        needed = [member.id for member in self._members]
        kept: set[int] = set()
        while needed:
            id = needed.pop()
            if id in self._births and id not in kept:
                kept.add(id)
                needed += self._births[id].parents
        return TribeOutcome(
            members=self._members,
            births=[birth for id, birth in self._births.items() if id in kept],
            contests=self._contests,
            viable=self._viable,
        )

    def _born(self, id: int, parents: Sequence[Member], rng: Random, tries: list[str]) -> Birth:
        """Return the birth of an offspring, the first of at most MAX_TRIES tries that is accepted.

        Refused are offspring that are not viable, if the task is selective, and twins of members, if twins are
        refused; after the last try any offspring is accepted. A letter for each try is added to `tries`.
        """
        config = self._task.config
        genes = [parent.genes for parent in parents]
        living = {member.genes for member in self._members} if config.twins == "refused" else ()
        for _ in range(MAX_TRIES):
            child = self._breeder.offspring(genes, rng)
            viable = config.viability == "never" or is_viable(
                expressed(child.genes, config.core_size), self._duel.mars, config.viability_cycles
            )
            tries.append("+" if viable else "-")
            if (viable or not self._task.is_selective) and child.genes not in living:
                break
        ids = tuple(parents[place].id for place in child.parents)
        return Birth(id=id, genes=child.genes, parents=ids, origin=child.origin)

    def _evaluator_of(self, config: TribesConfig) -> Evaluator:
        kept = config.tribe_size - config.births
        match config.evaluation:
            case "scrimmage":
                return Scrimmage(
                    duel=self._duel,
                    picked=config.picked,
                    winners=config.winners,
                    stop_decided=config.stop_decided == "on",
                )
            case "elite" if self._task.opponents:
                return Elite(
                    duel=self._duel,
                    opponents=self._task.opponents,
                    edition=self._task.edition,
                    kept=kept,
                    early_break=config.early_break,
                    is_paired=config.compared == "paired",
                    gradings=config.gradings,
                    race=config.race,
                    niches=config.niches,
                    parents=config.parents,
                    solo_cycles=config.viability_cycles,
                )
            case _:  # solo, or elite while there are no opponents yet
                return Solo(mars=self._duel.mars, cycles=config.viability_cycles, kept=kept)

    def _protected(self) -> Sequences:
        config = self._task.config
        if not config.protection:
            return frozenset()
        if config.protected == "parts":
            return occurring(self._task.parts, config.protected_sequence)
        return recurring([member.genes for member in self._members], config.protected_sequence)
