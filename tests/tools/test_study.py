"""`galapagos study`: verdicts on worlds in which each finding is true, or false, or open by construction."""

import json
import math
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.random import Random
from engines.chess.genes import Gene
from engines.chess.genome import Genome, load_bundled
from engines.chess.record import Ply, Record
from engines.evolution import Contest, Generation, Individual
from engines.rating import score
from engines.store import Store
from tools.study import command
from tools.study.findings import FINDINGS
from tools.study.history import Moment, Run, Traits, read
from tools.study.measures import Unobservable
from tools.study.statistics import change_point, geometric_mean, mean, ranks, spearman, student
from tools.study.study import Study
from tools.study.timing import crash_after_pawn
from tools.study.verdict import (
    Rule,
    Verdict,
    interval_only,
    mean_above,
    mean_below,
    most_runs,
    ratio_above,
    ratio_even,
    together,
)

GENERATIONS = 90
CONFIG = """
maximum simultaneous games = 2
gene pool population = 4
gene pool count = 2
draw kill probability = 0.05
pool swap interval = 1000
minimum game time = 30
maximum game time = 30
game time increment = 0
gene pool file = pool.txt
"""

# -- Worlds: runs in which everything happens when they say ----------------------------------------

Games = Sequence[tuple[str, float]]  # ending and White's return


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """A genome and the games of a round as functions of the generation, and promotions in each game."""

    genome: Callable[[int], Genome]
    games: Callable[[int, int], Games]  # generation, seed
    promotions: str


def player(
    strengths: Sequence[float],
    priorities: dict[str, float],
    *,
    off: Sequence[str] = (),
    speculation: float = 0.0,
    positions: float = 1.0,
    legal_bonus: float = 1.2,
) -> Genome:
    """`strengths` are P, N, B, R, Q; priorities that are not named are 0."""
    changes = {
        "Piece Strength Gene": dict(zip("PNBRQ", strengths, strict=True)),
        "Look Ahead Gene": {"Speculation Constant": speculation, "Positions Per Second": positions},
        "Sphere of Influence Gene": {"Legal Bonus": legal_bonus},
    }

    def made(gene: Gene) -> Gene:
        values = changes.get(gene.name, {}) | {
            "Priority": priorities.get(gene.name.removesuffix(" Gene"), 0.0)
        }
        return replace(
            gene,
            values=tuple(
                values.get(rule.name, value) for rule, value in zip(gene.properties, gene.values, strict=True)
            ),
            active=gene.name.removesuffix(" Gene") not in off,
        )

    return Genome(genes=tuple(map(made, load_bundled("handset").genes)))


def stepped(now: int, when: int, before: float, after: float) -> float:
    return after if now >= when else before


def as_told(now: int) -> Genome:
    """The pawn gets its value at 30, Pawn Advancement goes at 34; boards change by 40, Look Ahead at 60."""
    arrivals = {
        "Freedom to Move": (80.0, 14),
        "Opponent Pieces Targeted": (60.0, 18),
        "Sphere of Influence": (50.0, 24),
        "King Confinement": (40.0, 28),
        "King Protection": (-30.0, 34),
        "Castling Possible": (20.0, 40),
    }
    return player(
        (stepped(now, 30, -0.1, 1), 3, 3.1, 5, 9),
        {gene: stepped(now, when, 0, value) for gene, (value, when) in arrivals.items()}
        | {"Pawn Advancement": 300, "Total Force": stepped(now, 10, 1, 400)},
        off=("Pawn Advancement",) if now >= 34 else (),
        speculation=stepped(now, 60, 0.01, 0.3),
        positions=stepped(now, 62, 10, 1000),
        legal_bonus=1.45 + 0.001 * (now % 3),
    )


def otherwise(now: int) -> Genome:
    """Rooks lead, bishops are twice knights; Force rises first and loses; high priorities come late."""
    arrivals = {
        "Freedom to Move": (80.0, 70),
        "Opponent Pieces Targeted": (60.0, 65),
        "Sphere of Influence": (50.0, 60),
        "King Confinement": (40.0, 55),
        "King Protection": (30.0, 50),
        "Castling Possible": (20.0, 45),
    }
    return player(
        (stepped(now, 70, -0.1, 1), 3, 6, 9, 5),
        {gene: stepped(now, when, 0, value) for gene, (value, when) in arrivals.items()}
        | {"Pawn Advancement": stepped(now, 20, 0.1, 15), "Total Force": stepped(now, 40, 30, 10)},
        off=("Pawn Advancement",) if now >= 25 else (),
        speculation=stepped(now, 10, 0.01, 0.3),
        legal_bonus=0.5,
    )


