"""The first start of a server, ended on the way; what the log says of starts and stops; arguments that are refused."""

import asyncio
import os
import signal
import subprocess
from pathlib import Path

import pytest

from engines.corewar.hill_store import HillStore
from engines.storage import unfinished_name
from tests.servers import CHECKOUT, command, served
from tests.tools.galapagos import Galapagos
from tests.waiting import PATIENCE_SECONDS, wait_until
from tools.__main__ import main


def begun(home: Path) -> "subprocess.Popen[bytes]":
    """Return a process that has started to make the first hills of a home, in a process group of its own."""
    process = subprocess.Popen(
        command("serve", "--home", home, "--port", 0, "--page", 0, "--workers", 1),
        cwd=CHECKOUT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    hill = home / "hills" / "94nop.hill"
    wait_until(lambda: hill.exists() or hill.with_name(unfinished_name(hill.name, "starters")).exists())
    return process


async def test_a_first_start_that_was_killed_leaves_no_empty_hill(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with begun(home) as process:
        os.killpg(process.pid, signal.SIGKILL)
    async with served("--home", home):
        hills = home / "hills"
        members = {
            path.name: len(HillStore.open(path).hill().entries) for path in sorted(hills.glob("*.hill"))
        }
        assert members == {"94nop.hill": 9, "nano.hill": 5}
        assert not [path.name for path in hills.iterdir() if ".new" in path.name]


def test_a_signal_to_all_processes_during_the_first_start_ends_it_without_a_traceback(tmp_path: Path) -> None:
    with begun(tmp_path / "home") as process:
        os.killpg(process.pid, signal.SIGTERM)
        _, errors = process.communicate(timeout=PATIENCE_SECONDS)
    assert (process.returncode, errors) == (0, b"INFO: stopped\n")


async def test_the_log_has_what_was_found_and_what_is_kept(tmp_path: Path) -> None:
    home = tmp_path / "home"
    async with served("--home", home, stderr=subprocess.PIPE) as server:
        client = await server.connect("127.0.0.1")
        await client.hello()
        client.say(type="create", game="acquire", seats=["me", "random"])
        await client.message("created")
        server.process.terminate()
        _, errors = await asyncio.wait_for(server.process.communicate(), PATIENCE_SECONDS)
    assert errors.decode().splitlines() == [
        f"INFO: home {home} is new",
        "INFO: stopping: 1 connection, 1 game kept",
        "INFO: stopped",
    ]
    async with served("--home", home, stderr=subprocess.PIPE) as server:
        assert server.process.stderr
        line = await asyncio.wait_for(server.process.stderr.readline(), PATIENCE_SECONDS)
    assert line.decode() == f"INFO: home {home} opened: 1 game continued, 2 hills\n"


def test_the_file_without_certificate_or_key_is_named(tmp_path: Path, galapagos: Galapagos) -> None:
    certificate, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    block = "-----BEGIN {0}-----\nAAAA\n-----END {0}-----\n"
    certificate.write_text("nothing")
    key.write_text("nothing")
    words = ("serve", "--tls-cert", certificate)
    assert f"--tls-cert: {certificate} contains no certificate" in galapagos.refused(*words)
    certificate.write_text(block.format("CERTIFICATE"))
    alone = galapagos.refused(*words)
    assert f"{certificate} contains no private key; give the file that does as --tls-key" in alone
    assert f"{key} contains no private key\n" in galapagos.refused(*words, "--tls-key", key)
    key.write_text(block.format("PRIVATE KEY"))
    both = galapagos.refused(*words, "--tls-key", key)
    assert f"the key in {key} does not belong to the certificate in {certificate}" in both


async def test_a_hill_made_beside_a_server_needs_a_restart(
    tmp_path: Path, galapagos: Galapagos, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "hills").mkdir()
    galapagos.printed("hill", "create", tmp_path / "hills" / "nano.hill", "--preset", "nano", "--empty")
    async with served("--home", tmp_path):
        assert main(["hill", "create", str(tmp_path / "hills" / "94.hill"), "--empty"]) == 0
    assert capsys.readouterr().err == f"restart the server of {tmp_path} to open the hill\n"


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("serve --tls-key key.pem", "--tls-key needs --tls-cert; without it nothing is encrypted"),
        ("serve --mqtt mqtts://a@b/ --mqtt-key pyproject.toml", "--mqtt-key needs --mqtt-cert"),
    ],
)
def test_a_key_without_a_certificate_is_refused(words: str, reason: str, galapagos: Galapagos) -> None:
    assert reason in galapagos.refused(*words.split())
