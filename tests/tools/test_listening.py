"""Where a server listens: what it prints, and why it cannot listen."""

import asyncio
import errno
import re
import socket

import pytest

from protocols.limits import Limits
from protocols.server import Server
from tests.servers import no_engine
from tools import listening
from tools.listening import Listening, fault, own_addresses, own_names


@pytest.fixture(autouse=True)
def two_addresses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listening, "own_addresses", lambda: ["192.168.1.5", "2001:db8::5"])


def lines(hill: str = "", **settings: object) -> list[str]:
    fields = {"host": "127.0.0.1", "port": 1835, "page": 1859} | settings
    return Listening(**fields).lines("uci", hill)  # type: ignore[arg-type]


def test_a_server_of_this_machine_prints_its_own_address() -> None:
    assert lines() == [
        "listening on 127.0.0.1:1835 for uci; Ctrl-C stops",
        "play and watch at http://127.0.0.1:1859/",
        "try it:  nc 127.0.0.1 1835  and type uci, then go movetime 1000",
    ]


def test_a_server_with_a_hill_prints_how_to_ask_it() -> None:
    command = '         echo ";redcode-nano standings" | nc -N 127.0.0.1 1835'
    assert lines(hill=";redcode-nano") == [*lines(), command]
    assert lines(hill=";redcode-nano", has_tls=True) == lines(has_tls=True)


def test_a_server_of_all_addresses_prints_those_that_others_can_use() -> None:
    first, second, third = lines(host="0.0.0.0")
    assert first.startswith("listening on 0.0.0.0:1835 ")
    assert second == "play and watch at http://192.168.1.5:1859/; on this machine at http://localhost:1859/"
    assert "nc 192.168.1.5 1835 " in third
    first, second, _ = lines(host="::")
    assert first.startswith("listening on [::]:1835 ")
    assert "http://192.168.1.5:1859/ or http://[2001:db8::5]:1859/" in second


def test_a_server_with_a_name_prints_the_name() -> None:
    _, second, third = lines(host="0.0.0.0", names=("play.example",), has_tls=True)
    assert second.startswith("play and watch at https://play.example:1859/")
    assert "openssl s_client -quiet -connect play.example:1835 " in third and "nc " not in third
    _, second, third = lines(names=("play.example",), is_proxied=True)
    assert second.endswith("http://127.0.0.1:1859/ or, through the proxy, at https://play.example/")
    assert "nc 127.0.0.1 1835 " in third
    _, second, third = lines(host="0.0.0.0", names=("play.example",), is_proxied=True)
    assert "http://127.0.0.1:1859/ or" in second and "nc 127.0.0.1 1835 " in third


def test_a_server_without_a_network_prints_localhost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listening, "own_addresses", list)
    assert "play and watch at http://localhost:1859/" in lines(host="0.0.0.0")[1]


def test_own_addresses_exclude_loopback() -> None:
    assert not {"127.0.0.1", "127.0.1.1", "::1", "0.0.0.0"} & set(own_addresses())


async def test_own_names_contain_the_host_name() -> None:
    assert socket.gethostname() in await own_names("127.0.0.1")
    assert socket.gethostname() in await own_names("0.0.0.0")


async def error_of(host: str, port: int = 0) -> Exception:
    server = Server(no_engine, Limits())
    with pytest.raises((OSError, UnicodeError)) as caught:
        await server.start(host, port)
    return caught.value


async def test_a_used_port_is_reported_with_advice() -> None:
    for host, other in (("127.0.0.1", "127.0.0.1"), ("::", "0.0.0.0")):
        with socket.create_server((other, 0)) as taken:
            port = taken.getsockname()[1]
            said = fault(await error_of(host, port), host, port, "--page")
        assert f"port {port} of {host} is in use" in said and "--page 0" in said


@pytest.mark.parametrize("host", ["192.0.2.1", "2001:db8::1"])
async def test_an_address_of_another_machine_is_reported_with_own_addresses(host: str) -> None:
    said = fault(await error_of(host), host, 0, "--port")
    assert said.startswith(
        f"{host} is not an address of this machine; give --host one of 127.0.0.1, 192.168.1.5"
    )


@pytest.mark.parametrize("host", ["no such host", "a..b", "x" * 300])
async def test_a_bad_host_name_is_reported_with_advice(host: str) -> None:
    said = fault(await error_of(host), host, 0, "--port")
    assert said.startswith("no machine is called ") and "0.0.0.0" in said


def test_a_port_without_permission_is_reported_with_advice() -> None:
    said = fault(PermissionError(errno.EACCES, "Permission denied"), "127.0.0.1", 80, "--page")
    assert re.search(r"no permission to use port 80\b.*--page 0", said)


async def test_listening_on_all_ipv6_addresses_accepts_ipv4_too() -> None:
    if not socket.has_dualstack_ipv6():
        pytest.skip("this machine has no IPv6")
    server = Server(no_engine, Limits())
    _, port = await server.start("::", 0)
    for address in ("127.0.0.1", "::1"):
        reader, writer = await asyncio.open_connection(address, port)
        writer.write(b"uci\n")
        assert (await reader.readline()).startswith(b"no engine can be started")
        writer.transport.abort()
    await server.stop()
