"""A chess run: its text files, appended and cut back; its report; real games, stopped and resumed."""

import json
import re
from contextlib import nullcontext
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import chess.pgn
import pytest

from core.random import Random
from engines.chess.config import PoolConfig
from engines.chess.experiment import RUNS, PoolFiles, open_experiment, pool_report, seed_in
from engines.chess.game_record import GameRecord
from engines.chess.gene_pool import Member, Pool
from engines.chess.genome import Genome
from engines.chess.genome_file import fit_to_play, read
from engines.config import ConfigError
from engines.evolution.population import Contest, Generation, Individual
from engines.evolution.run import evolve
from engines.evolution.run_store import RunStore
from engines.worker_pool import Workers
from tests.toy import InlinePool

RNG = Random(2017)
GENOMES = [Genome.random(RNG) for _ in range(6)]


def individual(id: int) -> Individual[Genome]:
    return Individual(id=id, genome=GENOMES[id % len(GENOMES)])


def numbered(id: int) -> Genome:
    return replace(individual(id).genome, id=id)


# -- Files -----------------------------------------------------------------------------------------

SHORT_GAME = GameRecord(plies=(), returns=(0.0, 0.0), ending="adjudication").pack()


class Best:
    """As much of a population as its files ask for."""

    def __init__(self, id: int = 0) -> None:
        self.id = id

    def best(self) -> Individual[Genome]:
        return individual(self.id)


def files(path: Path, best: int = 0) -> PoolFiles:
    return PoolFiles(path, Best(best))  # type: ignore[arg-type]


def generation(number: int, ids: tuple[int, ...], living: list[list[int]], games: int) -> Generation[Genome]:
    contest = Contest(players=(0, 1), returns=(0.0, 0.0), ending="adjudication", record=SHORT_GAME)
    return Generation(
        number=number,
        born=tuple(map(individual, ids)),
        contests=(contest,) * games,
        statistics={"living": living},
    )


def test_generations_are_appended(tmp_path: Path) -> None:
    pool = files(tmp_path / "pool.txt", best=4)
    pool.truncate_to("")
    first = pool.append(generation(0, (0, 1, 2, 3), [[0, 1], [2, 3]], 0))
    second = pool.append(generation(1, (4,), [[0, 4]], 2))

    text = (tmp_path / "pool.txt").read_text()
    genomes = [numbered(id) for id in range(5)]
    assert read(text) == (genomes, ())
    assert text.endswith(f"{numbered(4).dumps()}\nStill Alive: 0 : 0 4\n\n")
    assert "\nStill Alive: 0 : 0 1\n\nStill Alive: 1 : 2 3\n\nID: 4\n" in text
    games = (tmp_path / "pool.txt_games.txt").read_text()
    assert re.findall(r'Round "(.*)"', games) == ["1.1", "1.2"]
    assert json.loads(second) == {"genomes": len(text), "games": len(games)}
    assert json.loads(first)["games"] == 0
    assert Genome.loads((tmp_path / "pool.txt_best_genome.txt").read_text()) == numbered(4)


def test_files_truncated_to_a_checkpoint_continue_identically(tmp_path: Path) -> None:
    whole, torn = files(tmp_path / "whole.txt"), files(tmp_path / "torn.txt")
    for pool in (whole, torn):
        checkpoint = pool.append(generation(0, (0, 1), [[0, 1]], 1))
    torn.append(generation(1, (2,), [[0, 2]], 1))
    with (tmp_path / "torn.txt").open("a") as file:
        file.write("ID: 3\n\nName: Piece")
    torn.truncate_to(checkpoint)
    for pool in (whole, torn):
        pool.append(generation(1, (5,), [[5, 1]], 1))
    for suffix in ("", "_games.txt"):
        assert (tmp_path / f"torn.txt{suffix}").read_bytes() == (tmp_path / f"whole.txt{suffix}").read_bytes()

    torn.truncate_to("")
    assert (tmp_path / "torn.txt").stat().st_size == (tmp_path / "torn.txt_games.txt").stat().st_size == 0


