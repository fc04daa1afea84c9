"""Alarms ring in their order, each once, and those they set later."""

from functools import partial
from math import inf

from hypothesis import given
from hypothesis import strategies as st

from protocols.jsonl.hall.alarms import Alarms

TIMES = st.lists(st.integers(0, 100), max_size=20)


def note(rung: list[int], time: int, now: float) -> None:
    assert time <= now
    rung.append(time)


@given(times=TIMES, looks=TIMES)
def test_each_rings_once_when_it_is_due(times: list[int], looks: list[int]) -> None:
    alarms = Alarms()
    rung: list[int] = []
    for time in times:
        alarms.set(time, partial(note, rung, time))
    for now in sorted(looks):
        alarms.ring(now)
        assert rung == sorted(time for time in times if time <= now)
        assert alarms.next == min((time for time in times if time > now), default=inf)
        assert len(alarms) == len(times) - len(rung)


def test_what_is_set_while_ringing_is_for_the_next_time() -> None:
    alarms = Alarms()
    rung: list[float] = []

    def again(now: float) -> None:
        rung.append(now)
        alarms.set(now, again)

    alarms.set(1.0, again)
    alarms.ring(2.0)
    assert rung == [2.0] and alarms.next == 2.0
