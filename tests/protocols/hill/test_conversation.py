"""Hills behind the TCP port: letters in, reports out, with real workers."""

import asyncio
import json
import random
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from engines.corewar.challenge_queue import BoundedPool
from engines.corewar.hill_store import HillStore
from engines.corewar.presets import PRESETS
from engines.events import Bus, Challenge, Standings
from engines.worker_pool import WorkerPool, process_pool
from protocols.hill.office import PRELOAD, Office
from protocols.hill.submission import Submission
from protocols.house import House
from protocols.limits import Limits
from protocols.server import Server
from tests.protocols.hill.warriors import bomber
from tests.protocols.wire import Connect, Wire, listening, no_engine
from tests.toy import InlinePool

NANO = replace(PRESETS["nano"], places=6)


@asynccontextmanager
async def served(
    *stores: HillStore, crew: WorkerPool | None = None, **limits: float
) -> AsyncIterator[tuple[Connect, Server]]:
    office = Office(stores, BoundedPool(crew or InlinePool()))
    async with listening(no_engine, office, **limits) as both:
        yield both


async def report(wire: Wire, text: str) -> list[str]:
    """Send a letter; its report without the full stop."""
    wire.heard.clear()
    wire.writer.write(text.encode("iso-8859-1"))
    await wire.hear(r"\.$")
    return wire.heard[:-1]


@pytest.fixture
def store(tmp_path: Path) -> HillStore:
    return HillStore.create(tmp_path / "nano.hill", NANO)


async def test_a_newcomer_sends_ten_warriors_and_gets_ten_reports(store: HillStore) -> None:
    async with process_pool(2, preload=PRELOAD) as crew, served(store, crew=crew) as (connect, _):
        wire = await connect()
        for number in range(1, 11):
            lines = await report(wire, bomber(2 * number + 1))
            (score,) = [line for line in lines if line.startswith("Your overall score: ")]
            (mine,) = [line.split() for line in lines if f"Every {2 * number + 1}  " in line]
            assert float(mine[-2]) == pytest.approx(float(score.split()[-1]), abs=0.06)
            assert ("has been pushed off the Nano hill." in "".join(lines)) == (number > 6)
            assert sum(line.endswith(" by Ann") for line in lines) == min(number - 1, 6)
            assert len(lines) - lines.index("The current Nano hill:") - 3 == min(number, 7)
        assert store.hill().challenges == 10 and len(store.hill().entries) == 6


async def test_the_last_letter_needs_no_end(store: HillStore) -> None:
    async with served(store) as (connect, _):
        wire = await connect()
        wire.say(";redcode-nano", ";name Imp", "MOV 0, 1")
        wire.writer.write_eof()
        heard = await wire.rest()
        assert "Your overall score: 0.000000" in heard and heard[-1] == "."


async def test_letters_in_one_breath(store: HillStore) -> None:
    async with served(store) as (connect, _):
        wire = await connect()
        wire.writer.write("".join(bomber(step) for step in (3, 5, 7)).encode())
        wire.writer.write_eof()
        heard = await wire.rest()
        assert heard.count(".") == 3
        assert [line.split()[1] for line in heard if line.endswith("challenges the Nano hill.")] == [
            "3",
            "5",
            "7",
        ]


async def test_a_refusal_names_the_reason_and_the_next_is_heard(store: HillStore) -> None:
    async with served(store) as (connect, _):
        wire = await connect()
        assert (await report(wire, bomber(3).replace("nano", "94")))[0] == (
            "Your warrior was refused: no hill takes ;redcode-94 here; there is ;redcode-nano"
        )
        broken = await report(wire, bomber(3).replace("JMP     loop", "JMP"))
        assert broken[0] == "Your warrior was refused: the warrior could not be assembled"
        assert "Error in line 8" in "".join(broken)
        assert "Your overall score" in "".join(await report(wire, bomber(3)))
        assert (await report(wire, bomber(3, author="Thief")))[0] == (
            "Your warrior was refused: this code is on the hill already: Every 3 by Ann"
        )


