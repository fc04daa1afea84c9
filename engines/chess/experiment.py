"""A run of chess genomes, opened from its record: population, games, files, report and curves.

Reference: Genetic Chess, sections 2 and 5.2. The run's store is the record; the text files are for people and
for other programs.
"""

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from shlex import quote
from typing import Any, Final

from core.chess.notation import fen
from core.random import Random
from engines.chess.breeding import SearchState, Survivors
from engines.chess.champion_tuning import ChampionTuning, TuningState, without_others
from engines.chess.config import PoolConfig
from engines.chess.es_population import EsPopulation, EsState
from engines.chess.game_record import GameRecord, pgn
from engines.chess.game_settings import GameSettings
from engines.chess.gene_pool import GenePool, GenePoolState, Member, Pool, best_member
from engines.chess.genes import OPENING
from engines.chess.genome import Genome
from engines.chess.genome_file import BEST_SUFFIX, bundled, fit_to_play, load_bundled
from engines.chess.pgn import OPENINGS, read_openings
from engines.chess.self_play import SelfPlayGame, play
from engines.chess.story import CHARTS as CHARTS
from engines.chess.story import piece_values
from engines.chess.story import portrait as portrait
from engines.chess.story import story as story
from engines.evolution.population import Contest, Generation, Individual, derive_seed
from engines.evolution.run import Experiment, RunExporter
from engines.evolution.run_store import RunStore
from engines.evolution.selection import shuffled
from engines.evolution.state import load_state
from engines.statistics import score
from engines.storage import write_atomically
from engines.strength import Strength

REFERENCE: Final = "handset"
REFERENCE_GAMES: Final = 40
REFERENCE_NODES: Final = 100  # a move
REFERENCE_MOVES: Final = 100  # of each side, after which the game is a draw
RUNS: Final = Path(__file__).with_name("runs")
PRELOAD: Final = ("engines.chess.self_play",)


def seed_in(config: str) -> int:
    """Return the seed of a configuration. Raises ValueError, which names line and key, if it cannot be used."""
    pool_config = PoolConfig.loads_new(config)
    GameSettings.of(pool_config)
    _founder(pool_config)
    return pool_config.seed


def has_games(config: str) -> bool:
    """Return whether the generations of a run have games on record; in chess they always have."""
    return True


