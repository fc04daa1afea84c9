"""The configuration of a gene pool: its keys, and the combinations of values that are allowed.

Reference: Genetic Chess, section 5.1, whose keys are all required; the keys of that program's later years
and our own are optional. Times are in seconds.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import ClassVar, Final, Literal, Self

from core.chess.notation import START, fen, position_from_fen
from engines.config import (
    MAX_COUNT,
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
KEYS_OF_RULES: Final = {
    STRATEGIES: ("first_step", "learning_rate", "planned_rounds"),
    ("examination",): (
        "last_nodes_per_move", "breeding", "breeding_steps", "paper_games", "paper_positions", "positions_per_game",
        "target_nodes", "trial_nodes", "minimum_positions",
        "graded_positions", "result_weight", "price", "champion_price", "trial_games", "trial_elo", "longest_trial",
    ),
}  # fmt: skip


def start(text: str) -> str:
    """Return the FEN of a position from which a game can start. Raises ValueError for any other text."""
    try:
        position = position_from_fen(text)
    except ValueError as error:
        raise ValueError(f"a position ({error})") from None
    if position.is_terminal():
        raise ValueError("a position in which the game has not ended")
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

    # Genetic Chess, section 5.1. These keys are required.
    # The number of games that may be played at the same time.
    maximum_simultaneous_games: int = required(whole(1, 10_000))
    # The number of members of each pool, or of genomes that a step of breeding grades.
    gene_pool_population: int = required(even(2, 10_000))
    # The number of pools.
    gene_pool_count: int = required(whole(1, 1000))
    # The probability that one of two players is replaced after a draw.
    draw_kill_probability: float = required(number(0, 1))
    # The number of games of a pool after which its best member is copied into the next pool.
    pool_swap_interval: int = required(whole(1, MAX_COUNT))
    # The time of each player in a game of the first round.
    minimum_game_time: float = required(seconds(0.001, DAY))
    # The longest time of each player.
    maximum_game_time: float = required(seconds(0.001, DAY))
    # The time that is added after each round. It is below zero only if the game time is a ramp.
    game_time_increment: float = required(seconds(-DAY, DAY))
    # The name of the file of genomes in the run's folder. The files of games and of the best genome are named after it.
    gene_pool_file: str = required(plain_name)

    # Genetic Chess as it is today. Two mutation rates alternate, each for its interval of rounds.
    # The number of mutations of a child in the first interval.
    first_mutation_rate: int = setting(1, whole(1, 1000))
    # The number of rounds of the first interval.
    first_mutation_interval: int = setting(1, whole(1, MAX_COUNT))
    # The number of mutations of a child in the second interval.
    second_mutation_rate: int = setting(1, whole(1, 1000))
    # The number of rounds of the second interval.
    second_mutation_interval: int = setting(1, whole(1, MAX_COUNT))
    # The position at which games start.
    fen: str = setting(START, start, name="FEN")
    # Whether the report of a generation lists every game.
    output_volume: Literal["verbose", "quiet"] = setting("verbose", one_of("verbose", "quiet"))
    # The time after which the run ends.
    time_limit: float | None = setting(None, seconds(0.001, MAX_COUNT), none="none")
    # The time to wait before the run starts.
    start_delay: float = setting(0.0, seconds(0, MAX_COUNT))

    # Additions of Galapagos to all pool rules.
    # The seed of everything random in the run.
    seed: int = setting(1, whole(0, 2**64 - 1))
    # The search of both players: that of 2017 (`seed`), or alpha-beta (`strong`).
    search: Literal["seed", "strong"] = setting("seed", one_of("seed", "strong"))
    # The number of nodes that count as a second of every clock, so that games are the same on every machine. `wall`
    # uses real clocks; then a run cannot be repeated.
    nodes_per_second: float | None = setting(1000.0, number(1, MAX_COUNT), none="wall")
    # The number of nodes of every move, instead of clocks.
    nodes_per_move: int | None = setting(None, whole(1, MAX_COUNT), none="none")
    # The time that a player gets after each move.
    time_increment: float = setting(0.0, seconds(0, 3600))
    # How genomes breed. `2017`: the pools of Genetic Chess. `2025`: as today's Genetic Chess, in which every game breeds
    # and a coin decides draws. `strategy`: an evolution strategy. `examination`: a champion is tuned on positions.
    pool_rules: Literal["2017", "2025", "strategy", "examination"] = setting(
        "2017", one_of("2017", "2025", "strategy", "examination")
    )
    # How the game time changes: it rises and falls between minimum and maximum, or rises once as in today's Genetic Chess.
    game_time: Literal["oscillate", "ramp"] = setting("oscillate", one_of("oscillate", "ramp"))
    # The number of games of each pairing. With an even number colours alternate, and the results are added up.
    games_per_pairing: int = setting(1, even(2, 1000, or_one=True))
    # The openings of games: the start position, the 58 bundled openings, or a file of FEN or EPD lines.
    openings: str = setting("start", word_or_path("start", "standard"))
    # The number of random moves after the opening, the same in both games of a pair.
    random_plies: int = setting(0, whole(0, 100))
    # The genes of random genomes: the ten of 2017; `all`, with phases of the game and every optional gene; `positional`,
    # with all but material and the positional genes switched off; `search`, for the numbers of the search alone.
    genes: Literal["ten", "all", "positional", "search"] = setting(
        "ten", one_of("ten", "all", "positional", "search")
    )
    # The percentage of pairings in which a champion of the past replaces the second player.
    hall_of_fame: float = setting(0.0, number(0, 100))
    # The number of games of the best genome against each of `unevolved` and `handset`, which show progress.
    panel_games: int = setting(0, whole(0, 1000))
    # The number of rounds from one panel to the next.
    panel_interval: int = setting(0, whole(0, MAX_COUNT))
    # The genome whose copies the run starts with: a bundled one, or a file.
    founder: str = setting("random", word_or_path("random"))
    # The moves of each side after which a game is a draw.
    maximum_moves: int = setting(500, whole(1, 10_000))

    # Keys of `pool rules = strategy`, and of `breeding = strategy`.
    # The size of the random steps at the start: in units of engines/chess/genes.py, or in pawns of a typical score if a
    # strategy breeds by positions. It shrinks during the planned rounds.
    first_step: float = setting(0.5, number(1e-6, 100))
    # How far a generation moves the centre: in steps, or in parts of the natural gradient if a strategy breeds by
    # positions. It shrinks during the planned rounds.
    learning_rate: float = setting(0.15, number(1e-6, 10))
    # The number of rounds during which step and learning rate shrink.
    planned_rounds: int = setting(500, whole(1, MAX_COUNT))

    # Keys of `pool rules = examination`.
    # The nodes per move in the last planned round. They grow from `nodes per move` by the same factor in each round.
    last_nodes_per_move: int | None = setting(None, whole(1, MAX_COUNT), none="none")
    # How genomes are bred: as mirror images of a centre, or by mating as in Genetic Chess.
    breeding: Literal["strategy", "mating"] = setting("strategy", one_of("strategy", "mating"))
    # The number of steps of breeding in a generation.
    breeding_steps: int = setting(40, whole(1, 10_000))
    # The number of games in a generation that the champion plays against itself.
    paper_games: int = setting(200, whole(1, 100_000))
    # The size of the training set, which holds the newest positions.
    paper_positions: int = setting(1_000_000, whole(1, 10_000_000))
    # The number of positions from which on genomes are bred. Until the training set has as many, the founder plays itself.
    minimum_positions: int = setting(1, whole(1, 10_000_000))
    # The most positions that are taken from one game.
    positions_per_game: int = setting(20, whole(1, 1000))
    # The nodes of a second search of positions of the champion's games, which gives them their targets and the game its
    # move; positions are drawn in which the first search and the evaluation disagree. `none` takes the first search of any
    # quiet position.
    target_nodes: int | None = setting(None, whole(1, MAX_COUNT), none="none")
    # The number of positions that grade the genomes of a step.
    graded_positions: int = setting(8192, whole(1, 1_000_000))
    # The weight of the game's result in a target. The rest is the score of the search.
    result_weight: float = setting(0.5, number(0, 1))
    # The amount that is added to the loss for the square of each positional number, in pawns.
    price: float = setting(0.00001, number(0, 1))
    # The amount that is added to the loss for the square of the distance of each number from the champion's, in pawns.
    champion_price: float = setting(0.0, number(0, 1))
    # The number of games of the gating match in a generation.
    trial_games: int = setting(40, even(2, 10_000))
    # The nodes per move of the gating match; `none` takes those of the other games.
    trial_nodes: int | None = setting(None, whole(1, MAX_COUNT), none="none")
    # The difference in Elo that the gating match tests for.
    trial_elo: float = setting(30.0, number(0.1, 200))
    # The number of games after which an undecided gating match ends, and the champion stays.
    longest_trial: int = setting(300, whole(2, MAX_COUNT))

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

    @property
    def main_keys(self) -> Sequence[str]:
        match self.pool_rules:
            case "examination":
                own = (
                    "nodes per move",
                    "last nodes per move",
                    "breeding steps",
                    "paper games",
                    "trial games",
                )
                return ("gene pool population", *own, "planned rounds", "learning rate")
            case "strategy":
                return (
                    "gene pool population",
                    "games per pairing",
                    "nodes per move",
                    "planned rounds",
                    "learning rate",
                )
            case _:
                games = ("minimum game time", "maximum game time", "nodes per second", "maximum moves")
                return (
                    "gene pool population",
                    "gene pool count",
                    "draw kill probability",
                    "pool swap interval",
                    *games,
                )

    @property
    def fork_keys(self) -> Sequence[str]:
        if self.pool_rules in STRATEGIES:
            return ("planned rounds", "learning rate")
        return ("draw kill probability", "pool swap interval", "nodes per second", "maximum moves")

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
        if self.trial_nodes is not None and self.nodes_per_move is None:
            raise ConfigError("trial nodes needs nodes per move", key="trial nodes")
        most = max(self.nodes_per_move or MAX_COUNT, self.last_nodes_per_move or 0)
        if self.target_nodes is not None and self.target_nodes <= most:
            raise ConfigError(
                "target nodes must be more than nodes per move and last nodes per move", key="target nodes"
            )
        if self.minimum_positions > self.paper_positions:
            raise ConfigError(
                f"minimum positions must be at most the paper positions, {self.paper_positions}, "
                f"not '{self.minimum_positions}'",
                key="minimum positions",
            )
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
        for rules, names in KEYS_OF_RULES.items():
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
