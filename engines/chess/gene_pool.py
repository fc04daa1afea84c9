"""The Population of Genetic Chess: gene pools whose members are paired at random, one round in a generation.

Reference: Genetic Chess, section 5; the program of 2017 decides what the section leaves open. All pools play one
round at a time. Random numbers follow from the run's seed, the round and the place in it, and results are applied in
the order of the pairings.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from msgspec import Struct, structs

from core.random import Random
from engines.chess.config import PoolConfig
from engines.chess.game_settings import GameSettings, contests, fitness, results
from engines.chess.genome import Genome
from engines.chess.self_play import GameResult, SelfPlayGame
from engines.evolution.population import Contest, Generation, Individual, derive_seed
from engines.evolution.selection import HallOfFame, pairs
from engines.evolution.state import Count

# Streams of a round's random numbers; the panel has one of its own.
PAIRING: Final = 1
BREEDING: Final = 2
CHAMPIONS: Final = 50  # in the hall of fame

GenomeById = Callable[[int], Genome]  # the genome of any individual on record


class Member(Struct, frozen=True, array_like=True):
    """A player in a pool with its record there. Wins, draws and streaks are lost when the member dies."""

    id: Count
    home: Count  # the pool of its birth
    is_new_blood: bool = False  # born of a draw
    wins: Count = 0
    winning_streak: Count = 0  # since the last draw
    draws: Count = 0
    drawing_streak: Count = 0  # since the last win
    games_here: Count = 0  # games survived in this pool

    def after_win(self) -> "Member":
        return structs.replace(
            self,
            wins=self.wins + 1,
            winning_streak=self.winning_streak + 1,
            drawing_streak=0,
            games_here=self.games_here + 1,
        )

    def after_draw(self) -> "Member":
        return structs.replace(
            self,
            draws=self.draws + 1,
            drawing_streak=self.drawing_streak + 1,
            winning_streak=0,
            games_here=self.games_here + 1,
        )

    @property
    def merit(self) -> tuple[int, int, int]:
        """The sorting key that puts the best member first: most wins, then most draws, then the oldest."""
        return -self.wins, -self.draws, self.id


class Pool(Struct, kw_only=True):
    """One pool: its members by seat, and totals of the run. A pool's number is its index among the pools."""

    members: list[Member]
    games: Count = 0
    white_wins: Count = 0
    black_wins: Count = 0
    new_blood: Count = 0  # children born after draws
    most_wins: tuple[Count, Count] = (0, 0)  # wins, ID
    longest_lived: tuple[Count, Count] = (0, 0)  # games survived, ID

    @property
    def draws(self) -> int:
        return self.games - self.white_wins - self.black_wins

    def best(self) -> Member:
        return min(self.members, key=lambda member: member.merit)

    def worst_seat(self) -> int:
        """Return the seat of the worst member, which another pool's best replaces."""
        return max(range(len(self.members)), key=lambda seat: self.members[seat].merit)

    def count(self, returns: tuple[float, float]) -> None:
        """Add a game to the totals."""
        white, black = returns
        self.games += 1
        self.white_wins += white > black
        self.black_wins += black > white

    def keep(self, seat: int, member: Member) -> None:
        """Put a surviving member with its new record in its seat, and update the records of the pool."""
        self.members[seat] = member
        if member.wins > self.most_wins[0]:
            self.most_wins = (member.wins, member.id)
        if member.wins + member.draws > self.longest_lived[0]:
            self.longest_lived = (member.wins + member.draws, member.id)

    def copy(self) -> "Pool":
        return structs.replace(self, members=[*self.members])


def best_member(pools: Iterable[Pool]) -> Member:
    """Return the best member of all pools: most wins, then most draws, then the oldest."""
    return min((pool.best() for pool in pools), key=lambda member: member.merit)


class GenePoolState(Struct, frozen=True, kw_only=True):
    """The state from which gene pools resume."""

    generation: Count
    next_id: Count
    game_seconds: float  # of each player in the next round's games
    step_seconds: float  # added to the game time after a round
    hall: tuple[Count, ...]  # IDs of the hall of fame
    pools: tuple[Pool, ...]