def test_files_are_not_truncated_if_one_has_lost_data(tmp_path: Path) -> None:
    pool = files(tmp_path / "pool.txt")
    checkpoint = pool.append(generation(0, (0,), [[0]], 1))
    later = pool.append(generation(1, (1,), [[1]], 0))
    games = tmp_path / "pool.txt_games.txt"
    length = games.stat().st_size

    games.write_bytes(games.read_bytes()[:-1])
    with pytest.raises(ValueError, match=rf"pool.txt_games.txt has {length - 1} bytes instead of {length}"):
        pool.truncate_to(checkpoint)
    games.unlink()
    with pytest.raises(
        ValueError, match=f"pool.txt_games.txt is missing; put the file back, whose first {length} bytes"
    ):
        pool.truncate_to(checkpoint)
    assert (tmp_path / "pool.txt").stat().st_size == json.loads(later)["genomes"]


@pytest.mark.parametrize(
    "checkpoint",
    ["x", "[]", "{}", '{"genomes": 1}', '{"genomes": -1, "games": 0}', '{"genomes": 1.5, "games": 0}'],
)
def test_invalid_checkpoints_are_refused(tmp_path: Path, checkpoint: str) -> None:
    with pytest.raises(ValueError, match="no checkpoint of a gene pool's files"):
        files(tmp_path / "pool.txt").truncate_to(checkpoint)


def test_writing_to_a_missing_folder_raises_oserror(tmp_path: Path) -> None:
    with pytest.raises(OSError):
        files(tmp_path / "nowhere" / "pool.txt").append(generation(0, (0,), [[0]], 0))


# -- The report: the manual's sample -----------------------------------------------------------------


SAMPLE = """\
Gene pool ID: 0  Gene pool size: 16  New blood introduced: 126 (*)
Games: 22768  White wins: 10469  Black wins: 9562  Draws: 2737
Time: 38.538 sec  Gene pool file name: pool.txt

    ID   Wins  Streak  Draws  Streak
 59014      9       7      1       0 T
 59031      3       3      0       0
 59054      1       0      2       2
 59055      2       2      0       0
 59074      1       1      0       0
 59077      1       1      0       0
 59078      1       1      0       0
 59081      1       1      0       0
 59095      0       0      0       0
 59096      0       0      0       0
 59097      0       0      0       0
 59098      0       0      0       0
 59099      0       0      0       0
 59100      0       0      0       0 *
 59101      0       0      0       0
 59102      0       0      0       0

59055 vs 59097: White!
59074 vs 59101: Black!
59102 vs 59100: White!
59096 vs 59014: None! 59014 mates with random / 59014 dies
59031 vs 59078: None!
59054 vs 59095: Black!
59098 vs 59099: Black!
59081 vs 59077: White!

Most wins: 18 by ID 20968
Longest lived: 27 by ID 45394
"""

GAMES_OF_SAMPLE = (  # White, Black, White's return
    (59055, 59097, 1.0), (59074, 59101, -1.0), (59102, 59100, 1.0), (59096, 59014, 0.0),
    (59031, 59078, 0.0), (59054, 59095, -1.0), (59098, 59099, -1.0), (59081, 59077, 1.0),
)  # fmt: skip


def member(id: int, **record: Any) -> Member:
    return Member(id=id, **{"home": 0} | record)


def sample_pool() -> Pool:
    return Pool(
        members=[
            member(59100, is_new_blood=True),
            member(59014, wins=9, winning_streak=7, draws=1, home=1),
            member(59031, wins=3, winning_streak=3),
            member(59054, wins=1, draws=2, drawing_streak=2),
            member(59055, wins=2, winning_streak=2),
            *(member(id, wins=1, winning_streak=1) for id in (59074, 59077, 59078, 59081)),
            *(member(id) for id in (59095, 59096, 59097, 59098, 59099, 59101, 59102)),
        ],
        games=22768,
        white_wins=10469,
        black_wins=9562,
        new_blood=126,
        most_wins=(18, 20968),
        longest_lived=(27, 45394),
    )


