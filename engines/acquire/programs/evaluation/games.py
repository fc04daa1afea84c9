"""Games of an evolution as tasks for workers: batches of pairs, each game a function of its seed."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final, Self

from core.acquire.players import Player
from core.acquire.playout import GameRunner
from core.acquire.rules import GameSpec, Rules
from engines.acquire.conduct import Conduct
from engines.acquire.genome import Genome
from engines.acquire.programs.config import ProgramsConfig

BATCH: Final = 250  # games: a tenth of a second or more

Worths = tuple[int, int]  # final worths of the two sides, dollars
Game = tuple[int, int, int]  # the one who joins first and the other, by their places; seed


@dataclass(frozen=True, slots=True, kw_only=True)
class Arena:
    """Where and how two players meet."""

    rules: Rules
    conduct: Conduct
    same_tree: bool  # for the decision that does not evolve

    @classmethod
    def of(cls, config: ProgramsConfig) -> Self:
        return cls(
            rules=config.played(),
            conduct=config.conduct,
            same_tree=config.other_decision == "same tree",
        )

    def express(self, genome: Genome) -> Player:
        if self.same_tree:
            genome = Genome(place=genome.place or genome.buy, buy=genome.buy or genome.place)
        return genome.express(self.conduct)

    def meet(self, first: Player, second: Player, seed: int) -> Worths:
        """One game, in which `first` joins first."""
        one, other = _tables(self.rules).play([first, second], 0, seed)
        return one, other


@cache
def _tables(rules: Rules) -> GameRunner:
    return GameRunner(GameSpec(rules, 2))


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """Some games of some genomes, as a task."""

    arena: Arena
    genomes: tuple[Genome, ...]
    games: tuple[Game, ...]

    def play(self) -> list[Worths]:
        """In the order of the games."""
        players = [self.arena.express(genome) for genome in self.genomes]
        return [self.arena.meet(players[one], players[other], seed) for one, other, seed in self.games]


def batch_count(games: int) -> int:
    return -(-games // BATCH)


def batches(arena: Arena, genomes: Sequence[Genome], games: Sequence[Game]) -> Iterator[Batch]:
    """All the games in their order, each batch with the genomes that it needs."""
    for start in range(0, len(games), BATCH):
        some = games[start : start + BATCH]
        places = sorted({place for one, other, _ in some for place in (one, other)})
        at = {place: index for index, place in enumerate(places)}
        yield Batch(
            arena=arena,
            genomes=tuple(genomes[place] for place in places),
            games=tuple((at[one], at[other], seed) for one, other, seed in some),
        )
