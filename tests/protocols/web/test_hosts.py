"""By which names browsers may call the site, and which pages may ask it."""

import pytest

from protocols.web.hosts import allowed_names, is_allowed, is_same_origin, split_authority


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("localhost", ("localhost", None)),
        ("LocalHost:80", ("localhost", 80)),
        ("play.example.", ("play.example", None)),
        ("localhost:", ("localhost", None)),
        ("192.0.2.7:1859", ("192.0.2.7", 1859)),
        ("[2001:DB8::1]:1859", ("2001:db8::1", 1859)),
        ("[fe80::1%25eth0]", ("fe80::1", None)),
        ("my_host-2", ("my_host-2", None)),
    ],
)
def test_authorities_are_split_into_host_and_port(text: str, parts: tuple[str, int | None]) -> None:
    assert split_authority(text) == parts


@pytest.mark.parametrize(
    "text",
    [
        "", "[", "]", "[]", "[::", "[::1", "[x]", "[v1.a]", "[::1]x", "[::1]:x", "localhost:x", "localhost:-1",
        "localhost:70000", "localhost:999999", "localhost:80:80", "user@localhost", "a/b", "a b", "a,b", "a?b", "a#b",
        "m\u00fcller.example", "localhost:\u0661", "\udcff", "2001:db8::1", "a" * 10_000 + "!",
    ],
)  # fmt: skip
def test_malformed_hosts_are_refused(text: str) -> None:
    assert split_authority(text) is None
    assert not is_same_origin(f"http://{text}", ("localhost", None))


def test_hosts_that_no_other_site_can_have_are_allowed() -> None:
    names = allowed_names(["Play.Example", "m\u00fcller.example", "0.0.0.0"])
    for host in ("localhost", "127.0.0.1", "192.168.1.5", "::1", "2001:db8::1", "play.example"):
        assert is_allowed(host, names), host
    assert is_allowed("xn--mller-kva.example", names), "as browsers send it"
    for host in (
        "evil.example",
        "127.0.0.1.evil.example",
        "localhost.evil.example",
        "example",
        "1.2.3",
        "0x7f.1",
    ):
        assert not is_allowed(host, names), host


@pytest.mark.parametrize(
    ("origin", "is_same"),
    [
        ("http://localhost:1859", True),
        ("https://LOCALHOST:1859", True),
        ("http://localhost", False),
        ("http://localhost:1860", False),
        ("http://127.0.0.1:1859", False),
        ("http://localhost:1859/", False),
        ("ftp://localhost:1859", False),
        ("localhost:1859", False),
        ("null", False),
        ("", False),
    ],
)
def test_only_a_page_of_the_same_host_and_port_may_ask(origin: str, is_same: bool) -> None:
    assert is_same_origin(origin, ("localhost", 1859)) is is_same


def test_the_default_port_of_a_scheme_may_be_left_out() -> None:
    assert is_same_origin("http://localhost", ("localhost", 80))
    assert is_same_origin("https://localhost:443", ("localhost", None))
    assert not is_same_origin("https://localhost", ("localhost", 80))
