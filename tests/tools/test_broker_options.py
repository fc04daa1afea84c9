"""`galapagos serve --mqtt` and `galapagos script --mqtt`, as an operator meets them."""

import asyncio
import json
from argparse import ArgumentParser
from asyncio.subprocess import PIPE, STDOUT
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.protocols.conftest import mosquitto
from tests.protocols.mqtt.support import ROOT as TOPICS
from tests.protocols.mqtt.support import SERVER, Mosquitto, client, data
from tests.servers import CHECKOUT, command, served
from tests.tools.galapagos import Galapagos
from tests.waiting import PATIENCE_SECONDS
from tools.broker import PASSWORD, add_broker_arguments, broker_of

__all__ = ["mosquitto"]  # the fixture


async def test_a_server_serves_clients_through_an_mqtt_broker(mosquitto: Mosquitto, tmp_path: Path) -> None:
    passwords = {name: tmp_path / name for name in (SERVER, "ann")}
    for name, path in passwords.items():
        path.write_text(f"{name}'s secret\n")
        path.chmod(0o600)  # else the command warns of it

    def options(name: str) -> list[str]:
        url = f"mqtts://{name}@127.0.0.1:{mosquitto.port}/"
        return [
            "--mqtt",
            url,
            "--mqtt-password-file",
            str(passwords[name]),
            "--mqtt-ca",
            str(mosquitto.authority),
        ]

    events = tmp_path / "events.jsonl"
    async with served("--events", events, *options(SERVER), stderr=PIPE) as server:
        async with client(mosquitto, "ann") as ann:
            await ann.subscribe("server", "c/ann/out/#")
            welcome = data(await ann.receive("server", "welcome"))
            assert "mqtt" in welcome["features"]
            await ann.publish(
                "engine/chess/request/ann", '{"depth":2}', ResponseTopic=f"{TOPICS}/c/ann/out/1"
            )
            best = data(await ann.receive("c/ann/out/1"))
            assert best["type"] == "bestmove" and best["depth"] == 2 and len(best["move"]) == 4
        script = ROOT / "tests" / "protocols" / "jsonl" / "scripts" / "acquire_mini.jsonl"
        done = await asyncio.create_subprocess_exec(
            *command("script", script, *options("ann")), cwd=CHECKOUT, stdout=PIPE, stderr=STDOUT
        )
        printed, _ = await asyncio.wait_for(done.communicate(), PATIENCE_SECONDS)
        assert (done.returncode, printed.decode()) == (0, f"{script}: as written\n")
        server.process.terminate()
        rest = await asyncio.wait_for(server.process.communicate(), PATIENCE_SECONDS)
    said = server.greeting + b"".join(rest).decode()
    assert (
        server.process.returncode == 0
        and f"broker mqtts://127.0.0.1:{mosquitto.port}" in said
        and "secret" not in said
    )
    async with client(mosquitto, "ann") as ann:
        await ann.subscribe("server")
        assert data(await ann.receive("server")) == {"type": "bye"}
    told = [json.loads(line) for line in events.read_text().splitlines()]
    assert [event["seq"] for event in told] == list(range(1, len(told) + 1))
    assert {event["topic"].split("/")[0] for event in told} == {"engine", "game", "listing"}


def test_the_password_comes_from_a_file_or_else_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parser = ArgumentParser()
    add_broker_arguments(parser, "try it")
    assert broker_of(parser.parse_args([])) is None

    def password(*arguments: str) -> str:
        broker = broker_of(parser.parse_args(["--mqtt", "mqtt://ann@host", *arguments]))
        assert broker
        return broker.password

    assert password() == ""
    monkeypatch.setenv(PASSWORD, "from the environment")
    assert password() == "from the environment"
    path = tmp_path / "password"
    path.write_text("from a file\n")
    assert password("--mqtt-password-file", str(path)) == "from a file"


@pytest.mark.parametrize(
    "url, more",
    [
        ("nonsense", []),
        ("mqtt://u:secret@host:x", []),
        ("mqtt://u:secret@host", ["--mqtt-ca", "nowhere"]),
        ("mqtts://u:secret@host", ["--mqtt-ca", "nowhere"]),
        ("mqtt://u@host", ["--mqtt-password-file", "nowhere"]),
    ],
)
def test_invalid_broker_options_are_refused_without_showing_the_password(
    galapagos: Galapagos, url: str, more: list[str]
) -> None:
    said = galapagos.refused("serve", "--port", "0", "--page", "0", "--workers", "1", "--mqtt", url, *more)
    assert said.startswith("galapagos serve: ") and "secret" not in said
