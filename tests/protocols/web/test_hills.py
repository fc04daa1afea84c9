"""Hills on the page, and submissions by it: with the same quota and report as over TCP."""

import zlib
from base64 import b64decode
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from core.corewar.interpreter import DIE, READ, WRITE
from engines.corewar.hill_store import HillStore
from engines.corewar.presets import PRESETS
from protocols.hill.service import HillService
from protocols.hill.submission import MAX_BYTES
from protocols.limits import HourlyQuota
from protocols.redcode.library import bundled_text, starters
from protocols.web import hills
from protocols.web.corewar import FightsApi
from protocols.web.hills import HillsApi
from tests.protocols.web.support import Api, new_server, served
from tests.toy import InlinePool

HOSTILE = "<img src=x onerror=alert(1)>"
SUBMISSIONS = "/api/hills/nano/submissions"


def imp(name: str, step: int) -> str:
    return f";redcode-nano\n;name {name}\n;author {HOSTILE}\n;assert 1\nMOV.I $0, ${step}\n"


@asynccontextmanager
async def api_of(folder: Path, *names: str) -> AsyncIterator[Api]:
    stores = [HillStore.create(folder / f"{name}.hill", PRESETS[name]) for name in names]
    service = HillService(stores, InlinePool(), quota=HourlyQuota(2)) if stores else None
    fights = FightsApi(InlinePool())
    async with served(HillsApi(new_server(service), fights).routes()) as api:
        yield api


async def test_submitted_warriors_are_shown_on_the_hill_with_their_battles(tmp_path: Path) -> None:
    async with api_of(tmp_path, "nano", "88") as api:
        _, listing = await api.get("/api/hills")
        assert [each["tag"] for each in listing["hills"]] == ["nano", "-"]
        status, reply = await api.post(SUBMISSIONS, imp("One", 1))
        assert status == 200 and f"One by {HOSTILE} challenges the Nano hill." in reply["text"]
        assert reply["challenge"]["table"][0]["name"] == "One"
        _, reply = await api.post(SUBMISSIONS, imp("Two", 2))
        assert [met["opponent"] for met in reply["challenge"]["meetings"]] == ["One"]
        _, reply = await api.post(f"{SUBMISSIONS}?test", imp("Three", 3))
        assert reply["challenge"]["is_test"]

        _, hill = await api.get("/api/hills/nano")
        assert hill["challenges"] == 2 and len(hill["table"]) == 2
        assert [each["name"] for each in hill["recent"]] == ["Two", "One"]
        assert hill["recent"][1]["place"] == 1 and hill["recent"][0]["author"] == HOSTILE
        _, warrior = await api.get("/api/hills/nano/warriors/1")
        assert warrior["name"] == "One" and warrior["is_on_hill"]
        (battle,) = warrior["battles"]
        _, other = await api.get("/api/hills/nano/warriors/2")
        (back,) = other["battles"]
        assert (battle["wins"], battle["losses"]) == (back["losses"], back["wins"])
        _, reply = await api.post(SUBMISSIONS, imp("Copy", 1))
        assert "this code is on the hill already" in reply["refused"]
        assert (await api.get("/api/hills/-"))[1]["first_line"] == ";redcode"


async def test_lost_rounds_can_be_watched(tmp_path: Path) -> None:
    bomber = ";redcode-nano\n;name Bomber\n;author Ann\n;assert 1\nstart MOV bomb, @bomb\nADD #7, bomb\nJMP start\nbomb DAT #0, #9\n"
    waiter = ";redcode-nano\n;name Waiter\n;author Ann\n;assert 1\nJMP 0\n"
    async with api_of(tmp_path, "nano") as api:
        await api.post(SUBMISSIONS, bomber)
        _, reply = await api.post(f"{SUBMISSIONS}?test", waiter)
        (met,) = reply["challenge"]["meetings"]
        assert met["losses"] > 1
        path = "/api/hills/nano/warriors/1/fights"
        status, film = await api.post(path, waiter)
        assert status == 200 and len(film["lost"]) == met["losses"]
        assert film["round"] == film["lost"][0]
        for place in (1, 2, met["losses"]):
            _, film = await api.post(f"{path}?lost={place}", waiter)
            (survivor,) = film["survivors"]
            assert film["warriors"][survivor]["name"] == "Bomber" and film["round"] == film["lost"][place - 1]
        for place in ("0", "9999", "x", "-1"):
            assert "it has lost" in (await api.post(f"{path}?lost={place}", waiter))[1]["refused"]
        assert "Undefined" in (await api.post(path, waiter.replace("JMP 0", "JMP nowhere")))[1]["refused"]
        assert (await api.post("/api/hills/nano/warriors/2/fights", waiter))[0] == 404
        _, reply = await api.post(path, ";redcode-nano\n;author Ann\n;kill Bomber\n")
        assert "No instructions" in reply["refused"]


