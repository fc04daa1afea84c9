"""Tribes that stand still begin anew; the best one never does."""

from engines.corewar.tribes.refounding import Standstill


def test_patience_is_counted_in_panels_without_a_better_grade() -> None:
    standstill = Standstill()
    assert standstill.add([10.0, 5.0, 7.0], 2) == []
    assert standstill.add([10.0, 5.0, 8.0], 2) == []
    assert standstill.add([10.0, 4.0, 8.0], 2) == [1], "the best tribe has stood still as long"
    assert standstill.add([10.0, 1.0, 8.0], 2) == [2], "the new one has its own record"
    assert standstill.add([9.0, 1.0, 3.0], 2) == []


def test_it_goes_on_from_its_data() -> None:
    one, other = Standstill(), Standstill()
    one.add([10.0, 5.0], 2)
    other.resume(one.data())
    for grades in ([10.0, 5.0], [10.0, 5.0], [10.0, 6.0], [11.0, 2.0]):
        assert one.add(grades, 2) == other.add(grades, 2)
    assert one.data() == other.data()
