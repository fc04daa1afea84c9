"""The study of people: games of a folder that a real server has written, only with agreement, and without names."""

import json
import os
from pathlib import Path

import pytest

from engines.protection.profile import loads
from protocols.jsonl.journal import Journal
from protocols.jsonl.restore import restore
from tests.protocols.jsonl.fakes import FakeServer
from tests.protocols.jsonl.protection_games import NOTHING, act, begun, decide_of, protection_server
from tools.__main__ import main
from tools.study.protection_people import game_of, mode_measures, person_measures, read_people

Options = dict[str, object]
WON: Options = {"money": {"human": 2000, "chaos": 20}}  # Chaos surrenders after the first turn


class Home:
    """The home of a server on which people play games that end at once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.server: FakeServer = protection_server(folder / "profiles", journal=Journal(folder / "records"))
        self.games = 0

    def play(self, name: str, results: str, chaos: str = "chaos:pilot", **options: object) -> None:
        """Play games of a user: W is won, L is lost, and - is left without an end."""
        for result in results:
            client = self.server.player()
            wanted = {"profile": name, **(WON if result == "W" else {}), **options}
            received = begun(client, chaos, options=wanted)
            game_id = received[0]["game_id"]
            if result == "W":
                act(client, decide_of(received), NOTHING)
                self.server.work()
            elif result == "L":
                client.say(type="resign", game_id=game_id)
            client.received()
            self.games += 1
            os.utime(self.record(game_id), (self.games, self.games))
        self.server.flush_profiles()

    def record(self, game_id: str) -> Path:
        return self.folder / "records" / f"{game_id}.jsonl"

    def said(self, capsys: pytest.CaptureFixture[str], *words: str) -> tuple[str, str]:
        assert main(["study", "protection", "--people", str(self.folder), *words]) == 0
        streams = capsys.readouterr()
        return streams.out, streams.err


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


def test_users_are_measured_by_their_stored_games(home: Home) -> None:
    home.play("Zoe", "LLWLLWLLWL", study=True, target="hard")
    home.play("Ann", "WWWWWWLW-", study=True)
    home.play("Ann", "LLLL", study=True)
    home.play("Ann", "W", "chaos:calibrated", study=True, target=0.6)
    zoe, ann, calibrated = person_measures(read_people(home.folder).games)
    assert (zoe.user, zoe.mode, zoe.games, zoe.won, zoe.aim, zoe.left) == ("user-1", "pilot", 10, 3, 0.3, 0)
    assert zoe.share and (zoe.share.value, round(zoe.share.low, 2)) == (0.3, 0.11) and zoe.holds
    assert (ann.user, ann.games, ann.won, ann.left, ann.holds) == ("user-2", 12, 7, 1, True)
    assert ann.halves == (1.0, 1 / 6) and ann.turns == 1
    assert (calibrated.user, calibrated.mode, calibrated.holds) == ("user-2", "calibrated", None)
    pilot, other = mode_measures([zoe, ann, calibrated])
    assert (pilot.users, pilot.games, pilot.left, pilot.measured) == (2, 22, 1, 2)
    assert pilot.near and pilot.near.value == 1.0 and pilot.distance and pilot.change
    assert other.near is None and other.measured == 0


def test_users_far_from_their_choice_do_not_hold_it(home: Home) -> None:
    home.play("Ann", "WWWWWWWLLL", study=True, target=0.5)
    (ann,) = person_measures(read_people(home.folder).games)
    assert ann.holds is False


def test_only_games_and_users_with_agreement_are_read(home: Home) -> None:
    """Of Bob's games the one before he agreed is not read; Ann has withdrawn, Eve was never asked."""
    home.play("Bob", "L")
    home.play("Bob", "W", study=True)
    home.play("Ann", "WW", study=True)
    home.play("Ann", "L", study=False)
    home.play("Eve", "LL")
    home.play("Bob", "W", "chaos:best", study=True)
    stored = read_people(home.folder)
    assert [(game.name, game.winner) for game in stored.games] == [("Bob", 0)]
    assert (stored.without_agreement, stored.without_aim, stored.faults) == (6, 1, [])