class GenePool:
    """The pools of a run, which start with random genomes or with copies of a founder."""

    def __init__(
        self,
        settings: GameSettings,
        seed: int,
        genome_of: GenomeById,
        founder: Genome | None = None,
        state: GenePoolState | None = None,
    ) -> None:
        self._config = config = settings.config
        step = config.game_time_increment
        state = state or GenePoolState(
            generation=-1,
            next_id=0,
            game_seconds=config.minimum_game_time if step >= 0 else config.maximum_game_time,
            step_seconds=step,
            hall=(),
            pools=(),
        )
        self.generation = state.generation
        self.pools = [pool.copy() for pool in state.pools]
        self.game_seconds = state.game_seconds
        self._step_seconds = state.step_seconds
        self._next_id = state.next_id
        self._hall_of_fame = HallOfFame(
            CHAMPIONS, [Individual(id=id, genome=genome_of(id)) for id in state.hall]
        )
        self._seed = seed
        self._settings = settings
        self._genome_of = genome_of
        self._founder = founder
        self._genomes: dict[int, Genome] = {}  # of the living members and the champions
        self._keep_genomes()

    # -- Population --------------------------------------------------------------------------------

    def tasks(self) -> list[SelfPlayGame]:
        if self.generation < 0:
            return []
        coming = self.generation + 1
        players = [[self._genome(each.id) for each in pairing.players] for pairing in self._pairings(coming)]
        return self._settings.round(self._seed, coming, players, self.best().genome, self.game_seconds)

    def step(self, outcomes: Sequence[GameResult]) -> Generation[Genome]:
        self.generation += 1
        round = RoundUpdate(
            self.generation,
            self._config,
            self.pools,
            self._next_id,
            self._genome,
            Random(derive_seed(self._seed, self.generation, BREEDING)),
        )
        more: dict[str, Any] = {}
        if self.generation == 0:
            self._fill_pools(round)
        else:
            pairings = self._pairings(self.generation)
            games = self._config.games_per_pairing
            for index, pairing in enumerate(pairings):
                round.apply(pairing, outcomes[index * games : (index + 1) * games])
        self._genomes |= {born.id: born.genome for born in round.born}
        if self.generation > 0:
            more = {"seconds": self.game_seconds, "swaps": self._swap()}
            more |= self._settings.panel_statistics(self.generation, outcomes[len(pairings) * games :])
            self._move_time()
        self._keep_genomes()
        self._next_id += len(round.born)
        return Generation(
            number=self.generation,
            born=tuple(round.born),
            contests=tuple(round.contests),
            statistics=round.statistics() | more,
            fitness=fitness(round.contests),
        )

    @property
    def state(self) -> GenePoolState:
        return GenePoolState(
            generation=self.generation,
            next_id=self._next_id,
            game_seconds=self.game_seconds,
            step_seconds=self._step_seconds,
            hall=tuple(champion.id for champion in self._hall_of_fame.champions),
            pools=tuple(pool.copy() for pool in self.pools),
        )

    def best(self) -> Individual[Genome]:
        """Return the best of all pools."""
        return self._individual(best_member(self.pools).id)

    # -- Parts of a round --------------------------------------------------------------------------

    def _fill_pools(self, round: "RoundUpdate") -> None:
        rng = Random(derive_seed(self._seed, 0))
        config = self._config
        for number in range(config.gene_pool_count):
            genomes = [
                self._founder or Genome.random(rng, extended=config.genes == "all")
                for _ in range(config.gene_pool_population)
            ]
            self.pools.append(Pool(members=[]))
            round.fill(number, genomes, "founder" if self._founder else "random")

    def _pairings(self, generation: int) -> list["Pairing"]:
        """Return the pairings of a generation, pool by pool.

        In `hall_of_fame` percent of the pairings a champion of the past replaces the second player.
        """
        pairings = []
        for number, pool in enumerate(self.pools):
            rng = Random(derive_seed(self._seed, generation, PAIRING, number))
            for first, second in pairs(range(len(pool.members)), rng):
                champion = None
                if rng.chance(self._config.hall_of_fame / 100):
                    champion = self._hall_of_fame.pick(rng)
                players = pool.members[first], pool.members[second]
                if champion is not None:
                    players = players[0], Member(champion.id, number)
                seats = first, None if champion else second
                pairings.append(Pairing(pool=number, seats=seats, players=players))
        return pairings

    def _swap(self) -> list[tuple[int, int, int]]:
        """Copy the best of each pool over the worst of the next one at every interval; return (ID, from, to) of each.

        All are chosen before any is copied. They enter the hall of fame, also if there is only one pool.
        """
        interval = self._config.pool_swap_interval
        before = [pool.games - self._games_a_round() for pool in self.pools]
        if any(
            pool.games // interval == past // interval for pool, past in zip(self.pools, before, strict=True)
        ):
            return []
        best = [pool.best() for pool in self.pools]
        for member in best:
            self._hall_of_fame.add(self._individual(member.id))
        if len(self.pools) == 1:
            return []
        swaps = []
        for home, member in enumerate(best):
            to = (home + 1) % len(self.pools)
            swaps.append((member, home, to, self.pools[to].worst_seat()))
        for member, _, to, seat in swaps:
            self.pools[to].members[seat] = structs.replace(member, games_here=0)
        return [(member.id, home, to) for member, home, to, _ in swaps]

    def _genome(self, id: int) -> Genome:
        return self._genomes[id] if id in self._genomes else self._genome_of(id)

    def _individual(self, id: int) -> Individual[Genome]:
        return Individual(id=id, genome=self._genome(id))

    def _keep_genomes(self) -> None:
        """Keep only the genomes of the living members and the champions in memory."""
        ids = {member.id for pool in self.pools for member in pool.members}
        ids |= {champion.id for champion in self._hall_of_fame.champions}
        self._genomes = {id: self._genome(id) for id in ids}

    def _games_a_round(self) -> int:
        """Return the number of games that a pool plays in a round."""
        return self._config.gene_pool_population // 2 * self._config.games_per_pairing

    def _move_time(self) -> None:
        """Set the next round's game time (section 5.1), which oscillates, or rises or falls once as a ramp."""
        config = self._config
        least, most = config.minimum_game_time, config.maximum_game_time
        coming = self.game_seconds + self._step_seconds
        self.game_seconds = min(max(coming, least), most)
        at_an_end = self.game_seconds in (least, most)
        if at_an_end and config.game_time == "oscillate":
            self._step_seconds = abs(config.game_time_increment) * (1 if self.game_seconds == least else -1)


