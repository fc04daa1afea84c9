"""`galapagos rank`: tables that add up, the same for any number of workers, and figures that pMARS gives."""

import json
import re
from pathlib import Path

import pytest

from engines.corewar.battles import Sampling
from engines.corewar.presets import PRESETS
from engines.evolution.run_store import RunStore
from tests.engines.corewar.evolution.runs import SCRIMMAGE, config_in, gone_on
from tests.tools.galapagos import Galapagos
from tests.toy import InlinePool
from tools.__main__ import main

WARRIORS = {
    "imp": "mov 0, 1",
    "bomber": "add #4, 3\nmov 2, @2\njmp -2\ndat 0, 0",
    "waiter": "jmp 0, <-5",
    "dies": "dat 0, 0",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, code in WARRIORS.items():
        (tmp_path / f"{name}.red").write_text(
            f";redcode\n;name {name}\n;author Ann\n;assert 1\n{code}\n", encoding="ascii"
        )
    return tmp_path


def test_the_table_ranks_warriors_and_its_counts_add_up(folder: Path, galapagos: Galapagos) -> None:
    heading, columns, *rows = galapagos.printed("rank", folder, "--rules", "nano").splitlines()
    assert heading == "4 warriors, nano rules, 142 rounds a pair, every place"
    assert columns.split() == ["#", "Score", "95", "%", "W", "L", "T", "Name,", "author"]
    assert [row.split()[0] for row in rows] == ["1", "2", "3", "4"]
    assert rows[-1].endswith("dies, Ann") and " 0.00 " in rows[-1]
    assert all(" exact " in row for row in rows)
    counts = [list(map(int, re.findall(r" (\d+)(?= )", row.partition("exact")[2]))) for row in rows]
    assert sum(wins for wins, _, _ in counts) == sum(losses for _, losses, _ in counts)
    assert all(sum(row) == 3 * 142 for row in counts)


def test_the_ranking_does_not_depend_on_the_number_of_workers(folder: Path, galapagos: Galapagos) -> None:
    words = (folder, "--rules", "tiny", "--rounds", "30", "--seed", "5")
    one = galapagos.data("rank", *words, "--workers", "1")
    assert one == galapagos.data("rank", *words, "--workers", "3")
    assert one != galapagos.data("rank", *words[:-1], "6")
    assert (one["seed"], one["rounds"], one["exact"]) == (5, 30, False)
    assert all(each["score"]["low"] < each["score"]["high"] for each in one["standings"][:-1])


def test_against_ranks_warriors_by_their_scores_against_a_folder(folder: Path, galapagos: Galapagos) -> None:
    read = galapagos.data(
        "rank", folder / "imp.red", folder / "dies.red", "--against", folder, "--rules", "nano"
    )
    assert [each["name"] for each in read["standings"]] == ["imp", "dies"]
    assert [(Path(pair["first"]).stem, Path(pair["second"]).stem) for pair in read["pairs"][:4]] == [
        ("imp", "bomber"), ("imp", "dies"), ("imp", "imp"), ("imp", "waiter"),
    ]  # fmt: skip
    for name, each in zip(("imp", "dies"), read["standings"], strict=True):
        scores = [pair["score"] for pair in read["pairs"] if Path(pair["first"]).stem == name]
        assert each["score"]["value"] == pytest.approx(sum(scores) / len(scores))


def test_generality_is_the_share_of_opponents_defeated_or_tied(folder: Path, galapagos: Galapagos) -> None:
    words = (folder / "waiter.red", folder / "dies.red", "--generality", folder, "--rules", "nano")
    _, columns, first, second = galapagos.printed("rank", *words).splitlines()
    assert columns.split()[7:-2] == ["General", "Defeats", "Ties", "Loses"]
    assert first.endswith("waiter, Ann") and second.split()[-6:-2] == ["25.0%", "0", "1", "3"], (
        "ties with itself"
    )
    for each in galapagos.data("rank", *words)["standings"]:
        assert each["defeated"] + each["tied"] + each["lost"] == 4


def test_the_redcode_line_of_a_warrior_selects_the_rules(folder: Path, galapagos: Galapagos) -> None:
    text = (folder / "imp.red").read_text()
    for tag, rules in (("-nano", "nano"), ("-94m", "94nop"), ("", "94nop")):
        (folder / "imp.red").write_text(text.replace(";redcode", f";redcode{tag}"))
        read = galapagos.data("rank", folder / "imp.red", "--against", folder / "dies.red")
        assert (read["rules"], read["exact"]) == (rules, rules == "nano")


def test_results_are_exact_only_if_every_place_is_played(folder: Path, galapagos: Galapagos) -> None:
    every = Sampling.every_place(PRESETS["tiny"].rules).rounds
    words = (folder / "imp.red", folder / "waiter.red", "--rules", "tiny", "--exact")
    assert galapagos.data("rank", *words)["exact"] and galapagos.data("rank", *words)["rounds"] == every
    assert not galapagos.data("rank", *words, "--rounds", "100")["exact"]


def test_files_that_are_no_warriors_are_reported_on_standard_error(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "wrong.red").write_text("nonsense\n", encoding="ascii")
    assert main(["rank", str(folder), "--rules", "nano"]) == 0
    assert capsys.readouterr().err == (
        f"galapagos rank: {folder / 'wrong.red'} is left out, because it is not a warrior for the nano rules\n"
    )


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["imp.red"], "two warriors or more, not 1"),
        (["missing.red", "imp.red"], "missing.red"),
        (["imp.red", "dies.red", "--rules", "94m"], "is a melee"),
    ],
)
def test_invalid_warriors_and_rules_are_refused(
    words: list[str],
    reason: str,
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(folder)
    assert main(["rank", *words]) == 2
    said = capsys.readouterr()
    assert reason in said.err and not said.out


@pytest.mark.parametrize("option", ["--workers", "--rounds", "--fights"])
def test_counts_below_1_are_refused(option: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["rank", str(folder), option, "0"])
    assert f"argument {option}: must be a whole number above 0, not '0'" in capsys.readouterr().err


def test_checksum_places_warriors_as_pmars_does(shared_data: Path, galapagos: Galapagos) -> None:
    warriors = shared_data / "corewar" / "warriors"
    wilmoo = warriors / "corewars_rs_wilmoo" / "input"
    words = ("--against", wilmoo / "wilmoo" / "Blur2.redcode", "--rounds", "100", "--checksum")
    read = galapagos.data("rank", warriors / "e1.red", *words)
    (pair,) = read["pairs"]
    assert (pair["wins"], pair["losses"], pair["ties"]) == (21, 69, 10)


def test_each_fight_starts_with_a_fresh_p_space(folder: Path, galapagos: Galapagos) -> None:
    """What a warrior remembers of the rounds of a fight is forgotten in the next one: this one dies in the first round."""
    (folder / "once.red").write_text(
        ";redcode\n;assert 1\nldp.ab #1, #0\nstp.ab #1, #1\njmn.b 2, -2\ndat 0, 0\njmp 0\n",
        encoding="ascii",
    )
    once, waiter = folder / "once.red", folder / "waiter.red"
    words: list[str | Path] = ["rank", once, "--against", waiter, "--rules", "tiny", "--rounds", "10"]
    (whole,) = galapagos.data(*words)["standings"]
    assert (whole["losses"], whole["ties"]) == (1, 9)
    words += ["--fights", "5"]
    read = galapagos.data(*words)
    (standing,) = read["standings"]
    assert (standing["losses"], standing["ties"], len(read["pairs"])) == (5, 45, 5)
    assert standing["score"] == {"value": 90, "low": 90, "high": 90}, "all fights go alike"
    heading = galapagos.printed(*words).splitlines()[0]
    assert heading == "1 opponent, tiny rules, 5 fights of 10 rounds a pair, seed 1"
    assert "--fights" in galapagos.refused(*words, "--checksum")


# `galapagos rank RUN`: the tribes of a run, each against each, and the tournament between them.


@pytest.fixture
async def run(tmp_path: Path) -> Path:
    """Three tribes of eight."""
    await gone_on(tmp_path / "run", config_in(tmp_path, SCRIMMAGE), 3, InlinePool())
    return tmp_path / "run"


def test_all_individuals_of_a_run_are_ranked_and_one_wins_the_tournament(
    run: Path, galapagos: Galapagos
) -> None:
    read = galapagos.data("rank", run, "--rounds", "20", "--entrants", "3")
    with RunStore.open(run) as store:
        living = [[member[0] for member in tribe] for tribe in json.loads(store.state)["tribes"]]
    assert [sorted(each["id"] for each in tribe) for tribe in read["tribes"]] == list(map(sorted, living))
    for tribe in read["tribes"]:
        values = [each["score"]["value"] for each in tribe]
        assert values == sorted(values, reverse=True)
        assert all(each["wins"] + each["losses"] + each["ties"] == 7 * 20 for each in tribe)
    matches = read["tournament"]
    assert [len(each) for each in matches] == [4, 2, 1, 1], "nine, five, three, two"
    assert read["champion"] == matches[-1][0]["winner"]
    best = {each["id"] for tribe in read["tribes"] for each in tribe[:3]}
    assert {match[side] for match in matches[0] for side in ("first", "second")} < best
    assert read["champion"] in {each["id"] for each in read["tribes"][read["tribe"]]}


def test_a_run_ranking_depends_on_the_seed_and_not_on_the_workers(run: Path, galapagos: Galapagos) -> None:
    words = (run, "--rounds", "10", "--entrants", "8")
    one = galapagos.data("rank", *words, "--workers", "1")
    assert one == galapagos.data("rank", *words, "--workers", "3")
    assert one != galapagos.data("rank", *words, "--seed", "2")


def test_the_text_lists_tribes_tournament_and_champion(run: Path, galapagos: Galapagos) -> None:
    text = galapagos.printed("rank", run, "--rounds", "10")
    read = galapagos.data("rank", run, "--rounds", "10")
    assert text.startswith("3 tribes of 8, all against each other, 10 rounds a pair, seed 1\n\nTribe 0\n")
    assert f"Champion: {read['champion']} of tribe {read['tribe']}\n" in text
    assert "Tournament, round 2" in text and "Tournament, round 3" not in text
    assert galapagos.printed("rank", run, "--exact").count(" exact ") >= 15


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--rules", "nano"], "by its own rules"),
        (["--against", "run"], "ranked alone"),
        (["--entrants", "9"], "--entrants must be 1 to 8"),
    ],
)
def test_invalid_options_for_ranking_a_run_are_refused(
    words: list[str], reason: str, run: Path, galapagos: Galapagos
) -> None:
    assert reason in galapagos.refused("rank", run, *words)


def test_runs_of_another_game_and_runs_without_tribes_are_refused(
    tmp_path: Path, galapagos: Galapagos
) -> None:
    RunStore.create(tmp_path / "run", game="chess", config="", seed=1, version="test").close()
    assert "a run of chess" in galapagos.refused("rank", tmp_path / "run")
    RunStore.create(tmp_path / "new", game="corewar", config="", seed=1, version="test").close()
    assert "no tribes yet" in galapagos.refused("rank", tmp_path / "new")
