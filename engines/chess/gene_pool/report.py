"""What a gene pool prints after each round: totals, the living, the games, the records.

Reference: Genetic Chess, section 5.2.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """A living player. A streak of wins lasts since the last draw, one of draws since the last win."""

    id: int
    wins: int = 0
    winning_streak: int = 0
    draws: int = 0
    drawing_streak: int = 0
    is_transferred: bool = False  # a copy of another pool's best
    is_new_blood: bool = False  # the child that a draw brought

    @property
    def marks(self) -> str:
        return " T" * self.is_transferred + " *" * self.is_new_blood


@dataclass(frozen=True, slots=True, kw_only=True)
class Meeting:
    """A game between two players: White's return is above, below or equal to Black's."""

    white: int
    black: int
    returns: tuple[float, float]
    remark: str = ""  # what followed from it

    def __str__(self) -> str:
        first, second = self.returns
        winner = "White" if first > second else "Black" if first < second else "None"
        return " ".join(filter(None, (f"{self.white} vs {self.black}: {winner}!", self.remark)))


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolReport:
    """A pool after a round. ValueError if the totals do not add up."""

    pool: int
    size: int
    new_blood: int  # children that draws have brought since the beginning
    games: int
    white_wins: int
    black_wins: int
    draws: int
    game_seconds: float | None  # of this round; None: without clocks
    file_name: str
    standings: tuple[Standing, ...]
    meetings: tuple[Meeting, ...]
    most_wins: tuple[int, int] | None = None  # how many, by which ID
    longest_lived: tuple[int, int] | None = None  # games survived, by which ID

    def __post_init__(self) -> None:
        total = self.white_wins + self.black_wins + self.draws
        if total != self.games:
            raise ValueError(f"{self.games} games, but {total} wins and draws")

    def text(self) -> str:
        return (
            "\n\n".join(filter(None, (self._totals(), self._table(), self._games(), self._records()))) + "\n"
        )

    def _totals(self) -> str:
        time = "none" if self.game_seconds is None else f"{self.game_seconds:g} sec"
        return (
            f"Gene pool ID: {self.pool}  Gene pool size: {self.size}  "
            f"New blood introduced: {self.new_blood} (*)\n"
            f"Games: {self.games}  White wins: {self.white_wins}  "
            f"Black wins: {self.black_wins}  Draws: {self.draws}\n"
            f"Time: {time}  Gene pool file name: {self.file_name}"
        )

    def _table(self) -> str:
        living = sorted(self.standings, key=lambda standing: standing.id)
        width = max((len(str(standing.id)) for standing in living), default=2) + 1
        head = f"{'ID':>{width}}{'Wins':>7}{'Streak':>8}{'Draws':>7}{'Streak':>8}"
        rows = (
            f"{player.id:{width}}{player.wins:7}{player.winning_streak:8}"
            f"{player.draws:7}{player.drawing_streak:8}{player.marks}"
            for player in living
        )
        return "\n".join((head, *rows))

    def _games(self) -> str:
        return "\n".join(map(str, self.meetings))

    def _records(self) -> str:
        records = (("Most wins", self.most_wins), ("Longest lived", self.longest_lived))
        return "\n".join(f"{name}: {record[0]} by ID {record[1]}" for name, record in records if record)


def mating_remark(chosen: int, mate: int | None) -> str:
    """What a draw led to: `chosen` mates with a player of the past, or a random one (None), and dies."""
    return f"{chosen} mates with {'random' if mate is None else mate} / {chosen} dies"
