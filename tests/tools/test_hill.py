"""`galapagos hill`: from a new file to the report of a challenge, by text and by JSON."""

import json
import sys
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest

from engines.corewar.challenge_queue import ChallengeQueue
from engines.corewar.hill_store import HillStore
from engines.storage import unfinished_name
from tests.protocols.hill.support import bomber
from tools.__main__ import main

SUMMARY = "core 80, 800 cycles, 80 processes, length 5, distance 5, every position once"


def hill(*arguments: object) -> int:
    return main(["hill", *map(str, arguments)])


@pytest.fixture
def path(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """An empty nano hill."""
    path = tmp_path / "nano.hill"
    assert hill("create", path, "--preset", "nano", "--empty", "--places", 3) == 0
    assert capsys.readouterr().out == f"{path}: the Nano hill, 0 of 3 places taken\n{SUMMARY}\n"
    return path


def sent(folder: Path, step: int, **more: str) -> Path:
    path = folder / f"{step}.red"
    path.write_text(bomber(step, **more), encoding="iso-8859-1")
    return path


@pytest.mark.parametrize(
    ("preset", "starters"),
    [("nano", 5), ("tiny", 9), ("88", 4)],
)
def test_a_new_hill_holds_the_starter_warriors(
    preset: str, starters: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "new.hill"
    rounds = [] if preset == "nano" else ["--rounds", 2]
    assert hill("create", path, "--preset", preset, "--json", *rounds) == 0
    assert json.loads(capsys.readouterr().out) == {"hill": preset, "file": str(path), "warriors": starters}
    entries = HillStore.open(path).hill().entries
    assert {entry.warrior.author for entry in entries} == {"Galapagos"}
    assert {"Imp", "Imp-Gate", "Dwarf", "Pebble"} <= {entry.warrior.name for entry in entries}


def test_standings_and_report_repeat_the_output_of_submit(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [sent(tmp_path, step) for step in (3, 5, 7, 9)]
    assert hill("submit", path, *files) == 0
    out = capsys.readouterr().out
    assert out.count("Your overall score: ") == 4
    assert out.count("has been pushed off the Nano hill.") == 1
    assert hill("standings", path) == 0
    standings = capsys.readouterr().out
    assert standings.startswith("The current Nano hill:\n") and "Every 7" not in standings
    assert standings.partition("\n\nRules: ")[0] in out and standings.endswith(f"\nRules: {SUMMARY}\n")
    assert hill("report", path) == 0
    last = capsys.readouterr().out
    assert last.strip() == out[out.index("Every 9 by Ann challenges") :].strip()
    assert hill("report", path, 2) == 0
    assert capsys.readouterr().out.startswith("Every 5 by Ann challenges the Nano hill.\n")


def test_json_of_submit_report_and_standings_agrees(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert hill("submit", path, sent(tmp_path, 3), sent(tmp_path, 5), "--json") == 0
    first, second = map(json.loads, capsys.readouterr().out.splitlines())
    assert (first["number"], second["number"], second["name"]) == (1, 2, "Every 5")
    assert hill("report", path, "--json") == 0
    assert json.loads(capsys.readouterr().out) == second
    assert hill("standings", path, "--json") == 0
    assert json.loads(capsys.readouterr().out) == {"hill": "nano", "places": 3, "table": second["table"]}


def test_testing_a_warrior_does_not_change_the_hill(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert hill("submit", path, sent(tmp_path, 3)) == 0
    before = HillStore.open(path).hill()
    assert hill("test", path, sent(tmp_path, 5)) == 0
    assert hill("submit", path, sent(tmp_path, 7, words=" test")) == 0
    assert capsys.readouterr().out.count("This is a test") == 2
    assert HillStore.open(path).hill() == before


def test_authors_can_kill_their_own_warriors(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mine = sent(tmp_path, 5).read_text().replace(";assert", ";kill Every 3\n;assert")
    (tmp_path / "mine.red").write_text(mine)
    assert hill("submit", path, sent(tmp_path, 3), tmp_path / "mine.red") == 0
    assert "Every 3 has been killed" in capsys.readouterr().out
    assert [entry.warrior.name for entry in HillStore.open(path).hill().entries] == ["Every 5"]
    mine = ";redcode-nano\n;author Ann\n;kill Every 5\n;token none-is-needed\n"
    (tmp_path / "mine.red").write_text(mine)
    assert hill("submit", path, tmp_path / "mine.red") == 0, "a program is not needed either"
    assert "Every 5 has been removed" in capsys.readouterr().out
    assert HillStore.open(path).hill().entries == ()


def test_removing_a_warrior_frees_its_place(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert hill("submit", path, *(sent(tmp_path, step) for step in (3, 5, 7))) == 0
    capsys.readouterr()
    assert hill("remove", path, "Every 5") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "Every 5 has been removed from the Nano hill." and "Every 5" in lines[-3]
    assert [entry.warrior.name for entry in HillStore.open(path).hill().entries] == ["Every 3", "Every 7"]
    assert hill("standings", path, "--json") == 0
    table = json.loads(capsys.readouterr().out)["table"]
    assert [row["name"] for row in table] == ["Every 3", "Every 7"]
    assert hill("submit", path, sent(tmp_path, 5)) == 0, "the place is free, and he may come again"


def test_replaying_a_hill_gives_the_same_hill(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The same warriors, the same removals: the same hill; under other rules another."""
    assert hill("submit", path, *(sent(tmp_path, step) for step in (3, 5, 7, 9))) == 0
    assert hill("remove", path, "Every 5") == 0
    assert hill("submit", path, sent(tmp_path, 11)) == 0
    assert hill("replay", path, tmp_path / "again.hill") == 0
    assert capsys.readouterr().out.endswith(f"again.hill: the Nano hill, 3 of 3 places taken\n{SUMMARY}\n")
    old, new = HillStore.open(path), HillStore.open(tmp_path / "again.hill")
    assert new.hill() == old.hill() and new.removals() == old.removals() != []
    assert hill("replay", path, tmp_path / "larger.hill", "--places", 9, "--json") == 0
    assert json.loads(capsys.readouterr().out)["warriors"] == 4


def test_a_replayed_hill_has_its_name_when_it_is_complete(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A replay that ends early leaves nothing, and one that was killed is no obstacle."""
    new = tmp_path / "again.hill"
    assert hill("submit", path, sent(tmp_path, 3)) == 0
    with monkeypatch.context() as patch:

        async def interrupted(queue: ChallengeQueue, past: HillStore) -> None:
            assert not new.exists() and HillStore.open(queue.store.path).preset == past.preset
            raise KeyboardInterrupt

        patch.setattr(ChallengeQueue, "replay", interrupted)
        hill("replay", path, new)
    assert [each.name for each in tmp_path.glob("again.hill*")] == []
    new.with_name(unfinished_name(new.name, "replay")).write_bytes(b"of a killed process")
    assert hill("replay", path, new) == 0
    assert [each.name for each in tmp_path.glob("again.hill*")] == ["again.hill"]
    assert HillStore.open(new).hill() == HillStore.open(path).hill()
    assert hill("replay", path, new) == 2, "it exists already"


def test_source_prints_the_code_of_a_warrior(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert hill("submit", path, sent(tmp_path, 3)) == 0
    capsys.readouterr()
    assert hill("source", path, "Every 3") == 0
    assert capsys.readouterr().out == bomber(3)
    assert hill("source", path, "Every 3", "--json") == 0
    assert json.loads(capsys.readouterr().out) == {"name": "Every 3", "source": bomber(3)}


def test_refused_warriors_are_reported_with_their_files(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bad.red").write_text(";redcode-nano\nMVO 0, 1\n")
    assert hill("submit", path, tmp_path / "bad.red", sent(tmp_path, 3), sent(tmp_path, 3)) == 3
    out = capsys.readouterr().out
    assert out.count("Your warrior was refused: ") == 2 and out.count("Your overall score: ") == 1
    assert f"{tmp_path / 'bad.red'}: the warrior could not be assembled" in out
    assert f"{tmp_path / '3.red'}: this code is on the hill already" in out


def test_a_warrior_is_submitted_from_standard_input(
    path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(bomber(3).encode())))
    assert hill("submit", path, "-") == 0
    assert "Your overall score: 0.000000" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "status", "reason"),
    [
        (["standings", "{folder}/nowhere"], 2, "there is no hill at"),
        (["create", "{folder}/nano.hill"], 2, "exists already"),
        (["create", "{folder}/new", "--preset", "nano", "--rounds", "100"], 2, "has 142 rounds"),
        (["create", "{folder}/no/such/folder"], 1, "no/such: No such file or directory"),
        (["report", "{folder}/nano.hill"], 2, "no warrior has challenged"),
        (["report", "{folder}/nano.hill", "7"], 2, "no challenge number 7"),
        (["submit", "{folder}/nano.hill", "{folder}/nowhere.red"], 2, "nowhere.red: No such file"),
        (["remove", "{folder}/nano.hill", "Ghost"], 2, "no warrior Ghost is on this hill"),
        (["source", "{folder}/nano.hill", "Ghost"], 2, "no warrior called Ghost has challenged"),
        (["replay", "{folder}/nano.hill", "{folder}/nano.hill"], 2, "exists already"),
        (["replay", "{folder}/nano.hill", "{folder}/none/new"], 1, "none: No such file or directory"),
    ],
)
def test_errors_name_the_reason_and_set_the_status(
    arguments: list[str],
    status: int,
    reason: str,
    path: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert hill(*(argument.format(folder=tmp_path) for argument in arguments)) == status
    out, err = capsys.readouterr()
    assert out == "" and err.startswith("galapagos hill: ") and reason in err


def test_the_standings_of_an_empty_hill_are_empty(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert hill("standings", path) == 0
    assert capsys.readouterr().out == f"The Nano hill is empty.\n\nRules: {SUMMARY}\n"
    assert hill("standings", path, "--json") == 0
    assert json.loads(capsys.readouterr().out)["table"] == []
