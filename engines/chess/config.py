"""The configuration of a gene pool: what its keys are, and which values go together.

Reference: Genetic Chess, section 5.1, whose keys are all needed; those of that program's later years
and our own may be left out. A field is named as its key; times are seconds.
"""

from collections.abc import Collection
from dataclasses import MISSING, dataclass, fields
from typing import Final, Literal, Self

from core.chess.notation import START, fen, position_from_fen
from engines.config import (
    ConfigError,
    Key,
    check_values,
    even,
    number,
    one_of,
    plain,
    plain_name,
    read,
    seconds,
    whole,
    word_or_path,
    write,
)
from engines.time_control import TimeControl

DAY: Final = 86_400.0
EVER: Final = 1_000_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolConfig:
    """All that a run of gene pools is told, checked: loads(x.dumps()) == x for every x that there is."""

    # Genetic Chess, section 5.1.
    maximum_simultaneous_games: int
    gene_pool_population: int  # of each pool
    gene_pool_count: int
    draw_kill_probability: float
    pool_swap_interval: int  # games of a pool
    minimum_game_time: float  # each player's
    maximum_game_time: float
    game_time_increment: float  # after each round; below zero only where the time is a ramp
    gene_pool_file: str  # in the run's folder

    # Genetic Chess as it is today: so many mutations a child for so many rounds, in turn.
    first_mutation_rate: int = 1
    first_mutation_interval: int = 1
    second_mutation_rate: int = 1
    second_mutation_interval: int = 1
    fen: str = START
    output_volume: Literal["verbose", "quiet"] = "verbose"
    time_limit: float | None = None  # of the run
    start_delay: float = 0.0

    # Ours.
    seed: int = 1
    search: Literal["seed", "strong"] = "seed"
    nodes_per_second: float | None = 1000.0  # a second of every clock; None: clocks on the wall
    nodes_per_move: int | None = None  # None: clocks; else there are none
    time_increment: float = 0.0  # after each move
    pool_rules: Literal["2017", "2025", "strategy"] = "2017"
    game_time: Literal["oscillate", "ramp"] = "oscillate"
    games_per_pairing: int = 1
    openings: str = "start"  # or standard, or a file
    genes: Literal["ten", "all"] = "ten"
    hall_of_fame: float = 0.0  # games in a hundred
    panel_games: int = 0  # of the best of a pool against each fixed opponent
    panel_interval: int = 0  # rounds
    founder: str = "random"  # or a bundled genome, or a file
    first_step: float = 0.5  # of the strategy; in units of engines/chess/genes.py
    learning_rate: float = 0.15  # of the strategy: how far a generation moves, in steps
    planned_rounds: int = 500  # of the strategy: until then its steps shrink
    maximum_moves: int = 500  # of each side; then it is a draw

    def __post_init__(self) -> None:
        """ConfigError for what no file can say, and for values that contradict each other."""
        check_values(self, KEYS)
        self._check_together()

    @classmethod
    def loads(cls, text: str) -> Self:
        """Read a configuration file. ConfigError names the line, the key, and what was read."""
        values, lines = read(text, KEYS)
        _check_complete(lines.keys())
        try:
            return cls(**values)
        except ConfigError as error:
            raise error.at(lines.get(error.key or "")) from None

    def dumps(self) -> str:
        """The file that says the same, with every key."""
        return write(self, KEYS)

    def time_control(self, game_seconds: float) -> TimeControl:
        """What a player may spend in a game of so many seconds."""
        if self.nodes_per_move is not None:
            return TimeControl(nodes=self.nodes_per_move)
        return TimeControl(
            seconds=game_seconds, increment=self.time_increment, nodes_per_second=self.nodes_per_second
        )

    def mutations(self, rounds: int) -> int:
        """How often a child is mutated when its pool has played so many rounds before."""
        turn = rounds % (self.first_mutation_interval + self.second_mutation_interval)
        return self.first_mutation_rate if turn < self.first_mutation_interval else self.second_mutation_rate

    def _check_together(self) -> None:
        if self.maximum_game_time < self.minimum_game_time:
            least = plain(self.minimum_game_time)
            raise ConfigError(
                f"maximum game time must be at least the minimum game time, {least}, "
                f"not {plain(self.maximum_game_time)!r}",
                key="maximum game time",
            )
        if self.game_time_increment < 0 and self.game_time == "oscillate":
            raise ConfigError(
                "game time increment must be 0 or more where game time = oscillate, "
                f"not {plain(self.game_time_increment)!r}",
                key="game time increment",
            )
        if self.fen != START and self.openings != "start":
            raise ConfigError(
                f"FEN must be left out where openings = {self.openings[:60]}, not {self.fen!r}", key="FEN"
            )
        if self.pool_rules == "strategy":
            if self.founder == "random":
                raise ConfigError("pool rules = strategy needs a founder, such as unevolved", key="founder")
            if self.gene_pool_count != 1 or self.games_per_pairing == 1:
                raise ConfigError(
                    "pool rules = strategy needs gene pool count = 1, and an even number of games per pairing",
                    key="pool rules",
                )
        if bool(self.panel_games) != bool(self.panel_interval):
            raise ConfigError(
                "panel games and panel interval must both be 0 or neither, "
                f"not '{self.panel_games}' and '{self.panel_interval}'",
                key="panel interval" if self.panel_interval else "panel games",
            )


