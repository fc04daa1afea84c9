"""Who may read and write what, with the configuration that is shipped: judged by what is delivered."""

from collections.abc import Iterator

import aiomqtt
import pytest

from protocols.mqtt.broker import connection, tls_context
from tests.protocols.mqtt.house import WILL, client
from tests.protocols.mqtt.mosquitto import HOUSE, Mosquitto

PUBLIC = [
    "server", "g/g-1/public", "g/g-1/state", "m/m-1/table", "hill/94nop/battle", "hill/94nop/standings",
    "engine/chess/status", "run/first/generation",
]  # fmt: skip
OWN = ["c/{}/out", "c/{}/out/7", "g/g-1/seat/0/{}"]
SAID = ["c/{}/in", "hill/94nop/submit/{}", "engine/chess/request/{}", "history/{}"]


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mosquitto]:
    """A broker without a house, and where nothing is retained."""
    broker = Mosquitto(tmp_path_factory.mktemp("fresh"))
    broker.start()
    yield broker
    broker.kill()


async def test_everybody_hears_what_is_public_and_what_is_his_own(fresh: Mosquitto) -> None:
    async with client(fresh, HOUSE) as house, client(fresh, "ann") as ann:
        await ann.subscribe("#")
        for topic in (*PUBLIC, *(each.format("ann") for each in OWN)):
            await house.publish(topic, topic)
            assert (await ann.hear()).payload == topic.encode()


@pytest.mark.parametrize("topic", OWN)
async def test_nobody_hears_what_is_for_another(fresh: Mosquitto, topic: str) -> None:
    async with client(fresh, HOUSE) as house, client(fresh, "eve") as eve:
        await eve.subscribe("#", "c/+/out/#", topic.format("bob"), topic.format("+"))
        await house.publish(topic.format("bob"), "secret")
        assert await eve.hears_nothing()
        await house.publish("g/g-1/public", "news")
        assert (await eve.hear()).payload == b"news", "and she was listening"


async def test_everybody_speaks_for_himself_alone(fresh: Mosquitto) -> None:
    async with client(fresh, HOUSE) as house, client(fresh, "eve") as eve:
        await house.subscribe("#")
        await eve.subscribe("c/bob/in")
        for topic in SAID:
            await eve.publish(topic.format("bob"), "false")
            await eve.publish(topic.format("eve"), "true")
            heard = await house.hear()
            assert (str(heard.topic), heard.payload) == (f"galapagos/v1/{topic.format('eve')}", b"true")


@pytest.mark.parametrize("topic", [*PUBLIC, *OWN, "c/eve/other", "anything"])
async def test_nobody_speaks_for_the_house(fresh: Mosquitto, topic: str) -> None:
    async with client(fresh, HOUSE) as house, client(fresh, "eve") as eve:
        await house.subscribe("#")
        await eve.publish(topic.format("bob"), "false", retain=True)
        await eve.publish("c/eve/in", "true")
        assert (await house.hear()).payload == b"true"
    async with client(fresh, HOUSE) as later:
        await later.subscribe("#")
        assert await later.hears_nothing(0.1), "nothing is retained either"


async def test_strangers_stay_outside(fresh: Mosquitto) -> None:
    for name, password in (("ann", "guessed"), ("nobody", "x"), ("", "")):
        address = fresh.address(name, password)
        with pytest.raises(aiomqtt.MqttError):
            async with connection(address, "stranger", tls_context(address), WILL):
                pass
