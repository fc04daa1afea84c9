"""A gene pool: its members, their records in it, and what a game does to them.

Reference: Genetic Chess, section 5. Wins, draws and streaks belong to the living and die with them.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Self

from engines.chess.genome import Genome


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """A player in a pool and its record."""

    id: int
    genome: Genome
    home: int  # the pool of its birth
    is_new_blood: bool = False  # born of a draw
    wins: int = 0
    winning_streak: int = 0
    draws: int = 0
    drawing_streak: int = 0
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
        """All but the genome, which is on record."""
        return [
            self.id,
            self.home,
            self.is_new_blood,
            self.wins,
            self.winning_streak,
            self.draws,
            self.drawing_streak,
            self.games_here,
        ]

    @classmethod
    def restored(cls, data: list[Any], past: Callable[[int], Genome]) -> Self:
        id, home, is_new_blood, wins, winning_streak, draws, drawing_streak, games_here = data
        return cls(
            id=id,
            genome=past(id),
            home=home,
            is_new_blood=is_new_blood,
            wins=wins,
            winning_streak=winning_streak,
            draws=draws,
            drawing_streak=drawing_streak,
            games_here=games_here,
        )


@dataclass(slots=True, kw_only=True)
class Pool:
    """One pool: its members by seat, and totals since the run began."""

    number: int
    members: list[Member]
    games: int = 0
    white_wins: int = 0
    black_wins: int = 0
    new_blood: int = 0
    most_wins: tuple[int, int] = (0, 0)  # wins, ID
    longest_lived: tuple[int, int] = (0, 0)  # games survived, ID

    @property
    def draws(self) -> int:
        return self.games - self.white_wins - self.black_wins

    def best(self) -> Member:
        return min(self.members, key=lambda member: member.merit)

    def worst_seat(self) -> int:
        """Whose holder makes room for a visitor."""
        return max(range(len(self.members)), key=lambda seat: self.members[seat].merit)

    def count(self, returns: tuple[float, float]) -> None:
        """A game has been played."""
        white, black = returns
        self.games += 1
        self.white_wins += white > black
        self.black_wins += black > white

    def survives(self, seat: int, member: Member) -> None:
        """Keep a member with its new record, and see whether it is one of the pool's."""
        self.members[seat] = member
        if member.wins > self.most_wins[0]:
            self.most_wins = (member.wins, member.id)
        if member.wins + member.draws > self.longest_lived[0]:
            self.longest_lived = (member.wins + member.draws, member.id)

    def data(self) -> dict[str, Any]:
        return {
            "members": [member.data() for member in self.members],
            "games": self.games,
            "white_wins": self.white_wins,
            "black_wins": self.black_wins,
            "new_blood": self.new_blood,
            "most_wins": self.most_wins,
            "longest_lived": self.longest_lived,
        }

    @classmethod
    def restored(cls, number: int, data: dict[str, Any], past: Callable[[int], Genome]) -> Self:
        members = [Member.restored(member, past) for member in data["members"]]
        records = {name: tuple(data[name]) for name in ("most_wins", "longest_lived")}
        return cls(number=number, **data | records | {"members": members})