async def test_words_of_the_first_line(store: HillStore) -> None:
    async with served(store) as (connect, _):
        wire = await connect()
        await report(wire, bomber(3))
        assert "Every 3 by Ann" not in "".join(await report(wire, bomber(5, words=" quiet")))
        assert "ADD.AB #     7" in "".join(await report(wire, bomber(7, words=" verbose")))
        (line,) = await report(wire, bomber(9, words=" json test"))
        data = json.loads(line)
        assert data["is_test"] and [each["opponent"] for each in data["meetings"]].count("Every 3") == 1
        (line,) = await report(wire, bomber(9, words=" json").replace("MOV.I", "MVO.I"))
        assert "MVO" in json.loads(line)["refused"]
        assert store.hill().challenges == 3


async def test_a_question_for_the_standings(store: HillStore) -> None:
    async with served(store, hill_submissions_per_hour=1) as (connect, _):
        wire = await connect()
        assert await report(wire, ";redcode-nano standings\n.\n") == ["The Nano hill is empty."]
        told = await report(wire, bomber(3))
        assert await report(wire, ";redcode-nano standings\n.\n") == told[-4:]
        (line,) = await report(wire, ";redcode-nano json standings\n.\n")
        assert [row["name"] for row in json.loads(line)["table"]] == ["Every 3"]
        assert "no hill takes ;redcode-94" in (await report(wire, ";redcode-94 standings\n.\n"))[0]
        assert store.hill().challenges == 1


