"""Time controls as text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.time_control import TimeControl


@pytest.mark.parametrize(
    ("text", "control"),
    [
        ("10+0.1", TimeControl(seconds=10, increment=0.1)),
        ("60", TimeControl(seconds=60)),
        ("40/60+1", TimeControl(seconds=60, increment=1, actions=40)),
        ("40/5", TimeControl(seconds=5, actions=40)),
        ("40/5:00", TimeControl(seconds=300, actions=40)),
        ("1:30.5+2", TimeControl(seconds=90.5, increment=2)),
        ("st=2", TimeControl(seconds_per_action=2)),
        ("nodes=2000", TimeControl(nodes=2000)),
        ("depth=6", TimeControl(depth=6)),
        ("10+0.1,depth=6", TimeControl(seconds=10, increment=0.1, depth=6)),
        ("2+0.02,nps=20000", TimeControl(seconds=2, increment=0.02, nodes_per_second=20_000)),
        (" st=0.5 , nodes=7 ", TimeControl(seconds_per_action=0.5, nodes=7)),
    ],
)
def test_time_controls_are_read(text: str, control: TimeControl) -> None:
    assert TimeControl.parse(text) == control
    assert TimeControl.parse(str(control)) == control


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "is not like 10"),
        ("soon", "'soon' is not like 10"),
        ("10+", "is not like 10"),
        ("-5", "is not like 10"),
        ("1e9", "is not like 10"),
        ("nan", "is not like 10"),
        ("٣", "is not like 10"),
        ("40/", "is not like 10"),
        ("st=", "st must be a number"),
        ("st=inf", "st must be a number, not 'inf'"),
        ("nodes=1.5", "nodes must be a whole number, not '1.5'"),
        ("depth=x", "depth must be a whole number"),
        ("plies=3", "'plies' is not one of"),
        ("nps=1000", "needs a clock"),
        ("0", "above zero"),
        ("depth=0", "above zero"),
        ("0/10", "above zero"),
        ("10,st=3", "not both"),
        ("10,20", "the clock is given twice"),
        ("st=1,st=2", "st is given twice"),
    ],
)
def test_wrong_time_controls_are_explained(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        TimeControl.parse(text)


def test_a_share_of_a_time_control_has_less_time_and_fewer_nodes_but_the_same_depth() -> None:
    control = TimeControl.parse("40/60+1,nodes=4,depth=6,nps=1000")
    assert str(control.scaled(0.1)) == "40/6+0.1,nodes=1,depth=6,nps=1000"
    assert str(TimeControl.parse("st=2").scaled(0.5)) == "st=1"
    assert control.scaled(1.0) == control


def test_a_negative_increment_is_refused() -> None:
    with pytest.raises(ValueError, match="increment"):
        TimeControl(seconds=1, increment=-1)
    with pytest.raises(ValueError, match="clock"):
        TimeControl(nodes=1, increment=1)


tenths = st.integers(1, 10**6).map(lambda number: number / 10)


@given(
    seconds=st.none() | tenths,
    increment=st.just(0.0) | tenths,
    actions=st.none() | st.integers(1, 200),
    nodes=st.none() | st.integers(1, 10**9),
    depth=st.none() | st.integers(1, 99),
    nodes_per_second=st.none() | tenths,
)
def test_str_and_parse_are_inverse(
    seconds: float | None,
    increment: float,
    actions: int | None,
    nodes: int | None,
    depth: int | None,
    nodes_per_second: float | None,
) -> None:
    control = TimeControl(
        seconds=seconds,
        increment=increment if seconds else 0.0,
        actions=actions if seconds else None,
        seconds_per_action=None if seconds else 2.5,
        nodes=nodes,
        depth=depth,
        nodes_per_second=nodes_per_second,
    )
    assert TimeControl.parse(str(control)) == control


@given(st.text(max_size=30) | st.from_regex(r"[0-9/:+.,=a-z]{1,20}", fullmatch=True))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        control = TimeControl.parse(text)
    except ValueError:
        return
    assert TimeControl.parse(str(control)) == control
