"""Typed programs: text that does not type-check is refused, and whatever breeds them keeps their types."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.random import Random
from engines.acquire.genome import DECISIONS, Genome, result_of
from engines.acquire.gp.operators import (
    Generator,
    crossover,
    point_mutation,
    shrink_mutation,
    subtree_mutation,
)
from engines.acquire.gp.primitives import Scope, Type, typed_primitives
from engines.acquire.gp.render import english
from engines.acquire.gp.sexpr import TreeError, dumps, loads
from engines.acquire.gp.simplify import simplified
from engines.acquire.gp.tree import Tree, levels, needed_scope

GENERATORS = {name: Generator.of(typed_primitives(name)) for name in DECISIONS}


def grown(decision: str, seed: int, depth: int) -> Tree:
    return GENERATORS[decision].tree(depth, seed % 2 == 0, Random(seed), result_of(decision))


PROGRAMS = st.tuples(st.sampled_from(DECISIONS), st.integers(0, 2**32), st.integers(1, 5))


def check(tree: Tree, decision: str) -> None:
    """The reader accepts it."""
    assert loads(dumps(tree), result_of(decision)) == tree


@given(PROGRAMS)
def test_what_is_generated_type_checks(program: tuple[str, int, int]) -> None:
    tree = grown(*program)
    check(tree, program[0])
    assert needed_scope(tree) is Scope.TOP_LEVEL
    assert levels(tree) <= program[2] + 1


@given(PROGRAMS, st.integers(0, 2**32), st.integers(0, 2**32), st.booleans())
def test_children_type_check(program: tuple[str, int, int], seed: int, dice: int, at_words: bool) -> None:
    decision, first, depth = program
    mother, father = grown(decision, first, depth), grown(decision, seed, depth)
    for child in crossover(mother, father, 9, at_words, Random(dice)):
        check(child, decision)


@given(PROGRAMS, st.integers(0, 2**32))
def test_mutants_type_check(program: tuple[str, int, int], dice: int) -> None:
    tree, generator = grown(*program), GENERATORS[program[0]]
    rng = Random(dice)
    check(subtree_mutation(tree, generator, 3, rng), program[0])
    changed = point_mutation(tree, generator, rng)
    check(changed, program[0])
    assert len(changed) == len(tree)
    less = shrink_mutation(tree, rng)
    check(less, program[0])
    assert len(less) < len(tree) or less == tree


@given(PROGRAMS)
def test_simplified_and_explained(program: tuple[str, int, int]) -> None:
    tree = grown(*program)
    check(simplified(tree), program[0])
    assert len(simplified(tree)) <= len(tree)
    assert english(program[0], tree).endswith("\n")


def test_all_programs_of_a_genome_come_back() -> None:
    genome = Genome.random(Random(5))
    assert [name for name, _ in genome.programs()] == list(DECISIONS)
    assert Genome.loads(genome.dumps()) == genome
    assert not genome.is_printed


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("(size 3)", "line 1, column 7: a chain is expected, and 3 is a number"),
        ("(+ 1 (largest))", "a number is expected, and largest is a chain"),
        ("(if (cash) 1 2)", "a truth is expected, and cash is a number"),
        ("(held (it))", "it stands only inside a form that ranges over chains"),
        ("(+ (sum (held it)) (held it))", "column 26: it stands only inside"),
        ("(i-lead)", "a number is expected, and i-lead is a truth"),
    ],
)
def test_what_does_not_type_check(text: str, reason: str) -> None:
    with pytest.raises(TreeError) as caught:
        loads(text)
    assert reason in str(caught.value)


@pytest.mark.parametrize(
    ("text", "short"),
    [
        ("(if (can-end) (cash) (cash))", "(cash)"),
        ("(if (not (can-end)) (cash) 2)", "(if (can-end) 2 (cash))"),
        ("(min 2 (max 3 3))", "2"),
        ("(sum (+ 0 (held (it))))", "(sum (held (it)))"),
        ("(size (if-chain (i-lead) (largest) (largest)))", "(size (largest))"),
    ],
)
def test_simplified(text: str, short: str) -> None:
    assert dumps(simplified(loads(text))) == short


@pytest.mark.parametrize(
    ("decision", "read", "text"),
    [
        ("place", loads, "(sum (* (held (it)) (price (it))))"),
        ("end", lambda text: loads(text, Type.TRUTH), "(or (i-lead) (< (bag-left) 3))"),
    ],
)
def test_english(decision: str, read: Callable[[str], Tree], text: str) -> None:
    said = english(decision, read(text))
    expected = {
        "place": "Place the tile after which this is largest:\n"
        "  the sum over all chains on the board of [my shares of it times the price of it]\n",
        "end": "Announce the end, where it may be, if:\n"
        "  [I am worth more than anybody else] or [[the number of tiles in the bag] is less than [3]]\n",
    }
    assert said == expected[decision]
