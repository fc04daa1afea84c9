"""Variation: shapes of new trees, the ramp, where crossover and mutations have their points, and types that they keep."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.random import Random
from engines.acquire.genome import DECISIONS, result_of
from engines.acquire.gp.operators import (
    Generator,
    crossover,
    point_mutation,
    shrink_mutation,
    subtree_mutation,
)
from engines.acquire.gp.primitives import (
    ADF_NAMES,
    PRIMITIVES,
    THESIS,
    PrimitiveSet,
    Scope,
    scope_of,
    typed_primitives,
)
from engines.acquire.gp.sexpr import dumps, loads
from engines.acquire.gp.tree import Tree, arguments, levels, needed_scope, walk
from tests.engines.acquire.genomes import GENERATOR, TREES, grown

NAMES = (*DECISIONS, *ADF_NAMES[:3])
GENERATORS = {name: Generator.of(typed_primitives(name, ADF_NAMES[:2])) for name in NAMES}
SEEDS = st.integers(0, 2**32)
PROGRAMS = st.tuples(st.sampled_from(NAMES), SEEDS, st.integers(1, 5))


def typed(name: str, seed: int, depth: int) -> Tree:
    return GENERATORS[name].tree(depth, seed % 2 == 0, Random(seed), result_of(name), scope_of(name))


def check(tree: Tree, name: str) -> None:
    """The reader accepts it."""
    assert loads(dumps(tree), result_of(name), scope_of(name)) == tree


# -- New trees -------------------------------------------------------------------------------------


def test_the_thesis_has_13_functions_and_37_terminals() -> None:
    functions = [each for each in THESIS.primitives if each.arguments]
    assert len(functions) == 13 and all(len(each.arguments) == 2 for each in functions)
    assert len(THESIS.primitives) - 13 + len(THESIS.numbers) + 1 == 37


def test_typed_primitives_depend_on_the_decision_and_own_functions() -> None:
    for name in DECISIONS:
        assert {each.name for each in typed_primitives(name, ADF_NAMES).primitives} >= set(ADF_NAMES)
    names = {each.name for each in typed_primitives("place", ("remember-2",)).primitives}
    assert names >= {"memory-2", "others-bought", "founded", "grown", "survivor", "defunct"}
    assert not names & {"memory-1", "bought", *ADF_NAMES}


@given(SEEDS, st.integers(1, 6))
def test_full_trees_are_equally_deep_and_grown_trees_are_bounded(seed: int, depth: int) -> None:
    leaves = {
        level
        for level, node in walk(grown(seed, depth, full=True))
        if isinstance(node, float) or not PRIMITIVES[node].arguments
    }
    assert leaves == {depth}
    tree = grown(seed, depth)
    assert arguments(tree) and levels(tree) <= depth + 1


@given(PROGRAMS)
def test_generated_programs_type_check(program: tuple[str, int, int]) -> None:
    tree = typed(*program)
    check(tree, program[0])
    assert needed_scope(tree) in (Scope.TOP_LEVEL, scope_of(program[0]))
    assert levels(tree) <= program[2] + 1


def test_the_ramp_goes_through_all_depths_full_and_grown() -> None:
    trees = list(GENERATOR.ramped(800, 5, Random(1)))
    assert len(set(trees)) == 800
    for place in range(0, 800, 8):
        full = trees[place : place + 4]
        assert [levels(tree) for tree in full] == [2, 3, 4, 5]
        assert [len(tree) for tree in full] == [3, 7, 15, 31]
        assert all(levels(tree) <= depth for depth, tree in enumerate(trees[place + 4 : place + 8], 2))


def test_a_ramp_of_few_primitives_repeats_trees_and_ends() -> None:
    primitives = PrimitiveSet(name="tiny", primitives=(PRIMITIVES["+"], PRIMITIVES["how-many-opponents"]))
    trees = list(Generator.of(primitives).ramped(12, 3, Random(1)))
    assert len(trees) == 12 and len(set(trees)) == 4, "all that there are of two or three levels"


def test_every_primitive_is_as_likely_as_another() -> None:
    """Below the root of a grown tree: 13 functions, 26 terminals, 10 digits and the constant, 50 in all."""
    rng = Random(5)
    roots = set()
    drawn: Counter[str] = Counter()
    for _ in range(5000):
        root, first, *_ = GENERATOR.tree(2, False, rng)
        roots.add(root)
        if isinstance(first, str):
            drawn[first] += 1
        elif first in THESIS.numbers:
            drawn[f"digit {first}"] += 1
        else:
            assert -5 <= first < 5
            drawn["constant"] += 1
    assert roots == {each.name for each in THESIS.primitives if each.arguments}
    assert len(drawn) == 50
    assert all(60 < count < 145 for count in drawn.values()), "100 each"


# -- Crossover and mutation ------------------------------------------------------------------------


@given(TREES, TREES, SEEDS, st.booleans(), st.integers(3, 9))
def test_children_keep_nodes_and_limits(
    mother: Tree, father: Tree, seed: int, at_names: bool, most_levels: int
) -> None:
    first, second = crossover(mother, father, most_levels, at_names, Random(seed))
    for child, parent in ((first, mother), (second, father)):
        assert child == parent or 1 < levels(child) <= most_levels
    if first != mother and second != father:
        assert Counter(first + second) == Counter(mother + father)


@given(PROGRAMS, SEEDS, SEEDS, st.booleans())
def test_children_type_check(program: tuple[str, int, int], seed: int, dice: int, at_names: bool) -> None:
    name, first, depth = program
    mother, father = typed(name, first, depth), typed(name, seed, depth)
    for child in crossover(mother, father, 9, at_names, Random(dice), scope_of(name)):
        check(child, name)


def test_crossover_keeps_bound_variables_inside_forms() -> None:
    """`it` comes to no place where it is not bound, though its type would fit."""
    mother, father = loads("(+ (cash) (sum (held it)))"), loads("(- (sum (+ (size it) (price it))) 1)")
    children = {child for seed in range(300) for child in crossover(mother, father, 9, False, Random(seed))}
    assert len(children) > 15
    for child in children:
        check(child, "place")


@given(PROGRAMS, SEEDS)
def test_mutants_type_check(program: tuple[str, int, int], dice: int) -> None:
    name = program[0]
    tree, generator, scope = typed(*program), GENERATORS[name], scope_of(name)
    rng = Random(dice)
    check(subtree_mutation(tree, generator, 3, rng, scope), name)
    changed = point_mutation(tree, generator, rng, scope)
    check(changed, name)
    assert len(changed) == len(tree)
    less = shrink_mutation(tree, rng, scope)
    check(less, name)
    assert len(less) < len(tree) or less == tree


@pytest.mark.parametrize(("at_names", "ways", "children"), [(True, 2 * 3, 5), (False, 3 * 3, 8)])
def test_crossover_points_lie_everywhere_or_at_names(at_names: bool, ways: int, children: int) -> None:
    """A terminal with a name is a point, too. Two ways make the child a single node: it is its parent then."""
    mother, father = loads("(+ 1 (size-of-chain-1))"), loads("(* (price-of-chain-1) (price-of-chain-2))")
    rng = Random(7)
    drawn = Counter(crossover(mother, father, 5, at_names, rng)[0] for _ in range(900))
    assert len(drawn) == children
    for child, count in drawn.items():
        assert count == pytest.approx((2 if child == mother else 1) * 900 / ways, rel=0.35)
    if at_names:
        assert all(child[1] == 1.0 for child in drawn if child[0] == "+"), "the number stays"


@given(TREES, SEEDS, st.integers(1, 5))
def test_a_mutant_has_a_new_subtree_of_any_depth_allowed(tree: Tree, seed: int, depth: int) -> None:
    mutant = subtree_mutation(tree, GENERATOR, depth, Random(seed))
    assert levels(mutant) <= levels(tree) + depth
    assert len(mutant) >= 3


def test_a_mutant_may_have_more_levels_than_any_limit() -> None:
    full = loads("(+ (+ 1 2) (+ 3 4))")
    assert max(levels(subtree_mutation(full, GENERATOR, 4, Random(seed))) for seed in range(200)) == 7
