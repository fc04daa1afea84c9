"""The Population of an arms race: defenders of Advanced Protection and strings of Chaos, bred against each other.

Both sides are bred in every generation. All individuals of a side play bouts (bouts.py) against the same opponents on
the same maps: survivors of the other side, and champions of its past, drawn from a hall of fame, so that a side does
not forget how to beat what the other side no longer plays. The standing of an individual is its share of all value,
mean of its bouts; a survivor keeps half of its earlier standing, as a rating of the paper does.

Standings against opponents that change show nothing about progress (D. Cliff, G. Miller, "Tracking the Red Queen",
1995). Therefore the champions of both sides are examined at intervals, in whole games against yardsticks that never
change, and against all earlier champions of the other side. Both curves rise in an arms race that progresses; in a
cycle a champion loses to old opponents that its ancestors have beaten.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from msgspec import Struct

from core.protection.rules import CHAOS, HUMAN
from core.random import Random
from engines.evolution.generational import Child, GenerationalPopulation, Past
from engines.evolution.population import Contest, Generation, Individual, Measurement
from engines.evolution.state import Count
from engines.protection.arms_race_config import ArmsRaceConfig
from engines.protection.arms_race_side import S, Side, SideState
from engines.protection.bouts import (
    BOT_YARDSTICKS,
    BoutBatch,
    Examination,
    string_yardsticks,
    total,
    yardstick_tests,
)
from engines.protection.defender import DIGITS, KINDS, Defender
from engines.protection.genome import Genome
from engines.protection.pool import handwritten
from engines.statistics import score

DEFENDERS: Final = 0  # the niches of contests, and streams of a generation's random numbers
STRINGS: Final = 1
FOUNDING: Final = 2
BREEDING: Final = 3
MEETING: Final = 4
EXAMINING: Final = 5
MAX_ANCESTORS: Final = 20  # earlier champions that an examination meets
MEASURE: Final = "share of all value, mean of bouts; survivors keep half of their earlier standing"


class Examined(Struct, frozen=True, kw_only=True):
    """The champions of an examination, by ID, and their scores against the yardsticks, 0 to 1."""

    generation: Count
    defender: Count
    string: Count
    defender_score: float
    string_score: float


class ArmsRaceState(Struct, frozen=True, kw_only=True):
    """The state of an arms race between two generations."""

    generation: Count
    next_id: Count
    defenders: SideState
    strings: SideState
    examined: tuple[Examined, ...]


def loads_genome(text: str) -> Defender | Genome:
    """Return the genome of either side. Raises ValueError if the text is neither a defender nor a string."""
    words = [word for line in text.splitlines() for word in line.partition("#")[0].split()]
    is_defender = words and (words[0] in KINDS or sum(map(len, words)) == DIGITS)
    return Defender.loads(text) if is_defender else Genome.loads(text)


class ArmsRace(GenerationalPopulation[Any]):
    """A population with two sides, whose individuals share one sequence of IDs."""

    def __init__(
        self, config: ArmsRaceConfig, seed: int, past: Past[Any], state: ArmsRaceState | None = None
    ) -> None:
        super().__init__(seed, state.generation if state else -1, state.next_id if state else 0)
        self._config = config
        self._past = past
        self._defenders: Side[Defender] = Side.resumed(config, past, state.defenders if state else None)
        self._strings: Side[Genome] = Side.resumed(config, past, state.strings if state else None)
        self._examined = [*state.examined] if state else []

    @property
    def state(self) -> ArmsRaceState:
        return ArmsRaceState(
            generation=self.generation,
            next_id=self._next_id,
            defenders=self._defenders.state,
            strings=self._strings.state,
            examined=tuple(self._examined),
        )

    def _found(self) -> Sequence[Individual[Any]]:
        size, rng = self._config.population, self._random(FOUNDING)
        written = handwritten() if self._config.founders == "written" else {}
        strings = [Child(genome=genome, origin=name) for name, genome in written.items()]
        strings += [Child(genome=Genome.random(rng)) for _ in range(size)]
        self._defenders.living = [self._bear(Child(genome=Defender.random(rng))) for _ in range(size)]
        self._strings.living = [self._bear(child) for child in strings[:size]]
        return [*self._defenders.living, *self._strings.living]

    # -- Tasks -------------------------------------------------------------------------------------

    def _label_tasks(self) -> Mapping[Any, Sequence[Any]]:
        return {
            DEFENDERS: [
                self._batch(defender, strings, DEFENDERS, number)
                for defender in self._defenders.living
                for number, strings in enumerate(self._met_by_defenders())
            ],
            STRINGS: [
                self._batch(defender, self._strings.living, STRINGS, number)
                for number, defender in enumerate(self._met_by_strings())
            ],
            **self._examinations(),
        }

    def _batch(
        self, defender: Individual[Defender], strings: Sequence[Individual[Genome]], niche: int, number: int
    ) -> BoutBatch:
        return BoutBatch(
            defender=defender.genome,
            strings=tuple(string.genome for string in strings),
            rules=self._config.rules,
            turns=self._config.turns,
            seed=self._seed_of(niche, number),
        )

    def _met_by_defenders(self) -> list[list[Individual[Genome]]]:
        """Return the opponents of all defenders in this generation, by map."""
        met = self._strings.opponents(self._random(MEETING, DEFENDERS))
        return [met[number :: self._config.maps] for number in range(min(self._config.maps, len(met)))]

    def _met_by_strings(self) -> list[Individual[Defender]]:
        return self._defenders.opponents(self._random(MEETING, STRINGS))

    def _is_examined(self) -> bool:
        return self.generation % self._config.examination_interval == 0

    def _ancestors(self) -> list[tuple[int, Individual[Defender], Individual[Genome]]]:
        """Return earlier champions with the generations of their examinations, and last the present ones."""
        found = [
            (each.generation, self._past(each.defender), self._past(each.string))
            for each in evenly_spread(self._examined, MAX_ANCESTORS)
        ]
        return [*found, (self.generation, self._defenders.living[0], self._strings.living[0])]

    def _examinations(self) -> Mapping[str, Sequence[Examination]]:
        """Return the tasks of an examination, if one takes place after this generation's bouts."""
        if not self._is_examined():
            return {}
        defender, string = self._defenders.living[0].genome, self._strings.living[0].genome
        common: dict[str, Any] = {
            "rules": self._config.rules,
            "games": self._config.panel_games,
            "turns": self._config.panel_turns,
            "seed": self._seed_of(EXAMINING),
        }
        ancestors = self._ancestors()
        return {
            "defender": list(yardstick_tests(defender, **common).values()),
            "string": list(yardstick_tests(string, **common).values()),
            "old strings": [
                Examination(user=defender, string=old.genome, side=HUMAN, **common) for _, _, old in ancestors
            ],
            "old defenders": [
                Examination(user=old.genome, string=string, side=CHAOS, **common) for _, old, _ in ancestors
            ],
        }

    # -- A step ------------------------------------------------------------------------------------

    def _advance(self, outcomes: Mapping[Any, Sequence[Any]]) -> Generation[Any]:
        config, number = self._config, self.generation
        facts: dict[str, Any] = {"measured": number}
        if self._is_examined():
            facts["examined"] = self._examine(outcomes)
        contests = [*self._defender_bouts(outcomes[DEFENDERS]), *self._string_bouts(outcomes[STRINGS])]
        values = [
            *self._defenders.rank([each for each in contests if each.niche == DEFENDERS], 0),
            *self._strings.rank([each for each in contests if each.niche == STRINGS], 1),
        ]
        facts["fitness"] = {"defenders": self._defenders.spread, "strings": self._strings.spread}
        if number % config.hall_of_fame_interval == 0:
            self._defenders.enter_hall()
            self._strings.enter_hall()
        facts["hall"] = len(self._strings.hall.champions)
        self.generation += 1
        born: list[Individual[Any]] = [
            *self._breed(self._defenders, config.defender_mutations, DEFENDERS),
            *self._breed(self._strings, config.string_mutations, STRINGS),
        ]
        return Generation(
            number=self.generation,
            born=tuple(born),
            contests=tuple(contests),
            statistics=facts,
            fitness=Measurement(name=MEASURE, values=tuple(values)),
        )

    def _defender_bouts(self, shares: Sequence[Sequence[float]]) -> list[Contest]:
        met = self._met_by_defenders()
        rest = iter(shares)
        return [
            _contest(DEFENDERS, defender, string, share)
            for defender in self._defenders.living
            for strings in met
            for string, share in zip(strings, next(rest), strict=True)
        ]

    def _string_bouts(self, shares: Sequence[Sequence[float]]) -> list[Contest]:
        return [
            _contest(STRINGS, defender, string, share)
            for defender, row in zip(self._met_by_strings(), shares, strict=True)
            for string, share in zip(self._strings.living, row, strict=True)
        ]

    def _examine(self, outcomes: Mapping[Any, Sequence[Any]]) -> dict[str, Any]:
        """Return the statistics of an examination, and keep its champions for later ones."""
        defenders = dict(zip(string_yardsticks(), outcomes["defender"], strict=True))
        strings = dict(zip(BOT_YARDSTICKS, outcomes["string"], strict=True))
        generations = [generation for generation, _, _ in self._ancestors()]
        examined = Examined(
            generation=self.generation,
            defender=self._defenders.living[0].id,
            string=self._strings.living[0].id,
            defender_score=round(score(total(defenders.values())).value, 4),
            string_score=round(score(total(strings.values())).value, 4),
        )
        self._examined.append(examined)
        return {
            "generation": self.generation,
            "champion": examined.defender,
            "string": examined.string,
            "panel": {"defender": defenders, "string": strings},
            "ancestors": {
                "defender": [*zip(generations, outcomes["old strings"], strict=True)],
                "string": [*zip(generations, outcomes["old defenders"], strict=True)],
            },
            "first": {
                "defender": self._examined[0].defender_score,
                "string": self._examined[0].string_score,
            },
        }

    def _breed(self, side: Side[S], mutations: int, stream: int) -> list[Individual[S]]:
        """Replace all but the survivors of a side by children, and return these."""
        config, rng, parents = self._config, self._random(BREEDING, stream), side.living
        children = [
            self._bear(_child(config, side, mutations, rng), parents)
            for _ in range(config.population - config.elite)
        ]
        side.keep_elite(children)
        return children


def _contest(niche: int, defender: Individual[Any], string: Individual[Any], share: float) -> Contest:
    return Contest(niche=niche, players=(defender.id, string.id), returns=(share, 1 - share))


def _child(config: ArmsRaceConfig, side: Side[S], mutations: int, rng: Random) -> Child[S]:
    mother = side.selected(config.tournament, rng)
    genome, parents = side.living[mother].genome, [mother]
    if rng.chance(config.crossover):
        father = side.selected(config.tournament, rng)
        genome = genome.mate(side.living[father].genome, rng)
        parents = list(dict.fromkeys((mother, father)))
    for _ in range(1 + rng.below(mutations)):
        genome = genome.mutate(rng)
    return Child(
        genome=genome, parents=tuple(parents), origin="crossover" if len(parents) > 1 else "mutation"
    )


def evenly_spread(items: Sequence[Any], most: int) -> list[Any]:
    """Return at most `most` of the items, evenly spread, with the first and the last."""
    if len(items) <= most:
        return list(items)
    return [items[place * (len(items) - 1) // (most - 1)] for place in range(most)]
