"""Which games a match consists of: who sits where, over which seed."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engines.tournament import Group, Kind, count
from protocols.jsonl.table.seeds import game_seed


@dataclass(frozen=True, slots=True, kw_only=True)
class Contest:
    """One game; `players` by seat, as indices."""

    number: int  # in the match, from 0
    seed: int
    players: Group
    group: int  # of the round


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """What is to be played."""

    players: tuple[str, ...]
    games: int  # of each group of players that meets
    seats: int = 2
    pairing: Kind = "round_robin"
    mirror: bool = False
    seed: int = 0

    @property
    def total(self) -> int:
        """The number of games in all."""
        return self.games * count(self.pairing, len(self.players), self.seats)

    def contests(self, groups: Sequence[Group], first: int) -> Iterator[Contest]:
        """The games of a round, of which `first` is the number of the first.

        The groups take turns. With `mirror` a seed is played once for each rotation of the seats.
        """
        for number in range(self.games * len(groups)):
            lap, which = divmod(number, len(groups))
            bag, turn = divmod(lap, self.seats) if self.mirror else (lap, lap % self.seats)
            yield Contest(
                number=first + number,
                seed=game_seed(self.seed, first + bag * len(groups) + which),
                players=groups[which][turn:] + groups[which][:turn],
                group=which,
            )
