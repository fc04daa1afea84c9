"""`galapagos rank`: tables that add up, the same for any number of workers, and figures that pMARS gives."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from engines.corewar.presets import PRESETS
from engines.corewar.ranking.bouts import Draw
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


def printed(capsys: pytest.CaptureFixture[str], *words: str | Path) -> str:
    assert main(["rank", *map(str, words)]) == 0
    said = capsys.readouterr()
    assert not said.err
    return said.out


def data(capsys: pytest.CaptureFixture[str], *words: str | Path) -> dict[str, Any]:
    read: dict[str, Any] = json.loads(printed(capsys, *words, "--json"))
    return read


def test_the_table(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    heading, columns, *rows = printed(capsys, folder, "--rules", "nano").splitlines()
    assert heading == "4 warriors, nano rules, 142 rounds a pair, every place"
    assert columns.split() == ["#", "Score", "95", "%", "W", "L", "T", "Name,", "author"]
    assert [row.split()[0] for row in rows] == ["1", "2", "3", "4"]
    assert rows[-1].endswith("dies, Ann") and " 0.00 " in rows[-1]
    assert all(" exact " in row for row in rows)
    counts = [list(map(int, re.findall(r" (\d+)(?= )", row.partition("exact")[2]))) for row in rows]
    assert sum(wins for wins, _, _ in counts) == sum(losses for _, losses, _ in counts)
    assert all(sum(row) == 3 * 142 for row in counts)


def test_any_number_of_workers(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = (folder, "--rules", "tiny", "--rounds", "30", "--seed", "5")
    one = data(capsys, *words, "--workers", "1")
    assert one == data(capsys, *words, "--workers", "3")
    assert one != data(capsys, *words[:-1], "6")
    assert (one["seed"], one["rounds"], one["exact"]) == (5, 30, False)
    assert all(each["score"]["low"] < each["score"]["high"] for each in one["standings"][:-1])


def test_a_benchmark(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    read = data(capsys, folder / "imp.red", folder / "dies.red", "--against", folder, "--rules", "nano")
    assert [each["name"] for each in read["standings"]] == ["imp", "dies"]
    assert [(Path(pair["first"]).stem, Path(pair["second"]).stem) for pair in read["pairs"][:4]] == [
        ("imp", "bomber"), ("imp", "dies"), ("imp", "imp"), ("imp", "waiter"),
    ]  # fmt: skip
    for name, each in zip(("imp", "dies"), read["standings"], strict=True):
        scores = [pair["score"] for pair in read["pairs"] if Path(pair["first"]).stem == name]
        assert each["score"]["value"] == pytest.approx(sum(scores) / len(scores))


def test_exact_is_exact_only_with_every_place(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    every = Draw.every_place(PRESETS["tiny"].rules).rounds
    words = (folder / "imp.red", folder / "waiter.red", "--rules", "tiny", "--exact")
    assert data(capsys, *words)["exact"] and data(capsys, *words)["rounds"] == every
    assert not data(capsys, *words, "--rounds", "100")["exact"]


def test_what_a_folder_holds_beside_warriors_is_told(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "wrong.red").write_text("nonsense\n", encoding="ascii")
    assert main(["rank", str(folder), "--rules", "nano"]) == 0
    assert capsys.readouterr().err == (
        f"galapagos rank: {folder / 'wrong.red'} is no warrior for the nano rules\n"
    )


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["imp.red"], "two warriors or more, not 1"),
        (["missing.red", "imp.red"], "missing.red"),
        (["imp.red", "dies.red", "--workers", "0"], "--workers must be 1 or more"),
        (["imp.red", "dies.red", "--rounds", "0"], "one round or more, not 0"),
        (["imp.red", "dies.red", "--exact", "--rounds", "0"], "one round or more, not 0"),
        (["imp.red", "dies.red", "--rules", "94m"], "all at once"),
    ],
)
def test_wrong_arguments(
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


def test_as_pmars_places_them(shared_data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    warriors = shared_data / "corewar" / "warriors"
    wilmoo = warriors / "corewars_rs_wilmoo" / "input"
    read = data(
        capsys, warriors / "e1.red", "--against", wilmoo / "wilmoo" / "Blur2.redcode",
        "--rounds", "100", "--checksum",
    )  # fmt: skip
    (pair,) = read["pairs"]
    assert (pair["wins"], pair["losses"], pair["ties"]) == (21, 69, 10)
