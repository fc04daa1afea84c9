"""The Population of Genetic Chess: gene pools whose members meet at random, a round a generation.

Reference: Genetic Chess, section 5; what it leaves open is as in the program of 2017. All pools play a
round at a time. What is random follows from the run's seed, the round and the place in it, and results
are applied in the order of the pairings.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Final, Self

from core.random import Random
from engines.chess.config import PoolConfig
from engines.chess.game_settings import GameSettings, Panel
from engines.chess.genome import Genome
from engines.chess.self_play import MEASURE, GameResult, SelfPlayGame
from engines.evolution.population import (
    Contest,
    Generation,
    Individual,
    Measurement,
    derive_seed,
    mean_returns,
)
from engines.evolution.selection import HallOfFame, pairs

# Streams of a round's random numbers; the panel has one of its own.
PAIRING: Final = 1
BREEDING: Final = 2
GAMES: Final = 4
CHAMPIONS: Final = 50  # in the hall of fame

GenomeById = Callable[[int], Genome]  # of anybody on record


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """A player in a pool and its record in it. Wins, draws and streaks die with it."""

    id: int
    genome: Genome
    home: int  # the pool of its birth
    is_new_blood: bool = False  # born of a draw
    wins: int = 0
    winning_streak: int = 0  # since the last draw
    draws: int = 0
    drawing_streak: int = 0  # since the last win
    games_here: int = 0  # survived since it came to this pool

    def won(self) -> "Member":
        return replace(
            self,
            wins=self.wins + 1,
            winning_streak=self.winning_streak + 1,
            drawing_streak=0,
            games_here=self.games_here + 1,
        )

    def drew(self) -> "Member":
        return replace(
            self,
            draws=self.draws + 1,
            drawing_streak=self.drawing_streak + 1,
            winning_streak=0,
            games_here=self.games_here + 1,
        )

    @property
    def merit(self) -> tuple[int, int, int]:
        """Sorts the best first: most wins, then most draws, then the oldest."""
        return -self.wins, -self.draws, self.id

    def data(self) -> list[Any]:
        """Its fields but the genome, which is on record."""
        return [getattr(self, name) for name in _MEMBER_FIELDS]

    @classmethod
    def restored(cls, data: Sequence[Any], genome_of: GenomeById) -> Self:
        """The member that gave data()."""
        values = dict(zip(_MEMBER_FIELDS, data, strict=True))
        return cls(genome=genome_of(values["id"]), **values)


_MEMBER_FIELDS: Final = tuple(field.name for field in fields(Member) if field.name != "genome")


@dataclass(slots=True, kw_only=True)
class Pool:
    """One pool: its members by seat, and totals since the run began."""

    number: int
    members: list[Member]
    games: int = 0
    white_wins: int = 0
    black_wins: int = 0
    new_blood: int = 0  # children that draws have brought
    most_wins: tuple[int, int] = (0, 0)  # wins, ID
    longest_lived: tuple[int, int] = (0, 0)  # games survived, ID

    @property
    def draws(self) -> int:
        return self.games - self.white_wins - self.black_wins

    def best(self) -> Member:
        return min(self.members, key=lambda member: member.merit)

    def worst_seat(self) -> int:
        """Whose member makes room for another pool's best."""
        return max(range(len(self.members)), key=lambda seat: self.members[seat].merit)

    def count(self, returns: tuple[float, float]) -> None:
        """Add a game to the totals."""
        white, black = returns
        self.games += 1
        self.white_wins += white > black
        self.black_wins += black > white

    def keep(self, seat: int, member: Member) -> None:
        """Let a member go on with its new record, which may be one of the pool's."""
        self.members[seat] = member
        if member.wins > self.most_wins[0]:
            self.most_wins = (member.wins, member.id)
        if member.wins + member.draws > self.longest_lived[0]:
            self.longest_lived = (member.wins + member.draws, member.id)

    def data(self) -> dict[str, Any]:
        """Its fields but the number, which is its place in the list of pools."""
        values = {field.name: getattr(self, field.name) for field in fields(self) if field.name != "number"}
        return values | {"members": [member.data() for member in self.members]}

    @classmethod
    def restored(cls, number: int, data: dict[str, Any], genome_of: GenomeById) -> Self:
        """The pool that gave data()."""
        members = [Member.restored(member, genome_of) for member in data["members"]]
        records = {name: tuple(data[name]) for name in ("most_wins", "longest_lived")}
        return cls(number=number, **data | records | {"members": members})


