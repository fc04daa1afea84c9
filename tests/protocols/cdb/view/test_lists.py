"""Search patterns, with the case and the one flaw that they have in pMARS: 00?2 is in 00012, and not found."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols.cdb.views import matches

LINE = "00012   DAT.F  #     0, $     7    T\n"
TEXTS = st.text("AB ,1", max_size=12)


@pytest.mark.parametrize("pattern", [",", "DAT*,?7T", "dat", "00?2", "#0,$7", "D*F*7", "", "*", "? ? ? ? ?D"])
def test_patterns(pattern: str) -> None:
    assert matches(pattern, LINE) == (pattern not in ("dat", "00?2"))


@given(TEXTS, TEXTS, TEXTS)
def test_stars_stand_for_anything(before: str, between: str, after: str) -> None:
    assert matches("X*Y", f"{before}X{between}Y{after}")


@given(TEXTS, st.text("X?", min_size=1, max_size=5))
def test_what_is_longer_than_the_text_is_not_found(text: str, pattern: str) -> None:
    letters = len(text.replace(" ", ""))
    assert not matches(pattern + "?" * letters, text)
