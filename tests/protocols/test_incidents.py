"""What operators learn about refused clients and a full disk."""

import errno
import logging

import pytest

from protocols.incidents import MAX_ADDRESSES, REPORT_SECONDS, Incidents


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


def new() -> tuple[Incidents, Clock, list[str]]:
    clock, lines = Clock(), list[str]()
    return Incidents(clock, lines.append), clock, lines


def test_refusals_are_logged_at_once_and_then_summarized_each_minute() -> None:
    incidents, clock, lines = new()
    for address in ("192.0.2.1", "192.0.2.1", "192.0.2.1", "192.0.2.2", "192.0.2.3", "192.0.2.4"):
        incidents.add("connections", address)
        incidents.report()
    assert lines == ["connections refused, the server is full: 192.0.2.1"]
    clock.now += REPORT_SECONDS
    incidents.report()
    assert lines[1:] == [
        "connections refused, the server is full: 5 more in 60 s, 192.0.2.1 (2), 192.0.2.2 (1), 192.0.2.3 (1)"
        " and 1 other address"
    ]
    clock.now += REPORT_SECONDS
    incidents.report()
    assert len(lines) == 2, "nothing has happened since"
    incidents.add("connections", "192.0.2.9")
    assert lines[2:] == ["connections refused, the server is full: 192.0.2.9"]
    assert incidents.counts == {"connections": 7}


def test_a_client_of_this_machine_has_one_name() -> None:
    """JSON lines know its programs by an empty address, the page by a loopback address."""
    incidents, _, lines = new()
    for address in ("", "127.0.0.1", "127.1.0.9", "::1", "", "unknown"):
        incidents.add("busy", address)
    incidents.report(is_last=True)
    assert [line.partition(": ")[2] for line in lines] == [
        "this machine",
        "5 more in 0 s, this machine (4), unknown (1)",
    ]
    incidents.add("hosts", "127.0.0.1", "which asked for other.example")
    assert lines[2].endswith(": this machine, which asked for other.example")


def test_each_kind_of_refusal_is_logged_separately_and_at_the_end() -> None:
    incidents, _, lines = new()
    for kind in ("messages", "lines", "messages"):
        incidents.add(kind, "192.0.2.1")
    incidents.report(is_last=True)
    assert len(lines) == 3 and lines[2].endswith("1 more in 0 s, 192.0.2.1 (1)")


def test_only_a_limited_number_of_addresses_is_remembered() -> None:
    incidents, clock, lines = new()
    for number in range(3 * MAX_ADDRESSES):
        incidents.add("connections", f"address {number}")
    clock.now += REPORT_SECONDS
    incidents.report()
    assert f"others ({2 * MAX_ADDRESSES - 1})" in lines[1]


def test_a_full_disk_is_reported_once_until_it_can_be_written_again(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    incidents = Incidents()
    for _ in range(3):
        incidents.fail("the hill nano", OSError(errno.ENOSPC, "No space left on device"))
    assert incidents.failures == {"the hill nano": "No space left on device"}
    incidents.recover("the hill nano")
    incidents.recover("the hill nano")
    assert not incidents.failures
    assert [record.levelname for record in caplog.records] == ["ERROR", "INFO"]
    assert "the hill nano cannot be written: No space left on device" in caplog.messages[0]
