"""`galapagos study acquire --people`: records of both formats, whose decisions count, the report, and refusals."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core.acquire.game import shuffled_bag
from core.acquire.rules import PRESETS, GameSpec
from core.random import Random
from engines.acquire.prediction import expect_chance
from tests.engines.acquire.old_records import written
from tests.tools.galapagos import Galapagos
from tests.tools.play.typists import AcquireTypist
from tools.__main__ import main
from tools.study.acquire_people import study
from tools.study.acquire_records import read_games

NET = "evolved-net-seven"


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The records of four games of a net against itself, whose decisions are those of clients."""
    folder = tmp_path_factory.mktemp("games")
    words = f"match acquire:{NET} acquire:{NET} --variant tlstyer --games 4 --workers 1 --records {folder}"
    assert main(words.split()) == 0
    return folder


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The record of a game of a person against two built-in players."""
    typist = AcquireTypist()
    typist.play("random", "heuristic", variant="tlstyer")
    path = tmp_path_factory.mktemp("evening") / "game.jsonl"
    path.write_text("".join(f"{line}\n" for line in typist.client.record()), encoding="utf-8")
    return path


def old_record(path: Path) -> Path:
    spec = GameSpec(PRESETS["mini"], 2)
    bag = [int(tile) for tile in shuffled_bag(spec, Random(2))]
    lines = written(spec, bag, lambda state: state.legal_actions()[-1])
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


# -- The report ---------------------------------------------------------------------------------------


def test_the_report_compares_players_with_chance_and_the_heuristic(
    games: Path, galapagos: Galapagos, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    text = galapagos.printed("study", "acquire", "--people", games, "--players", f"acquire:{NET}", "random")
    tile = text.partition("\ntile: ")[2].splitlines()
    assert tile[0].endswith("decisions in 4 games")
    assert [line.split()[0] for line in tile[1:5]] == ["chance", "heuristic", NET, "random"]
    assert len(tile[1].split()) == 3, "chance has no interval"
    assert all(line.count("[") == 1 + (index > 0) for index, line in enumerate(tile[2:5]))
    assert "purchase, shares in common: " in text and "all of these: " in text
    assert max(map(len, text.splitlines())) <= 110 and not any(
        line != line.rstrip() for line in text.splitlines()
    )


def test_a_net_predicts_itself_better_than_others_do(games: Path, galapagos: Galapagos) -> None:
    data = galapagos.data("study", "acquire", "--people", games, "--players", NET, "--workers", "1")
    measures = {each["name"]: each for each in data["measures"]}
    for name in ("place", "buy", "dispose", "all", "shares"):
        usual, net = measures[name]["results"]
        assert (usual["player"], net["player"]) == ("heuristic", NET)
        best = 0.5 if name in ("place", "all") else 1.0  # tiles of equal value are drawn at random
        assert 0 < measures[name]["chance"] < 0.5 and net["share"]["value"] >= best, name
        assert net["difference"]["low"] > 0 and usual["difference"] is None
    whole = [each for name, each in measures.items() if name not in ("all", "shares")]
    assert sum(each["decisions"] for each in whole) == measures["all"]["decisions"]
    assert measures["shares"]["decisions"] == measures["buy"]["decisions"]


def test_the_report_does_not_depend_on_the_number_of_workers(games: Path) -> None:
    players = ["random", "mc-1"]
    assert study([games], players, 1) == study([games], players, 2)


def test_a_single_game_has_no_differences(evening: Path, galapagos: Galapagos) -> None:
    text = galapagos.printed("study", "acquire", "--people", evening, "--players", "composed")
    assert " in 1 game\n" in text and "% [0.0, 100.0]\n" in text


# -- Records ------------------------------------------------------------------------------------------


def test_decisions_of_built_in_players_do_not_count(evening: Path) -> None:
    (game,) = read_games([evening])
    lines = [json.loads(line) for line in evening.read_text(encoding="utf-8").splitlines()]
    own = next(seat for seat, each in enumerate(lines[0]["seats"]) if each["kind"] == "client")
    actions = [line for line in lines if line["type"] == "action"]
    assert game.seats == 3 and len(game.actions) == len(actions)
    assert game.is_counted == tuple(action["seat"] == own for action in actions)
    assert {state.player() for _, state, _ in game.decisions()} == {own}


@pytest.mark.parametrize("change", [{"forced": "timeout"}, {"given_up": True}])
def test_decisions_of_the_server_do_not_count(games: Path, tmp_path: Path, change: dict[str, Any]) -> None:
    path = next(games.iterdir())
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    third = [line for line in lines if line["type"] == "action"][2]
    third |= change
    (game,) = read_games([rewritten(tmp_path / "game", lines)])
    assert [at for at, is_counted in enumerate(game.is_counted) if not is_counted] == [2]


def test_decisions_for_a_client_that_has_left_do_not_count(games: Path, tmp_path: Path) -> None:
    path = next(games.iterdir())
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    seats = [line["seat"] for line in lines if line["type"] == "action"]
    places = [at for at, line in enumerate(lines) if line["type"] == "action"]
    for at, kind in ((places[9], "rejoined"), (places[3], "left")):
        lines.insert(at, {"type": "event", "game_id": lines[0]["game_id"], "seq": 0, "kind": kind, "seat": 0})
    numbered = [line for line in lines if line["type"] in ("event", "end")]
    for number, event in enumerate(numbered, 1):
        event["seq"] = number
    (game,) = read_games([rewritten(tmp_path / "game", lines)])
    away = [at for at in range(3, 9) if seats[at] == 0]
    assert away and [at for at, is_counted in enumerate(game.is_counted) if not is_counted] == away


def rewritten(path: Path, lines: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def test_a_record_of_the_older_format_counts_whole(tmp_path: Path, galapagos: Galapagos) -> None:
    path = old_record(tmp_path / "one.jsonl")
    (game,) = read_games([path])
    assert len(game.actions) == path.read_text().count('"t":"decide"') and all(game.is_counted)
    converted = tmp_path / "converted"
    galapagos.printed("replay", path, "--convert", converted)
    assert read_games([converted]) == [game]


def test_a_folder_may_hold_records_of_other_games(games: Path, tmp_path: Path) -> None:
    for path in games.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    (tmp_path / "README.md").write_text("about these games\n")
    header = json.loads(next(games.iterdir()).read_text(encoding="utf-8").splitlines()[0])
    (tmp_path / "other.jsonl").write_text(json.dumps(header | {"game": "chess"}) + "\n")
    assert read_games([tmp_path]) == read_games([games])
    with pytest.raises(ValueError, match=r"other.jsonl: line 1: this is a record of chess, not of acquire"):
        read_games([tmp_path / "other.jsonl"])


def test_the_games_of_the_public_server_are_predicted(shared_data: Path, galapagos: Galapagos) -> None:
    """The driver of these games chose at random, so that no player predicts its tiles better than chance."""
    folder = shared_data / "acquire" / "games"
    data = galapagos.data("study", "acquire", "--people", folder, "--players", NET, "--workers", "1")
    measures = {each["name"]: each for each in data["measures"]}
    assert {name: each["decisions"] for name, each in measures.items()} == {
        "place": 947, "found": 95, "survivor": 7, "order": 2, "dispose": 298, "buy": 571, "end": 229, "all": 2149,
        "shares": 571,
    }  # fmt: skip
    for result in measures["place"]["results"]:
        assert result["share"]["low"] < measures["place"]["chance"] < result["share"]["high"]
    chance = [expect_chance(game) for game in read_games([folder])]
    assert sum(each["survivor"][0] for each in chance if "survivor" in each) == pytest.approx(3.5)


# -- Refusals -----------------------------------------------------------------------------------------


def torn(data: bytes) -> bytes:
    return data[:400]


def bought_more(data: bytes) -> bytes:
    return data.replace(b'"cost":', b'"cost":1', 1)


@pytest.mark.parametrize(
    ("damage", "complaint"),
    [
        (lambda data: b"hello\n", "line 1: this is not the start of a record"),
        (lambda data: b"", "line 1: this is not the start of a record"),
        (torn, "line 1: this is not the start of a record"),
        (bought_more, " is recorded, but the rules yield "),
        (lambda data: data.replace(b'"kind":"place"', b'"kind":"\xff"', 1), "line 3: "),
        (lambda data: data.replace(b'"game":"acquire"', b'"game":7', 1), "line 1: "),
        (lambda data: data.replace(b'"game":"acquire"', b'"game":' + b"[" * 5000, 1), "line 1: "),
    ],
)  # fmt: skip
def test_damaged_records_are_refused_with_file_and_line(
    games: Path, tmp_path: Path, galapagos: Galapagos, damage: Callable[[bytes], bytes], complaint: str
) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_bytes(damage(next(games.iterdir()).read_bytes()))
    for given in (path, tmp_path):
        refused = galapagos.refused("study", "acquire", "--people", games, given)
        assert refused.startswith(f"galapagos study: {path}: line ") and complaint in refused
        assert refused.count("\n") == 1


def test_a_damaged_record_of_the_older_format_is_refused(tmp_path: Path, galapagos: Galapagos) -> None:
    path = old_record(tmp_path / "one.jsonl")
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:3], lines[3].replace(b'"cash"', b'"c\xffsh"'), *lines[4:]]))
    refused = galapagos.refused("study", "acquire", "--people", path)
    assert refused == f"galapagos study: {path}: line 4: the text is not UTF-8\n"
    path.write_bytes(b"".join([*lines[:3], lines[3].replace(b'"cash":[', b'"cash":[1'), *lines[4:]]))
    refused = galapagos.refused("study", "acquire", "--people", path)
    assert refused.startswith(f"galapagos study: {path}: line 4: cash: the record has [1")


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["acquire"], "`galapagos study acquire` needs --thesis, or --people PATH"),
        (["acquire", "--people", "GAMES", "--games", "7"], "--people takes none of --markdown, --champions"),
        (["acquire", "--people", "GAMES", "--markdown"], "--people takes none of --markdown, --champions"),
        (["acquire", "--people", "GAMES", "--players", "nobody"], "no player is called 'nobody'"),
        (["acquire", "--people", "nowhere"], "nowhere: No such file"),
        (["acquire", "--people", "."], ". has no record of Acquire; records in a folder are named *.jsonl"),
        (["acquire", "--people", "agents.jsonl"], "these records have no decision of a person"),
    ],
)
def test_unsuitable_arguments_are_refused(
    words: list[str],
    complaint: str,
    games: Path,
    tmp_path: Path,
    galapagos: Galapagos,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    if "agents.jsonl" in words:
        lines = next(games.iterdir()).read_text(encoding="utf-8").splitlines()
        rewritten(tmp_path / "agents.jsonl", [json.loads(lines[0])])
    refused = galapagos.refused("study", *(str(games) if word == "GAMES" else word for word in words))
    assert refused.startswith("galapagos study: ") and complaint in refused
