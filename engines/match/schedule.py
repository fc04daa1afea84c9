"""The schedule of a match: which games there are, who sits where in each, and the seeds that they are dealt by.

The groups of a round take turns, `block` games at a time. Where a match is mirrored, a deal is played once for each rotation
of the seats, so that its luck is the same for all. The seeds of all games follow from the seed of the match; how, is a
function (Seeds): players of each kind have one, and the outcome of a match with the same seed never changes.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count as counted_from

from engines.match.pairing import Group, Kind, Rounds, at_once, count, rounds
from engines.seeds import game_seed


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchGame:
    """One game; `players` by seat, as indices."""

    number: int  # in the match, from 0
    seed: int
    players: Group
    group: int  # of the round
    deal: int = 0  # of its group in the round, from 0
    turn: int = 0  # by how many seats the group is rotated


@dataclass(frozen=True, slots=True, kw_only=True)
class Deal:
    """The place in a match that the seed of a game follows from."""

    round: int
    number: int  # of its group in the round
    of: int  # deals of each group in a round
    group: int  # of the round
    groups: int  # in the round
    first: int  # the number of the round's first game


Seeds = Callable[[int, Deal], int]  # given the seed of the match


def seed_by_game(seed: int, deal: Deal) -> int:
    """Return a seed that no other deal of the match has."""
    return game_seed(seed, deal.first + deal.number * deal.groups + deal.group)


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedule:
    """The schedule of a match: its players, how many games of whom, and its seed."""

    players: tuple[str, ...]
    games: int  # of each group of players that meets
    seats: int = 2
    pairing: Kind = "round_robin"
    mirror: bool = False
    counts_pairs: bool = True  # mirrored games of two are pairs in intervals and tests
    seed: int = 0
    block: int = 1  # games of a group before the next group has its turn
    seeds: Seeds = seed_by_game
    # Where sides differ: who meets whom, each in its own seat. None: by the pairing, in every seat in turn.
    sides: tuple[Group, ...] | None = None

    @property
    def total(self) -> int:
        """The number of games in all."""
        if self.sides is not None:
            return self.games * len(self.sides)
        return self.games * count(self.pairing, len(self.players), self.seats)

    def rounds(self) -> Rounds:
        """Return the rounds, each of which depends on the results of those before it."""
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
    """Return who meets whom where players cannot sit everywhere, given for each player the seats that it can take.

    None if all can take every seat. Raises ValueError if there is no game of two sides for them.
    """
    if all(map(all, sitting)):
        return None
    if any(len(seats) != 2 or not any(seats) for seats in sitting):
        raise ValueError("players that cannot sit everywhere meet in games of two sides")
    firsts = [player for player, seats in enumerate(sitting) if seats[0]]
    groups = tuple(
        (one, other) for one in firsts for other, seats in enumerate(sitting) if seats[1] and other != one
    )
    if not groups:
        raise ValueError("nobody meets anybody: all players are of the same side")
    return groups
