"""The Population of Genetic Chess: gene pools whose members meet at random, a round a generation.

Reference: Genetic Chess, section 5; what it leaves open is as in the program of 2017. All pools play a
round at a time. What is random follows from the run's seed, the round and the place in it, and results
are applied in the order of the meetings.
"""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from core.random import Random
from engines.chess.duel import Duel, Outcome
from engines.chess.gene_pool.conditions import Conditions
from engines.chess.gene_pool.config import PoolConfig
from engines.chess.gene_pool.panel import Panel
from engines.chess.gene_pool.pool import Member, Pool
from engines.chess.gene_pool.round import Meeting, Past, Round
from engines.chess.genome import Genome
from engines.evolution.archive import HallOfFame
from engines.evolution.evolution import Generation, Individual, seed_of
from engines.evolution.selection import pairs

# Streams of a round's random numbers; the panel has one of its own.
PAIRING: Final = 1
BREEDING: Final = 2
GAMES: Final = 4
HALL: Final = 50  # champions remembered


class GenePool:
    """The pools of a run. A new one begins with random genomes, or with copies of a founder."""

    def __init__(
        self,
        config: PoolConfig,
        seed: int,
        conditions: Conditions,
        past: Past,
        founder: Genome | None = None,
    ) -> None:
        self.generation = -1
        self.pools: list[Pool] = []
        self.game_seconds = config.minimum_game_time
        self._step_seconds = config.game_time_increment
        if self._step_seconds < 0:
            self.game_seconds = config.maximum_game_time
        self._next_id = 0
        self._hall: HallOfFame[Genome] = HallOfFame(HALL, [])
        self._config = config
        self._seed = seed
        self._conditions = conditions
        self._past = past
        self._founder = founder
        self._panel = Panel(
            conditions=conditions, games=config.panel_games, interval=config.panel_interval, seed=seed
        )

    # -- Population --------------------------------------------------------------------------------

    def tasks(self) -> list[Duel]:
        if self.generation < 0:
            return []
        coming = self.generation + 1
        duels = []
        for index, meeting in enumerate(self._meetings(coming)):
            first, second = (player.genome for player in meeting.players)
            place = seed_of(self._seed, coming, GAMES, index)
            duels += self._conditions.duels(
                first, second, self._config.games_per_pairing, self.game_seconds, place
            )
        return duels + self._panel.duels(coming, self.best().genome, self.game_seconds)

    def step(self, outcomes: Sequence[Outcome]) -> Generation[Genome]:
        self.generation += 1
        round = Round(
            self.generation,
            self._config,
            self.pools,
            self._next_id,
            self._past,
            Random(seed_of(self._seed, self.generation, BREEDING)),
        )
        more: dict[str, Any] = {}
        if self.generation == 0:
            self._found(round)
        else:
            meetings = self._meetings(self.generation)
            games = self._config.games_per_pairing
            for index, meeting in enumerate(meetings):
                round.judge(meeting, outcomes[index * games : (index + 1) * games])
            more = {"seconds": self.game_seconds, "swaps": self._swap()}
            if scores := self._panel.scores(self.generation, outcomes[len(meetings) * games :]):
                more["panel"] = scores
            self._move_time()
        self._next_id += len(round.born)
        return Generation(
            number=self.generation,
            born=tuple(round.born),
            contests=tuple(round.contests),
            statistics=round.statistics() | more,
        )

    def dumps(self) -> str:
        return json.dumps({
            "generation": self.generation,
            "next_id": self._next_id,
            "game_seconds": self.game_seconds,
            "step_seconds": self._step_seconds,
            "hall": [champion.id for champion in self._hall.champions],
            "pools": [pool.data() for pool in self.pools],
        })  # fmt: skip

    def resume(self, state: str) -> None:
        """Go on from what dumps() wrote."""
        data = json.loads(state)
        self.generation = data["generation"]
        self._next_id = data["next_id"]
        self.game_seconds = data["game_seconds"]
        self._step_seconds = data["step_seconds"]
        self._hall.champions = [Individual(id=id, genome=self._past(id)) for id in data["hall"]]
        self.pools = [Pool.restored(number, pool, self._past) for number, pool in enumerate(data["pools"])]

    def best(self) -> Individual[Genome]:
        """The best of all pools: most wins, then most draws, then the oldest."""
        best = min((pool.best() for pool in self.pools), key=lambda member: member.merit)
        return Individual(id=best.id, genome=best.genome)

    # -- Parts of a round --------------------------------------------------------------------------

    def _found(self, round: Round) -> None:
        rng = Random(seed_of(self._seed, 0))
        config = self._config
        for number in range(config.gene_pool_count):
            genomes = [
                self._founder or Genome.random(rng, extended=config.genes == "all")
                for _ in range(config.gene_pool_population)
            ]
            self.pools.append(Pool(number=number, members=[]))
            round.found(self.pools[number], genomes, "founder" if self._founder else "random")

    def _meetings(self, generation: int) -> list[Meeting]:
        """Who meets whom, pool after pool. A ghost of the hall of fame may take the second one's chair."""
        meetings = []
        for pool in self.pools:
            rng = Random(seed_of(self._seed, generation, PAIRING, pool.number))
            for first, second in pairs(range(len(pool.members)), rng):
                ghost = None
                if rng.chance(self._config.hall_of_fame / 100):
                    ghost = self._hall.pick(rng)
                members = pool.members[first], pool.members[second]
                if ghost is not None:
                    members = members[0], Member(id=ghost.id, genome=ghost.genome, home=pool.number)
                meetings.append(
                    Meeting(
                        pool=pool.number,
                        seats=(first, None if ghost else second),
                        players=members,
                    )
                )
        return meetings

    def _swap(self) -> list[tuple[int, int, int]]:
        """At every interval the best of each pool is copied over the worst of the next: ID, from, to.

        All are chosen before any is copied. They are remembered as champions, too.
        """
        interval = self._config.pool_swap_interval
        before = [pool.games - self._games_a_round() for pool in self.pools]
        if any(
            pool.games // interval == past // interval for pool, past in zip(self.pools, before, strict=True)
        ):
            return []
        best = [pool.best() for pool in self.pools]
        for member in best:
            self._hall.add(Individual(id=member.id, genome=member.genome))
        if len(self.pools) == 1:
            return []
        swaps = []
        for member, home in zip(best, self.pools, strict=True):
            guest = self.pools[(home.number + 1) % len(self.pools)]
            seat = guest.worst_seat()
            swaps.append((member.id, home.number, guest.number, seat))
        for (_, _, to, seat), member in zip(swaps, best, strict=True):
            self.pools[to].members[seat] = replace(member, games_here=0)
        return [(id, home, to) for id, home, to, _ in swaps]

    def _games_a_round(self) -> int:
        """That a pool plays."""
        return self._config.gene_pool_population // 2 * self._config.games_per_pairing

    def _move_time(self) -> None:
        """The next round's game time (section 5.1): to and fro, or once up or down as a ramp."""
        config = self._config
        least, most = config.minimum_game_time, config.maximum_game_time
        coming = self.game_seconds + self._step_seconds
        self.game_seconds = min(max(coming, least), most)
        at_an_end = self.game_seconds in (least, most)
        if at_an_end and config.game_time == "oscillate":
            self._step_seconds = abs(config.game_time_increment) * (1 if self.game_seconds == least else -1)
