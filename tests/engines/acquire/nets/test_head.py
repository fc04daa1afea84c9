"""Which texts are meant to be nets: told at once, whatever is in front."""

import pytest

from engines.acquire.nets.text import HEAD


@pytest.mark.parametrize("text", ["(net 1)", "; a comment\n\n \t(net 1)\n", "( net 1)"])
def test_a_net_may_have_comments_before_it(text: str) -> None:
    assert HEAD.match(text)


@pytest.mark.parametrize("text", ["(define place 1)", "net 1", "; (net 1)", "(network 1)"])
def test_other_texts_are_none(text: str) -> None:
    assert not HEAD.match(text)


@pytest.mark.timeout(5)
@pytest.mark.parametrize("before", ["\n", " \n", ";\n", " "])
def test_a_long_text_takes_no_time(before: str) -> None:
    assert not HEAD.match(before * 100_000 + "x")
