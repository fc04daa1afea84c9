"""Addresses of brokers, none of which shows its password; and the access list that is shipped.

Who may read and write what is judged by what is delivered, since a broker refuses in silence.
"""

from collections.abc import Iterator
from pathlib import Path

import aiomqtt
import pytest

from protocols.mqtt.broker import ROOT, Broker, Identity, new_client, parse, tls_context
from tests.protocols.mqtt.support import SERVER, WILL, Mosquitto, client

PUBLIC = [
    "server", "g/g-1/public", "g/g-1/state", "listing/g-1", "m/m-1/table", "hill/94nop/battle",
    "hill/94nop/standings", "engine/chess/status", "run/first/generation", "run/first/progress",
]  # fmt: skip
OWN = ["c/{}/out", "c/{}/out/7", "g/g-1/seat/0/{}"]
SENT = ["c/{}/in", "hill/94nop/submit/{}", "engine/chess/request/{}", "history/{}"]


@pytest.mark.parametrize(
    "url, broker",
    [
        ("mqtt://localhost", Broker(host="localhost", port=1883)),
        ("mqtt://ann@host:7/", Broker(host="host", port=7, user="ann")),
        (
            "mqtt://ann:p%40ss@[::1]/a/b/",
            Broker(host="::1", port=1883, user="ann", password="p@ss", root="a/b"),
        ),
        ("mqtts://host/", Broker(host="host", port=8883, identity=Identity())),
    ],
)
def test_addresses_of_brokers_are_parsed(url: str, broker: Broker) -> None:
    assert parse(url) == broker


@pytest.mark.parametrize(
    "url",
    [
        "", "host", "http://host", "mqtt://", "mqtt://u:secret@", "mqtt://u:secret@host:x", "mqtt://u:sec/ret@host",
        "mqtt://u:secret@host/a//b", "mqtt://u:secret@host/+", "mqtt://u:secret@host/%23", "mqtt://u:secret@host/a?b=c",
        "mqtt://u:secret@host/$SYS", "mqtt://u:secret@[::1", "mqtt://u:secret@host:99999",
    ],
)  # fmt: skip
def test_invalid_addresses_are_refused_without_showing_the_password(url: str) -> None:
    with pytest.raises(ValueError) as raised:
        parse(url)
    assert "sec" not in str(raised.value)


def test_a_separate_password_is_used_and_no_password_is_shown() -> None:
    assert parse("mqtt://ann@host", "secret").password == "secret"
    assert parse("mqtt://ann:own@host", "secret").password == "own"
    for shown in (repr(parse("mqtt://ann:own@host")), str(parse("mqtt://ann:own@host"))):
        assert "own" not in shown
    assert str(parse("mqtt://ann:own@host")) == f"mqtt://host:1883/{ROOT}"


def test_certificates_need_mqtts_and_readable_files(tmp_path: Path) -> None:
    assert tls_context(parse("mqtt://host")) is None
    assert tls_context(parse("mqtts://host"))
    with pytest.raises(ValueError, match="certificates can be used only with mqtts"):
        parse("mqtt://host", identity=Identity(authority=tmp_path))
    broken = tmp_path / "ca.crt"
    broken.write_text("nothing")
    for path in (broken, tmp_path / "missing"):
        with pytest.raises(ValueError, match="cannot be used"):
            tls_context(parse("mqtts://host", identity=Identity(authority=path)))


# -- Access ------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mosquitto]:
    """A broker without a server, where nothing is retained."""
    broker = Mosquitto(tmp_path_factory.mktemp("fresh"))
    broker.start()
    yield broker
    broker.kill()


async def test_users_receive_public_topics_and_their_own(fresh: Mosquitto) -> None:
    async with client(fresh, SERVER) as server, client(fresh, "ann") as ann:
        await ann.subscribe("#")
        for topic in (*PUBLIC, *(each.format("ann") for each in OWN)):
            await server.publish(topic, topic)
            assert (await ann.receive()).payload == topic.encode()


async def test_users_do_not_receive_the_topics_of_other_users(fresh: Mosquitto) -> None:
    async with client(fresh, SERVER) as server, client(fresh, "eve") as eve:
        for topic in OWN:
            await eve.subscribe("#", "c/+/out/#", topic.format("bob"), topic.format("+"))
            await server.publish(topic.format("bob"), "secret")
        await server.publish("g/g-1/public", "news")
        assert (await eve.receive()).payload == b"news", "the first that she receives"


async def test_users_can_publish_only_under_their_own_name(fresh: Mosquitto) -> None:
    async with client(fresh, SERVER) as server, client(fresh, "eve") as eve:
        await server.subscribe("#")
        await eve.subscribe("c/bob/in")
        for topic in SENT:
            await eve.publish(topic.format("bob"), "false")
            await eve.publish(topic.format("eve"), "true")
            message = await server.receive()
            assert (str(message.topic), message.payload) == (f"galapagos/v1/{topic.format('eve')}", b"true")


async def test_users_cannot_publish_to_topics_of_the_server(fresh: Mosquitto) -> None:
    async with client(fresh, SERVER) as server, client(fresh, "eve") as eve:
        await server.subscribe("#")
        for topic in (*PUBLIC, *OWN, "c/eve/other", "anything"):
            await eve.publish(topic.format("bob"), "false", retain=True)
        await eve.publish("c/eve/in", "true")
        assert (await server.receive()).payload == b"true"
    async with client(fresh, SERVER) as later:
        await later.subscribe("#")
        assert await later.receives_nothing(0.1), "nothing is retained either"


async def test_unknown_users_are_refused(fresh: Mosquitto) -> None:
    for name, password in (("ann", "guessed"), ("nobody", "x"), ("", "")):
        address = fresh.address(name, password)
        with pytest.raises(aiomqtt.MqttError):
            async with new_client(address, "unknown", tls_context(address), WILL):
                pass
