"""What the bus is told of the engines of the house."""

import pytest

from engines.engine import EngineError
from engines.events import Bus, EngineStatus
from protocols.house import House
from protocols.limits import Limits
from tests.protocols.wire import no_engine
from tests.toy import Scripted, first_action


async def test_how_many_engines_are_at_work() -> None:
    bus = Bus()

    async def engine() -> Scripted:
        return Scripted(first_action)

    house = House(engine, Limits(), bus=bus)
    async with house.engine(), house.engine():
        pass
    told = [event.news for event in bus.history(0)]
    assert [news.clients for news in told if isinstance(news, EngineStatus)] == [0, 1, 2, 1, 0]
    assert [news.status for news in told if isinstance(news, EngineStatus)] == [
        "online", "playing", "playing", "playing", "online",
    ]  # fmt: skip
    assert len(bus.states()) == 1


async def test_an_engine_that_is_not_to_be_had() -> None:
    bus = Bus()
    with pytest.raises(EngineError):
        async with House(no_engine, Limits(), bus=bus).engine():
            pass
    assert bus.seq == 1
