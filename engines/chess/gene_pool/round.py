"""What the games of one round do to the pools: who dies, who mates with whom, who is born.

Reference: Genetic Chess, section 5. A winner, by mate or by time, mates with the loser, and their child
takes the loser's place. After a draw mostly nothing happens; else one of the two, by coin, mates with a
newcomer or with anybody of the past, and makes room for the child itself.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from core.random import Random
from engines.chess.duel import Outcome
from engines.chess.gene_pool.config import PoolConfig
from engines.chess.gene_pool.pool import Member, Pool
from engines.chess.gene_pool.report import mating_remark
from engines.chess.genome import Genome
from engines.evolution.evolution import Contest, Individual

Past = Callable[[int], Genome]  # the genome of anybody on record


@dataclass(frozen=True, slots=True, kw_only=True)
class Meeting:
    """A member, by its seat in the pool, and whom it meets; a ghost of the past has no seat to lose."""

    pool: int
    seats: tuple[int | None, int | None]
    players: tuple[Member, Member]


class Round:
    """A round in the making. `born` and `contests` grow in the order of the meetings."""

    def __init__(
        self, number: int, config: PoolConfig, pools: Sequence[Pool], next_id: int, past: Past, rng: Random
    ) -> None:
        self.born: list[Individual[Genome]] = []
        self.contests: list[Contest] = []
        self.died: list[int] = []
        self.survived: list[tuple[int, int, int]] = []  # transferred ones that died: ID, pool, games there
        self._number = number
        self._config = config
        self._pools = pools
        self._first_id = next_id
        self._past = past
        self._rng = rng

    def judge(self, meeting: Meeting, games: Sequence[Outcome]) -> None:
        """Apply what the games of a meeting say; the first player had White in the first, third ..."""
        pool = self._pools[meeting.pool]
        points = 0.0  # the first player's, less the second's
        for index, game in enumerate(games):
            pool.count(game.returns)
            points += game.returns[index % 2]
        remark = ""
        if points:
            self._decided(meeting, points > 0, True)
        elif self._config.pool_rules == "2025":  # every meeting breeds
            self._decided(meeting, self._rng.chance(0.5), False)
        else:
            remark = self._drawn(meeting)
        for index, game in enumerate(games):
            first, second = meeting.players if index % 2 == 0 else meeting.players[::-1]
            self.contests.append(
                Contest(
                    niche=meeting.pool,
                    players=(first.id, second.id),
                    returns=game.returns,
                    ending=game.ending,
                    length=game.plies,
                    record=game.record,
                    remark=remark if index == len(games) - 1 else "",
                )
            )

    def found(self, pool: Pool, genomes: Sequence[Genome], origin: str) -> None:
        """Fill a new pool."""
        for genome in genomes:
            founder = self._bear(genome, (), origin)
            pool.members.append(Member(id=founder.id, genome=genome, home=pool.number))

    # -- Helpers -----------------------------------------------------------------------------------

    def _decided(self, meeting: Meeting, first_won: bool, on_the_board: bool) -> None:
        """The loser makes room for the child of both; the winner goes on, with a win unless by coin."""
        pool = self._pools[meeting.pool]
        (winner, loser), (seat, empty) = meeting.players, meeting.seats
        if not first_won:
            winner, loser, seat, empty = loser, winner, empty, seat
        if seat is not None:
            pool.survives(seat, winner.won() if on_the_board else winner.drew())
        if empty is not None:
            child = self._child(winner.genome, loser.genome)
            self._replace(pool, empty, self._bear(child, (winner.id, loser.id), "mating"))

    def _drawn(self, meeting: Meeting) -> str:
        """Both go on, or one mates and is replaced."""
        pool, rng = self._pools[meeting.pool], self._rng
        doomed = rng.below(2) if rng.chance(self._config.draw_kill_probability) else None
        remark = ""
        for index, (seat, player) in enumerate(zip(meeting.seats, meeting.players, strict=True)):
            if seat is None:
                continue
            if index != doomed:
                pool.survives(seat, player.drew())
                continue
            mate, id = (None, None) if rng.chance(0.5) else self._from_the_past()
            genome = mate or Genome.random(rng, extended=self._config.genes == "all")
            parents = (player.id,) if id is None else (player.id, id)
            child = self._bear(self._child(player.genome, genome), parents, "draw")
            self._replace(pool, seat, child, is_new_blood=True)
            pool.new_blood += 1
            remark = mating_remark(player.id, id)
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
        return self._past(id), id

    def _bear(self, genome: Genome, parents: tuple[int, ...], origin: str) -> Individual[Genome]:
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
        self.died.append(dead.id)
        if dead.home != pool.number:
            self.survived.append((dead.id, pool.number, dead.games_here))
        pool.members[seat] = Member(
            id=child.id, genome=child.genome, home=pool.number, is_new_blood=is_new_blood
        )

    def statistics(self) -> dict[str, Any]:
        """What a generation's record says of the round, besides its games and births."""
        return {
            "living": [[member.id for member in pool.members] for pool in self._pools],
            "died": self.died,
            "survived": self.survived,
            "new_blood": sum(pool.new_blood for pool in self._pools),
        }
