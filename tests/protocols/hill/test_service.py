"""Hills behind the TCP port: submissions in, reports out; and the quota of their senders."""

import asyncio
import json
import logging
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engines.corewar.hill_store import HillStore
from engines.corewar.presets import PRESETS
from engines.events import Bus, Challenge, Standings
from engines.worker_pool import TaskError, Workers
from protocols.hill.service import HillService
from protocols.hill.submission import Submission, SubmissionError, token_digest
from protocols.limits import HourlyQuota
from tests.protocols.hill.support import bomber, served
from tests.protocols.wire import Wire
from tests.servers import listening, no_engine
from tests.toy import InlinePool
from tests.waiting import PATIENCE_SECONDS, until

NANO = replace(PRESETS["nano"], places=6)
BROKEN = bomber(3).replace("MOV.I", "MVO.I")


async def report(wire: Wire, text: str) -> list[str]:
    """Send a submission; its report without the full stop."""
    wire.writer.write(text.encode("iso-8859-1"))
    return (await wire.reader.readuntil(b"\n.\n")).decode("iso-8859-1").splitlines()[:-1]


@pytest.fixture
def store(tmp_path: Path) -> HillStore:
    return HillStore.create(tmp_path / "nano.hill", NANO)


async def test_a_newcomer_sends_ten_warriors_and_gets_ten_reports(store: HillStore) -> None:
    async with Workers(2) as pool, served(store, pool=pool) as (connect, _):
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


async def test_submissions_in_one_write_are_all_answered_even_without_a_last_end(store: HillStore) -> None:
    async with served(store) as (connect, _):
        wire = await connect()
        wire.writer.write("".join(bomber(step) for step in (3, 5, 7)).encode())
        wire.say(";redcode-nano", ";name Imp", "MOV 0, 1")
        wire.writer.write_eof()
        lines = await wire.rest()
        assert lines.count(".") == 4 and lines[-1] == "."
        starts = [line for line in lines if line.endswith("challenges the Nano hill.")]
        assert [line.split(" by")[0] for line in starts] == ["Every 3", "Every 5", "Every 7", "Imp"]


async def test_a_refusal_names_the_reason_and_the_next_submission_is_accepted(store: HillStore) -> None:
    async with served(store) as (connect, _):
        wire = await connect()
        assert (await report(wire, bomber(3).replace("nano", "94")))[0] == (
            "Your warrior was refused: no hill of this server takes ;redcode-94; its hills take ;redcode-nano"
        )
        broken = await report(wire, bomber(3).replace("JMP     loop", "JMP"))
        assert broken[0] == "Your warrior was refused: the warrior could not be assembled"
        assert "Error in line 8" in "".join(broken)
        assert "Your overall score" in "".join(await report(wire, bomber(3)))
        assert (await report(wire, bomber(3, author="Thief")))[0] == (
            "Your warrior was refused: this code is on the hill already: Every 3 by Ann"
        )


async def test_the_words_quiet_verbose_json_and_test_change_the_answer(store: HillStore) -> None:
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


async def test_requests_for_standings_are_answered_and_cost_no_quota(store: HillStore) -> None:
    async with served(store, per_hour=1) as (connect, _):
        wire = await connect()
        assert await report(wire, ";redcode-nano standings\n.\n") == [
            "The Nano hill is empty.",
            "",
            "Rules: core 80, 800 cycles, 80 processes, length 5, distance 5, every position once",
        ]
        lines = await report(wire, bomber(3))
        assert (await report(wire, ";redcode-nano standings\n.\n"))[:-2] == lines[-4:]
        (line,) = await report(wire, ";redcode-nano json standings\n.\n")
        assert [row["name"] for row in json.loads(line)["table"]] == ["Every 3"]
        assert (
            "no hill of this server takes ;redcode-94"
            in (await report(wire, ";redcode-94 standings\n.\n"))[0]
        )
        assert store.hill().challenges == 1


