"""The schedule of a match: its games, the players in the seats of each game, and the seeds of the games.

The groups of a round take turns, `block` games at a time. In a mirrored match a deal is played once for each rotation
of the seats, so that its luck is the same for all players. The seeds of all games follow from the seed of the match
by a function (Seeds). Each kind of match has its own function, which must never change, so that a match with the same
seed always has the same outcome.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count as counted_from

from engines.match.pairing import Group, Kind, Rounds, at_once, count, rounds
from engines.seeds import game_seed


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchGame:
    """A game of a match; `players` has the index of the player in each seat."""

    number: int  # the number in the match, from 0
    seed: int
    players: Group
    group: int  # the number of the group in the round, from 0
    deal: int = 0  # the number of the deal of the group in the round, from 0
    turn: int = 0  # number of seats by which the group is rotated


@dataclass(frozen=True, slots=True, kw_only=True)
class Deal:
    """The place of a deal in a match, from which the seed of its games follows."""

    round: int
    number: int  # the number of the deal of its group in the round
    of: int  # number of deals of each group in a round
    group: int  # the number of the group in the round
    groups: int  # number of groups in the round
    first: int  # the number of the first game of the round


Seeds = Callable[[int, Deal], int]  # of the seed of the match and a deal


def seed_by_game(seed: int, deal: Deal) -> int:
    """Return a seed that no other deal of the match has."""
    return game_seed(seed, deal.first + deal.number * deal.groups + deal.group)


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedule:
    """The schedule of a match: its players, the number of games of each group, and the seed."""

    players: tuple[str, ...]
    games: int  # number of games of each group
    seats: int = 2
    pairing: Kind = "round_robin"
    mirror: bool = False
    counts_pairs: bool = True  # mirrored games of two are pairs in intervals and tests
    seed: int = 0
    block: int = 1  # games of a group before the next group has its turn
    seeds: Seeds = seed_by_game
    # The groups, with each player in its own seat, if seats differ; None: by the pairing, in every seat in turn.
    sides: tuple[Group, ...] | None = None

    @property
    def total(self) -> int:
        """The number of games in all rounds."""
        if self.sides is not None:
            return self.games * len(self.sides)
        return self.games * count(self.pairing, len(self.players), self.seats)

    def rounds(self) -> Rounds:
        """Return the generator of rounds, each of which can depend on the results of the rounds before it."""
        if self.sides is not None:
            return at_once(list(self.sides), len(self.players))
        return rounds(self.pairing, len(self.players), self.seats)

    def round_games(self, groups: Sequence[Group], first: int, round_number: int = 0) -> Iterator[MatchGame]:
        """Yield the games of a round; `first` is the number of its first game."""
        numbers = counted_from(first)
        of = self.games // self.seats if self.mirror else self.games
        for start in range(0, self.games, self.block):
            for which, group in enumerate(groups):
                for lap in range(start, min(start + self.block, self.games)):
                    number, turn = divmod(lap, self.seats) if self.mirror else (lap, lap % self.seats)
                    if self.sides is not None:
                        number, turn = lap, 0
                    deal = Deal(
                        round=round_number, number=number, of=of, group=which, groups=len(groups), first=first
                    )
                    yield MatchGame(
                        number=next(numbers),
                        seed=self.seeds(self.seed, deal),
                        players=group[turn:] + group[:turn],
                        group=which,
                        deal=number,
                        turn=turn,
                    )


def sides_of(sitting: Sequence[Sequence[bool]]) -> tuple[Group, ...] | None:
    """Return the groups of a match in which players cannot take every seat, given the seats that each can take.

    Returns None if all players can take every seat. Raises ValueError if no game of two sides is possible.
    """
    if all(map(all, sitting)):
        return None
    if any(len(seats) != 2 or not any(seats) for seats in sitting):
        raise ValueError("players that cannot take every seat can only meet in games of two seats")
    firsts = [player for player, seats in enumerate(sitting) if seats[0]]
    groups = tuple(
        (one, other) for one in firsts for other, seats in enumerate(sitting) if seats[1] and other != one
    )
    if not groups:
        raise ValueError("no two players can meet, because all of them take the same side")
    return groups