def open_experiment(store: RunStore) -> Experiment:
    """Return the run in a store, ready to continue."""
    config = PoolConfig.loads(store.config)
    settings = GameSettings.of(config)

    def genome_of(id: int) -> Genome:
        return Genome.loads(store.individual(id).genome)

    founder = genome_of(0) if store.state else _founder(config)  # the founder's file may have changed since
    population: GenePool | EsPopulation | ChampionTuning
    if config.pool_rules == "examination":
        kind: type[TuningState[Any]] = TuningState[Survivors]
        if config.breeding == "strategy":
            kind = TuningState[SearchState | None]
        tuning = load_state(store.state, kind)
        population = ChampionTuning(settings, store.seed, genome_of, store.contests, founder, tuning)
    elif config.pool_rules == "strategy":
        assert founder is not None  # PoolConfig requires a founder for these rules
        strategy = load_state(store.state, EsState)
        population = EsPopulation(settings, store.seed, genome_of, founder, strategy)
    else:
        pools = load_state(store.state, GenePoolState)
        population = GenePool(settings, store.seed, genome_of, founder, pools)
    return Experiment(
        population=population,
        play=play,
        journal=PoolFiles(store.folder / config.gene_pool_file, population),
        report=partial(report, population, config),
        preload=PRELOAD,
        workers=min(config.maximum_simultaneous_games, config.gene_pool_population // 2),
        delay_seconds=config.start_delay,
        limit_seconds=config.time_limit,
    )


def commands(store: RunStore, id: int) -> list[str]:
    """Return the commands that show the best genome of a run and let a person play against it."""
    path = _best_path(store.folder / PoolConfig.loads(store.config).gene_pool_file)
    return [
        f"galapagos genome show {quote(str(path))}",
        f"galapagos play chess human {quote(f'chess:{path}')}",
    ]


def measure(config: str, genome: str, seed: int) -> Strength:
    """Return the score of a genome against the bundled REFERENCE, in two games from each opening.

    Both players use the search of the run.
    """
    search = PoolConfig.loads(config).search
    player, other = Genome.loads(genome), load_bundled(REFERENCE)
    openings = shuffled([fen(each) for each in read_openings(OPENINGS)], Random(seed))
    points = []
    for number in range(REFERENCE_GAMES):
        white, black = (player, other) if number % 2 == 0 else (other, player)
        game = SelfPlayGame(
            white=white, black=black, start=openings[number // 2 % len(openings)], seed=derive_seed(seed, number),
            search=search, nodes=REFERENCE_NODES, max_moves=REFERENCE_MOVES, lines=False,
        )  # fmt: skip
        points.append(play(game).returns[number % 2])
    counts = [sum(each == value for each in points) for value in (-1.0, 0.0, 1.0)]
    return Strength(
        estimate=score(counts),
        form=".1%",
        games=len(points),
        against=f"of the points against {REFERENCE}, {REFERENCE_NODES} nodes a move",
    )


def _founder(config: PoolConfig) -> Genome | None:
    """Return the genome whose copies a run starts with, or None for random genomes.

    Raises ValueError if the genome cannot be read.
    """
    if config.founder == "random":
        return None
    genome = (
        load_bundled(config.founder) if config.founder in bundled() else fit_to_play(Path(config.founder))
    )
    if config.genes == "positional":
        return without_others(genome.extended())
    if config.genes == "search":
        return genome.with_search()
    return genome.extended() if config.genes == "all" else genome


# -- Files -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PoolFiles(RunExporter):
    """The exports of a run: the genomes at `path`, and files of the games and of the best genome in the same folder.

    The files grow generation by generation; after a crash they are cut back to the last generation in the store. A
    checkpoint has their lengths.
    """

    path: Path
    population: GenePool | EsPopulation | ChampionTuning

    def truncate_to(self, checkpoint: str) -> None:
        """Cut the files to their lengths at `checkpoint`, or to 0 if the checkpoint is empty.

        Raises ValueError, and cuts nothing, if a file is missing or too short.
        """
        lengths = dict(zip((self.path, self._games_path), _lengths(checkpoint), strict=True))
        for path, length in lengths.items():
            if length and not path.exists():
                raise ValueError(
                    f"{path.name} is missing; put the file back, whose first {length} bytes belong to this run"
                )
            if length and path.stat().st_size < length:
                size = path.stat().st_size
                raise ValueError(f"{path.name} has {size} bytes instead of {length}; put the whole file back")
        for path, length in lengths.items():
            if path.exists():
                os.truncate(path, length)

    def append(self, generation: Generation[Genome]) -> str:
        """Append the offspring, the living IDs of each pool, and the games; replace the best genome.

        Return the new checkpoint once everything is on the disk. After an OSError the files may be incomplete, until
        the next truncate_to().
        """
        born = (_numbered(newborn) for newborn in generation.born)
        alive = (
            f"Still Alive: {pool} : {' '.join(map(str, ids))}\n"
            for pool, ids in enumerate(generation.statistics["living"])
        )
        games = (
            _pgn(contest, f"{generation.number}.{number}")
            for number, contest in enumerate(generation.contests, 1)
        )
        checkpoint = json.dumps({
            "genomes": _append(self.path, (*born, *alive)),
            "games": _append(self._games_path, games),
        })  # fmt: skip
        write_atomically(_best_path(self.path), _numbered(self.population.best()))
        return checkpoint

    @property
    def _games_path(self) -> Path:
        return self.path.with_name(f"{self.path.name}_games.txt")


def _best_path(pool: Path) -> Path:
    """Return the path of the best genome for a run's file of genomes."""
    return pool.with_name(f"{pool.name}{BEST_SUFFIX}")


def _numbered(individual: Individual[Genome]) -> str:
    return replace(individual.genome, id=individual.id).dumps()


def _pgn(contest: Contest, round_text: str) -> str:
    white, black = contest.players
    return pgn(
        GameRecord.unpack(contest.record),
        white=white,
        black=black,
        event=f"Gene pool {contest.niche}",
        round_text=round_text,
    )


def _append(path: Path, texts: Iterable[str]) -> int:
    """Append the texts, with a blank line after each, and return the length of the file in bytes."""
    with path.open("ab") as file:
        for text in texts:
            file.write(text.rstrip("\n").encode() + b"\n\n")
        file.flush()
        os.fsync(file.fileno())
        return file.tell()


def _lengths(checkpoint: str) -> tuple[int, int]:
    if not checkpoint:
        return 0, 0
    try:
        found = json.loads(checkpoint)
        genomes, games = found["genomes"], found["games"]
    except (ValueError, KeyError, TypeError, RecursionError):
        genomes = games = None
    if type(genomes) is not int or type(games) is not int or genomes < 0 or games < 0:
        raise ValueError(f"no checkpoint of a gene pool's files: {checkpoint[:60]!r}")
    return genomes, games


# -- The report of a generation, in the form of section 5.2 ------------------------------------------


def report(
    population: GenePool | EsPopulation | ChampionTuning, config: PoolConfig, generation: Generation[Any]
) -> str:
    """Return the report of a generation as text."""
    if isinstance(population, ChampionTuning):
        return _trial_report(generation)
    if isinstance(population, EsPopulation):
        return _centre_report(population, generation)
    return "\n\n".join(
        pool_report(number, pool, config, generation) for number, pool in enumerate(population.pools)
    )


def pool_report(number: int, pool: Pool, config: PoolConfig, generation: Generation[Any]) -> str:
    """Return the report of a pool after a round: totals, the living members, the games, the records."""
    seconds = None if config.nodes_per_move else generation.statistics.get("seconds")
    totals = (
        f"Gene pool ID: {number}  Gene pool size: {len(pool.members)}  "
        f"New blood introduced: {pool.new_blood} (*)\n"
        f"Games: {pool.games}  White wins: {pool.white_wins}  "
        f"Black wins: {pool.black_wins}  Draws: {pool.draws}\n"
        f"Time: {'none' if seconds is None else f'{seconds:g} sec'}  "
        f"Gene pool file name: {config.gene_pool_file}"
    )
    records = (("Most wins", pool.most_wins), ("Longest lived", pool.longest_lived))
    parts = (
        totals,
        _table(number, pool),
        _games(generation, number),
        "\n".join(f"{name}: {count} by ID {id}" for name, (count, id) in records if count),
    )
    return "\n\n".join(filter(None, parts)) + "\n"


def _table(number: int, pool: Pool) -> str:
    """Return a table of the living members by ID: T marks a copy of another pool's best, * the child of a draw."""
    living = sorted(pool.members, key=lambda member: member.id)
    width = max(len(str(member.id)) for member in living) + 1
    head = f"{'ID':>{width}}{'Wins':>7}{'Streak':>8}{'Draws':>7}{'Streak':>8}"

    def row(member: Member) -> str:
        marks = " T" * (member.home != number) + " *" * member.is_new_blood
        return (
            f"{member.id:{width}}{member.wins:7}{member.winning_streak:8}"
            f"{member.draws:7}{member.drawing_streak:8}{marks}"
        )

    return "\n".join((head, *map(row, living)))


def _games(generation: Generation[Any], pool: int) -> str:
    lines = []
    for contest in generation.contests:
        if contest.niche == pool:
            first, second = contest.returns
            winner = "White" if first > second else "Black" if first < second else "None"
            white, black = contest.players
            lines.append(f"{white} vs {black}: {winner}! {contest.remark}".rstrip())
    return "\n".join(lines)


def _centre_report(population: EsPopulation, generation: Generation[Any]) -> str:
    lines = [f"Centre: {population.centre.id}  Step: {generation.statistics['step']:.3f}"]
    lines += _panel_lines(generation)
    return "\n".join(filter(None, [*lines, _games(generation, 0)])) + "\n"


def _trial_report(generation: Generation[Any]) -> str:
    statistics = generation.statistics
    lines = [f"Champion: {statistics['centre']}  Challenger: {statistics['challenger']}"]
    lines.append(f"Trial, pairs of games by points: {' '.join(map(str, statistics['trial']))}")
    if "loss" in statistics:
        lines.append(f"Loss: {statistics['loss']:.5f}, mean of {statistics['positions']} positions")
    lines += _panel_lines(generation)
    return "\n".join(lines) + "\n"


def _panel_lines(generation: Generation[Any]) -> list[str]:
    return [
        f"Against {name}: {wins} won, {losses} lost, {draws} drawn"
        for name, (losses, draws, wins) in generation.statistics.get("panel", {}).items()
    ]


# -- The curves of a run: its pools, the panel, and the priorities of the genes ----------------------


def measures(statistics: Mapping[str, Any]) -> dict[str, float]:
    """Return the numbers of one generation by name, "CHART: CURVE"."""
    found = {
        f"score against the panel: {name}": score(tally).value
        for name, tally in statistics.get("panel", {}).items()
    }
    if "loss" in statistics:
        found["loss on the training set: loss"] = statistics["loss"]
    if "step" in statistics:
        found["size of a step: step"] = statistics["step"]
    if "died" in statistics:
        found["comings and goings: died"] = len(statistics["died"])
        found["comings and goings: new blood"] = statistics["new_blood"]
        found["comings and goings: moved"] = len(statistics.get("swaps", ()))
    return found


def champion(record: Sequence[Mapping[str, Any]], state: str) -> int | None:
    """Return the ID of the best individual: a strategy's centre, the tuned champion, or the best member of all pools.

    None is returned before a member of the pools has won a game.
    """
    if record and "centre" in record[-1]:
        return int(record[-1]["centre"])
    found = load_state(state, GenePoolState)
    best = best_member(found.pools) if found else None
    return best.id if best and best.wins else None


def traits(text: str) -> dict[str, float]:
    """Return the values of the pieces, and the priority of each gene in the opening, 0 for one that is switched off."""
    genome = Genome.loads(text)
    values = {f"value of a piece: {piece}": value for piece, value in piece_values(genome).items()}
    return values | {
        f"priority of a gene: {gene.name.removesuffix(' Gene')}": (
            gene.within(OPENING, "Priority") if gene.active else 0.0
        )
        for gene in genome.genes
        if any(param.name.startswith("Priority") for param in gene.params)
    }