# -- The effects of a round's games on the pools ---------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairing:
    """Two players of a pool with their seats; a champion of the past has no seat."""

    pool: int
    seats: tuple[int | None, int | None]
    players: tuple[Member, Member]


class RoundUpdate:
    """The consequences of a round's games: deaths, matings and births.

    A winner, by mate or by time, mates with the loser, and their child replaces the loser. After a draw mostly
    nothing happens; otherwise one of the two, drawn at random, mates with a random genome or with any individual of
    the past, and is itself replaced by the child. `born` and `contests` grow in the order of the pairings.
    """

    def __init__(
        self,
        number: int,
        config: PoolConfig,
        pools: Sequence[Pool],
        next_id: int,
        genome_of: GenomeById,
        rng: Random,
    ) -> None:
        self.born: list[Individual[Genome]] = []
        self.contests: list[Contest] = []
        self._died: list[int] = []
        self._survived: list[tuple[int, int, int]] = []  # of dead members from other pools: ID, pool, games
        self._number = number
        self._config = config
        self._pools = pools
        self._first_id = next_id
        self._genome_of = genome_of
        self._rng = rng

    def fill(self, pool: int, genomes: Sequence[Genome], origin: str) -> None:
        """Add founders to a new pool, given by its number."""
        for genome in genomes:
            self._pools[pool].members.append(Member(self._add(genome, (), origin), pool))

    def apply(self, pairing: Pairing, games: Sequence[GameResult]) -> None:
        """Apply the games of a pairing to its pool; the first player had White in the first, third ... game."""
        for game in games:
            self._pools[pairing.pool].count(game.returns)
        remark = ""
        if points := sum(results(games)):
            self._replace_loser(pairing, points > 0, True)
        elif self._config.pool_rules == "2025":  # every pairing breeds
            self._replace_loser(pairing, self._rng.chance(0.5), False)
        else:
            remark = self._settle_draw(pairing)
        first, second = pairing.players
        *others, last = contests(games, first.id, second.id, pairing.pool)
        self.contests += [*others, replace(last, remark=remark)]

    def statistics(self) -> dict[str, Any]:
        """Return the statistics of the round for the generation's record, in addition to its games and births."""
        return {
            "living": [[member.id for member in pool.members] for pool in self._pools],
            "died": self._died,
            "survived": self._survived,
            "new_blood": sum(pool.new_blood for pool in self._pools),
        }

    # -- Helpers -----------------------------------------------------------------------------------

    def _replace_loser(self, pairing: Pairing, first_won: bool, on_the_board: bool) -> None:
        """Replace the loser by the child of both players, and keep the winner.

        The winner's record gets a win if the pairing was decided `on_the_board`, and a draw if it was decided by a
        coin.
        """
        pool = self._pools[pairing.pool]
        (winner, loser), (winners_seat, losers_seat) = pairing.players, pairing.seats
        if not first_won:
            winner, loser, winners_seat, losers_seat = loser, winner, losers_seat, winners_seat
        if winners_seat is not None:
            pool.keep(winners_seat, winner.after_win() if on_the_board else winner.after_draw())
        if losers_seat is not None:
            child = self._child(self._genome_of(winner.id), self._genome_of(loser.id))
            self._replace(pairing.pool, losers_seat, self._add(child, (winner.id, loser.id), "mating"))

    def _settle_draw(self, pairing: Pairing) -> str:
        """Keep both players, or replace one of them by its child; return a remark on the mating, "" without one."""
        pool, rng = self._pools[pairing.pool], self._rng
        doomed = rng.below(2) if rng.chance(self._config.draw_kill_probability) else None
        remark = ""
        for index, (seat, player) in enumerate(zip(pairing.seats, pairing.players, strict=True)):
            if seat is None:
                continue
            if index != doomed:
                pool.keep(seat, player.after_draw())
                continue
            mate, id = (None, None) if rng.chance(0.5) else self._draw_earlier_individual()
            genome = mate or Genome.random(rng, extended=self._config.genes == "all")
            parents = (player.id,) if id is None else (player.id, id)
            child = self._add(self._child(self._genome_of(player.id), genome), parents, "draw")
            self._replace(pairing.pool, seat, child, is_new_blood=True)
            pool.new_blood += 1
            remark = f"{player.id} mates with {'random' if id is None else id} / {player.id} dies"
        return remark

    def _child(self, mother: Genome, father: Genome) -> Genome:
        """Return a child with each gene from either parent, mutated as often as the configuration says."""
        child = mother.mate(father, self._rng)
        for _ in range(self._config.mutations(self._number - 1)):
            child = child.mutate(self._rng)
        return child

    def _draw_earlier_individual(self) -> tuple[Genome, int]:
        """Return the genome and the ID of any individual born before this round, living or dead."""
        id = self._rng.below(self._first_id)
        return self._genome_of(id), id

    def _add(self, genome: Genome, parents: tuple[int, ...], origin: str) -> int:
        """Add an individual to those born in this round, and return its ID."""
        newborn = Individual(
            id=self._first_id + len(self.born),
            genome=replace(genome, id=None),
            parents=parents,
            generation=self._number,
            origin=origin,
        )
        self.born.append(newborn)
        return newborn.id

    def _replace(self, pool: int, seat: int, child: int, *, is_new_blood: bool = False) -> None:
        """Put a child, given by its ID, in the seat of a member that dies."""
        members = self._pools[pool].members
        dead = members[seat]
        self._died.append(dead.id)
        if dead.home != pool:
            self._survived.append((dead.id, pool, dead.games_here))
        members[seat] = Member(child, pool, is_new_blood)
