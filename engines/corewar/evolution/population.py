"""The population of Core War: tribes of warriors that evolve separately between migrations.

A tribe has a fixed number of members. In a sweep each tribe is evaluated once, by fights or by what its members do
alone in the core, and offspring of the winners replace the losers (tribe.py). After some sweeps a migration exchanges
members between tribes. A generation of the record consists of the sweeps up to the next migration, and of at most
`sweeps a generation`.

The moves after a sweep are drawn from the run's seed and the sweep's number alone, so the length of a generation is
known before it is played. Therefore tasks() makes one task of all sweeps of a tribe, and next to these a task for
each member that meets the panel; all of them may run at the same time. The ID of an offspring follows from its sweep,
its tribe and its place among the births, and each use of random numbers has its own stream, derived from the seed. So
a run is the same for any number of workers.

The first step() founds the tribes. Each later one, in this order, takes over the members, counts the viable
offspring, moves the migrants, elects elites, chooses the partners of teams, adds the scores of the panel, and founds
tribes anew that have stood still. The members that met the panel are those of the beginning of the generation.

Record: an offspring that is dead at the end of its generation and has no living descendant has an ID and is counted,
but is not recorded. All others are, so the lineage of every living member is complete. The state has IDs in place of
genomes, which `past` reads from the record.

Editions: grades can be compared only if they were won against the same opponents with the same partners. `edition`
numbers these sets; it rises if an election adds an elite or if the partners of a tribe change. A member whose grade
is of an earlier edition is graded anew in the next sweep.

Elites are winners of earlier generations that all tribes fight. In the Red Queen (`elected` = of all, of each) an
election ends a round, whose champions the next round breeds against. With one champion a round after a long first
round the share of a panel that the champion defeats or ties with fell from 74 to 30 % in the second round, and stayed
between 55 and 72 % from the fifth on; with the best of each tribe it reached 77 % in one run and 60 % in another.
Migration makes the tribes alike, and so their champions, so that configuration has none. Two other ways to choose
opponents, a subset of which half still win and equal weights for the styles, were removed because no configuration
used them.

The panel consists of fixed opponents and grades no member: it shows progress, which the members of a tribe compared
among themselves do not (Evolving Warriors calls the lack of such a measure one of its greatest flaws). Its scores
choose the champions of the run and let crossover grow while the best champion is not surpassed.

Turning point: of 500 random warriors some forty are viable. Once more than half of the latest offspring are, an
offspring that is not viable is discarded. This point is reached after 651 offspring (mean of five seeds), in the
paper after some 15,000.

Source: Evolving Warriors, sections The Genetics and The Next Generation; Digital Red Queen, arXiv 2601.03335 (2026).
Measurements: engines/corewar/RESULTS.md.
"""

from collections.abc import Callable, Iterator, MutableSequence, Sequence
from dataclasses import dataclass
from itertools import chain
from statistics import median
from typing import Annotated, Any, Final, Self, TypeVar

from msgspec import Meta, Struct, structs

from core.corewar.instruction import CODE
from core.corewar.warrior import Warrior
from core.random import Random
from engines.corewar.battles import Tally
from engines.corewar.evolution.config import TribesConfig
from engines.corewar.evolution.evaluation import Member, Opponent, StoredMember, best
from engines.corewar.evolution.genome import Cells, WarriorGenome, expressed, marked, unmarked
from engines.corewar.evolution.tribe import PanelTask, Task, TribeOutcome, TribeTask
from engines.corewar.evolution.variation import Founders
from engines.evolution.population import Fitness, Generation, Individual, Measurement, derive_seed
from engines.evolution.selection import HallOfFame, shuffled
from engines.evolution.state import Count
from engines.statistics import ordered_sum

# Streams of random numbers, in addition to that of a sweep (tribe.py).
MIGRATION: Final = 2
FOUNDING: Final = 3
PANEL: Final = 4
ORDER: Final = 5
RESTART: Final = 6

MAX_CROSSOVER: Final = 0.9
CHAMPIONS: Final = 10

T = TypeVar("T")
Past = Callable[[int], WarriorGenome]  # the genome of an individual on record