async def test_films_hide_the_code_of_others_warriors(tmp_path: Path) -> None:
    """All instructions are shown only of a warrior of the client's own, and of those that come with the program."""
    bomber = ";redcode-nano\n;name Bomber\n;author Ann\n;assert 1\nstart MOV bomb, @bomb\nADD #7, bomb\nJMP start\nbomb DAT #0, #9\n"
    waiter = ";redcode-nano\n;name Waiter\n;author Bob\n;assert 1\nJMP 0\n"
    path = "/api/hills/nano/warriors/{}/fights"
    async with api_of(tmp_path, "nano") as api:
        _, reply = await api.post(SUBMISSIONS, bomber)
        own = f";token {reply['challenge']['token']}\n"
        films = {}
        for name, text in (("other", waiter), ("forged", waiter + ";token x\n"), ("own", waiter + own)):
            _, films[name] = await api.post(path.format(1), text)
        assert [film["hides_code"] for film in films.values()] == [True, True, False]
        kinds = {name: kinds_of(film["film"]) for name, film in films.items()}
        assert kinds["other"] == kinds["forged"] and set(kinds["other"]) == {WRITE, DIE}
        assert {READ, WRITE, DIE} <= set(kinds["own"])
        assert films["other"]["instructions"] == films["own"]["instructions"]
        starter = next(each for each in starters(PRESETS["nano"]) if len(each.warrior.cells) > 2)
        code = bundled_text(starter.source).lower().replace(";redcode", ";")
        _, reply = await api.post(SUBMISSIONS, f";redcode-nano\n{code}")
        (met,) = reply["challenge"]["meetings"]
        assert met["wins"] + met["losses"]
        _, film = await api.post(path.format(2), waiter)
        assert film["hides_code"] is False


def kinds_of(film: str) -> bytes:
    """The kinds of effects in a recording as it is sent."""
    data = zlib.decompress(b64decode(film))
    columns = []
    while data:
        length = int.from_bytes(data[:4], "little")
        columns.append(data[4 : 4 + length])
        data = data[4 + length :]
    return columns[2]


async def test_a_warrior_has_its_standing_history_and_films_of_lost_rounds(tmp_path: Path) -> None:
    bomber = ";redcode-nano\n;name Bomber\n;author Ann\n;assert 1\nstart MOV bomb, @bomb\nADD #7, bomb\nJMP start\nbomb DAT #0, #9\n"
    starter = next(each for each in starters(PRESETS["nano"]) if each.source == "clear.red")
    async with api_of(tmp_path, "nano") as api:
        for text in (bomber, imp("Imp", 1), f";redcode-nano\n{bundled_text(starter.source)[9:]}"):
            await api.post(SUBMISSIONS, text)
        _, hill = await api.get("/api/hills/nano")
        _, warrior = await api.get("/api/hills/nano/warriors/1")
        (row,) = [row for row in hill["table"] if row["id"] == 1]
        assert warrior["row"] == row
        assert hill["table"][warrior["place_now"] - 1] == row
        history = warrior["history"]
        assert [each["challenger"] for each in history] == ["Bomber", "Imp", "Clear"]
        assert [each["number"] for each in history] == [1, 2, 3]
        assert (history[-1]["score"], history[-1]["place"]) == (row["score"], warrior["place_now"])
        sources = [(await api.get(f"/api/hills/nano/warriors/{id}"))[1]["source"] for id in (1, 2, 3)]
        assert sources == ["", "imp.red", "clear.red"]
        lost = next(each for each in warrior["battles"] if each["id"] == 3)
        assert lost["losses"] > 1
        films = "/api/hills/nano/warriors/1/fights?against={}&lost={}"
        status, film = await api.get(films.format(3, 2))
        assert (status, film["round"], film["hides_code"]) == (200, film["lost"][1], True)
        assert len(film["lost"]) == lost["losses"]
        (survivor,) = film["survivors"]
        assert film["warriors"][survivor]["name"] == "Clear"
        _, film = await api.get("/api/hills/nano/warriors/2/fights?against=3")
        assert film["hides_code"] is False, "both come with the program"
        for against, place in ((1, 1), (9, 1), ("", 1), ("x", 1)):
            assert (await api.get(films.format(against, place)))[0] == 404
        assert "it has lost" in (await api.get(films.format(3, 0)))[1]["refused"]


