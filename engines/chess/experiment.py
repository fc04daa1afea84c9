"""The text files of a gene pool: its genomes, its games and its best.

Reference: Genetic Chess, section 2. The run's store is the record; these are for people and for other
programs. They grow generation by generation, and after a crash are cut back to what the store knows.
"""

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from engines.chess.config import PoolConfig
from engines.chess.es_population import EsPopulation
from engines.chess.game_record import GameRecord, pgn
from engines.chess.game_settings import GameSettings
from engines.chess.gene_pool import GenePool, Member, Pool
from engines.chess.genes import OPENING
from engines.chess.genome import Genome
from engines.chess.genome_file import bundled, fit_to_play, load_bundled
from engines.chess.self_play import play
from engines.evolution.population import Generation, Individual
from engines.evolution.run import Experiment
from engines.evolution.run_store import RunStore
from engines.statistics import score
from engines.storage import write_atomically


class PoolFiles:
    """The files of one run, in its folder. A mark tells how long they are, as text for the store."""

    def __init__(self, folder: Path, name: str) -> None:
        self._genomes = folder / name
        self._games = folder / f"{name}_games.txt"
        self._best = folder / f"{name}_best_genome.txt"

    def rewind(self, mark: str) -> None:
        """Cut the files to what they were at `mark`, to nothing if it is empty.

        ValueError, and nothing is cut, if one is missing or too short.
        """
        lengths = dict(zip((self._genomes, self._games), _lengths(mark), strict=True))
        for path, length in lengths.items():
            if length and not path.exists():
                raise ValueError(
                    f"{path.name} is missing: put it back, {length} bytes of it belong to this run"
                )
            if length and path.stat().st_size < length:
                size = path.stat().st_size
                raise ValueError(f"{path.name} has lost its end: put it back, {length} bytes, not {size}")
        for path, length in lengths.items():
            if path.exists():
                os.truncate(path, length)

    def append(
        self,
        genomes: Iterable[Individual[Genome]],
        still_alive: Sequence[tuple[int, Sequence[int]]],
        games: Iterable[str],
    ) -> str:
        """Add a generation: the newborn, the IDs that live on in each pool, the games as PGN.

        It is on the disk when the new mark returns. OSError leaves it in part, until the next rewind.
        """
        born = (replace(newborn.genome, id=newborn.id).dumps() for newborn in genomes)
        alive = (f"Still Alive: {pool} : {' '.join(map(str, ids))}\n" for pool, ids in still_alive)
        return json.dumps({
            "genomes": _append(self._genomes, (*born, *alive)),
            "games": _append(self._games, games),
        })  # fmt: skip

    def best(self, individual: Individual[Genome]) -> None:
        """Replace the file of the best genome: whoever reads it sees the old one or the new one."""
        write_atomically(self._best, replace(individual.genome, id=individual.id).dumps())


# -- Writing ---------------------------------------------------------------------------------------


def _append(path: Path, texts: Iterable[str]) -> int:
    """Add the texts, a blank line after each, and give the length of the file in bytes."""
    with path.open("ab") as file:
        for text in texts:
            file.write(text.rstrip("\n").encode() + b"\n\n")
        file.flush()
        os.fsync(file.fileno())
        return file.tell()


def _lengths(mark: str) -> tuple[int, int]:
    if not mark:
        return 0, 0
    try:
        found = json.loads(mark)
        genomes, games = found["genomes"], found["games"]
    except (ValueError, KeyError, TypeError, RecursionError):
        genomes = games = None
    if type(genomes) is not int or type(games) is not int or genomes < 0 or games < 0:
        raise ValueError(f"no mark of a gene pool's files: {mark[:60]!r}")
    return genomes, games


# What a gene pool prints after each round: totals, the living, the games, the records.
#
# Reference: Genetic Chess, section 5.2.


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


# A run of chess genomes, put together from its record: population, games, files, and what people read.


RUNS: Final = Path(__file__).with_name("runs")
PRELOAD: Final = ("engines.chess.self_play",)


def seed_in(config: str) -> int:
    """The seed that a configuration names. ValueError if it cannot be used, with line and key."""
    read = PoolConfig.loads(config)
    GameSettings.of(read)
    _founder(read)
    return read.seed


def open_experiment(store: RunStore) -> Experiment:
    """The run as the store has it, ready to go on."""
    config = PoolConfig.loads(store.config)
    conditions = GameSettings.of(config)

    def past(id: int) -> Genome:
        return Genome.loads(store.individual(id).genome)

    founder = past(0) if store.state else _founder(config)  # its file may have changed since
    population: GenePool | EsPopulation
    if config.pool_rules == "strategy":
        assert founder is not None  # seed_in() has seen to it
        population = EsPopulation(config, store.seed, conditions, past, founder)
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
    population: GenePool | EsPopulation
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
                GameRecord.unpack(contest.record),
                white=white,
                black=black,
                event=f"Gene pool {contest.niche}",
                round_text=f"{generation.number}.{number}",
            )


@dataclass(frozen=True, slots=True)
class _Reporter:
    """What people read after each generation, in the form of section 5.2."""

    population: GenePool | EsPopulation
    config: PoolConfig

    def text(self, generation: Generation[Any]) -> str:
        if isinstance(self.population, EsPopulation):
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

    def _centre(self, pool: EsPopulation, generation: Generation[Any]) -> str:
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


# What the curves of a chess run show: its pools, the panel, and what the genes weigh in those who are born.


def measures(statistics: Mapping[str, Any]) -> dict[str, float]:
    """Numbers of one generation by name, "CHART: CURVE"."""
    found = {
        f"score against the panel: {name}": score(tally).value
        for name, tally in statistics.get("panel", {}).items()
    }
    if "step" in statistics:
        found["size of a step: step"] = statistics["step"]
    if "died" in statistics:
        found["comings and goings: died"] = len(statistics["died"])
        found["comings and goings: new blood"] = statistics["new_blood"]
        found["comings and goings: moved"] = len(statistics.get("swaps", ()))
    return found


def champion(record: Sequence[Mapping[str, Any]]) -> int | None:
    """The centre of a run of mirror images, else who has lived longest; IDs are given in the order of birth."""
    last = record[-1] if record else {}
    if "centre" in last:
        return int(last["centre"])
    return min((int(id) for pool in last.get("living", ()) for id in pool), default=None)


def traits(text: str) -> dict[str, float]:
    """The priority of each gene in the opening; 0 for one that is switched off."""
    return {
        f"priority of a gene: {gene.name.removesuffix(' Gene')}": (
            gene.within(OPENING, "Priority") if gene.active else 0.0
        )
        for gene in Genome.loads(text).genes
        if any(rule.name.startswith("Priority") for rule in gene.properties)
    }
