"""Laws that hold for every warrior, tried on random ones."""

import pytest

from core.corewar.rules import Rules
from core.random import Random
from protocols.redcode.assemble import Assembly, assemble
from protocols.redcode.dialect import Dialect, Limits
from protocols.redcode.listing import listing
from protocols.redcode.messages import messages_text
from protocols.redcode.substitution import walk
from protocols.redcode.text.line import Line
from tests.protocols.redcode.grammar import Writer

RULES = Rules(size=800, length=60, distance=60)
LIMITS = Limits(steps=5000)


def assembled(text: str, *, icws88: bool = False) -> Assembly:
    return assemble(text, RULES, Dialect(icws88=icws88, limits=LIMITS))


@pytest.fixture(scope="module")
def warriors() -> list[tuple[str, Assembly]]:
    """Texts that assemble."""
    texts = [Writer(Random(seed)).warrior() for seed in range(600)]
    good = [(text, assembly) for text in texts if (assembly := assembled(text)).warrior]
    assert len(good) > 20
    return good


def test_the_short_way_is_the_long_way(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [Writer(Random(seed)).warrior() for seed in range(2000, 2300)]
    short = [assembled(text, icws88=number % 4 == 0) for number, text in enumerate(texts)]
    monkeypatch.setattr(Line, "plain", lambda line: None)
    monkeypatch.setattr(walk, "define_plain", lambda progress, line: False)
    for number, (text, assembly) in enumerate(zip(texts, short, strict=True)):
        if "Refused" not in messages_text(assembly.messages):  # each way counts its own steps
            assert assembled(text, icws88=number % 4 == 0) == assembly, text


def test_a_listing_comes_back(warriors: list[tuple[str, Assembly]]) -> None:
    for text, assembly in warriors:
        title, _, body = listing(assembly, RULES).partition("\n\n")
        assert f"(length {len(assembly.cells)})" in title
        again = assembled(body)
        assert again.cells == assembly.cells, text
        if assembly.start < len(assembly.cells):
            assert again.start == assembly.start


def test_any_line_ending_will_do(warriors: list[tuple[str, Assembly]]) -> None:
    for text, assembly in warriors:
        if "\r" not in text:
            assert assembled(text.replace("\n", "\r\n")).cells == assembly.cells, text