async def test_the_history_of_a_warrior_ends_when_it_leaves_the_hill(tmp_path: Path) -> None:
    async with api_of(tmp_path, "nano") as api:
        _, reply = await api.post(SUBMISSIONS, imp("One", 1))
        token = reply["challenge"]["token"]
        await api.post(SUBMISSIONS, imp("Two", 2))
        kill = (
            f";redcode-nano\n;name Three\n;author {HOSTILE}\n;kill One\n;token {token}\n;assert 1\nMOV 0, 3\n"
        )
        _, reply = await api.post(SUBMISSIONS, kill)
        _, warrior = await api.get("/api/hills/nano/warriors/1")
        assert (warrior["row"], warrior["place_now"], warrior["battles"]) == (None, None, [])
        assert [each["fate"] for each in warrior["history"]] == ["on the hill", "on the hill", "killed"]
        assert warrior["history"][-1]["score"] is None


async def test_a_token_is_shown_only_to_the_sender_of_its_warrior(tmp_path: Path) -> None:
    async with api_of(tmp_path, "nano") as api:
        _, reply = await api.post(SUBMISSIONS, imp("One", 1))
        token = reply["challenge"]["token"]
        assert f'";token {token}" lets' in reply["text"]
        for path in ("nano", "nano/warriors/1"):
            assert token not in str(await api.get(f"/api/hills/{path}"))
        kill = f";redcode-nano\n;author {HOSTILE}\n;kill One\n"
        _, reply = await api.post(SUBMISSIONS, kill)
        assert "to kill One by <img" in reply["refused"]
        _, reply = await api.post(SUBMISSIONS, f"{kill};token {token}\n")
        assert "One has been removed" in reply["text"] and reply["challenge"]["table"][0]["fate"] == "removed"
        assert token not in str(await api.get("/api/hills/nano/warriors/1"))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no line starts with ;redcode"),
        ("MOV 0, 1", "no line starts with ;redcode"),
        (";redcode-94nop\nMOV 0, 1", "this hill takes ;redcode-nano, not ;redcode-94nop"),
        (";redcode-nano standings", "the text asks for the standings"),
        (";redcode-nano\nMOV 0, nowhere", "Error in line 2"),
        (";redcode-nano\n" + "x" * MAX_BYTES, "at most 65536 bytes"),
        (";redcode-nano\n\0\ud7ff\u2028MOV 0, 1 \x1b", "could not be assembled"),
    ],
)
async def test_invalid_submissions_are_refused_with_a_reason(tmp_path: Path, text: str, words: str) -> None:
    async with api_of(tmp_path, "nano") as api:
        status, reply = await api.post(SUBMISSIONS, text)
        assert status == 200 and words in reply["refused"]


@pytest.mark.parametrize("path", ["none", "nano/warriors/1", "nano/warriors/x", "nano/warriors/" + "9" * 40])
async def test_requests_for_missing_hills_and_warriors_answer_404(tmp_path: Path, path: str) -> None:
    async with api_of(tmp_path, "nano") as api:
        status, answer = await api.get(f"/api/hills/{path}")
        assert status == 404 and "hill" in answer["error"]


async def test_a_server_without_hills_lists_none_and_takes_no_submission(tmp_path: Path) -> None:
    async with api_of(tmp_path) as api:
        assert await api.get("/api/hills") == (200, {"hills": []})
        assert (await api.post(SUBMISSIONS, imp("One", 1)))[0] == 404


async def test_remote_clients_have_a_quota(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("protocols.server.is_loopback", lambda address: False)
    async with api_of(tmp_path, "nano") as api:
        statuses = [(await api.post(SUBMISSIONS, imp("One", step)))[0] for step in (1, 2, 3)]
        assert statuses == [200, 200, 429]
        assert "try again in 60 minutes" in (await api.post(SUBMISSIONS, imp("One", 4)))[1]["error"]


async def test_submissions_above_the_limit_of_waiting_ones_answer_503(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hills, "MAX_WAITING", 0)
    async with api_of(tmp_path, "nano") as api:
        assert (await api.post(SUBMISSIONS, imp("One", 1)))[0] == 503
