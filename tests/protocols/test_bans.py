"""Which addresses are banned, and the file that keeps the bans."""

import os
from pathlib import Path

import pytest

from protocols.addresses import counted_address
from protocols.bans import MAX_REASON, BanList

NOW = 1_800_000_000.0


class Time:
    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Time:
    return Time()


@pytest.mark.parametrize(
    ("banned", "address", "expected"),
    [
        ("192.0.2.7", "192.0.2.7", True),
        ("192.0.2.7", "::ffff:192.0.2.7", True),
        ("192.0.2.7", "192.0.2.8", False),
        ("192.0.2.0/24", "192.0.2.255", True),
        ("192.0.2.0/24", "192.0.3.0", False),
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", True),
        ("2001:db8:1:2::1", "2001:db8:1:3::1", False),
        ("2001:db8::/32", "2001:db8:1:2::1", True),
        ("2001:db8::/32", "32.1.13.184", False),
    ],
)
def test_a_ban_covers_exactly_the_addresses_of_its_network(banned: str, address: str, expected: bool) -> None:
    bans = BanList(64)
    bans.add(banned)
    assert (bans.of(counted_address(address, 64)) is not None) == expected
    assert not any(map(bans.of, ("unknown", "mqtt client 192.0.2.7", "this machine", "")))


@pytest.mark.parametrize(
    "text", ["127.0.0.1", "127.0.0.0/24", "::1", "0.0.0.0/0", "::/0", "::ffff:127.0.0.1"]
)
def test_loopback_cannot_be_banned(text: str) -> None:
    bans = BanList(64)
    with pytest.raises(ValueError, match="loopback interface; it cannot be banned"):
        bans.add(text)
    assert not bans.all()


@pytest.mark.parametrize("hours", [0.0, -1.0, float("inf"), float("nan"), 1e9])
def test_invalid_hours_of_a_ban_are_refused(hours: float) -> None:
    with pytest.raises(ValueError, match="hours must be above 0"):
        BanList(64).add("192.0.2.7", hours)


@pytest.mark.parametrize("reason", ["two\nlines", "\x1b[2J", "\u202e", "x" * (MAX_REASON + 1)])
def test_a_reason_is_one_printable_line(reason: str) -> None:
    with pytest.raises(ValueError, match="a reason must be one line"):
        BanList(64).add("192.0.2.7", None, reason)


def test_an_expired_ban_is_dropped(clock: Time) -> None:
    bans = BanList(64, clock)
    bans.add("192.0.2.7", 1.0)
    bans.add("192.0.2.8")
    clock.now += 3599.0
    assert bans.of("192.0.2.7") and len(bans.all()) == 2
    clock.now += 2.0
    assert not bans.of("192.0.2.7") and bans.of("192.0.2.8")
    assert "192.0.2.7" not in bans.text() and len(bans.all()) == 1


def test_bans_survive_in_the_file_until_they_expire(tmp_path: Path, clock: Time) -> None:
    bans, path = BanList(64, clock), tmp_path / "bans"
    bans.add("2001:db8::1", None, "floods the lobby")
    clock.now += 60.0
    bans.add("192.0.2.0/24", 2.0)
    bans.add("192.0.2.7", 1.0, "an hour only")
    path.write_text(bans.text())
    assert path.read_text().splitlines()[1:] == [
        "2001:db8::/64 2027-01-15T08:00:00+00:00 forever floods the lobby",
        "192.0.2.0/24 2027-01-15T08:01:00+00:00 2027-01-15T10:01:00+00:00",
        "192.0.2.7/32 2027-01-15T08:01:00+00:00 2027-01-15T09:01:00+00:00 an hour only",
    ]
    assert BanList.read(path, 64, clock).all() == bans.all()
    clock.now += 3600.0
    kept = BanList.read(path, 64, clock)
    assert [str(ban.network) for ban in kept.all()] == ["2001:db8::/64", "192.0.2.0/24"]
    assert kept.of("192.0.2.7") and "an hour only" not in kept.text()


def test_lines_that_are_no_bans_stay_in_the_file_and_the_log_names_them(
    tmp_path: Path, clock: Time, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "bans"
    strange = [
        "# mine",
        "",
        "192.0.2.9",
        "127.0.0.1 2026-01-01 forever",
        "192.0.2.7 when forever",
        "x " * 1000,
    ]
    path.write_text("\n".join([*strange, "192.0.2.8 2026-01-01 forever by hand"]))
    bans = BanList.read(path, 64, clock)
    assert [str(ban.network) for ban in bans.all()] == ["192.0.2.8/32"]
    assert all(line in bans.text().splitlines() for line in strange)
    assert [record.args[1] for record in caplog.records if record.args] == [3, 4, 5, 6]  # type: ignore[index]


def test_a_file_that_cannot_be_read_stays_as_it_is(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "bans"
    os.mkfifo(path)
    bans = BanList.read(path)
    assert not bans.all() and str(path) in bans.fault and "not a regular file" in caplog.text
    path.unlink()
    path.write_bytes(b"\xff\xfe")
    assert "it is not UTF-8 text" in BanList.read(path).fault


def test_a_ban_is_lifted_by_any_form_of_its_network() -> None:
    bans = BanList(64)
    bans.add("2001:db8::1")
    bans.add("192.0.2.0/24")
    assert str(bans.remove("2001:db8:0:0:9::/80").network) == "2001:db8::/64"
    with pytest.raises(
        ValueError, match=r"192\.0\.2\.7/32 is not banned; the ban of 192\.0\.2\.0/24 covers it"
    ):
        bans.remove("192.0.2.7")
    with pytest.raises(ValueError, match=r"is not banned$"):
        bans.remove("2001:db8::1")
    assert len(bans.all()) == 1