def best_member(pools: Iterable[Pool]) -> Member:
    """Of all pools: most wins, then most draws, then the oldest."""
    return min((pool.best() for pool in pools), key=lambda member: member.merit)


class GenePool:
    """The pools of a run. A new one begins with random genomes, or with copies of a founder."""

    def __init__(
        self,
        config: PoolConfig,
        seed: int,
        settings: GameSettings,
        genome_of: GenomeById,
        founder: Genome | None = None,
    ) -> None:
        self.generation = -1
        self.pools: list[Pool] = []
        self.game_seconds = config.minimum_game_time
        self._step_seconds = config.game_time_increment
        if self._step_seconds < 0:
            self.game_seconds = config.maximum_game_time
        self._next_id = 0
        self._hall_of_fame: HallOfFame[Genome] = HallOfFame(CHAMPIONS, [])
        self._config = config
        self._seed = seed
        self._settings = settings
        self._genome_of = genome_of
        self._founder = founder
        self._panel = Panel(
            settings=settings, games=config.panel_games, interval=config.panel_interval, seed=seed
        )

    # -- Population --------------------------------------------------------------------------------

    def tasks(self) -> list[SelfPlayGame]:
        if self.generation < 0:
            return []
        coming = self.generation + 1
        games = []
        for index, pairing in enumerate(self._pairings(coming)):
            first, second = (player.genome for player in pairing.players)
            seed = derive_seed(self._seed, coming, GAMES, index)
            games += self._settings.games(
                first, second, self._config.games_per_pairing, self.game_seconds, seed
            )
        return games + self._panel.games_of(coming, self.best().genome, self.game_seconds)

    def step(self, outcomes: Sequence[GameResult]) -> Generation[Genome]:
        self.generation += 1
        round = RoundUpdate(
            self.generation,
            self._config,
            self.pools,
            self._next_id,
            self._genome_of,
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
            more = {"seconds": self.game_seconds, "swaps": self._swap()}
            if scores := self._panel.scores(self.generation, outcomes[len(pairings) * games :]):
                more["panel"] = scores
            self._move_time()
        self._next_id += len(round.born)
        return Generation(
            number=self.generation,
            born=tuple(round.born),
            contests=tuple(round.contests),
            statistics=round.statistics() | more,
            fitness=Measurement(name=MEASURE, values=mean_returns(round.contests)),
        )

    def dumps(self) -> str:
        return json.dumps({
            "generation": self.generation,
            "next_id": self._next_id,
            "game_seconds": self.game_seconds,
            "step_seconds": self._step_seconds,
            "hall": [champion.id for champion in self._hall_of_fame.champions],
            "pools": [pool.data() for pool in self.pools],
        })  # fmt: skip

    def resume(self, state: str) -> None:
        """Go on from what dumps() wrote."""
        data = json.loads(state)
        self.generation = data["generation"]
        self._next_id = data["next_id"]
        self.game_seconds = data["game_seconds"]
        self._step_seconds = data["step_seconds"]
        self._hall_of_fame.champions = [Individual(id=id, genome=self._genome_of(id)) for id in data["hall"]]
        self.pools = [
            Pool.restored(number, pool, self._genome_of) for number, pool in enumerate(data["pools"])
        ]

    def best(self) -> Individual[Genome]:
        """The best of all pools."""
        best = best_member(self.pools)
        return Individual(id=best.id, genome=best.genome)

    # -- Parts of a round --------------------------------------------------------------------------

    def _fill_pools(self, round: "RoundUpdate") -> None:
        rng = Random(derive_seed(self._seed, 0))
        config = self._config
        for number in range(config.gene_pool_count):
            genomes = [
                self._founder or Genome.random(rng, extended=config.genes == "all")
                for _ in range(config.gene_pool_population)
            ]
            self.pools.append(Pool(number=number, members=[]))
            round.fill(self.pools[number], genomes, "founder" if self._founder else "random")

    def _pairings(self, generation: int) -> list["Pairing"]:
        """Who plays whom, pool after pool; now and then a champion of the past instead of the second one."""
        pairings = []
        for pool in self.pools:
            rng = Random(derive_seed(self._seed, generation, PAIRING, pool.number))
            for first, second in pairs(range(len(pool.members)), rng):
                champion = None
                if rng.chance(self._config.hall_of_fame / 100):
                    champion = self._hall_of_fame.pick(rng)
                players = pool.members[first], pool.members[second]
                if champion is not None:
                    players = players[0], Member(id=champion.id, genome=champion.genome, home=pool.number)
                pairings.append(
                    Pairing(
                        pool=pool.number,
                        seats=(first, None if champion else second),
                        players=players,
                    )
                )
        return pairings

    def _swap(self) -> list[tuple[int, int, int]]:
        """At every interval the best of each pool is copied over the worst of the next: ID, from, to.

        All are chosen before any is copied. They enter the hall of fame, too.
        """
        interval = self._config.pool_swap_interval
        before = [pool.games - self._games_a_round() for pool in self.pools]
        if any(
            pool.games // interval == past // interval for pool, past in zip(self.pools, before, strict=True)
        ):
            return []
        best = [pool.best() for pool in self.pools]
        for member in best:
            self._hall_of_fame.add(Individual(id=member.id, genome=member.genome))
        if len(self.pools) == 1:
            return []
        swaps = []
        for member, home in zip(best, self.pools, strict=True):
            to = (home.number + 1) % len(self.pools)
            swaps.append((member, home.number, to, self.pools[to].worst_seat()))
        for member, _, to, seat in swaps:
            self.pools[to].members[seat] = replace(member, games_here=0)
        return [(member.id, home, to) for member, home, to, _ in swaps]

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


# -- What the games of a round do to the pools -----------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairing:
    """Two players of a pool, by their seats; a champion of the past has no seat to lose."""

    pool: int
    seats: tuple[int | None, int | None]
    players: tuple[Member, Member]


class RoundUpdate:
    """The consequences of a round's games: who dies, who mates with whom, who is born.

    A winner, by mate or by time, mates with the loser, and their child takes the loser's place. After a draw
    mostly nothing happens; else one of the two, by coin, mates with a random genome or with anybody of the past,
    and makes room for the child itself. `born` and `contests` grow in the order of the pairings.
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
        self._survived: list[tuple[int, int, int]] = []  # of the dead from other pools: ID, pool, games there
        self._number = number
        self._config = config
        self._pools = pools
        self._first_id = next_id
        self._genome_of = genome_of
        self._rng = rng

    def fill(self, pool: Pool, genomes: Sequence[Genome], origin: str) -> None:
        """Let the members of a new pool be born."""
        for genome in genomes:
            founder = self._add(genome, (), origin)
            pool.members.append(Member(id=founder.id, genome=genome, home=pool.number))

    def apply(self, pairing: Pairing, games: Sequence[GameResult]) -> None:
        """What follows from the games of a pairing; the first player had White in the first, third ..."""
        pool = self._pools[pairing.pool]
        points = 0.0  # the first player's, less the second's
        for index, game in enumerate(games):
            pool.count(game.returns)
            points += game.returns[index % 2]
        remark = ""
        if points:
            self._decided(pairing, points > 0, True)
        elif self._config.pool_rules == "2025":  # every pairing breeds
            self._decided(pairing, self._rng.chance(0.5), False)
        else:
            remark = self._drawn(pairing)
        for index, game in enumerate(games):
            white, black = pairing.players if index % 2 == 0 else pairing.players[::-1]
            self.contests.append(
                Contest(
                    niche=pairing.pool,
                    players=(white.id, black.id),
                    returns=game.returns,
                    ending=game.ending,
                    length=game.plies,
                    record=game.record,
                    remark=remark if index == len(games) - 1 else "",
                )
            )

    def statistics(self) -> dict[str, Any]:
        """What a generation's record says of the round, besides its games and births."""
        return {
            "living": [[member.id for member in pool.members] for pool in self._pools],
            "died": self._died,
            "survived": self._survived,
            "new_blood": sum(pool.new_blood for pool in self._pools),
        }

    # -- Helpers -----------------------------------------------------------------------------------

    def _decided(self, pairing: Pairing, first_won: bool, on_the_board: bool) -> None:
        """The loser makes room for the child of both; the winner goes on, with a win unless by coin."""
        pool = self._pools[pairing.pool]
        (winner, loser), (winners_seat, losers_seat) = pairing.players, pairing.seats
        if not first_won:
            winner, loser, winners_seat, losers_seat = loser, winner, losers_seat, winners_seat
        if winners_seat is not None:
            pool.keep(winners_seat, winner.won() if on_the_board else winner.drew())
        if losers_seat is not None:
            child = self._child(winner.genome, loser.genome)
            self._replace(pool, losers_seat, self._add(child, (winner.id, loser.id), "mating"))

    def _drawn(self, pairing: Pairing) -> str:
        """Both go on, or one mates and is replaced, which the remark tells."""
        pool, rng = self._pools[pairing.pool], self._rng
        doomed = rng.below(2) if rng.chance(self._config.draw_kill_probability) else None
        remark = ""
        for index, (seat, player) in enumerate(zip(pairing.seats, pairing.players, strict=True)):
            if seat is None:
                continue
            if index != doomed:
                pool.keep(seat, player.drew())
                continue
            mate, id = (None, None) if rng.chance(0.5) else self._from_the_past()
            genome = mate or Genome.random(rng, extended=self._config.genes == "all")
            parents = (player.id,) if id is None else (player.id, id)
            child = self._add(self._child(player.genome, genome), parents, "draw")
            self._replace(pool, seat, child, is_new_blood=True)
            pool.new_blood += 1
            remark = f"{player.id} mates with {'random' if id is None else id} / {player.id} dies"
        return remark

    def _child(self, mother: Genome, father: Genome) -> Genome:
        """Each gene from either, then mutated as often as the configuration says for this round."""
        child = mother.mate(father, self._rng)
        for _ in range(self._config.mutations(self._number - 1)):
            child = child.mutate(self._rng)
        return child

    def _from_the_past(self) -> tuple[Genome, int]:
        """Anybody born before this round, even long dead, and the ID."""
        id = self._rng.below(self._first_id)
        return self._genome_of(id), id

    def _add(self, genome: Genome, parents: tuple[int, ...], origin: str) -> Individual[Genome]:
        newborn = Individual(
            id=self._first_id + len(self.born),
            genome=replace(genome, id=None),
            parents=parents,
            generation=self._number,
            origin=origin,
        )
        self.born.append(newborn)
        return newborn

    def _replace(
        self, pool: Pool, seat: int, child: Individual[Genome], *, is_new_blood: bool = False
    ) -> None:
        dead = pool.members[seat]
        self._died.append(dead.id)
        if dead.home != pool.number:
            self._survived.append((dead.id, pool.number, dead.games_here))
        pool.members[seat] = Member(
            id=child.id, genome=child.genome, home=pool.number, is_new_blood=is_new_blood
        )