def test_agreement_needs_a_profile_and_is_kept_until_it_is_withdrawn(home: Home) -> None:
    path, client = home.folder / "profiles" / "Ann.apu", home.server.player()
    (error,) = begun(client, "chaos:pilot", options={"study": True})
    assert error["data"]["path"] == "$.options.study"
    answers: list[tuple[Options, bool]] = [
        ({"study": True}, True), ({}, True), ({"study": False}, False), ({}, False),
    ]  # fmt: skip
    for options, agrees in answers:
        home.play("Ann", "L", "chaos:pilot", **options)
        assert loads(path.read_text()).agrees is agrees
        (shown,) = client.ask(type="list", profile_show="Ann")["profiles"]
        assert shown["agrees"] is agrees


def test_an_earlier_agreement_does_not_return_with_a_restored_game(home: Home) -> None:
    """The unfinished game in which Ann agreed is replayed by a server that starts after she has withdrawn."""
    home.play("Ann", "-", study=True)
    home.play("Ann", "L", study=False)
    again = protection_server(home.folder / "profiles", journal=Journal(home.folder / "records"))
    assert restore(again.games) == 1
    again.flush_profiles()
    assert not loads((home.folder / "profiles" / "Ann.apu").read_text()).agrees


def test_the_report_names_no_user_and_no_game(home: Home, capsys: pytest.CaptureFixture[str]) -> None:
    home.play("Zoe Miller", "WLWLWLWLWL", study=True)
    home.play("Ann", "LL", study=True)
    text, notes = home.said(capsys)
    assert "2 users who agreed, 12 games" in text and notes == ""
    assert "user-1    pilot          10    5    0.50  0.50 [0.24, 0.76]  0.60 0.40     0     0  yes" in text
    told = home.said(capsys, "--json")[0]
    assert [each["user"] for each in json.loads(told)["people"]] == ["user-1", "user-2"]
    for secret in ("Zoe", "Miller", "Ann", "g-3"):
        assert secret not in text + told


def test_damaged_files_are_named_with_their_line_and_skipped(
    home: Home, capsys: pytest.CaptureFixture[str]
) -> None:
    home.play("Ann", "LLLLLL", study=True)
    home.play("Bob", "L", study=True)
    (home.folder / "profiles" / "Bob.apu").write_text("1 2\nX\ty\n")
    paths = [home.record(f"g-{number}") for number in range(31, 36)]
    whole = paths[0].read_bytes()
    first, *middle, last = whole.splitlines(keepends=True)
    paths[0].write_bytes(b"")
    paths[1].write_bytes(b'{"format":"galapagos-record/1"}\n')
    paths[2].write_bytes(b"".join([first, b"\x1b[2J\n", *middle, last]))
    paths[3].write_bytes(first + last.replace(b'"chaos"', b'"cat"'))
    paths[4].write_bytes(b"".join([first, last, *middle]))
    text, notes = home.said(capsys)
    assert "1 user who agreed, 1 game; not read: 1 game without agreement" in text
    for path, line in zip(paths, (1, 1, 2, 2, 3), strict=True):
        assert f"{path}: line {line}: " in notes
    assert "Bob.apu: line 2: " in notes and "\x1b" not in notes


def test_a_torn_last_line_is_a_game_without_an_end(home: Home) -> None:
    home.play("Ann", "L", study=True)
    path = home.record("g-31")
    path.write_bytes(path.read_bytes()[:-1])
    (game,) = read_people(home.folder).games
    assert game.winner is None


def test_games_of_bots_and_of_other_games_are_not_read(home: Home) -> None:
    client = home.server.player()
    begun(client, seats=["user:idle", "chaos:pilot"], options={"profile": "Ann", "study": True})
    home.server.flush_profiles()
    stored = read_people(home.folder)
    assert not stored.games and not stored.without_agreement
    home.play("Ann", "L", study=True)
    data = home.record("g-32").read_bytes()
    assert game_of(data) and game_of(data.replace(b'"game":"protection"', b'"game":"chess"', 1)) is None


def test_other_folders_and_options_are_refused(
    tmp_path: Path, home: Home, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["study", "protection", "--people", str(tmp_path / "none")]) == 2
    assert "give the home of a server" in capsys.readouterr().err
    assert main(["study", "protection", "--people", str(home.folder), "--population", "3"]) == 2
    assert "--people reads stored games" in capsys.readouterr().err