class TribesState(Struct, frozen=True, kw_only=True):
    """The state of a run between two generations. Opponents, panel, parts and elites are IDs."""

    generation: Count
    sweep: Count  # the number of the next one
    offspring: Count  # in the run so far
    next_id: Count
    champions: "StoredChampions"
    turning: "Turning"
    standstill: "Stagnation"
    opponents: tuple[Count, ...]
    panel: tuple[Count, ...]
    parts: tuple[Count, ...]
    edition: Count  # of the opponents and partners by which members are graded
    elites: tuple[Count, ...]
    tribes: tuple[tuple[StoredMember, ...], ...]


class Tribes:
    """The tribes of a run."""

    def __init__(
        self,
        config: TribesConfig,
        seed: int,
        past: Past,
        opponents: Sequence[WarriorGenome] = (),
        panel: Sequence[WarriorGenome] = (),
        parts: Sequence[WarriorGenome] = (),
        ancestors: Sequence[WarriorGenome] = (),
        state: TribesState | None = None,
    ) -> None:
        """Start a run with these warriors, or resume one from a state, whose warriors are on record."""
        self._config = config
        named = list(dict.fromkeys([*opponents, *panel, *parts]))  # in a new run, in the order of their IDs
        genome_of = past if state else named.__getitem__
        opponent_ids, panel_ids, part_ids = (
            tuple(dict.fromkeys(map(named.index, genomes))) for genomes in (opponents, panel, parts)
        )
        state = state or TribesState(
            generation=-1,
            sweep=0,
            offspring=0,
            next_id=0,
            champions=Champions().stored,
            turning=Turning(0 if config.viability == "always" else None),
            standstill=Stagnation(),
            opponents=opponent_ids,
            panel=panel_ids,
            parts=part_ids,
            edition=0,
            elites=(),
            tribes=(),
        )
        self.generation = state.generation
        self.tribes = [
            [Member.restored(member, lambda id: self._expressed(past(id))) for member in members]
            for members in state.tribes
        ]
        self.champions = Champions.restored(state.champions)
        self.opponents = {id: genome_of(id) for id in state.opponents}
        self.panel = {id: genome_of(id) for id in state.panel}
        self.parts = {id: genome_of(id) for id in state.parts}
        self.turning = TurningPoint(config, state.turning)
        self.sweep = state.sweep
        self.offspring = state.offspring
        self.next_id = state.next_id
        self._stagnation = state.standstill
        self._edition = state.edition
        self._teams = self._all_partners()  # the partners of each tribe
        elites = [Individual(id=id, genome=past(id)) for id in state.elites]
        self._elites = HallOfFame(config.elites, elites)
        self._ancestors = ancestors  # tribe after tribe
        self._seed = seed

    def tasks(self) -> list[Task]:
        if self.generation < 0:
            return []
        config = self._config
        sweeps = sweeps_until_migration(self.sweep, config, self._seed)
        opponents = self._present_opponents()
        parts = [part.as_part() for part in self.parts.values()]
        tasks: list[Task] = [
            TribeTask(
                config=config,
                seed=self._seed,
                tribe=number,
                first=self.sweep,
                sweeps=sweeps,
                first_id=self.next_id,
                members=members,
                parts=parts,
                opponents=opponents,
                partners=self._partners(number),
                edition=self._edition,
                crossover=self.crossover,
                is_selective=self.turning.is_selective,
            )
            for number, members in enumerate(self.tribes)
        ]
        return tasks + self._panel_tasks(self._candidates())

    def step(self, outcomes: Sequence[Any]) -> Generation[WarriorGenome]:
        candidates = self._candidates() if self.generation >= 0 else []
        self.generation += 1
        if self.generation == 0:
            born = list(self._found())
            self._teams = self._all_partners()
            return Generation(number=0, born=tuple(born), statistics=self._statistics([]))
        count = len(self.tribes)
        of_tribes: Sequence[TribeOutcome] = outcomes[:count]
        of_panel: Sequence[Sequence[Tally]] = outcomes[count:]
        before = {member.id: measured(member) for member in chain.from_iterable(self.tribes)}
        born = self._take_over(of_tribes)
        found = [measured(member) for member in chain.from_iterable(self.tribes)]
        facts = self._statistics(of_tribes)
        if of_panel:
            scores = [
                (member.id, round(panel_score(tallies), 3))
                for member, tallies in zip(candidates, of_panel, strict=True)
            ]
            self.champions.add(scores)
            facts["champions"] = scores
            facts["panel"] = panel_totals(list(self.panel.items()), of_panel)
            born += self._restart()
            facts["living"] = [[member.id for member in members] for members in self.tribes]
        contests = chain.from_iterable(zip(*(outcome.contests for outcome in of_tribes), strict=True))
        values = tuple(each for each in found if each.games and each != before.get(each.id))
        name = "points a round in the tribe" if self._config.evaluation == "scrimmage" else "grade"
        return Generation(
            number=self.generation,
            born=tuple(born),
            contests=tuple(contests),
            statistics=facts,
            fitness=Measurement(name=name, values=values),
        )

    @property
    def state(self) -> TribesState:
        return TribesState(
            generation=self.generation,
            sweep=self.sweep,
            offspring=self.offspring,
            next_id=self.next_id,
            champions=self.champions.stored,
            turning=self.turning.state,
            standstill=self._stagnation,
            opponents=tuple(self.opponents),
            panel=tuple(self.panel),
            parts=tuple(self.parts),
            edition=self._edition,
            elites=tuple(elite.id for elite in self._elites.champions),
            tribes=tuple(tuple(member.stored for member in members) for members in self.tribes),
        )

    def genome(self, genes: Cells) -> WarriorGenome:
        """Return the genome of an evolved warrior of this run from its genes."""
        cells, start = unmarked(genes)
        return WarriorGenome(cells=cells, start=start, size=self._config.core_size)

    @property
    def crossover(self) -> float:
        """The present probability of crossover, which may grow with each panel without progress."""
        grown = self._config.crossover * (1 + self._config.crossover_growth * self.champions.stagnation)
        return max(self._config.crossover, min(grown, MAX_CROSSOVER))

    # -- Parts of a generation -----------------------------------------------------------------------

    def _expressed(self, genome: WarriorGenome) -> tuple[Warrior, Cells]:
        """Return a genome's warrior, for the core of this run, and its genes."""
        evolves = self._config.start == "evolved"
        genes = marked(genome.cells, genome.start) if evolves else genome.cells
        return expressed(genes, self._config.core_size), genes

    def _found(self) -> Iterator[Individual[WarriorGenome]]:
        """Yield the opponents, the panel and the parts, then the founders of all tribes, and create the tribes."""
        for id, genome in sorted((self.opponents | self.panel | self.parts).items()):
            self.next_id = id + 1
            yield Individual(id=id, genome=genome, origin="part" if id in self.parts else "opponent")
        rng = Random(derive_seed(self._seed, 0, FOUNDING))
        for number in range(self._config.tribes):
            self.tribes.append([])
            yield from self._found_by_ancestors(number) if self._ancestors else self._found_tribe(number, rng)

    def _found_tribe(self, number: int, rng: Random) -> Iterator[Individual[WarriorGenome]]:
        founders = Founders.of(self._config, list(self.parts.values()))
        members = []
        for _ in range(self._config.tribe_size):
            genes = founders.draw(rng)
            yield Individual(
                id=self.next_id,
                genome=self.genome(genes),
                parents=tuple(self.parts),
                generation=self.generation,
                origin="joined" if self.parts else "random",
            )
            warrior = expressed(genes, self._config.core_size)
            members.append(Member(id=self.next_id, warrior=warrior, genes=genes))
            self.next_id += 1
        self.tribes[number] = members

    def _found_by_ancestors(self, number: int) -> Iterator[Individual[WarriorGenome]]:
        """Yield the ancestors that found a tribe; if there are too few for all tribes, they are used again."""
        size = self._config.tribe_size
        for seat in range(number * size, (number + 1) * size):
            genome = self._ancestors[seat % len(self._ancestors)]
            yield Individual(id=self.next_id, genome=genome, origin="ancestor")
            warrior, genes = self._expressed(genome)
            self.tribes[number].append(Member(id=self.next_id, warrior=warrior, genes=genes))
            self.next_id += 1

    def _restart(self) -> Iterator[Individual[WarriorGenome]]:
        """Found tribes anew whose best grade has not risen for `refounding` panels, and yield their founders."""
        if self._config.refounding is None:
            return
        grades = [max(member.grade or 0.0 for member in members) for members in self.tribes]
        self._stagnation, still = self._stagnation.after(grades, self._config.refounding)
        for number in still:
            rng = Random(derive_seed(self._seed, self.generation, RESTART, number))
            yield from self._found_tribe(number, rng)

    def _take_over(self, outcomes: Sequence[TribeOutcome]) -> list[Individual[WarriorGenome]]:
        """Take over the tribes, migrate and elect; return the offspring to be recorded, in the order of birth."""
        config = self._config
        sweeps = len(outcomes[0].viable)
        self.tribes = [list(outcome.members) for outcome in outcomes]
        for sweep in range(sweeps):
            for outcome in outcomes:
                self.turning.add(outcome.viable[sweep])
        count = sweeps * config.tribes * config.births
        self.offspring += count
        self.next_id += count
        self.sweep += sweeps
        move(moves_after(self.sweep - 1, config, self._seed), self.tribes)
        self._elect()
        self._team_up()
        births = chain.from_iterable(outcome.births for outcome in outcomes)
        return [
            Individual(
                id=birth.id,
                genome=self.genome(birth.genes),
                parents=birth.parents,
                generation=self.generation,
                origin=birth.origin,
            )
            for birth in sorted(births, key=lambda birth: birth.id)
        ]

    def _elect(self) -> None:
        """If this generation ends with an election, add the best member of a tribe, of all, or of each to the elites.

        If it is the best of a tribe, the tribes take turns. Members that are elites already do not count.
        """
        config = self._config
        if not self._is_election:
            return
        known = {elite.id for elite in self._elites.champions}
        if config.elected == "in turn":
            leader = best(self.tribes[self.generation // config.elite_interval % config.tribes])
            electorates = [[leader]]
        elif config.elected == "of each":
            electorates = self.tribes
        else:
            electorates = [[*chain.from_iterable(self.tribes)]]
        strangers = [[member for member in members if member.id not in known] for members in electorates]
        elected = [best(members) for members in strangers if members]
        for member in sorted(elected, key=lambda member: member.merit, reverse=True):  # the best is the last
            if config.elites_kept == "last" and len(self._elites.champions) == config.elites:
                del self._elites.champions[0]
            self._elites.add(Individual(id=member.id, genome=self.genome(member.genes)))
        self._edition += bool(elected)

    def _team_up(self) -> None:
        """Choose the partners of all tribes, and start a new edition if any of them has changed."""
        teams = self._all_partners()
        self._edition += teams != self._teams
        self._teams = teams

    def _all_partners(self) -> list[list[Warrior]]:
        return [self._partners(number) for number in range(len(self.tribes))]

    def _partners(self, tribe: int) -> list[Warrior]:
        """Return the partners of a tribe's members: the best members of the tribes after it, in a circle."""
        bests = [best(members).warrior for members in self.tribes]
        return [bests[(tribe + way) % len(bests)] for way in range(1, self._config.team)]

    @property
    def _is_election(self) -> bool:
        """Whether this generation ends with an election."""
        config = self._config
        generations = self.generation - config.first_election
        return config.elites > 0 and generations >= 0 and generations % config.elite_interval == 0

    def _candidates(self) -> list[Member]:
        """Return the members that meet the panel in the next generation.

        They are the best of the elites after an election of the Red Queen, otherwise the best of each tribe in every
        `panel interval`-th generation.
        """
        if not self.panel:
            return []
        if self._config.elected != "in turn":
            if not (self._elites.champions and self._is_election):
                return []
            elite = self._elites.champions[-1]
            warrior, genes = self._expressed(elite.genome)
            return [Member(id=elite.id, warrior=warrior, genes=genes)]
        if (self.generation + 1) % self._config.panel_interval:
            return []
        return [best(members) for members in self.tribes]

    def _panel_tasks(self, members: Sequence[Member]) -> list[Task]:
        """Return a task for each member, in which it fights all of the panel."""
        return [
            PanelTask(
                config=self._config,
                warrior=member.warrior,
                partners=self._partners(number),
                panel=[genome.express() for genome in self.panel.values()],
                seed=derive_seed(self._seed, self.generation, PANEL, number),
            )
            for number, member in enumerate(members)
        ]

    def _present_opponents(self) -> list[Opponent]:
        """Return fixed opponents and elites, each group sharing its weight, in an order drawn for the generation."""
        config = self._config
        if config.evaluation != "elite":
            return []
        groups = (
            (config.opponents_weight, list(self.opponents.values())),
            (config.elites_weight, [elite.genome for elite in self._elites.champions]),
        )
        weighted = [
            (genome, weight / len(genomes)) for weight, genomes in groups for genome in genomes if weight
        ]
        opponents = [
            Opponent(number=number, warrior=genome.express(), weight=weight)
            for number, (genome, weight) in enumerate(weighted)
        ]
        return shuffled(opponents, Random(derive_seed(self._seed, self.generation, ORDER)))

    def _statistics(self, outcomes: Sequence[TribeOutcome]) -> dict[str, Any]:
        """Return the statistics that a generation's record contains in addition to its births and scrimmages."""
        tries = "".join(chain.from_iterable(outcome.viable for outcome in outcomes))
        return {
            "sweep": self.sweep,
            "offspring": self.offspring,
            "tries": len(tries),
            "viable": tries.count("+"),
            "turning_point": self.turning.state.point,
            "crossover": round(self.crossover, 4),
            "tribes": [tribe_statistics(members, self.next_id) for members in self.tribes],
        }


def measured(member: Member) -> Fitness:
    """Return the fitness of a member: its grade and the number of gradings, or without a grade its points a round."""
    if member.grade is not None:
        return Fitness(id=member.id, value=member.grade, games=member.gradings)
    points = 3 * member.wins + member.ties
    return Fitness(id=member.id, value=points / max(member.rounds, 1), games=member.rounds)


# -- Migration: at random sweeps two tribes exchange a warrior each (section Recipe for primordial soup) ---


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """An exchange of two warriors, each given by (tribe, seat)."""

    one: tuple[int, int]
    other: tuple[int, int]


def moves_after(sweep: int, config: TribesConfig, seed: int) -> list[Move]:
    """Return the moves after a sweep, in the order in which they take place."""
    if config.tribes < 2 or not config.migration:
        return []
    rng = Random(derive_seed(seed, sweep, MIGRATION))
    moves = []
    for tribe in range(config.tribes):
        if rng.chance(config.migration):
            other = (tribe + 1 + rng.below(config.tribes - 1)) % config.tribes
            seats = [int(rng.below(config.tribe_size)) for _ in range(2)]
            moves.append(Move(one=(tribe, seats[0]), other=(int(other), seats[1])))
    return moves


def sweeps_until_migration(first: int, config: TribesConfig, seed: int) -> int:
    """Return the number of sweeps from `first` to the next migration, at most those of a generation."""
    for count in range(1, config.sweeps_a_generation):
        if moves_after(first + count - 1, config, seed):
            return count
    return config.sweeps_a_generation


def move(moves: Sequence[Move], tribes: Sequence[MutableSequence[T]]) -> None:
    """Exchange the members of the tribes."""
    for exchange in moves:
        (tribe, seat), (other, place) = exchange.one, exchange.other
        tribes[tribe][seat], tribes[other][place] = tribes[other][place], tribes[tribe][seat]


# -- Restart: a tribe whose best grade no longer rises starts again with new founders --------------------

# A tribe that is graded climbs to one local optimum and stays there. Nothing is lost by a restart: its warriors are
# on record, the champions of the run are kept, and the tribe with the best grade of all is never restarted.


class Stagnation(Struct, frozen=True, array_like=True):
    """The best grade of each tribe so far, and the number of panels since it last rose."""

    bests: tuple[float, ...] = ()
    panels: tuple[Count, ...] = ()

    def after(self, grades: Sequence[float], patience: int) -> tuple["Stagnation", list[int]]:
        """Return the stagnation after another panel, and the tribes to restart, whose counts start again."""
        bests = [*self.bests] or [0.0] * len(grades)
        panels = [*self.panels] or [0] * len(grades)
        for tribe, grade in enumerate(grades):
            panels[tribe] = 0 if grade > bests[tribe] else panels[tribe] + 1
            bests[tribe] = max(grade, bests[tribe])
        leader = bests.index(max(bests))
        still = [tribe for tribe, count in enumerate(panels) if count >= patience and tribe != leader]
        for tribe in still:
            bests[tribe], panels[tribe] = 0.0, 0
        return Stagnation(tuple(bests), tuple(panels)), still


# -- The turning point: from there on, offspring that are not viable are discarded ----------------------


class Turning(Struct, frozen=True):
    """The offspring counted so far; `point` is their number at the turning point, None before it."""

    point: Count | None
    seen: Count = 0
    last: Annotated[str, Meta(pattern=r"^[+-]*$")] = ""  # the window: a letter for each, + for a viable one


class TurningPoint:
    """A counter of offspring up to the turning point, where more than half of the last ones are viable."""

    def __init__(self, config: TribesConfig, state: Turning) -> None:
        self.state = state
        self._is_wanted = config.viability == "turning point"
        self._window = config.turning_window
        self._latest = config.latest_turning

    @property
    def is_selective(self) -> bool:
        return self.state.point is not None

    def add(self, tries: str) -> None:
        """Count the tries of a sweep, a letter for each, unless the turning point has been reached."""
        for letter in tries if self._is_wanted else "":
            if self.is_selective:
                return
            seen, last = self.state.seen + 1, (self.state.last + letter)[-self._window :]
            many = len(last) == self._window and 2 * last.count("+") > self._window
            self.state = Turning(seen if many or seen >= self._latest else None, seen, last)


# -- Champions: the warriors with the best scores against the panel in a run -----------------------------


StoredChampions = Annotated[tuple[tuple[int | float, ...], ...], Meta(min_length=1)]


class Champion(Struct, frozen=True):
    """A warrior and its mean score against the panel."""

    id: Count
    score: float
    panels: Count  # the number of panels that it has met


@dataclass(slots=True)
class Champions:
    """The champions of a run, at most CHAMPIONS, the best first.

    `stagnation` is the number of panels since the best score last rose.
    """

    ranked: Sequence[Champion] = ()
    stagnation: int = 0

    def add(self, candidates: Sequence[tuple[int, float]]) -> None:
        """Add the (ID, score) of each warrior that fought the latest panel."""
        highest = self.ranked[0].score if self.ranked else 0.0
        known = {champion.id: champion for champion in self.ranked}
        for id, score in candidates:
            panels, mean = (known[id].panels, known[id].score) if id in known else (0, 0.0)
            mean = round((mean * panels + score) / (panels + 1), 3)
            known[id] = Champion(id, mean, panels + 1)
        self.ranked = sorted(known.values(), key=lambda champion: (-champion.score, champion.id))[:CHAMPIONS]
        self.stagnation = 0 if self.ranked[0].score > highest else self.stagnation + 1

    @property
    def stored(self) -> StoredChampions:
        """The values that are stored: a tuple with the stagnation alone, then a tuple for each champion."""
        return (self.stagnation,), *map(structs.astuple, self.ranked)

    @classmethod
    def restored(cls, stored: StoredChampions) -> Self:
        """Return the champions from their stored values. Raises ValueError for values of wrong types."""
        (stagnation,), *ranked = stored
        return cls([Champion(int(id), score, int(panels)) for id, score, panels in ranked], int(stagnation))


# -- Statistics: what can be counted without a fight, and the results of the panel ----------------------


def tribe_statistics(members: Sequence[Member], next_id: int) -> dict[str, Any]:
    """Return the statistics of a tribe: its diversity, the length and age of its members, and its best member.

    `genotypes` counts different warriors, `codes` those that differ in more than values; Evolving Warriors could only
    estimate diversity from unequal points. `length` and `age` are medians; ages are in offspring of the run.
    """
    cells = [member.warrior.cells for member in members]
    leader = best(members)
    facts: dict[str, Any] = {
        "genotypes": len(set(cells)),
        "codes": len({tuple(cell & CODE for cell in code) for code in cells}),
        "length": median(map(len, cells)),
        "age": median(next_id - member.id for member in members),
        "oldest": max(next_id - member.id for member in members),
        "best": leader.id,
        "best_record": [leader.rounds - leader.wins - leader.ties, leader.ties, leader.wins],
    }
    if leader.grade is not None:
        facts["grade"] = round(leader.grade, 3)
    return facts


def panel_score(tallies: Sequence[Tally]) -> float:
    """Return the mean score over the opponents: 300 for wins only, 100 for ties only."""
    return ordered_sum(tally.score for tally in tallies) / len(tallies)


def panel_totals(
    panel: Sequence[tuple[int, WarriorGenome]], met: Sequence[Sequence[Tally]]
) -> dict[str, list[int]]:
    """Return the [losses, ties, wins] of all candidates together against each opponent of the panel, by its name."""
    names = [genome.name for _, genome in panel]
    totals = {}
    for seat, (id, genome) in enumerate(panel):
        name = genome.name if names.count(genome.name) == 1 else f"{genome.name} ({id})"
        fights = [tallies[seat] for tallies in met]
        totals[name] = [
            sum(fight.losses for fight in fights),
            sum(fight.ties for fight in fights),
            sum(fight.wins for fight in fights),
        ]
    return totals
