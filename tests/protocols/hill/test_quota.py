"""Six an hour, and not one more."""

from protocols.hill.quota import Quota


def test_six_an_hour() -> None:
    now = 100.0
    quota = Quota(6, clock=lambda: now)
    for _ in range(6):
        assert quota.wait("a") == 0.0
        now += 60.0
    assert quota.wait("a") == 3600.0 - 6 * 60.0
    assert quota.wait("b") == 0.0, "others are not kept waiting"
    now = 100.0 + 3599.0
    assert quota.wait("a") == 1.0
    now = 100.0 + 3600.0
    assert quota.wait("a") == 0.0
    assert quota.wait("a") == 60.0


def test_who_has_not_come_for_an_hour_is_forgotten() -> None:
    now = 0.0
    quota = Quota(1, clock=lambda: now)
    for number in range(1000):
        quota.wait(f"address {number}")
        now += 60.0
    assert len(quota._sent) <= 60