async def test_a_letter_without_an_end(store: HillStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("protocols.hill.conversation.LETTER_SECONDS", 0.2)
    async with served(store) as (connect, _):
        wire = await connect()
        wire.say(";redcode-nano", "MOV 0, 1")
        assert (await wire.rest())[0].startswith("Your warrior was refused: no end of it within")
    assert store.hill().challenges == 0


async def test_line_numbers_are_those_of_the_letter(store: HillStore) -> None:
    async with served(store) as (connect, _):
        wire = await connect()
        wire.writer.write(
            (bomber(3).partition("END")[0] + ";redcode-nano\n;assert 1\nMOV 0, nobody\nEND\n").encode()
        )
        await wire.hear(r"\.$")
        assert any(line.startswith("Error in line 3:") for line in await report(wire, ""))


async def test_two_hills_at_one_port(store: HillStore, tmp_path: Path) -> None:
    tiny = HillStore.create(tmp_path / "tiny.hill", replace(PRESETS["tiny"], rounds=2))
    async with served(store, tiny) as (connect, _):
        wire = await connect()
        await report(wire, ";redcode-tiny\nMOV 0, 1\nEND\n")
        await report(wire, bomber(3))
    assert store.hill().challenges == tiny.hill().challenges == 1
    with pytest.raises(ValueError, match="the same first line"):
        Office([store, store], BoundedPool(InlinePool()))


async def test_no_hill_here(tmp_path: Path) -> None:
    server = Server(House(no_engine, Limits()))
    host, port = await server.start("127.0.0.1", 0)
    wire = Wire(*await asyncio.open_connection(host, port))
    wire.say(";redcode-nano", "MOV 0, 1", "END")
    (advice,) = await wire.rest()
    assert "uci" in advice
    await wire.close()
    await server.stop()


async def test_strangers_have_a_quota(store: HillStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("protocols.house.is_of_this_machine", lambda address: False)
    async with served(store, hill_submissions_per_hour=2, messages_burst=1) as (connect, _):
        first, second = await connect(), await connect()
        started = time.perf_counter()
        assert "Your overall score" in "".join(await report(first, bomber(3)))
        assert "Your overall score" in "".join(await report(second, bomber(5)))
        assert time.perf_counter() - started < 5.0, "the lines of a text are not messages"
        for wire in (first, second):
            assert (await report(wire, bomber(7)))[0] == (
                "Your warrior was refused: that is enough for now; come again in 60 minutes"
            )
    assert store.hill().challenges == 2


async def test_texts_too_large(store: HillStore) -> None:
    async with served(store, stop_seconds=1.0) as (connect, _):
        endless, wide = await connect(), await connect()
        endless.writer.write(b";redcode-nano\n" + b"; and so on\n" * 10_000)
        assert (await endless.rest())[0] == "Your warrior was refused: a submission has at most 65536 bytes"
        wide.writer.write(b";redcode-nano\n;" + b"x" * 5000 + b"\n")
        assert (await wide.rest())[0] == "Your warrior was refused: line too long"
    assert store.hill().challenges == 0


async def test_who_hangs_up_has_challenged(store: HillStore) -> None:
    async with served(store) as (connect, server):
        wire = await connect()
        wire.writer.write(bomber(3).encode())
        await wire.writer.drain()
        wire.writer.transport.abort()
        for _ in range(100):
            if not server._conversations:
                break
            await asyncio.sleep(0.02)
        assert not server._conversations
        again = await connect()
        assert "Your overall score" in "".join(await report(again, bomber(5)))


async def test_rubbish_ends_nothing(store: HillStore) -> None:
    """A conversation of random lines: each letter is answered, and the hill stays whole."""
    moments = random.Random(3)
    pieces = ["MOV 0, 1", "DAT", "FOR 9999999", "ROF", ";kill x", "x EQU x", "((((", "END", ";name \x1b[2J"]
    async with served(store) as (connect, _):
        wire = await connect()
        for _ in range(60):
            lines = [moments.choice(pieces) for _ in range(moments.randrange(8))]
            heard = await report(wire, "\n".join([";redcode-nano", *lines, ".", ""]))
            assert heard[0].endswith("hill.") or heard[0].startswith("Your warrior was refused: ")
            assert all(" " <= character <= "~" for line in heard if "Name" in line for character in line)
    assert HillStore.open(store.path).hill().challenges <= 60


async def test_a_hill_that_cannot_be_written(store: HillStore) -> None:
    async with served(store) as (connect, _):
        wire = await connect()
        away = store.path.rename(store.path.with_name("away"))
        (refusal,) = await report(wire, bomber(3))
        assert refusal == "Your warrior was refused: the hill cannot be written at present; try again later"
        away.rename(store.path)
        assert "Your overall score" in "".join(await report(wire, bomber(3)))


async def test_bytes_come_back_as_they_were(store: HillStore) -> None:
    async with served(store) as (connect, _):
        wire = await connect()
        wire.writer.write(b";redcode-nano\nMOV \xe9\xff\nEND\n")
        assert b"'MOV \xe9\xff'" in await wire.reader.readuntil(b"\n.\n")


async def test_the_loop_is_never_blocked(store: HillStore) -> None:
    """Battles and hostile texts keep the workers busy; a ticker in the server's process keeps its time."""
    late: list[float] = []

    async def tick() -> None:
        while True:
            started = time.perf_counter()
            await asyncio.sleep(0.005)
            late.append(time.perf_counter() - started - 0.005)

    bomb = ";redcode-nano\n" + "i FOR 999\n" * 20 + "MOV 0, 1\n" + "ROF\n" * 20 + "END\n"
    async with process_pool(1, preload=PRELOAD) as crew, served(store, crew=crew) as (connect, _):
        wire = await connect()
        await report(wire, bomber(3))
        ticking = asyncio.create_task(tick())
        for step in range(5, 65, 2):
            assert (await report(wire, bomb))[0].startswith("Your warrior was refused: ")
            await report(wire, bomber(step))
        ticking.cancel()
        await asyncio.wait({ticking})
    late.sort()
    assert len(late) > 20
    assert late[len(late) // 2] < 0.005
    assert late[len(late) * 9 // 10] < 0.020


async def test_the_bus_is_told_of_challenges_and_tables(store: HillStore) -> None:
    bus = Bus()
    office = Office([store], BoundedPool(InlinePool()), bus)
    await office.post_standings()
    for text in (bomber(3), bomber(5), bomber(7, words=" test")):
        await office.submit(Submission.read(text))
    told = [(event.topic, event.news) for event in bus.history(0)]
    assert [topic for topic, _ in told] == ["hill/nano/battle", "hill/nano/standings"] * 2
    challenge, standings = told[2][1], told[3][1]
    assert isinstance(challenge, Challenge) and isinstance(standings, Standings)
    assert challenge.number == standings.challenges == 2
    assert [row.place for row in standings.table] == [1, 2]
    assert standings.table[(challenge.place or 0) - 1].warrior == challenge.warrior == "Every 5"
    again = Bus()
    await Office([store], BoundedPool(InlinePool()), again).post_standings()
    assert [event.news for event in again.states()] == [standings]
