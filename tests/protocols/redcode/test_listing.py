"""Listings as pMARS prints them, and names as they are shown."""

from hypothesis import given
from hypothesis import strategies as st

from core.corewar.assembler import Assembly, assemble
from core.corewar.dialect import Dialect, Limits
from core.corewar.rules import Rules
from core.random import Random
from protocols.redcode.listing import NAME_CHARACTERS, display, listing
from tests.core.corewar.grammar import Writer

RULES = Rules(size=800, length=60, distance=60)


def test_an_imp() -> None:
    assembly = assemble(";name Imp\n;author A. K. Dewdney\nMOV 0, 1\n", RULES)
    warrior = assembly.warrior
    assert warrior
    assert listing(assembly, RULES) == (
        'Program "Imp" (length 1) by "A. K. Dewdney"\n\n       ORG      START\nSTART  MOV.I  $     0, $     1     \n\n'
    )
    assert listing(warrior, RULES) == listing(assembly, RULES)
    assert listing(assembly, RULES, traced=[0]) == listing(assembly, RULES).replace("1     \n", "1    T\n")


def test_an_empty_warrior() -> None:
    assert listing(assemble("", RULES), RULES) == 'Program "Unknown" (length 0) by "Anonymous"\n\n\n'


def test_a_listing_is_assembled_to_the_same_warrior_with_any_line_ending() -> None:
    texts = [Writer(Random(seed)).warrior() for seed in range(600)]
    good = [(text, assembly) for text in texts if (assembly := assembled(text)).warrior]
    assert len(good) > 20
    for text, assembly in good:
        title, _, body = listing(assembly, RULES).partition("\n\n")
        assert f"(length {len(assembly.cells)})" in title
        again = assembled(body)
        assert again.cells == assembly.cells, text
        if assembly.start < len(assembly.cells):
            assert again.start == assembly.start
        if "\r" not in text:
            assert assembled(text.replace("\n", "\r\n")).cells == assembly.cells, text


@given(st.text())
def test_any_name_can_be_shown(name: str) -> None:
    shown = display(name)
    assert all(" " <= character <= "~" for character in shown) and len(shown) <= NAME_CHARACTERS
    assert display(shown) == shown


def assembled(text: str) -> Assembly:
    return assemble(text, RULES, Dialect(limits=Limits(steps=5000)))
