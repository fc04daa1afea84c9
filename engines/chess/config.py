"""The configuration of a gene pool: its keys, and the combinations of values that are allowed.

Reference: Genetic Chess, section 5.1, whose keys are all required; the keys of that program's later years
and our own are optional. Times are in seconds.
"""

import logging
from dataclasses import dataclass, fields
from typing import ClassVar, Final, Literal, Self

from core.chess.notation import START, fen, position_from_fen
from engines.config import (
    EVER,
    Config,
    ConfigError,
    even,
    keys_of,
    number,
    one_of,
    plain,
    plain_name,
    read,
    required,
    seconds,
    setting,
    whole,
    word_or_path,
)

LOG: Final = logging.getLogger(__name__)
DAY: Final = 86_400.0
STRATEGIES: Final = ("strategy", "examination")  # pool rules under which nothing is bred in pools
# Fields that have a meaning under these pool rules only.
OF_RULES: Final = {
    STRATEGIES: ("first_step", "learning_rate", "planned_rounds"),
    ("examination",): (
        "last_nodes_per_move", "breeding", "breeding_steps", "paper_games", "paper_positions", "positions_per_game",
        "graded_positions", "result_weight", "price", "trial_games", "trial_elo", "longest_trial",
    ),
}  # fmt: skip


def start(text: str) -> str:
    """Return the FEN of a position from which a game can start. Raises ValueError for any other text."""
    try:
        position = position_from_fen(text)
    except ValueError as error:
        raise ValueError(f"a position ({error})") from None
    if position.is_terminal():
        raise ValueError("a position in which the game goes on")
    for note in position.notes:
        LOG.warning("%s", note)
    return fen(position)


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolConfig(Config):
    """The configuration of a run of gene pools."""

    ALL_OR_NONE: ClassVar = (
        "first mutation rate",
        "first mutation interval",
        "second mutation rate",
        "second mutation interval",
    )

    # Genetic Chess, section 5.1.
    maximum_simultaneous_games: int = required(whole(1, 10_000))
    gene_pool_population: int = required(even(2, 10_000))  # members of each pool
    gene_pool_count: int = required(whole(1, 1000))
    draw_kill_probability: float = required(number(0, 1))
    pool_swap_interval: int = required(whole(1, EVER))  # games of a pool
    minimum_game_time: float = required(seconds(0.001, DAY))  # of each player
    maximum_game_time: float = required(seconds(0.001, DAY))
    # Added after each round; below zero only if the game time is a ramp.
    game_time_increment: float = required(seconds(-DAY, DAY))
    gene_pool_file: str = required(plain_name)  # in the run's folder

    # Genetic Chess as it is today. Two rates, the mutations of a child, alternate; an interval is in rounds.
    first_mutation_rate: int = setting(1, whole(1, 1000))
    first_mutation_interval: int = setting(1, whole(1, EVER))
    second_mutation_rate: int = setting(1, whole(1, 1000))
    second_mutation_interval: int = setting(1, whole(1, EVER))
    fen: str = setting(START, start, name="FEN")
    output_volume: Literal["verbose", "quiet"] = setting("verbose", one_of("verbose", "quiet"))
    time_limit: float | None = setting(None, seconds(0.001, EVER), none="none")  # of the run
    start_delay: float = setting(0.0, seconds(0, EVER))

    # Our own keys.
    seed: int = setting(1, whole(0, 2**64 - 1))
    search: Literal["seed", "strong"] = setting("seed", one_of("seed", "strong"))
    # The nodes that count as a second of every clock; None: real time.
    nodes_per_second: float | None = setting(1000.0, number(1, EVER), none="wall")
    nodes_per_move: int | None = setting(None, whole(1, EVER), none="none")  # instead of clocks
    time_increment: float = setting(0.0, seconds(0, 3600))  # after each move
    pool_rules: Literal["2017", "2025", "strategy", "examination"] = setting(
        "2017", one_of("2017", "2025", "strategy", "examination")
    )
    game_time: Literal["oscillate", "ramp"] = setting("oscillate", one_of("oscillate", "ramp"))
    games_per_pairing: int = setting(1, even(2, 1000, or_one=True))
    openings: str = setting("start", word_or_path("start", "standard"))  # or a file
    random_plies: int = setting(0, whole(0, 100))  # after the opening, the same in both games of a pair
    genes: Literal["ten", "all", "positional", "search"] = setting(
        "ten", one_of("ten", "all", "positional", "search")
    )
    hall_of_fame: float = setting(0.0, number(0, 100))  # percent of the pairings with a champion of the past
    panel_games: int = setting(0, whole(0, 1000))  # games of the best genome against each fixed opponent
    panel_interval: int = setting(0, whole(0, EVER))  # rounds
    founder: str = setting("random", word_or_path("random"))  # or a bundled genome, or a file
    # Keys of the strategy. The first step is in units of engines/chess/genes.py, or in pawns of a typical score if a
    # strategy breeds by positions. The learning rate is how far a generation moves, in steps, or in parts of the
    # natural gradient. Both shrink during the planned rounds.
    first_step: float = setting(0.5, number(1e-6, 100))
    learning_rate: float = setting(0.15, number(1e-6, 10))
    planned_rounds: int = setting(500, whole(1, EVER))
    # Keys of the examination.
    last_nodes_per_move: int | None = setting(None, whole(1, EVER), none="none")  # in the last planned round
    breeding: Literal["strategy", "mating"] = setting("strategy", one_of("strategy", "mating"))
    breeding_steps: int = setting(40, whole(1, 10_000))  # in a generation
    paper_games: int = setting(200, whole(1, 100_000))  # of the champion against itself, in a generation
    paper_positions: int = setting(1_000_000, whole(1, 10_000_000))  # the size of the training set
    positions_per_game: int = setting(20, whole(1, 1000))  # at most
    graded_positions: int = setting(8192, whole(1, 1_000_000))  # by which a step is graded
    result_weight: float = setting(0.5, number(0, 1))  # in a target; the rest is the search's score
    price: float = setting(0.00001, number(0, 1))  # of the square of each positional number, in the loss
    trial_games: int = setting(40, even(2, 10_000))  # of the gating match, in a generation
    trial_elo: float = setting(30.0, number(0.1, 200))  # the difference that the gating match tests for
    longest_trial: int = setting(300, whole(2, EVER))  # games, after which the champion stays
    maximum_moves: int = setting(500, whole(1, 10_000))  # of each side, after which a game is a draw

    @classmethod
    def loads_new(cls, text: str) -> Self:
        """Return the configuration of a new run. Raises ConfigError also for keys that its pool rules would ignore.

        A run on record may have such keys, since older versions accepted them; loads() reads its configuration.
        """
        config = cls.loads(text)
        try:
            config._check_new()
        except ConfigError as error:
            _, lines = read(text, keys_of(cls))
            raise error.at(lines.get(error.key or "")) from None
        return config

    def mutations(self, rounds: int) -> int:
        """Return how often a child is mutated in a pool that has played `rounds` rounds before."""
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
        if self.genes == "search" and self.pool_rules != "strategy":
            raise ConfigError("genes = search needs pool rules = strategy", key="genes")
        if self.pool_rules == "examination" and (self.genes != "positional" or self.gene_pool_count != 1):
            raise ConfigError(
                "pool rules = examination needs genes = positional and gene pool count = 1", key="pool rules"
            )
        if self.last_nodes_per_move is not None and self.nodes_per_move is None:
            raise ConfigError("last nodes per move needs nodes per move", key="last nodes per move")
        if bool(self.panel_games) != bool(self.panel_interval):
            raise ConfigError(
                "panel games and panel interval must both be 0 or neither, "
                f"not '{self.panel_games}' and '{self.panel_interval}'",
                key="panel interval" if self.panel_interval else "panel games",
            )

    def _check_new(self) -> None:
        """Raise ConfigError for a key that the pool rules would ignore.

        The strategy and the examination have one game time, and neither mutations nor a hall of fame. They ignore the
        draw kill probability and the pool swap interval too, but every file must have these keys.
        """
        defaults = {field.name: field.default for field in fields(self)}
        for rules, names in OF_RULES.items():
            for name in names if self.pool_rules not in rules else ():
                if getattr(self, name) != defaults[name]:
                    key = name.replace("_", " ")
                    raise ConfigError(
                        f"{key} is for pool rules = {' or '.join(rules)}, not {self.pool_rules}", key=key
                    )
        if self.pool_rules not in STRATEGIES:
            return
        least = plain(self.minimum_game_time)
        if self.maximum_game_time != self.minimum_game_time:
            raise ConfigError(
                f"maximum game time must be the minimum game time, {least}, where pool rules = {self.pool_rules}, "
                f"not {plain(self.maximum_game_time)!r}",
                key="maximum game time",
            )
        settings: tuple[tuple[str, object, object], ...] = (
            ("game time increment", self.game_time_increment, 0.0),
            ("game time", self.game_time, "oscillate"),
            ("hall of fame", self.hall_of_fame, 0.0),
            ("first mutation rate", self.first_mutation_rate, 1),
            ("second mutation rate", self.second_mutation_rate, 1),
        )
        for key, value, neutral in settings:
            if value != neutral:
                raise ConfigError(
                    f"{key} must be {plain(neutral)} where pool rules = {self.pool_rules}, not {plain(value)!r}",
                    key=key,
                )