def games_as_told(now: int, seed: int) -> Games:
    """White mates 11 to 10, a bit more with a higher seed; forfeits are even and rise at 65."""
    white = 11 + (now % 10 < seed) - (now % 10 < 2)
    mates = [("checkmate", 1.0)] * white + [("checkmate", -1.0)] * 10
    times = [("time", 1.0), ("time", -1.0)] * (8 if now >= 65 else 1)
    return [*mates, *times, *[("threefold repetition", 0.0)] * 3, ("stalemate", 0.0), ("fifty moves", 0.0)]


def games_otherwise(now: int, seed: int) -> Games:
    """Black mates more often, White wins on time, forfeits fall late."""
    mates = [("checkmate", 1.0)] * (10 + (now + seed) % 2) + [("checkmate", -1.0)] * 14
    times = [("time", 1.0), ("time", 1.0), ("time", -1.0)] * (1 if now >= 75 else 8)
    return [*mates, *times, ("threefold repetition", 0.0), *[("insufficient material", 0.0)] * 2]


AS_TOLD = World(genome=as_told, games=games_as_told, promotions="Q" * 93 + "RRRRBBN")
OTHERWISE = World(genome=otherwise, games=games_otherwise, promotions="QNNNRB")


def written(world: World, folder: Path, seed: int, *, config: str = CONFIG, last: int = GENERATIONS) -> Path:
    with Store.create(folder, game="chess", config=config, seed=seed, version="1") as store:
        for now in range(last + 1):
            store.write(generation(world, now, seed), "", "", 0.0)
    return folder


def generation(world: World, now: int, seed: int) -> Generation[Genome]:
    """Six live, in two pools; one of them is as those three generations ago."""
    genomes = [world.genome(now), world.genome(max(now - 3, 0))]
    born = tuple(
        Individual(id=2 * now + index, genome=genome, generation=now) for index, genome in enumerate(genomes)
    )
    living = [[2 * now, 2 * now, 2 * now], [2 * now, 2 * now, 2 * now + 1]]
    record = packed(world.promotions)
    contests = tuple(
        Contest(
            players=(2 * now, 2 * now + 1),
            returns=(white, -white),
            ending=ending,
            length=1,
            record=record if index == 0 else b"",
        )
        for index, (ending, white) in enumerate(world.games(now, seed) if now else ())
    )
    return Generation(number=now, born=born, contests=contests, statistics={"living": living})


@cache
def packed(promotions: str) -> bytes:
    """A game with these promotions of both sides, after a move that is none."""
    moves = [0, *((4 + "NBRQ".index(piece)) << 12 for piece in promotions)]
    plies = tuple(Ply(move=move) for move in moves)
    return Record(plies=plies, returns=(0.0, 0.0), ending="adjudication").pack()