async def test_a_submission_without_an_end_is_refused_after_a_while(
    store: HillStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("protocols.hill.service.SUBMISSION_SECONDS", 0.2)
    async with served(store) as (connect, _):
        wire = await connect()
        wire.say(";redcode-nano", "MOV 0, 1")
        assert (await wire.rest())[0].startswith("Your warrior was refused: its end was not received within")
    assert store.hill().challenges == 0


async def test_a_connection_that_sends_no_other_warrior_is_closed_without_a_refusal(
    store: HillStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("protocols.hill.service.SUBMISSION_SECONDS", 0.2)
    async with served(store) as (connect, _):
        wire = await connect()
        assert (await report(wire, bomber(3)))[0].startswith("Every 3 by Ann challenges")
        assert await wire.rest() == []


async def test_misspelled_words_of_the_first_line_are_refused(store: HillStore) -> None:
    service = HillService([store], InlinePool(), quota=HourlyQuota(1))
    assert await service.answer(bomber(3, words=" tset"), "ann") == (
        "Your warrior was refused: the line ;redcode-nano has the unknown word tset; did you mean test?\n"
    )
    assert "did you mean standings?" in await service.answer(";redcode-nano standing\n", "ann")
    wrong = json.loads(await service.answer(";redcode-nano json standings now\n", "ann"))
    assert "unknown word now; there are quiet, verbose" in wrong["refused"]
    with pytest.raises(SubmissionError, match="unknown word tset"):  # as the command and the page submit it
        await service.submit(Submission.read(bomber(3, words=" tset")))
    assert store.hill().challenges == 0
    assert "challenges the Nano hill" in await service.answer(
        bomber(3, words=" quiet 2026-11-29 v1.2 ; as is")
    )


async def test_each_challenge_is_logged_in_one_line(
    store: HillStore, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "protocols")
    service = HillService([store], InlinePool())
    for text in (bomber(3), bomber(5, words=" test"), BROKEN):
        await service.answer(text)
    assert caplog.messages == [
        "Nano hill, challenge 1: Every 3 by Ann, score 0.0, place 1",
        "Nano hill, test: Every 5 by Ann, score 126.1, place 2",
    ]


async def test_line_numbers_are_those_of_the_submission(store: HillStore) -> None:
    async with served(store) as (connect, _):
        wire = await connect()
        unfinished = bomber(3).partition("END")[0]
        await report(wire, f"{unfinished};redcode-nano\n;assert 1\nMOV 0, nobody\nEND\n")
        assert any(line.startswith("Error in line 3:") for line in await report(wire, ""))


async def test_one_port_serves_two_hills_with_different_first_lines(store: HillStore, tmp_path: Path) -> None:
    tiny = HillStore.create(tmp_path / "tiny.hill", replace(PRESETS["tiny"], rounds=2))
    async with served(store, tiny) as (connect, _):
        wire = await connect()
        await report(wire, ";redcode-tiny\nMOV 0, 1\nEND\n")
        await report(wire, bomber(3))
    assert store.hill().challenges == tiny.hill().challenges == 1
    with pytest.raises(ValueError, match="the same first line"):
        HillService([store, store], InlinePool())


async def test_submitting_to_a_server_without_hills_is_refused() -> None:
    async with listening(no_engine) as (connect, _):
        wire = await connect()
        wire.say(";redcode-nano", "MOV 0, 1", "END")
        (advice,) = await wire.rest()
        assert "uci" in advice


async def test_remote_clients_have_a_quota(store: HillStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("protocols.server.is_loopback", lambda address: False)
    # As messages, the lines of a warrior would take a minute and more: only a fiftieth of them count.
    async with served(store, per_hour=2, messages_per_second=0.1, messages_burst=2) as (connect, _):
        first, second = await connect(), await connect()
        for wire, step in ((first, 3), (second, 5)):
            assert "Your overall score" in "".join(await report(wire, bomber(step)))
        for wire in (first, second):
            assert (await report(wire, bomber(7)))[0] == (
                "Your warrior was refused: the limit of submissions an hour (2, tests included) is reached;"
                " try again in 60 minutes"
            )
    assert store.hill().challenges == 2


async def test_battles_count_in_the_quota_and_refused_texts_do_not(store: HillStore) -> None:
    """Battles do, tests included; what is refused before them does not."""
    now = 100.0
    quota = HourlyQuota(2, lambda: now)
    service = HillService([store], InlinePool(), quota=quota)

    async def answer(text: str, sender: str = "ann") -> str:
        return await service.answer(text, sender)

    assert "Your overall score" in await answer(bomber(3))
    for _ in range(3):
        assert "could not be assembled" in await answer(BROKEN)
        assert "on the hill already" in await answer(bomber(3))
        assert "Every 3" in await answer(";redcode-nano standings\n")
    now += 600.0
    assert "This is a test" in await answer(bomber(5, words=" test"))
    assert "try again in 50 minutes" in await answer(bomber(5))
    for sender in ("bob", "", "", ""):
        assert "This is a test" in await answer(bomber(5, words=" test"), sender)
    now += 3000.0
    assert "Your overall score" in await answer(bomber(5))
    assert "try again in 10 minutes" in await answer(bomber(7))


async def test_the_quota_is_counted_before_a_submission_is_read(
    store: HillStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = HillService([store], InlinePool(), quota=HourlyQuota(1))
    assert "Your overall score" in await service.answer(bomber(3), "ann")
    read: list[str] = []
    monkeypatch.setattr(Submission, "read", read.append)
    assert "the limit of submissions an hour" in await service.answer(bomber(5), "ann")
    assert "Every 3" in await service.answer(";redcode-nano standings\n", "ann")
    assert not read


async def test_a_faulty_submission_is_answered_without_waiting_for_battles(store: HillStore) -> None:
    class Endless(InlinePool):
        async def map(
            self, function: Callable[[Any], Any], tasks: Sequence[Any], seconds: float | None = None
        ) -> list[Any]:
            begun.set()
            await asyncio.Event().wait()
            return []

    begun = asyncio.Event()
    service = HillService([store], Endless(), texts=InlinePool())
    battles = asyncio.create_task(service.answer(bomber(3)))
    await begun.wait()
    async with asyncio.timeout(PATIENCE_SECONDS):
        assert "Error in line 2" in await service.answer(";redcode-nano\nMOV 0, nobody\nEND\n")
    battles.cancel()


async def test_a_submission_that_exhausts_a_worker_counts_in_the_quota(store: HillStore) -> None:
    class Exhausted(InlinePool):
        async def map(
            self, function: Callable[[Any], Any], tasks: Sequence[Any], seconds: float | None = None
        ) -> list[Any]:
            raise TaskError("killed")

    service = HillService([store], Exhausted(), quota=HourlyQuota(1))
    assert "too much time or memory" in await service.answer(bomber(3), "ann")
    assert "the limit of submissions an hour" in await service.answer(bomber(3), "ann")


def kill(*lines: str, author: str = "Ann") -> str:
    """Kills without a program."""
    return "\n".join([";redcode-nano", f";author {author}", *lines, ""])


def names_in_table(text: str) -> list[str]:
    return [
        line.partition("  Ann")[0].partition("  Bob")[0][-7:]
        for line in text.splitlines()[-9:]
        if "/" in line
    ][1:]


def names_on_hill(store: HillStore) -> list[str]:
    return [entry.warrior.name for entry in store.hill().entries]


async def test_a_warrior_can_be_killed_only_with_the_token_of_its_report(store: HillStore) -> None:
    """Who has the token of its report kills it, with another program or without; nobody else does."""
    bus, quota = Bus(), HourlyQuota(1)
    service = HillService([store], InlinePool(), bus, quota)
    reply = await service.submit(Submission.read(bomber(3)))
    token = str(reply.data["token"])
    assert len(token) == 22 and f'";token {token}" lets a submission kill Every 3.' in reply.text
    other = str((await service.submit(Submission.read(bomber(5, author="Bob")))).data["token"])
    for wrong in ("", other, token_digest(token), f"{token}x"):
        lines = f";kill Every 3\n;token {wrong}"
        for text in (kill(lines), bomber(7).replace(";assert", f"{lines}\n;assert")):
            assert await service.answer(text, "eve") == (
                'Your warrior was refused: to kill Every 3 by Ann, add the line ";token TOKEN" with the token of'
                " its report; without it only the owner of the hill can remove it\n"
            ), "and it costs no quota"
    assert "no warrior Every 3 by Bob is on this hill\n" in await service.answer(
        kill(";kill Every 3", f";token {token}", author="Bob")
    )
    assert "Every 3 by Anonymous is on this hill; is the line ;author missing?" in await service.answer(
        kill(";kill Every 3").replace(";author Ann\n", "")
    )
    better = bomber(7).replace(";assert", f";token {token}\n;kill Every 3\n;kill nobody\n;assert")
    assert "This is a test" in await service.answer(better.replace("nano", "nano test"))
    assert names_on_hill(store) == ["Every 3", "Every 5"]
    reply = await service.submit(Submission.read(better))
    assert "Every 3 has been killed and removed" in reply.text and names_on_hill(store) == [
        "Every 5",
        "Every 7",
    ]
    last = kill(";kill Every 7", f";token {other}", f";token {reply.data['token']}")
    removal = await service.answer(last, "ann")
    assert removal.startswith("Every 7 has been removed from the Nano hill.\n")
    assert names_in_table(removal) == ["Every 5", "Every 7"]
    standings = await service.answer(";redcode-nano standings\n", "eve")
    assert standings.startswith("The current") and names_in_table(standings) == ["Every 5"]
    assert names_on_hill(store) == ["Every 5"] and store.removals()[0][:3] == (3, "Every 7", "Ann")
    assert "could not be assembled" in await service.answer(
        kill(";kill Every 5").replace("nano", "nano test")
    )
    for secret in (token, other, str(reply.data["token"])):
        assert secret.encode() not in b"".join(each.read_bytes() for each in store.path.parent.iterdir())
        assert secret not in repr(bus.history(0)) + repr(store.recent(9)) + repr(store.challengers())


async def test_warriors_that_miss_the_hill_get_no_token(store: HillStore) -> None:
    service = HillService([store], InlinePool())
    assert "token" not in await service.answer(bomber(3, words=" test json"))
    tokens = [";token" in await service.answer(bomber(step)) for step in range(3, 21, 2)]
    assert sum(tokens) > 6 and tokens[:6] == [True] * 6
    last = [";token" in await service.answer(f";redcode-nano\n;name D{n}\nDAT {n}\n") for n in (1, 2)]
    assert last == [False, False]


async def test_a_service_that_trusts_authors_kills_without_tokens(store: HillStore) -> None:
    service = HillService([store], InlinePool(), trusts_authors=True)
    reports = [await service.answer(bomber(step)) for step in (3, 5)]
    assert not any("token" in report for report in reports)
    assert "Every 3 has been removed" in await service.answer(kill(";kill Every 3", ";token wrong"))
    assert "Every 5 has been killed" in await service.answer(
        bomber(7).replace(";assert", ";kill Every 5\n;assert")
    )
    careful = HillService([store], InlinePool())
    assert "only the owner of the hill" in await careful.answer(kill(";kill Every 7"))
    assert names_on_hill(store) == ["Every 7"]


async def test_submissions_that_are_too_large_are_refused(store: HillStore) -> None:
    async with served(store, stop_seconds=1.0) as (connect, _):
        endless, wide = await connect(), await connect()
        endless.writer.write(b";redcode-nano\n" + b"; and so on\n" * 10_000)
        assert (await endless.rest())[
            0
        ] == "Your warrior was refused: a submission may have at most 65536 bytes and 5000 lines"
        wide.writer.write(b";redcode-nano\n;" + b"x" * 5000 + b"\n")
        assert (await wide.rest())[0] == "Your warrior was refused: the line is longer than 4096 bytes"
    assert store.hill().challenges == 0


async def test_a_submission_is_fought_even_if_its_client_disconnects(store: HillStore) -> None:
    async with served(store) as (connect, _):
        wire = await connect()
        wire.writer.write(bomber(3).encode())
        await wire.writer.drain()
        wire.writer.transport.abort()
        await until(lambda: store.hill().challenges, "the challenge")
        assert "Every 3 by Ann" in "".join(await report(await connect(), bomber(5)))


async def test_random_submissions_are_answered_and_leave_the_hill_intact(store: HillStore) -> None:
    """Random lines: each submission is answered, and the hill stays whole."""
    moments = random.Random(3)
    pieces = [
        "MOV 0, 1",
        "DAT",
        "FOR 9999999",
        "ROF",
        ";kill x",
        ";token x",
        "x EQU x",
        "((((",
        "END",
        ";name \x1b[2J",
    ]
    async with served(store) as (connect, _):
        wire = await connect()
        for _ in range(60):
            lines = [moments.choice(pieces) for _ in range(moments.randrange(8))]
            answer = await report(wire, "\n".join([";redcode-nano", *lines, ".", ""]))
            assert answer[0].endswith("hill.") or answer[0].startswith("Your warrior was refused: ")
            assert all(" " <= character <= "~" for line in answer if "Name" in line for character in line)
    assert HillStore.open(store.path).hill().challenges <= 60


async def test_submissions_are_refused_while_the_hill_cannot_be_written(store: HillStore) -> None:
    async with served(store) as (connect, _):
        wire = await connect()
        away = store.path.rename(store.path.with_name("away"))
        (refusal,) = await report(wire, bomber(3))
        assert refusal == "Your warrior was refused: the hill cannot be written at present; try again later"
        away.rename(store.path)
        assert "Your overall score" in "".join(await report(wire, bomber(3)))


async def test_error_messages_quote_the_submitted_bytes_unchanged(store: HillStore) -> None:
    async with served(store) as (connect, _):
        wire = await connect()
        wire.writer.write(b";redcode-nano\nMOV \xe9\xff\nEND\n")
        assert b"'MOV \xe9\xff'" in await wire.reader.readuntil(b"\n.\n")


async def test_battles_and_hostile_texts_never_block_the_event_loop(store: HillStore) -> None:
    """Battles and hostile texts keep the workers busy; what the loop computes from one tick to the next is little."""
    computed: list[float] = []

    async def tick() -> None:
        while True:
            started = time.thread_time()
            await asyncio.sleep(0.005)
            computed.append(time.thread_time() - started)

    bomb = ";redcode-nano\n" + "i FOR 999\n" * 20 + "MOV 0, 1\n" + "ROF\n" * 20 + "END\n"
    async with Workers(1) as pool, served(store, pool=pool) as (connect, _):
        wire = await connect()
        await report(wire, bomber(3))
        ticking = asyncio.create_task(tick())
        for step in range(5, 35, 2):
            assert (await report(wire, bomb))[0].startswith("Your warrior was refused: ")
            await report(wire, bomber(step))
        ticking.cancel()
        await asyncio.wait({ticking})
    computed.sort()
    assert len(computed) > 10
    assert computed[len(computed) // 2] < 0.005
    assert computed[len(computed) * 9 // 10] < 0.020


async def test_challenges_and_standings_are_published(store: HillStore) -> None:
    bus = Bus()
    service = HillService([store], InlinePool(), bus)
    await service.publish_standings()
    for text in (bomber(3), bomber(5), bomber(7, words=" test")):
        await service.submit(Submission.read(text))
    events = [(event.topic, event.news) for event in bus.history(0)]
    assert [topic for topic, _ in events] == ["hill/nano/battle", "hill/nano/standings"] * 2
    challenge, standings = events[2][1], events[3][1]
    assert isinstance(challenge, Challenge) and isinstance(standings, Standings)
    assert challenge.number == standings.challenges == 2
    assert [row.place for row in standings.table] == [1, 2]
    assert standings.table[(challenge.place or 0) - 1].warrior == challenge.warrior == "Every 5"
    again = Bus()
    await HillService([store], InlinePool(), again).publish_standings()
    assert [event.news for event in again.states()] == [standings]


async def test_changes_of_a_hill_by_another_process_are_published_once(
    store: HillStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("protocols.hill.service.FOLLOW_SECONDS", 0.01)
    bus, woken = Bus(), asyncio.Event()
    bus.subscribe(woken.set)
    following = asyncio.create_task(HillService([store], InlinePool(), bus).follow())
    await HillService([store], InlinePool()).submit(Submission.read(bomber(3)))
    await asyncio.wait_for(woken.wait(), PATIENCE_SECONDS)
    await asyncio.sleep(0.1)
    following.cancel()
    (event,) = bus.history(0)
    assert isinstance(event.news, Standings) and event.news.table[0].warrior == "Every 3"