# -- The keys --------------------------------------------------------------------------------------


def start(text: str) -> str:
    """A position in Forsyth-Edwards Notation that a game can begin from."""
    try:
        position = position_from_fen(text)
    except ValueError as error:
        raise ValueError(f"a position ({error})") from None
    if position.is_terminal():
        raise ValueError("a position in which the game goes on")
    return fen(position)


KEYS: Final = (
    Key(name="maximum simultaneous games", reader=whole(1, 10_000)),
    Key(name="gene pool population", reader=even(2, 10_000)),
    Key(name="gene pool count", reader=whole(1, 1000)),
    Key(name="draw kill probability", reader=number(0, 1)),
    Key(name="pool swap interval", reader=whole(1, EVER)),
    Key(name="minimum game time", reader=seconds(0.001, DAY)),
    Key(name="maximum game time", reader=seconds(0.001, DAY)),
    Key(name="game time increment", reader=seconds(-DAY, DAY)),
    Key(name="gene pool file", reader=plain_name),
    Key(name="first mutation rate", reader=whole(1, 1000)),
    Key(name="first mutation interval", reader=whole(1, EVER)),
    Key(name="second mutation rate", reader=whole(1, 1000)),
    Key(name="second mutation interval", reader=whole(1, EVER)),
    Key(name="FEN", reader=start),
    Key(name="output volume", reader=one_of("verbose", "quiet")),
    Key(name="time limit", reader=seconds(0.001, EVER), nothing="none"),
    Key(name="start delay", reader=seconds(0, EVER)),
    Key(name="seed", reader=whole(0, 2**64 - 1)),
    Key(name="search", reader=one_of("seed", "strong")),
    Key(name="nodes per second", reader=number(1, EVER), nothing="wall"),
    Key(name="nodes per move", reader=whole(1, EVER), nothing="none"),
    Key(name="time increment", reader=seconds(0, 3600)),
    Key(name="pool rules", reader=one_of("2017", "2025", "strategy")),
    Key(name="game time", reader=one_of("oscillate", "ramp")),
    Key(name="games per pairing", reader=even(2, 1000, or_one=True)),
    Key(name="openings", reader=word_or_path("start", "standard")),
    Key(name="genes", reader=one_of("ten", "all")),
    Key(name="hall of fame", reader=number(0, 100)),
    Key(name="panel games", reader=whole(0, 1000)),
    Key(name="panel interval", reader=whole(0, EVER)),
    Key(name="founder", reader=word_or_path("random")),
    Key(name="first step", reader=number(1e-6, 100)),
    Key(name="learning rate", reader=number(1e-6, 10)),
    Key(name="planned rounds", reader=whole(1, EVER)),
    Key(name="maximum moves", reader=whole(1, 10_000)),
)
MUTATION_KEYS: Final = tuple(key.name for key in KEYS if key.name.startswith(("first mut", "second mut")))


def _check_complete(given: Collection[str]) -> None:
    """ConfigError names the keys that are missing; mutation rates and intervals come all or none."""
    needed = {field.name for field in fields(PoolConfig) if field.default is MISSING}
    missing = [key.name for key in KEYS if key.field in needed and key.name not in given]
    if any(name in given for name in MUTATION_KEYS):
        missing += [name for name in MUTATION_KEYS if name not in given]
    if missing:
        raise ConfigError(f"missing: {', '.join(missing)}", key=missing[0])
