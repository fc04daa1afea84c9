"""Tic-tac-toe's evolution as somebody else would add it: pairs meet, and a child takes the loser's place.

The configuration is two lines, `size = 8` (even) and `seed = 1`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from msgspec import Struct

from core.random import Random
from engines.evolution.population import Contest, Generation, Individual, derive_seed
from engines.evolution.run import Experiment
from engines.evolution.run_store import RunStore
from engines.evolution.selection import pairs
from engines.evolution.state import Count, load_state

from . import Board, SquareWeights

Player = Individual[SquareWeights]
Pair = tuple[Player, Player]
RUNS = Path(__file__).parent / "runs"
PAIRING, BREEDING = 0, 1  # streams of a generation's random numbers


def seed_in(config: str) -> int:
    return _read(config)["seed"]


def has_games(config: str) -> bool:
    """Whether its generations have games on record: all have."""
    return True


def open_experiment(store: RunStore) -> Experiment:
    size = _read(store.config)["size"]
    population = Squares(seed=store.seed, size=size)
    if state := load_state(store.state, SquaresState):
        population.generation, population.born = state.generation, state.born
        population.living = [_restored(store, id) for id in state.living]
    return Experiment(population=population, play=play, report=population.report)


def play(pair: Pair) -> tuple[float, float]:
    """One game; the returns of the one who begins and the other."""
    preferences = [player.genome.express() for player in pair]
    board = Board()
    while not board.is_terminal():
        board.apply(min(board.legal_actions(), key=preferences[board.player()].index))
    first, second = board.returns()
    return first, second


class SquaresState(Struct, frozen=True):
    """What the evolution needs to go on."""

    generation: Count
    born: Count  # so far
    living: tuple[Count, ...]  # IDs


@dataclass(slots=True)
class Squares:
    """Each meets another one twice, beginning once. Who loses more makes room for a child of both."""

    seed: int
    size: int
    generation: int = -1
    born: int = 0
    living: list[Player] = field(default_factory=list)

    def tasks(self) -> list[Pair]:
        return [game for a, b in self._pairs() for game in ((a, b), (b, a))]

    def step(self, outcomes: Sequence[tuple[float, float]]) -> Generation[SquareWeights]:
        games = [
            Contest(players=(a.id, b.id), returns=returns)
            for (a, b), returns in zip(self.tasks(), outcomes, strict=True)
        ]
        couples = self._pairs()
        self.generation += 1
        rng = Random(derive_seed(self.seed, self.generation, BREEDING))
        newborn = [
            self._bear(SquareWeights.random(rng), (), "random") for _ in range(self.size - len(self.living))
        ]
        for (a, b), there, back in zip(couples, outcomes[::2], outcomes[1::2], strict=True):
            points = there[0] + back[1]  # of a, and as many against b
            if points:
                winner, loser = (a, b) if points > 0 else (b, a)
                child = winner.genome.mate(loser.genome, rng).mutate(rng)
                newborn.append(self._bear(child, (winner.id, loser.id), "mating"))
                self.living.remove(loser)
        self.living += newborn
        return Generation(
            number=self.generation,
            born=tuple(newborn),
            contests=tuple(games),
            statistics={"living": [[player.id for player in self.living]]},
        )

    @property
    def state(self) -> SquaresState:
        return SquaresState(self.generation, self.born, tuple(player.id for player in self.living))

    def report(self, generation: Generation[SquareWeights]) -> str:
        return f"Living: {' '.join(str(player.id) for player in self.living)}"

    def _pairs(self) -> list[Pair]:
        return pairs(self.living, Random(derive_seed(self.seed, self.generation + 1, PAIRING)))

    def _bear(self, genome: SquareWeights, parents: tuple[int, ...], origin: str) -> Player:
        self.born += 1
        return Individual(
            id=self.born - 1, genome=genome, parents=parents, generation=self.generation, origin=origin
        )


def _read(config: str) -> dict[str, int]:
    """ValueError names line and key."""
    values: dict[str, int] = {}
    for number, line in enumerate(config.splitlines(), 1):
        key, _, value = (word.strip() for word in line.partition("="))
        if key not in ("size", "seed") or not value.isdecimal() or (key == "size" and int(value) % 2):
            raise ValueError(f"line {number}: {key}: size is an even number, seed any; not {value!r}")
        values[key] = int(value)
    if len(values) < 2:
        raise ValueError("size and seed are needed")
    return values


def _restored(store: RunStore, id: int) -> Player:
    born = store.individual(id)
    return Individual(
        id=id,
        genome=SquareWeights.loads(born.genome),
        parents=born.parents,
        generation=born.generation,
        origin=born.origin,
    )