@pytest.fixture(scope="module", autouse=True)
def _fewer_permutations() -> Iterator[None]:
    """So that the tests take seconds; p is then at least 0.01."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tools.study.statistics.PERMUTATIONS", 99)
        yield


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> list[Run]:
    folder = tmp_path_factory.mktemp("told")
    return [read(written(AS_TOLD, folder / str(seed), seed)) for seed in range(5)]


@pytest.fixture(scope="module")
def other(tmp_path_factory: pytest.TempPathFactory) -> list[Run]:
    folder = tmp_path_factory.mktemp("other")
    return [read(written(OTHERWISE, folder / str(seed), seed)) for seed in range(10, 15)]


@pytest.fixture(scope="module")
def studied(told: list[Run]) -> Study:
    return Study.of(told)


def claims(study: Study) -> dict[str, Verdict]:
    return {result.claim.name: result.judgement.verdict for _, results in study.results for result in results}


def numbers(study: Study, claim: str) -> Sequence[float | str]:
    return next(
        result.numbers for _, results in study.results for result in results if result.claim.name == claim
    )


# -- Verdicts --------------------------------------------------------------------------------------


def test_a_world_as_the_manual_tells_it_reproduces_everything(studied: Study) -> None:
    measured = {"Queen per rook", "Legal Bonus"}
    assert {name for name, verdict in claims(studied).items() if verdict is Verdict.MEASURED} == measured
    for name, verdict in claims(studied).items():
        assert name in measured or verdict is Verdict.REPRODUCED, name
    assert studied.verdicts == dict.fromkeys(studied.verdicts, Verdict.REPRODUCED) | {"6.7": Verdict.MEASURED}


def test_a_world_that_is_otherwise_reproduces_nothing(other: list[Run]) -> None:
    study = Study.of(other)
    for name, verdict in claims(study).items():
        expected = {"Queen per rook": Verdict.MEASURED, "Legal Bonus": Verdict.MEASURED}
        assert verdict is expected.get(name, Verdict.NOT_REPRODUCED), name
    assert study.verdicts["6.7"] is Verdict.MEASURED
    assert {verdict for section, verdict in study.verdicts.items() if section != "6.7"} == {
        Verdict.NOT_REPRODUCED
    }


def test_four_runs_decide_nothing(told: list[Run]) -> None:
    study = Study.of(told[:4])
    assert set(study.verdicts.values()) == {Verdict.UNDECIDED, Verdict.MEASURED}
    reasons = {result.judgement.reason for _, results in study.results for result in results}
    assert "4 measurable runs, 5 are needed" in reasons


def test_runs_that_disagree_decide_nothing(told: list[Run], other: list[Run]) -> None:
    study = Study.of(told[:3] + other[:3])
    assert set(study.verdicts.values()) == {Verdict.UNDECIDED, Verdict.MEASURED}


def test_what_is_measured_is_what_was_made(studied: Study, told: list[Run]) -> None:
    assert numbers(studied, "Queen per rook") == pytest.approx([9 / 5] * 5)
    assert numbers(studied, "The overwhelming favourite") == pytest.approx([0.93] * 5)
    assert numbers(studied, "Then rook, bishop, knight") == (2.0,) * 5
    assert numbers(studied, "More often than any other draw") == (3.0,) * 5
    assert numbers(studied, "The higher, the earlier") == (-1.0,) * 5
    run = told[0]
    assert run.games == sum(len(games_as_told(now, 0)) for now in range(1, GENERATIONS + 1))
    assert numbers(studied, "Pawn Advancement rises first")[0] == run.moments[10].games
    crash = run.moments[34].games - run.moments[33].games  # since one lives as three generations ago
    assert numbers(studied, "It is switched off once all value the pawn")[0] == crash / run.games
    bloom, rise = run.moments[60].games, run.moments[65].games
    board = bloom - float(numbers(studied, "It blooms after the board-scoring genes")[0])
    assert run.moments[10].games < board < run.moments[40].games
    assert rise - board == numbers(studied, "So do the time forfeits")[0]
    assert numbers(studied, "Forfeits rise with it")[0] == pytest.approx(
        (4 * 2 + 26 * 16) / (4 * 28 + 26 * 42) / (2 / 28), rel=0.02
    )


def test_runs_that_cannot_say_are_left_out(told: list[Run]) -> None:
    untimed = [
        replace(run, endings={key: number for key, number in run.endings.items() if key[0] != "time"})
        for run in told
    ]
    study = Study.of(untimed)
    assert study.verdicts["6.6"] is Verdict.UNDECIDED and study.verdicts["6.2"] is Verdict.UNDECIDED
    assert numbers(study, "So do the time forfeits") == ("0 games ended by time, 50 are needed",) * 5
    assert study.verdicts["6.1"] is Verdict.REPRODUCED


def test_a_few_that_switch_off_are_no_crash(told: list[Run]) -> None:
    def living(moment: Moment, now: int) -> tuple[Traits, ...]:
        on = [replace(each, advances_pawns=True) for each in moment.living]
        return (replace(on[0], advances_pawns=now < 34), *on[1:])

    moments = [replace(each, living=living(each, now)) for now, each in enumerate(told[0].moments)]
    assert crash_after_pawn(replace(told[0], moments=tuple(moments))) == math.inf
    unvalued = [
        replace(each, living=tuple(replace(one, pawn=-0.1) for one in each.living)) for each in moments
    ]
    with pytest.raises(Unobservable, match="never crashes"):
        crash_after_pawn(replace(told[0], moments=tuple(unvalued)))


def test_a_run_too_short_for_change_points_says_so(tmp_path: Path) -> None:
    run = read(written(AS_TOLD, tmp_path / "short", 1, last=40))
    reason = "too short: a change-point needs 80 points or more, not 41"
    assert numbers(Study.of([run]), "It blooms after the board-scoring genes") == (reason,)


# -- Rules -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rule", "values", "verdict"),
    [
        (most_runs(bool), [1, 1, 1, 1, 1], "reproduced"),
        (most_runs(bool), [0, 0, 0, 0, 0], "not reproduced"),
        (most_runs(bool), [1, 1, 1, 1, 0], "undecided"),
        (most_runs(bool), [1, 1, 1, 1], "undecided"),
        (most_runs(bool), [], "undecided"),
        (most_runs(bool), [1] * 8 + [0], "reproduced"),
        (mean_above(0.5), [0.9, 0.92, 0.94, 0.91, 0.93], "reproduced"),
        (mean_above(0.5), [0.1, 0.12, 0.1, 0.11, 0.13], "not reproduced"),
        (mean_above(0.5), [0.1, 0.9, 0.7, 0.6, 0.5], "undecided"),
        (mean_above(0.5), [0.9, 0.9, 0.9, 0.9], "undecided"),
        (mean_below(0.0), [-0.9, -0.8, -0.5, -0.9, -0.7], "reproduced"),
        (mean_below(0.0), [0.9, 0.8, 0.5, 0.9, 0.7], "not reproduced"),
        (mean_below(0.0), [-0.9, 0.8, -0.5, -0.9, -0.7], "undecided"),
        (ratio_above(1), [1.1, 1.12, 1.09, 1.2, 1.05], "reproduced"),
        (ratio_above(1), [0.9, 0.91, 0.85, 0.95, 0.93], "not reproduced"),
        (ratio_above(1), [0.5, 2.0, 0.5, 2.0, 1.1], "undecided"),
        (ratio_even(1.1), [1.01, 0.99, 1.02, 0.98, 1.0], "reproduced"),
        (ratio_even(1.1), [1.02, 1.03, 1.02, 1.03, 1.02], "not reproduced"),
        (ratio_even(1.1), [0.7, 1.5, 0.9, 1.1, 1.0], "undecided"),
        (ratio_even(1.1), [1.0, 1.0, 1.0], "undecided"),
        (interval_only, [1, 2, 3, 4, 5], "measured only"),
        (interval_only, [1], "measured only"),
    ],
)
def test_a_rule_goes_by_the_side_of_the_interval(rule: Rule, values: list[float], verdict: str) -> None:
    judgement = rule(values)
    assert judgement.verdict.value == verdict
    assert bool(judgement.reason) == (verdict == "undecided" or judgement.estimate is None)


def test_a_finding_is_all_that_it_claims() -> None:
    yes, no, open_, only = (
        Verdict.REPRODUCED,
        Verdict.NOT_REPRODUCED,
        Verdict.UNDECIDED,
        Verdict.MEASURED,
    )
    assert together([yes, only, yes]) is yes
    assert together([yes, open_]) is open_
    assert together([yes, open_, no]) is no
    assert together([only]) is only


# -- Statistics ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("degrees", "t"),
    [(1, 12.7062), (2, 4.30265), (4, 2.776445), (5, 2.570582), (9, 2.262157), (30, 2.042272)],
)
def test_student_as_in_the_tables(degrees: int, t: float) -> None:
    assert student(degrees) == pytest.approx(t, abs=5e-5)


def test_intervals_by_hand() -> None:
    estimate = mean([1, 2, 3, 4, 5])
    half = 2.776445 * math.sqrt(2.5 / 5)
    assert (estimate.value, estimate.low, estimate.high) == pytest.approx((3, 3 - half, 3 + half), abs=1e-5)
    ratios = geometric_mean([0.5, 1, 2])
    assert ratios.value == pytest.approx(1)
    assert ratios.low * ratios.high == pytest.approx(1)
    assert math.log(ratios.high) == pytest.approx(4.30265 * math.log(2) / math.sqrt(3), abs=1e-5)
    with pytest.raises(ValueError, match="two values"):
        mean([1.0])


def test_wilson_of_the_runs() -> None:
    """The house's interval of two results is Wilson's: (n + z^2) p^2 - (2 k + z^2) p + k^2 / n = 0."""
    assert score([0, 5]).low == pytest.approx(5 / (5 + 3.841459), abs=1e-6)
    assert score([5, 0]).high == pytest.approx(3.841459 / (5 + 3.841459), abs=1e-6)
    assert (score([3, 7]).low, score([3, 7]).high) == pytest.approx((0.396778, 0.892209), abs=1e-5)


def test_spearman_by_hand() -> None:
    assert ranks([10, 30, 20, 20]) == [1, 4, 2.5, 2.5]
    assert spearman([1, 2, 3, 4, 5], [5, 6, 7, 8, 7]) == pytest.approx(0.820783, abs=1e-6)
    with pytest.raises(ValueError, match="constant"):
        spearman([1, 1, 1], [1, 2, 3])


@given(st.lists(st.integers(-1000, 1000), min_size=2, max_size=20, unique=True), st.data())
def test_spearman_asks_for_the_order_only(xs: list[int], data: st.DataObject) -> None:
    ys = data.draw(st.permutations(xs))
    rho = spearman(xs, ys)
    assert -1 - 1e-9 <= rho <= 1 + 1e-9
    assert spearman([x**3 for x in xs], ys) == pytest.approx(rho)
    assert spearman([-x for x in xs], ys) == pytest.approx(-rho)


@settings(max_examples=25)
@given(st.integers(10, 110), st.sampled_from([-1, 1]), st.integers(0, 1 << 62))
def test_a_change_is_found_where_it_is(index: int, sign: int, seed: int) -> None:
    rng = Random(seed)
    series = [rng.normal(0.05) + sign * (place >= index) for place in range(120)]
    found = change_point(series, Random(seed))
    assert found.index == index and found.p <= 0.01
    assert found.after - found.before == pytest.approx(sign, abs=0.1)


def test_noise_seldom_changes() -> None:
    rng = Random(7)
    found = [change_point([rng.normal(1) for _ in range(80)], rng).p < 0.05 for _ in range(60)]
    assert sum(found) <= 8, "P = 0.002 if one of 20 is found"


def test_no_change_in_a_constant_and_none_in_too_few() -> None:
    assert change_point([0.1] * 100, Random(1)).p == 1
    with pytest.raises(ValueError, match="80 points"):
        change_point([0.0] * 79, Random(1))


# -- Reading ---------------------------------------------------------------------------------------


def test_a_long_run_is_read_at_400_moments(tmp_path: Path) -> None:
    world = replace(AS_TOLD, games=lambda now, seed: [("time" if now % 2 else "checkmate", 1.0)])
    run = read(written(world, tmp_path / "long", 1, last=500))
    assert len(run.moments) == 400
    assert run.moments[0].games == 0
    assert (run.moments[-1].games, run.moments[-1].forfeits) == (500, 250)
    steps = {b.games - a.games for a, b in zip(run.moments, run.moments[1:], strict=False)}
    assert steps == {1, 2}, "evenly apart"
    assert sum(run.forfeit_rate()) / 400 == pytest.approx(0.5, abs=0.01)


def compared(runs: Sequence[Path]) -> Study:
    return Study.of([read(run) for run in runs])


def refused(runs: Sequence[Path]) -> str:
    with pytest.raises(ValueError) as raised:
        compared(runs)
    return str(raised.value)


def test_other_configurations_are_refused(tmp_path: Path) -> None:
    first = written(AS_TOLD, tmp_path / "a", 1, last=1)
    harmless = CONFIG.replace("games = 2", "games = 8").replace("pool.txt", "b.txt") + "seed = 2\n"
    second = written(AS_TOLD, tmp_path / "b", 2, config=harmless, last=1)
    assert len(compared([first, second]).runs) == 2
    third = written(AS_TOLD, tmp_path / "c", 3, config=CONFIG.replace("0.05", "0.1"), last=1)
    assert refused([first, third]) == (
        f"{third} has another configuration than {first}: "
        "draw kill probability = 0.1 (there draw kill probability = 0.05)"
    )
    fourth = written(AS_TOLD, tmp_path / "d", 1, last=1)
    assert refused([first, fourth]) == f"{fourth} and {first} both have seed 1: they are one run"


def test_what_is_no_gene_pool_is_refused(tmp_path: Path) -> None:
    strategy = CONFIG.replace("count = 2", "count = 1") + (
        "pool rules = strategy\nfounder = handset\ngames per pairing = 2\n"
    )
    assert "evolution strategy" in refused([written(AS_TOLD, tmp_path / "a", 1, config=strategy, last=1)])
    extended = CONFIG + "genes = all\n"
    assert "genes = all" in refused([written(AS_TOLD, tmp_path / "b", 1, config=extended, last=1)])
    assert "no generation that has played" in refused([written(AS_TOLD, tmp_path / "c", 1, last=0)])
    assert "no run" in refused([tmp_path])
    Store.create(tmp_path / "d", game="acquire", config="", seed=1, version="1").close()
    assert "run of acquire" in refused([tmp_path / "d"])


# -- The command -----------------------------------------------------------------------------------


def said(capsys: pytest.CaptureFixture[str], *words: str | Path, status: int = 0) -> str:
    parser = ArgumentParser()
    command.add_arguments(parser)
    assert command.run(parser.parse_args([str(word) for word in words])) == status
    streams = capsys.readouterr()
    return streams.err if status else streams.out


@pytest.fixture(scope="module")
def folders(told: list[Run]) -> list[Path]:
    return [Path(run.folder) for run in told]


def test_the_table_names_runs_and_verdicts(
    capsys: pytest.CaptureFixture[str], folders: list[Path], told: list[Run]
) -> None:
    text = said(capsys, *folders)
    for run in told:
        assert f"{run.games:,}" in text and run.hash[:12] in text and run.folder in text
    assert "6.5    Threefold repetition is the most common draw: REPRODUCED" in text
    assert max(map(len, text.splitlines())) <= 110 + len(str(folders[0]))
    text = " ".join(text.split())
    assert "5 of 5 runs, 1.00 [0.57, 1.00]" in text
    assert "the manual's 1.00 is outside; the manual's 1.50 is outside" in text
    assert "the manual's 1.100 is inside" in text


def test_markdown_is_two_tables(capsys: pytest.CaptureFixture[str], folders: list[Path]) -> None:
    lines = [line for line in said(capsys, *folders, "--markdown").splitlines() if line.startswith("|")]
    columns = [line.count("|") for line in lines]
    assert columns == [6] * 7 + [5] * (2 + len(FINDINGS) + sum(len(each.claims) for each in FINDINGS))


def test_json_has_the_numbers(
    capsys: pytest.CaptureFixture[str], folders: list[Path], told: list[Run]
) -> None:
    data = json.loads(said(capsys, *folders[:2], "--json"), parse_constant=pytest.fail)
    assert [run["seed"] for run in data["runs"]] == [0, 1]
    assert data["runs"][0]["promotions_from_games"] == GENERATIONS
    assert data["runs"][0]["promotions"]["Q"] == 93 * GENERATIONS
    first = data["findings"][0]["claims"][0]
    assert (first["runs_showing"], first["runs_measured"]) == (2, 2)
    assert first["verdict"] == "undecided" and first["numbers"] == [1.0, 1.0]


def test_criteria_need_no_run(capsys: pytest.CaptureFixture[str]) -> None:
    text = " ".join(said(capsys, "--criteria").split())
    for finding in FINDINGS:
        for claim in finding.claims:
            assert f"{claim.name}: {claim.criterion}." in text
    assert said(capsys, status=2) == "galapagos study: name a run or more, or --criteria\n"
    assert said(capsys, Path("nowhere"), status=2).startswith("galapagos study: nowhere holds no run")
