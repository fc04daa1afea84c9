"""New trees: shapes of full and grown ones, the ramp, and how often each word comes."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.random import Random
from engines.acquire.gp.operators import Generator
from engines.acquire.gp.primitives import PRIMITIVES, THESIS, PrimitiveSet
from engines.acquire.gp.tree import Tree, arguments, levels, walk
from tests.engines.acquire.trees.trees import GENERATOR, grown


def test_the_printed_words() -> None:
    functions = [each for each in THESIS.primitives if each.arguments]
    assert len(functions) == 13 and all(len(each.arguments) == 2 for each in functions)
    assert len(THESIS.primitives) - 13 + len(THESIS.numbers) + 1 == 37


@given(st.integers(0, 2**32), st.integers(1, 6))
def test_a_full_tree_is_as_deep_everywhere(seed: int, depth: int) -> None:
    tree = grown(seed, depth, full=True)
    leaves = {
        level for level, node in walk(tree) if isinstance(node, float) or not PRIMITIVES[node].arguments
    }
    assert leaves == {depth}


@given(st.integers(0, 2**32), st.integers(1, 6))
def test_a_grown_tree_has_a_function_at_its_root_and_an_end(seed: int, depth: int) -> None:
    tree = grown(seed, depth)
    assert arguments(tree) and levels(tree) <= depth + 1


def test_the_ramp_goes_through_all_depths_full_and_grown() -> None:
    trees = list(GENERATOR.ramped(800, 5, Random(1)))
    assert len(set(trees)) == 800
    for place in range(0, 800, 8):
        full = trees[place : place + 4]
        assert [levels(tree) for tree in full] == [2, 3, 4, 5]
        assert [len(tree) for tree in full] == [3, 7, 15, 31]
        assert all(levels(tree) <= depth for depth, tree in enumerate(trees[place + 4 : place + 8], 2))


def test_a_ramp_that_has_nothing_new_leaves_depths_out_and_ends() -> None:
    words = PrimitiveSet(name="tiny", primitives=(PRIMITIVES["+"], PRIMITIVES["how-many-opponents"]))
    trees = list(Generator.of(words).ramped(12, 3, Random(1)))
    assert len(trees) == 12 and len(set(trees)) == 4, "all that there are of two or three levels"


def test_every_word_is_as_likely_as_another() -> None:
    """Below the root of a grown tree: 13 functions, 26 words, 10 digits and the constant, 50 in all."""
    rng = Random(5)
    drawn: Counter[str] = Counter()
    for _ in range(5000):
        _, first, *_ = GENERATOR.tree(2, False, rng)
        if isinstance(first, str):
            drawn[first] += 1
        elif first in THESIS.numbers:
            drawn[f"digit {first}"] += 1
        else:
            assert -5 <= first < 5
            drawn["constant"] += 1
    assert len(drawn) == 50
    assert all(60 < count < 145 for count in drawn.values()), "100 each"


def test_a_tree_is_a_function_of_the_random_source() -> None:
    def trees(seed: int) -> list[Tree]:
        return list(GENERATOR.ramped(50, 5, Random(seed)))

    assert trees(3) == trees(3) != trees(4)


@pytest.mark.parametrize("depth", [1, 4])
def test_the_root_is_any_function(depth: int) -> None:
    roots = {grown(seed, depth)[0] for seed in range(400)}
    assert roots == {each.name for each in THESIS.primitives if each.arguments}
