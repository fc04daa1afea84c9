"""How many messages somebody may send."""

from hypothesis import given
from hypothesis import strategies as st

from protocols.allowance import Allowance


def test_a_burst_and_then_so_many_a_second() -> None:
    allowance, sent, now = Allowance(20, 40, 0.0), 0, 0.0
    while now < 10.0:
        now += allowance.wait(now)
        allowance.spend()
        sent += 1
    assert 239 <= sent <= 241


@given(st.lists(st.floats(0.0, 5.0), max_size=50))
def test_who_waits_as_told_may_send(pauses: list[float]) -> None:
    allowance, now = Allowance(5, 3, 0.0), 0.0
    for pause in pauses:
        now += pause
        wait = allowance.wait(now)
        assert 0.0 <= wait <= 0.2 + 1e-9
        now += wait + 1e-9
        assert allowance.wait(now) == 0.0
        allowance.spend()


def test_silence_makes_it_whole_again() -> None:
    allowance = Allowance(20, 40, 0.0)
    allowance.spend()
    assert allowance.wait(0.01) == 0.0 and not allowance.is_whole
    assert allowance.wait(1.0) == 0.0 and allowance.is_whole
