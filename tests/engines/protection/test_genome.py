"""The string: its layout, both text forms, clear errors, and the laws of all genomes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.protection.policy import INPUTS, STATES
from core.random import Random
from engines.protection.genome import AUTOMATON, BITS, LOCI, MINIONS, PREFERENCES, Genome, StringError
from tests.conformance import check_genome
from tests.engines.protection.strings import COMMONS, COUNTING, GENOMES


def test_the_string_obeys_the_laws_of_genomes() -> None:
    check_genome(Genome)


@given(GENOMES)
def test_both_forms_read_back(genome: Genome) -> None:
    assert Genome.loads(genome.dumps()) == genome == Genome.loads(genome.hex)
    assert Genome.of(genome.nibbles) == genome


def test_the_counting_string_has_its_expected_text() -> None:
    genome = Genome.loads(COUNTING)
    assert genome.hex == COUNTING
    assert genome.preferences == tuple(range(8))
    even, odd = "0>0F 1>0R 2>0L 3>0S 4>1F 5>1R 6>1L 7>1S", "0>2F 1>2R 2>2L 3>2S 4>3F 5>3R 6>3L 7>3S"
    blocks = [
        f"minion {name} pref {preference}\nstate 0: {even}\nstate 1: {odd}\nstate 2: {even}\nstate 3: {odd}\n"
        for preference, name in enumerate(MINIONS)
    ]
    assert genome.dumps() == "".join(blocks)


def test_the_string_of_commons_has_its_expected_steps() -> None:
    genome = Genome.loads(COMMONS)
    assert genome.preferences == (0, 0, 15, 0, 0, 0, 0, 0)
    for minion in range(len(MINIONS)):
        for state in range(STATES):
            steps = [genome.step(minion, state, input) for input in range(INPUTS)]
            assert [action for _, action in steps] == [0, 1, 1, 0, 3, 3, 3, 3]
            assert steps[0][0] == (state + 1) % STATES
            assert {new for new, _ in steps[1:]} == {state}


@given(GENOMES)
def test_bits_lie_in_the_documented_order(genome: Genome) -> None:
    for bit in (0, 5, 500, BITS - 1):
        nibble = genome.nibbles[bit >> 2]
        assert (genome.code[bit >> 3] & 0x80 >> (bit & 7) != 0) == (nibble & 8 >> (bit & 3) != 0)


@given(GENOMES, st.integers(0, 2**32))
def test_a_mutant_differs_by_one_bit(genome: Genome, seed: int) -> None:
    mutant = genome.mutate(Random(seed))
    changed = int.from_bytes(genome.code, "big") ^ int.from_bytes(mutant.code, "big")
    assert changed.bit_count() == 1


@given(GENOMES, GENOMES, st.integers(0, 2**32))
def test_a_child_inherits_each_automaton_with_its_preference(
    mother: Genome, father: Genome, seed: int
) -> None:
    child, ones, others = (each.nibbles for each in (mother.mate(father, Random(seed)), mother, father))
    for locus in range(LOCI):
        automaton = slice(locus * AUTOMATON, (locus + 1) * AUTOMATON)
        pairs = [(each[automaton], each[PREFERENCES + locus]) for each in (child, ones, others)]
        assert pairs[0] in pairs[1:]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "an empty text"),
        ("# nothing but this\n", "an empty text"),
        (COUNTING[:-1], "line 1: a string has 264 hex digits, not 263"),
        (f"{COUNTING[:100]}\n{COUNTING[100:]}0", "line 2: a string has 264 hex digits, not 265"),
        (f"01\n 0x{COUNTING}", "line 2: 'x', the 2. character, is not a hex digit"),
        ("minion scavenger pref 3", "line 1: `minion scout pref 0..15` is expected, not 'minion scavenger"),
        ("minion scout pref 16", "line 1: `minion scout pref 0..15` is expected"),
        ("minion scout pref 3\n\n", "line 2: `state 0:` of scout is expected, not ''"),
        ("minion scout pref 3\nstate 1: 0>0F", "line 2: `state 0:` of scout is expected, not 'state 1"),
        ("minion scout pref 3\nstate 0: 0>0F 1>0F", "line 2: state 0 of scout has 8 inputs, not 2"),
        (
            "minion scout pref 3 # much\nstate 0: 0>0F 1>0F 2>4F 3>0F 4>0F 5>0F 6>0F 7>0F",
            "line 2: `2>` with a state 0..3 and an action F, R, L, S is expected, not '2>4F'",
        ),
    ],
)
def test_invalid_strings_are_refused(text: str, reason: str) -> None:
    with pytest.raises(StringError) as refused:
        Genome.loads(text)
    assert reason in str(refused.value)


def test_a_string_ends_after_the_last_block() -> None:
    text = Genome.loads(COMMONS).dumps()
    with pytest.raises(StringError, match="line 41: the string was complete before 'minion armored"):
        Genome.loads(f"{text}minion armored pref 3\n")
    with pytest.raises(StringError, match="line 35: `minion armored"):
        Genome.loads("\n".join(text.splitlines()[:35]))
