"""What addresses may cost, and which of them waits."""

import asyncio
from typing import Any

import pytest

from core.chess.notation import START, position_from_fen
from core.game import State
from engines.engine import Engine, Info, Limit
from protocols.accounts import LIGHT_SECONDS, MAX_ACCOUNTS, Account, Accounts
from protocols.charged_engine import MIN_SEARCH_SECONDS, ChargedEngine
from protocols.limits import Limits
from protocols.metering import metered
from tests.waiting import PATIENCE_SECONDS


class Time:
    """A clock that only tests move."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def accounts(**limits: Any) -> tuple[Accounts, Time]:
    clock = Time()
    return Accounts(Limits(**limits), clock), clock


def test_an_address_has_one_account() -> None:
    known, _ = accounts()
    assert known.of("192.0.2.1") is known.of("192.0.2.1") is not known.of("192.0.2.2")


def test_the_least_recently_used_account_without_connections_is_evicted() -> None:
    known, _ = accounts()
    first, second = known.of("first"), known.of("second")
    first.connections = 1
    for number in range(MAX_ACCOUNTS - 1):
        known.of(str(number))
    assert known.of("first") is first
    assert known.of("second") is not second


def test_debts_are_paid_by_waiting() -> None:
    known, clock = accounts(loop_share=0.05, loop_burst_seconds=0.5)
    account = known.of("192.0.2.1")
    assert account.delay(clock.now) == 0.0 and not account.is_over(clock.now)
    account.spend_loop(0.7, clock.now)
    assert account.delay(clock.now) == pytest.approx(4.0)
    assert account.is_over(clock.now) and account.load(clock.now) == pytest.approx(1.4)
    clock.now += 4.0
    assert account.delay(clock.now) == pytest.approx(0.0, abs=1e-9)
    clock.now += 100.0
    assert account.load(clock.now) == 0.0


@pytest.mark.parametrize(
    ("bucket", "amount"), [("workers", 1201.0), ("sent", 16_000_001.0), ("kept", 32_000_001.0)]
)
def test_every_cost_has_a_bound(bucket: str, amount: float) -> None:
    known, clock = accounts()
    account = known.of("192.0.2.1")
    getattr(account, bucket).take(amount)
    assert account.is_over(clock.now)
    assert (account.delay(clock.now) > 0.0) == (bucket == "sent")  # the others bound searches and games


async def test_an_address_that_has_used_little_waits_for_no_other() -> None:
    known, _ = accounts()
    known.of("heavy").spend_loop(0.4, known.clock())
    async with known.crowd.queue:  # a heavy address is at work
        await asyncio.wait_for(known.of("light").turn(), PATIENCE_SECONDS)
        waiting = asyncio.create_task(known.of("heavy").turn())
        for _ in range(5):
            await asyncio.sleep(0)
        assert not waiting.done()
    waiting.cancel()


async def test_heavy_addresses_together_use_their_share_of_the_loop_at_most() -> None:
    known, clock = accounts(crowd_share=0.5)
    heavy = [known.of(str(number)) for number in range(3)]
    for account in heavy:
        account.loop.take(2 * LIGHT_SECONDS)
    assert known.crowd.share.delay(clock.now, 0.0) == 0.0
    for account in heavy:
        account.spend_loop(0.01, clock.now)
    assert known.crowd.share.delay(clock.now, 0.0) == pytest.approx((0.03 - 0.002) / 0.5)


async def test_only_the_steps_of_a_metered_coroutine_are_charged() -> None:
    charged: list[float] = []
    go_on = asyncio.Event()

    async def work() -> str:
        sum(range(200_000))
        await go_on.wait()
        sum(range(200_000))
        return "done"

    task = asyncio.create_task(metered(work(), charged.append))
    await asyncio.sleep(0)
    own = charged[0]
    sum(range(2_000_000))  # somebody else's work
    go_on.set()
    assert await task == "done"
    assert len(charged) == 2 and 0.0 < charged[1] < 5 * own


async def test_a_metered_coroutine_can_be_cancelled_and_can_fail() -> None:
    charged: list[float] = []
    cleaned = False

    async def work() -> None:
        nonlocal cleaned
        try:
            await asyncio.Event().wait()
        finally:
            cleaned = True

    task = asyncio.create_task(metered(work(), charged.append))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert cleaned and len(charged) == 2

    async def fail() -> None:
        async with asyncio.timeout(0):
            await asyncio.sleep(1)

    with pytest.raises(TimeoutError):
        await metered(fail(), charged.append)


# -- Searches --------------------------------------------------------------------------------------


class Endless(Engine):
    """An engine that finds a better move with each second of a fake clock, and never ends."""

    name = author = "endless"
    options = ()

    def __init__(self, clock: Time) -> None:
        self.clock = clock
        self.is_closed = False

    async def think(self, state: State, limit: Limit) -> Any:
        try:
            depth = 0
            while True:
                yield Info(action=1, depth=depth)
                depth += 1
                self.clock.now += 1.0
                await asyncio.sleep(0)
        finally:
            self.is_closed = True


async def depths(engine: Engine, most: int = 1000) -> list[int]:
    found = []
    async for info in engine.think(position_from_fen(START), Limit()):
        found.append(info.depth)
        if len(found) == most:
            break
    return found


def charged_engine(known: Accounts, account: Account, monkeypatch: pytest.MonkeyPatch) -> Any:
    """An engine whose searches end after a minute, and whose time-outs follow the fake clock."""
    clock: Any = known.clock
    monkeypatch.setattr(asyncio.get_running_loop(), "time", clock)
    return ChargedEngine(Endless(clock), account, 60.0, clock)


async def test_the_endless_search_of_a_remote_client_ends_and_is_charged(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    known, clock = accounts(worker_share=0.25, worker_burst_seconds=1200.0)
    account = known.of("192.0.2.1")
    engine = charged_engine(known, account, monkeypatch)
    assert 58 <= len(await depths(engine)) <= 62
    assert account.workers.used(clock.now) == pytest.approx(60 * 0.75, abs=3.0)


async def test_the_searches_of_an_address_that_is_over_its_share_are_short(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    known, _ = accounts()
    account = known.of("192.0.2.1")
    account.workers.take(5000.0)
    engine = charged_engine(known, account, monkeypatch)
    assert 1 <= len(await depths(engine)) <= MIN_SEARCH_SECONDS + 2


async def test_a_search_that_is_left_early_is_charged_for_what_it_took(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    known, clock = accounts()
    account = known.of("192.0.2.1")
    engine = charged_engine(known, account, monkeypatch)
    assert len(await depths(engine, 10)) == 10
    assert 5 < account.workers.used(clock.now) < 12


async def test_infos_of_the_searches_of_heavy_addresses_take_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker process tells the news of many searches at once: between two of them others are served."""
    known, _ = accounts()
    waits: list[Account] = []

    async def turn(account: Account) -> None:
        waits.append(account)

    monkeypatch.setattr(Account, "turn", turn)
    account = known.of("192.0.2.1")
    assert len(await depths(charged_engine(known, account, monkeypatch), 10)) == 10
    assert waits == [account] * 9, "all but the first, which is asked for by a line that waits itself"