def sample_generation() -> Generation[Genome]:
    contests = [
        Contest(players=(white, black), returns=(points, -points)) for white, black, points in GAMES_OF_SAMPLE
    ]
    contests[3] = replace(contests[3], remark="59014 mates with random / 59014 dies")
    other_pools = Contest(niche=1, players=(1, 2), returns=(1.0, -1.0))
    return Generation(number=9, contests=(*contests, other_pools), statistics={"seconds": 38.538})


def test_the_report_matches_the_sample_of_the_manual() -> None:
    config = PoolConfig.loads(SEED_RULES)
    assert pool_report(0, sample_pool(), config, sample_generation()) == SAMPLE


def test_the_first_report_without_clocks_shows_no_time_and_zero_records() -> None:
    """And columns as wide as the longest ID."""
    config = PoolConfig.loads(SEED_RULES + "nodes per move = 100\n")
    pool = Pool(members=[member(8), member(1234567, home=1, is_new_blood=True)])
    assert pool_report(0, pool, config, Generation(number=0)) == (
        "Gene pool ID: 0  Gene pool size: 2  New blood introduced: 0 (*)\n"
        "Games: 0  White wins: 0  Black wins: 0  Draws: 0\n"
        "Time: none  Gene pool file name: pool.txt\n\n"
        "      ID   Wins  Streak  Draws  Streak\n"
        "       8      0       0      0       0\n"
        " 1234567      0       0      0       0 T *\n"
    )


# -- Runs of real games ----------------------------------------------------------------------------


SEED_RULES = """
maximum simultaneous games = 2
gene pool population = 4
gene pool count = 2
draw kill probability = 0.5
pool swap interval = 6
minimum game time = 1
maximum game time = 3
game time increment = 1
gene pool file = pool.txt
nodes per second = 100
panel games = 2
panel interval = 3
hall of fame = 10
"""
STRATEGY = """
maximum simultaneous games = 2
gene pool population = 4
gene pool count = 1
draw kill probability = 0
pool swap interval = 1
minimum game time = 1
maximum game time = 1
game time increment = 0
gene pool file = centre.txt
pool rules = strategy
founder = unevolved
games per pairing = 2
genes = all
search = strong
nodes per move = 50
openings = standard
planned rounds = 10
maximum moves = 60
"""


EXAMINATION = """
maximum simultaneous games = 2
gene pool population = 6
gene pool count = 1
draw kill probability = 0
pool swap interval = 1
minimum game time = 1
maximum game time = 1
game time increment = 0
gene pool file = champion.txt
pool rules = examination
genes = positional
search = strong
nodes per move = 30
last nodes per move = 60
random plies = 6
planned rounds = 10
maximum moves = 30
paper games = 6
paper positions = 150
positions per game = 8
graded positions = 100
breeding steps = 2
trial games = 4
longest trial = 6
panel games = 2
panel interval = 3
"""


def opened(folder: Path, config: str) -> RunStore:
    if folder.exists():
        return RunStore.open(folder, writing=True)
    return RunStore.create(folder, game="chess", config=config, seed=seed_in(config), version="test")


async def run(folder: Path, config: str, until: int, workers: int = 0) -> str:
    """Begin a run, or go on with it, up to a generation; its hash. 0 workers: in this process."""
    with opened(folder, config) as store:
        experiment = open_experiment(store)
        pool = Workers(workers, experiment.preload) if workers else nullcontext(InlinePool())
        async with pool as crew:
            generations = evolve(experiment, crew, store)
            async for progress in generations:
                assert experiment.report(progress.generation)
                if progress.generation.number == until:
                    break
            await generations.aclose()
        return store.hash


