"""`galapagos arrangements`, and that the JSON lines write the same log."""

from pathlib import Path

import pytest

from engines.protection.boardfiles import ArrangementRecord, read_arrangement_log
from tests.protocols.jsonl.protection_games import act, begun, decide_of, drones, protection_server
from tools.__main__ import main


def test_the_same_seed_writes_the_same_lines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    texts = []
    for name, seed in (("one", "1"), ("same", "1"), ("other", "2")):
        path = tmp_path / f"{name}.jsonl"
        words = ["arrangements", str(path), "--users", "mines,novice", "--games", "2", "--turns", "2"]
        assert main([*words, "--seed", seed]) == 0
        texts.append(path.read_text())
    assert texts[0] == texts[1] != texts[2]
    assert f"arrangements added\n{tmp_path / 'same.jsonl'}: " in capsys.readouterr().out
    log = read_arrangement_log(path)
    assert len({each.board for each in log}) == 4, "each game has a map of its own"
    assert {each.turn for each in log} <= {1, 2} and all(each.arrangement.units() for each in log)


def test_lines_are_added_to_an_existing_log(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    for lines in (1, 2):
        assert main(["arrangements", str(path), "--users", "drones", "--turns", "1"]) == 0
        assert len(read_arrangement_log(path)) == lines


def test_a_json_lines_game_records_its_arrangements() -> None:
    client = protection_server().player()
    decide = decide_of(begun(client, options={"arrangements": True}, seed=1))
    setup = drones(decide, 3)
    act(client, decide, setup)
    client.say(type="resign", game_id="g-31")
    client.received()
    (line,) = client.ask(type="record", game_id="g-31", format="arrangements")["lines"]
    logged = ArrangementRecord.loads(line)
    assert ArrangementRecord.loads(logged.dumps()) == logged
    squares = [square for square, _ in logged.arrangement.units()]
    assert [[square % 24, square // 24] for square in squares] == [each["at"] for each in setup["place"]]
    assert (logged.turn, logged.chaos_treasury) == (1, 2000)


def test_an_unknown_scripted_user_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["arrangements", str(tmp_path / "log.jsonl"), "--users", "nobody"]) == 2
    assert "no scripted user is called 'nobody'" in capsys.readouterr().err
    assert not (tmp_path / "log.jsonl").exists()
