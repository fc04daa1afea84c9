"""A run of chess genomes, put together from its record: population, games, files, and what people read."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from engines.chess.duel import play
from engines.chess.gene_pool.conditions import Conditions
from engines.chess.gene_pool.config import PoolConfig
from engines.chess.gene_pool.files import PoolFiles
from engines.chess.gene_pool.gene_pool import GenePool
from engines.chess.gene_pool.mirror_pool import MirrorPool
from engines.chess.gene_pool.pool import Member, Pool
from engines.chess.gene_pool.report import Meeting, PoolReport, Standing
from engines.chess.genome import Genome, bundled, load_bundled
from engines.chess.genome_file import fit_to_play
from engines.chess.record import Record, pgn
from engines.evolution.evolution import Generation
from engines.run.run import Experiment
from engines.run.store import Store

RUNS: Final = Path(__file__).parents[1] / "runs"
PRELOAD: Final = ("engines.chess.duel",)


def seed_in(config: str) -> int:
    """The seed that a configuration names. ValueError if it cannot be used, with line and key."""
    read = PoolConfig.loads(config)
    Conditions.of(read)
    _founder(read)
    return read.seed


def open_experiment(store: Store) -> Experiment:
    """The run as the store has it, ready to go on."""
    config = PoolConfig.loads(store.config)
    conditions = Conditions.of(config)

    def past(id: int) -> Genome:
        return Genome.loads(store.individual(id).genome)

    founder = past(0) if store.state else _founder(config)  # its file may have changed since
    population: GenePool | MirrorPool
    if config.pool_rules == "strategy":
        assert founder is not None  # seed_in() has seen to it
        population = MirrorPool(config, store.seed, conditions, past, founder)
    else:
        population = GenePool(config, store.seed, conditions, past, founder)
    if store.state:
        population.resume(store.state)
    files = PoolFiles(store.folder, config.gene_pool_file)
    return Experiment(
        population=population,
        play=play,
        journal=_Journal(files, population, config),
        report=_Reporter(population, config).text,
        preload=PRELOAD,
        workers=min(config.maximum_simultaneous_games, config.gene_pool_population // 2),
        delay_seconds=config.start_delay,
        limit_seconds=config.time_limit,
    )


def _founder(config: PoolConfig) -> Genome | None:
    """Whose copies a run begins with; none: with random genomes. ValueError if it cannot be read."""
    if config.founder == "random":
        return None
    genome = (
        load_bundled(config.founder) if config.founder in bundled() else fit_to_play(Path(config.founder))
    )
    return genome.extended() if config.genes == "all" else genome


@dataclass(frozen=True, slots=True)
class _Journal:
    """The files of a gene pool as a run's Journal."""

    files: PoolFiles
    population: GenePool | MirrorPool
    config: PoolConfig

    def rewind(self, mark: str) -> None:
        self.files.rewind(mark)

    def append(self, generation: Generation[Genome]) -> str:
        living: Sequence[Sequence[int]] = generation.statistics["living"]
        mark = self.files.append(generation.born, list(enumerate(living)), self._games(generation))
        self.files.best(self.population.best())
        return mark

    def _games(self, generation: Generation[Genome]) -> Iterator[str]:
        for number, contest in enumerate(generation.contests, 1):
            white, black = contest.players
            yield pgn(
                Record.unpack(contest.record),
                white=white,
                black=black,
                event=f"Gene pool {contest.niche}",
                round_text=f"{generation.number}.{number}",
            )


@dataclass(frozen=True, slots=True)
class _Reporter:
    """What people read after each generation, in the form of section 5.2."""

    population: GenePool | MirrorPool
    config: PoolConfig

    def text(self, generation: Generation[Any]) -> str:
        if isinstance(self.population, MirrorPool):
            return self._centre(self.population, generation)
        return "\n\n".join(self._pool(pool, generation) for pool in self.population.pools)

    def _pool(self, pool: Pool, generation: Generation[Any]) -> str:
        return PoolReport(
            pool=pool.number,
            size=len(pool.members),
            new_blood=pool.new_blood,
            games=pool.games,
            white_wins=pool.white_wins,
            black_wins=pool.black_wins,
            draws=pool.draws,
            game_seconds=None if self.config.nodes_per_move else generation.statistics.get("seconds"),
            file_name=self.config.gene_pool_file,
            standings=tuple(_standing(member, pool) for member in pool.members),
            meetings=_meetings(generation, pool.number),
            most_wins=pool.most_wins if pool.most_wins[0] else None,
            longest_lived=pool.longest_lived if pool.longest_lived[0] else None,
        ).text()

    def _centre(self, pool: MirrorPool, generation: Generation[Any]) -> str:
        lines = [f"Centre: {pool.centre.id}  Step: {generation.statistics['step']:.3f}"]
        for name, (losses, draws, wins) in generation.statistics.get("panel", {}).items():
            lines.append(f"Against {name}: {wins} won, {losses} lost, {draws} drawn")
        return "\n".join([*lines, *map(str, _meetings(generation, 0))]) + "\n"


def _standing(member: Member, pool: Pool) -> Standing:
    return Standing(
        id=member.id,
        wins=member.wins,
        winning_streak=member.winning_streak,
        draws=member.draws,
        drawing_streak=member.drawing_streak,
        is_transferred=member.home != pool.number,
        is_new_blood=member.is_new_blood,
    )


def _meetings(generation: Generation[Any], pool: int) -> tuple[Meeting, ...]:
    return tuple(
        Meeting(
            white=contest.players[0],
            black=contest.players[1],
            returns=(contest.returns[0], contest.returns[1]),
            remark=contest.remark,
        )
        for contest in generation.contests
        if contest.niche == pool
    )