@pytest.mark.parametrize(
    ("config", "name"),
    [
        (SEED_RULES, "pool.txt"),
        (STRATEGY, "centre.txt"),
        pytest.param(EXAMINATION, "champion.txt", marks=pytest.mark.slow),
        (EXAMINATION + "breeding = mating\n", "champion.txt"),
        (
            EXAMINATION
            + "target nodes = 200\nfounder = evolved\nchampion price = 0.001\nminimum positions = 60\n",
            "champion.txt",
        ),
    ],
)
async def test_runs_do_not_depend_on_workers_or_stops(tmp_path: Path, config: str, name: str) -> None:
    whole = await run(tmp_path / "whole", config, 3)
    _, begun, parts = [await run(tmp_path / "parts", config, until, workers=2) for until in (0, 1, 3)]
    assert parts == whole
    for file in (name, f"{name}_games.txt", f"{name}_best_genome.txt"):
        assert (tmp_path / "whole" / file).read_bytes() == (tmp_path / "parts" / file).read_bytes()
    another = config + "seed = 2\n"
    assert await run(tmp_path / "another", another, 1) != begun


async def test_run_files_have_the_format_of_genetic_chess(tmp_path: Path) -> None:
    await run(tmp_path / "run", SEED_RULES, 6)
    with RunStore.open(tmp_path / "run") as store:
        born = list(map(store.individual, store.ids()))
        contests = [contest for _, contest in store.contests()]
    path = tmp_path / "run" / "pool.txt"
    genomes, remarks = read(path.read_text())
    assert not remarks
    assert [genome.id for genome in genomes] == [each.id for each in born]
    assert [genome.genes for genome in genomes] == [Genome.loads(each.genome).genes for each in born]
    stream = StringIO((tmp_path / "run" / "pool.txt_games.txt").read_text())
    for contest in contests:
        game = chess.pgn.read_game(stream)
        assert game and not game.errors
        names = [game.headers["White"], game.headers["Black"]]
        assert names == [f"Genetic AI {id}" for id in contest.players]
        assert len(list(game.mainline_moves())) == contest.length
        returns = {"1-0": (1, -1), "0-1": (-1, 1), "1/2-1/2": (0, 0)}[game.headers["Result"]]
        assert returns == contest.returns
    assert chess.pgn.read_game(stream) is None
    assert fit_to_play(path) in genomes


def test_bundled_configurations_are_valid() -> None:
    texts = {path.stem: path.read_text() for path in RUNS.glob("*.txt")}
    assert {"example", "study", "evolved"} <= texts.keys()
    for text in texts.values():
        assert seed_in(text) >= 0
    example = PoolConfig.loads(texts["example"])
    assert example.gene_pool_population == 16
    assert example.gene_pool_file == "pool.txt"


async def test_a_run_needs_its_founder_only_once(tmp_path: Path) -> None:
    """The file may be gone when the run is resumed."""
    founder = tmp_path / "founder.txt"
    founder.write_text(Genome.random(Random(1)).dumps())
    config = STRATEGY.replace("unevolved", str(founder))
    hash = await run(tmp_path / "run", config, 2)
    founder.unlink()
    with pytest.raises(ValueError, match="cannot read the genome file"):
        seed_in(config)
    assert await run(tmp_path / "run", config, 3) != hash


@pytest.mark.parametrize(
    ("line", "key"),
    [
        ("maximum game time = 2", "maximum game time"),
        ("game time increment = 1", "game time increment"),
        ("game time = ramp", "game time"),
        ("hall of fame = 10", "hall of fame"),
        ("\n".join(f"{name} = 2" for name in PoolConfig.ALL_OR_NONE), "first mutation rate"),
    ],
)
@pytest.mark.parametrize("rules", [STRATEGY, EXAMINATION])
async def test_new_runs_refuse_keys_that_their_pool_rules_would_ignore(
    tmp_path: Path, rules: str, line: str, key: str
) -> None:
    """A run that was begun with them goes on."""
    kept = [old for old in rules.splitlines() if not line.startswith(old.partition("=")[0] or "-")]
    config = "\n".join([*kept, *line.splitlines()])
    number = config.split("\n").index(line.splitlines()[0]) + 1
    with pytest.raises(
        ConfigError, match=f"^line {number}: {key} must be .* where pool rules = (strategy|examination)"
    ) as caught:
        seed_in(config)
    assert caught.value.key == key
    RunStore.create(tmp_path / "run", game="chess", config=config, seed=1, version="test").close()
    assert await run(tmp_path / "run", config, 1)
