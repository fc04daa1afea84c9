"""`galapagos admin` on a server in another process, and without one."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.protocols.wire import Wire
from tests.servers import Served, served
from tests.tools.galapagos import Galapagos
from tools.__main__ import main


async def client(server: Served, address: str) -> Wire:
    """A client behind the proxy that has said hello."""
    talk = await server.connect()
    talk.say(f"PROXY TCP6 {address} 2001:db8::80 50000 1835\r")
    assert (await talk.hello())["type"] == "welcome"
    return talk


async def test_an_operator_lists_bans_and_disconnects_clients_of_a_server(
    tmp_path: Path, galapagos: Galapagos
) -> None:
    home = tmp_path / "home"
    async with served("--proxied", "--home", home) as server:
        player = await client(server, "2001:db8:0:7::1")
        player.say(type="create", game="acquire", seats=["me", "random"])
        await player.message("decide")
        other = await client(server, "192.0.2.7")

        lines = galapagos.printed("admin", home, "clients").splitlines()
        assert lines[0].split()[:5] == ["address", "connections", "speaks", "games", "since"]
        assert [line.split()[:4] for line in lines[1:]] == [
            ["192.0.2.7", "1", "json", "0"],
            ["2001:db8:0:7::/64", "1", "json", "1"],
        ]
        assert len(galapagos.data("admin", home, "clients")["clients"]) == 2

        done = galapagos.printed(
            "admin", home, "ban", "2001:db8:0:7::9", "--reason", "floods it", "--hours", "2"
        )
        assert done.startswith("2001:db8:0:7::/64 is banned until 2")
        assert done.endswith("; connections ended: 1, games ended: 1\n")
        assert (await player.message("end"))["type"] == "end"
        await player.message("bye")
        refused = await server.connect()
        refused.say("PROXY TCP6 2001:db8:0:7::2 2001:db8::80 50000 1835\r")
        assert await refused.line() == "your address is banned from this server"
        assert "floods it" in galapagos.printed("admin", home, "bans")

        assert "192.0.2.7/32 is ended; connections ended: 1" in galapagos.printed(
            "admin", home, "end", "192.0.2.7/32"
        )
        await other.message("bye")
        nobody = galapagos.printed("admin", home, "end", "192.0.2.9")
        assert nobody == "no client has the address 192.0.2.9\n"
        status = galapagos.printed("admin", home, "status")
        assert "refused, banned" in status and "disk, free" in status
        assert set(galapagos.data("admin", home, "status")["bytes"]) == {
            "records",
            "profiles",
            "hills",
            "runs",
        }

        for words, reason in (
            (("ban", "127.0.0.1"), "cannot be banned"),
            (("ban", "nobody"), "is not an address or a network"),
            (("unban", "192.0.2.9"), "is not banned"),
            (("end", "192.0.2.300"), "is not an address or a network"),
            (("ban", "192.0.2.9", "--reason", "\x1b[2J"), "a reason must be one line"),
        ):
            assert reason in galapagos.refused("admin", home, *words)
        server.process.kill()
        await server.process.wait()
    assert "no server runs on" in galapagos.refused("admin", home, "status")

    async with served("--proxied", "--home", home) as server:  # the socket that is left is replaced
        refused = await server.connect()
        refused.say("PROXY TCP6 2001:db8:0:7::3 2001:db8::80 50000 1835\r")
        assert await refused.line() == "your address is banned from this server"
        assert (
            galapagos.printed("admin", home, "unban", "2001:db8:0:7::1") == "2001:db8:0:7::/64 is unbanned\n"
        )
        await client(server, "2001:db8:0:7::1")
    assert not (home / "admin").exists()


# -- Without a server --------------------------------------------------------------------------------


@pytest.mark.parametrize("hours", ["0", "-1", "inf", "nan", "x", "1e12"])
def test_invalid_ban_hours_are_refused(
    hours: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(["admin", str(tmp_path), "ban", "192.0.2.7", "--hours", hours])
    assert "hours are a number above 0" in capsys.readouterr().err


@pytest.fixture
def stranger() -> Iterator[None]:
    """The process is not the owner of any home, if it can be another user at all."""
    user = os.geteuid()
    if user == 0:
        os.seteuid(65_534)
    yield
    os.seteuid(user)


def test_another_user_is_advised_to_run_admin_as_the_server_user(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], request: pytest.FixtureRequest
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    home.chmod(0)
    request.getfixturevalue("stranger")
    assert main(["admin", str(home), "clients"]) == 1
    assert "use this command as the user of the server, or as root" in capsys.readouterr().err


def test_a_home_path_that_is_too_long_is_refused_with_advice(tmp_path: Path, galapagos: Galapagos) -> None:
    home = tmp_path / ("x" * 120)
    home.mkdir()
    assert "change to the folder, and give . as HOME" in galapagos.refused("admin", home, "clients")
