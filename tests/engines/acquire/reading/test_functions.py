"""A genome with functions and registers is read like any other: formulas, English, drawings and distances."""

from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from engines.acquire.genome import Genome, result_of
from engines.acquire.gp.infix import formula, from_formula
from engines.acquire.gp.primitives import scope_of
from engines.acquire.gp.render import english, svg, text_tree
from engines.acquire.gp.sexpr import loads_forms
from engines.acquire.gp.tree import distance
from tests.engines.acquire.genomes import composed

GENOMES = st.builds(composed, st.integers(0, 2**32), st.just(9), st.just(4))


@given(GENOMES)
def test_every_program_can_be_read(genome: Genome) -> None:
    for name, tree in genome.programs():
        assert from_formula(formula(tree), result_of(name), scope_of(name)) == tree
        assert english(name, tree).count("\n") >= 2
        assert len(text_tree(tree).splitlines()) == len(tree)
        ElementTree.fromstring(svg(tree, name))


@given(GENOMES, GENOMES)
def test_distances_know_calls(one: Genome, other: Genome) -> None:
    for (_, first), (_, second) in zip(one.programs(), other.programs(), strict=True):
        assert (distance(first, second) == 0) == (first == second)
        assert distance(first, second) == distance(second, first) < len(first) + len(second)


def test_the_english_of_functions() -> None:
    forms = loads_forms(
        "(define (rate-1 it) (* 2 (price it))) (define (mix-1 a b) (+ a b))"
        "(define buy (mix-1 (rate-1 (bought)) (memory-2))) (define remember-2 (sum (others-bought it)))"
    )
    assert [english(name, tree) for name, tree in forms.items()] == [
        "Rate 1 of a chain, called it, is:\n  2 times the price of it\n",
        "Mix 1 of two numbers is:\n  the first number plus the second number\n",
        "Buy the shares after which this is largest:\n"
        "  mix 1 of [rate 1 of the chain that a share is bought of] and [memory 2]\n",
        "Keep in memory 2, after each purchase:\n"
        "  the sum over all chains on the board of [the shares that others bought in their last turns of it]\n",
    ]
