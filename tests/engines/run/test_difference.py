"""A text kept as its difference: comes back, and only where that is short."""

from hypothesis import given
from hypothesis import strategies as st

from engines.run.difference import difference, other_id, whole

BASE = "\n".join(f"MOV.I  $ {number * 7919 % 8000}, @ {number * 104729 % 8000}" for number in range(100))


@given(st.text(max_size=200), st.text(max_size=200), st.integers(0, 2**40))
def test_a_text_comes_back(text: str, other: str, id: int) -> None:
    kept = difference(text, id, other)
    if kept is not None:
        assert other_id(kept) == id
        assert 4 * len(kept) <= len(text.encode())
    assert whole(kept or text, {id: other}.__getitem__) == text


def test_a_mutant_is_short() -> None:
    mutant = BASE.replace("MOV.I  $ 7919", "SPL.B  # 7918")
    kept = difference(mutant, 3, BASE)
    assert kept is not None and len(kept) < 60
    assert whole(kept, {3: BASE}.__getitem__) == mutant


def test_a_stranger_is_kept_whole() -> None:
    assert difference(BASE[::-1], 3, "") is None
    assert whole(BASE, {3: ""}.__getitem__) == BASE
