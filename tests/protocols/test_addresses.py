"""Which address counts for a client."""

import pytest

from protocols.addresses import (
    UNKNOWN,
    counted_address,
    counted_network,
    forwarded_address,
    has_loopback,
    is_loopback,
    network_of,
)

BITS = 64


@pytest.mark.parametrize(
    ("text", "counted"),
    [
        ("192.0.2.200", "192.0.2.200"),
        ("192.0.2.200:4711", "192.0.2.200"),
        ("192.0.2.200:_port", "192.0.2.200"),
        (" 192.0.2.200\t", "192.0.2.200"),
        ("::ffff:192.0.2.200", "192.0.2.200"),
        ("::FFFF:c000:02c8", "192.0.2.200"),
        ("0:0:0:0:0:ffff:c000:2c8", "192.0.2.200"),
        ("[::ffff:192.0.2.200]:80", "192.0.2.200"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:DB8:1:2::", "2001:db8:1:2::/64"),
        ("[2001:db8:1:2::1]", "2001:db8:1:2::/64"),
        ("[2001:db8:1:2::1]:4711", "2001:db8:1:2::/64"),
        ('"[2001:db8:1:2::1]:4711"', "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("[fe80::2%25wlan0]:1", "fe80::/64"),
        ("::ffff:192.0.2.200%3", "192.0.2.200"),
        ("::1", "::1"),
        ("::2", "::/64"),
        ("127.0.0.1", "127.0.0.1"),
        ("::ffff:127.0.0.1", "127.0.0.1"),
    ],
)
def test_ipv4_addresses_and_ipv6_networks_are_counted(text: str, counted: str) -> None:
    assert counted_address(text, BITS) == counted
    assert is_loopback(text) == is_loopback(counted)


@pytest.mark.parametrize(
    "text",
    [
        "", "unknown", "_hidden", "_SEVKISEK:80", "localhost", "192.0.2", "192.0.2.256", "0300.0.2.1", "1.2.3.4.5",
        "192.0.2.1/24", "١٩٢.0.2.1", "[192.0.2.1", "[2001:db8::1]4711", "2001:db8::1]", "2001:db8:::1", "2001:db8::g",
        "1.2.3.4, 5.6.7.8", "1" * 10_000, ":" * 10_000, "[" * 10_000, "%", "\0",
    ],
)  # fmt: skip
def test_malformed_addresses_count_as_unknown_and_not_as_loopback(text: str) -> None:
    assert counted_address(text, BITS) == UNKNOWN
    assert not is_loopback(text)


def test_an_operator_chooses_the_size_of_ipv6_networks() -> None:
    assert counted_address("2001:db8:1:2::1", 48) == "2001:db8:1::/48"
    assert counted_address("2001:db8:1:2::1", 128) == "2001:db8:1:2::1/128"


def test_loopback_addresses_are_recognized_in_every_form() -> None:
    assert all(
        map(is_loopback, ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1", "[::1]:80", "::ffff:7f00:1"])
    )
    assert not any(map(is_loopback, ["0.0.0.0", "::", "192.0.2.1", "::2", UNKNOWN]))


@pytest.mark.parametrize(
    ("lines", "counted"),
    [
        ([], UNKNOWN),
        ([""], UNKNOWN),
        (["192.0.2.1"], "192.0.2.1"),
        (["6.6.6.6, 192.0.2.1"], "192.0.2.1"),
        (["6.6.6.6", "192.0.2.1"], "192.0.2.1"),
        (["6.6.6.6, 7.7.7.7", "8.8.8.8,2001:db8::1"], "2001:db8::/64"),
        (["192.0.2.1", ""], UNKNOWN),
        (["192.0.2.1,"], UNKNOWN),
        (["192.0.2.1", "unknown"], UNKNOWN),
    ],
)  # fmt: skip
def test_the_last_entry_of_the_last_x_forwarded_for_line_counts(lines: list[str], counted: str) -> None:
    assert forwarded_address(lines, [], BITS) == counted


@pytest.mark.parametrize(
    ("lines", "counted"),
    [
        (["for=192.0.2.43"], "192.0.2.43"),
        (["For=192.0.2.43;proto=http;by=203.0.113.43"], "192.0.2.43"),
        (['proto=http; for="192.0.2.43:47011"'], "192.0.2.43"),
        (['for="[2001:db8:cafe::17]:4711"'], "2001:db8:cafe::/64"),
        (['FOR="[2001:db8:cafe::17]"'], "2001:db8:cafe::/64"),
        ([r'for="\1\9\2.0.2.43"'], "192.0.2.43"),
        (["for=6.6.6.6, for=192.0.2.43"], "192.0.2.43"),
        (["for=6.6.6.6", "for=192.0.2.43"], "192.0.2.43"),
        (['for=6.6.6.6;host="a,for=7.7.7.7;",for=192.0.2.43;;'], "192.0.2.43"),
        (["for=192.0.2.43, proto=http"], UNKNOWN),
        (["for=6.6.6.6;for=192.0.2.43"], UNKNOWN),
        (["for=unknown"], UNKNOWN),
        (["for=_secret"], UNKNOWN),
        (["for"], UNKNOWN),
        (["192.0.2.43"], UNKNOWN),
        (['for=6.6.6.6;x=", for=192.0.2.43'], UNKNOWN),
        (['for=6.6.6.6;x=", for="192.0.2.43"'], UNKNOWN),
        (['for=6.6.6.6;x="\\", for="192.0.2.43"'], UNKNOWN),
        ([""], UNKNOWN),
    ],
)
def test_the_last_element_of_the_last_forwarded_line_counts(lines: list[str], counted: str) -> None:
    assert forwarded_address([], lines, BITS) == counted


def test_a_forged_second_header_gives_no_new_address() -> None:
    assert forwarded_address(["192.0.2.1"], ["for=192.0.2.1"], BITS) == "192.0.2.1"
    assert forwarded_address(["192.0.2.1"], ["for=6.6.6.6"], BITS) == UNKNOWN
    assert forwarded_address(["6.6.6.6"], ["for=192.0.2.1"], BITS) == UNKNOWN
    assert forwarded_address(["192.0.2.1"], ["for="], BITS) == UNKNOWN


# -- Networks ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "network"),
    [
        ("192.0.2.7", "192.0.2.7/32"),
        (" 192.0.2.7:4711 ", "192.0.2.7/32"),
        ("192.0.2.7/24", "192.0.2.0/24"),
        ("192.0.2.0/255.255.255.0", "192.0.2.0/24"),
        ("0.0.0.0/0", "0.0.0.0/0"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("[2001:db8:1:2::1]:4711", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::1/128", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::/48", "2001:db8:1::/48"),
        ("::ffff:192.0.2.7", "192.0.2.7/32"),
        ("::ffff:192.0.2.7/120", "192.0.2.0/24"),
        ("::1", "::1/128"),
        ("::2", "::/64"),
    ],
)
def test_networks_are_normalized_to_the_counted_prefix(text: str, network: str) -> None:
    assert str(counted_network(text, BITS)) == network
    assert network_of(network) == counted_network(text, BITS)


@pytest.mark.parametrize("text", ["", "unknown", "192.0.2", "192.0.2.0/33", "2001:db8::/129", "/", "192.0.2.7/-1", "5", "1" * 10_000])  # fmt: skip
def test_a_text_that_is_no_network_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(ValueError, match=r"^.{0,120} is not an address or a network, such as"):
        counted_network(text, BITS)
    assert network_of(UNKNOWN) is None


def test_networks_with_loopback_addresses_are_recognized() -> None:
    for text, expected in (
        ("127.0.0.1", True), ("127.9.0.0/16", True), ("0.0.0.0/0", True), ("::1", True), ("::/0", True), ("::2", True),
        ("::ffff:127.0.0.1", True), ("128.0.0.0/1", False), ("10.0.0.0/8", False), ("2001:db8::/32", False),
    ):  # fmt: skip
        assert has_loopback(counted_network(text, BITS)) == expected, text
