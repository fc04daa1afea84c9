"""Addresses of brokers, and that none of them shows its password."""

from pathlib import Path

import pytest

from protocols.mqtt.broker import ROOT, Broker, Identity, parse, tls_context


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
def test_addresses(url: str, broker: Broker) -> None:
    assert parse(url) == broker


@pytest.mark.parametrize(
    "url",
    [
        "", "host", "http://host", "mqtt://", "mqtt://u:secret@", "mqtt://u:secret@host:x", "mqtt://u:sec/ret@host",
        "mqtt://u:secret@host/a//b", "mqtt://u:secret@host/+", "mqtt://u:secret@host/%23", "mqtt://u:secret@host/a?b=c",
        "mqtt://u:secret@host/$SYS", "mqtt://u:secret@[::1", "mqtt://u:secret@host:99999",
    ],
)  # fmt: skip
def test_what_is_no_address(url: str) -> None:
    with pytest.raises(ValueError) as raised:
        parse(url)
    assert "sec" not in str(raised.value)


def test_a_password_from_elsewhere() -> None:
    assert parse("mqtt://ann@host", "secret").password == "secret"
    assert parse("mqtt://ann:own@host", "secret").password == "own"
    for shown in (repr(parse("mqtt://ann:own@host")), str(parse("mqtt://ann:own@host"))):
        assert "own" not in shown
    assert str(parse("mqtt://ann:own@host")) == f"mqtt://host:1883/{ROOT}"


def test_certificates(tmp_path: Path) -> None:
    assert tls_context(parse("mqtt://host")) is None
    assert tls_context(parse("mqtts://host"))
    with pytest.raises(ValueError, match="certificates are for mqtts"):
        parse("mqtt://host", identity=Identity(authority=tmp_path))
    broken = tmp_path / "ca.crt"
    broken.write_text("nothing")
    for path in (broken, tmp_path / "missing"):
        with pytest.raises(ValueError, match="cannot be used"):
            tls_context(parse("mqtts://host", identity=Identity(authority=path)))
