"""Programs for people: formulas read back, English says what is wanted, drawings are well-formed and show every node."""

from itertools import pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.random import Random
from engines.acquire.genome import Genome, result_of
from engines.acquire.gp.infix import formula, from_formula
from engines.acquire.gp.primitives import Type, scope_of
from engines.acquire.gp.render import agreement, english, features, svg, text_tree
from engines.acquire.gp.sexpr import TreeError, loads, loads_forms
from engines.acquire.gp.tree import Tree
from engines.acquire.registry import thesis_trees
from tests.engines.acquire.genomes import TREES, composed

SVG = "{http://www.w3.org/2000/svg}"


@given(st.builds(composed, st.integers(0, 2**32), st.just(9), st.just(4)))
def test_every_program_renders_as_formula_english_tree_and_svg(genome: Genome) -> None:
    for name, tree in genome.programs():
        assert from_formula(formula(tree), result_of(name), scope_of(name)) == tree
        assert english(name, tree).count("\n") >= 2
        assert len(text_tree(tree).splitlines()) == len(tree)
        ElementTree.fromstring(svg(tree, name))


# -- Formulas --------------------------------------------------------------------------------------


@given(TREES)
def test_a_formula_reads_back(tree: Tree) -> None:
    assert from_formula(formula(tree)) == tree


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("(+ (+ 1 2) 3)", "1 + 2 + 3"),
        ("(+ 1 (+ 2 3))", "1 + (2 + 3)"),
        ("(- 1 (- 2 3))", "1 - (2 - 3)"),
        ("(* (+ 1 2) 3)", "(1 + 2) * 3"),
        ("(+ 1 (* 2 3))", "1 + 2 * 3"),
        ("(div 1 (* 2 -3.5))", "1 div (2 * -3.5)"),
        ("(- 1 -2)", "1 - -2"),
        ("(if-chain-1-is-safe-from-merging (- 0 (size-of-chain-1)) 8)",
         "if-chain-1-is-safe-from-merging(0 - size-of-chain-1, 8)"),
    ],
)  # fmt: skip
def test_formulas_have_no_redundant_parentheses(text: str, written: str) -> None:
    assert formula(loads(text)) == written


def test_a_typed_formula_reads_back() -> None:
    text = "if(not(safe(largest)) and cash < 3 or i-lead, sum(held(it) * price(it)), size(kth(2)) - 1)"
    tree = from_formula(text)
    assert formula(tree) == text
    assert tree[:4] == ("if", "or", "and", "not")
    assert from_formula("can-end", Type.TRUTH) == ("can-end",)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "column 1: a number, a name or a parenthesis is expected, not 'the end'"),
        ("1 +", "column 4: a number"),
        ("(1 + 2", "column 7: '\\)' is expected"),
        ("1 2", "column 3: the end of the formula is expected, not '2'"),
        ("size-of-chain-9", "column 1: .* not 'size-of-chain-9'"),
        ("if-chain-1-is-safe-from-merging(1)", "column 34: ',' is expected"),
        ("1 - - x", "column 7: a number is expected"),
        ("1e999", "column 1: a smaller number is expected"),
        ("div(1, 2)", "column 1"),
        ("(" * 5000, "nested expressions"),
        ("1 or 1 and 1 < 1 + 1 * (" * 200, "nested expressions"),
        ("1" + " + 1" * 10_000, "at most 64 levels"),
        ("1 + " * 5000 + "1", "levels"),
        ("largest + 1", "is no program: .* a number is expected, and largest is a chain"),
        ("max-over(size(it)) + held(it)", "it is allowed only inside a form"),
    ],
)
def test_invalid_formulas_are_refused(text: str, reason: str) -> None:
    with pytest.raises(TreeError, match=reason):
        from_formula(text)


@given(st.text(alphabet="1.5e-+*/(),div ifsize-of-chain-1<=x\n", max_size=60))
def test_any_formula_text_yields_a_tree_or_a_tree_error(text: str) -> None:
    try:
        tree = from_formula(text)
    except TreeError:
        return
    assert from_formula(formula(tree)) == tree


# -- English ---------------------------------------------------------------------------------------


def test_thesis_programs_are_described_in_english() -> None:
    assert english("buy", thesis_trees()["best-of-run-buy"]) == (
        "Buy the shares after which this is largest:\n"
        "  if the second chain is safe from merging:\n"
        "    the sum of\n"
        "      7\n"
        "    and\n"
        "      if the third chain is safe from merging:\n"
        "        2\n"
        "      otherwise:\n"
        "        my shares of the largest chain\n"
        "  otherwise:\n"
        "    the distance from the third chain to the nearest other chain\n"
        "Never reached:\n"
        "  8, because there it never holds that the third chain has the maximum size\n"
        "  (perimeter-of-chain-2), because there it never holds that the third chain is safe from merging\n"
    )


def test_typed_programs_are_described_in_english() -> None:
    forms = loads_forms(
        "(define place (sum (* (held (it)) (price (it)))))"
        "(define end (or (i-lead) (< (bag-left) 3)))"
        "(define (rate-1 it) (* 2 (- (price it) 1))) (define (mix-1 a b) (+ a b))"
        "(define buy (mix-1 (rate-1 (bought)) (memory-2))) (define remember-2 (sum (others-bought it)))",
        ("end",),
    )
    assert [english(name, tree) for name, tree in forms.items()] == [
        "Place the tile after which this is largest:\n"
        "  the sum over all chains on the board of [my shares of it times the price of it]\n",
        "Announce the end of the game, where that is allowed, if:\n"
        "  [I am worth more than any other player] or [[the number of tiles in the bag] is less than [3]]\n",
        "Rate 1 of a chain, called it, is:\n  2 times (the price of it minus 1)\n",
        "Mix 1 of two numbers is:\n  the first number plus the second number\n",
        "Buy the shares after which this is largest:\n"
        "  mix 1 of [rate 1 of the chain whose share is bought] and [memory 2]\n",
        "Keep in memory 2, after each purchase:\n"
        "  the sum over all chains on the board of [the shares of it that others bought in their last turns]\n",
    ]


def test_thesis_conditions_inside_typed_forms_are_described_inline() -> None:
    said = english("place", loads("(max (if-chain-1-is-safe-from-merging 1 (cash)) 2)"))
    assert said.endswith(
        "\n  the greater of [if [the largest chain is safe from merging], [1], else [my cash]] and [2]\n"
    )


# -- Drawings --------------------------------------------------------------------------------------


def test_a_drawing_has_its_root_at_the_top() -> None:
    assert text_tree(loads("(+ (- 1 2) (size-of-chain-1))")) == (
        "+\n├─ -\n│  ├─ 1\n│  └─ 2\n└─ size-of-chain-1\n"
    )


@given(TREES)
def test_svg_nodes_do_not_overlap_or_leave_the_drawing(tree: Tree) -> None:
    root = ElementTree.fromstring(svg(tree, "a <tree> & more"))
    width, height = float(root.attrib["width"]), float(root.attrib["height"])
    boxes = [
        (float(box.attrib["x"]), float(box.attrib["y"]), float(box.attrib["width"]))
        for box in root.iter(f"{SVG}rect")
        if "x" in box.attrib
    ]
    assert len(boxes) == len(tree) == len(list(root.iter(f"{SVG}text")))
    assert len(list(root.iter(f"{SVG}line"))) == len(tree) - 1
    assert all(x >= 0 and x + own <= width + 1 and y < height for x, y, own in boxes)
    for y in {y for _, y, _ in boxes}:
        level = sorted((x, own) for x, at, own in boxes if at == y)
        assert all(x + own <= other for (x, own), (other, _) in pairwise(level))


# -- Random boards ---------------------------------------------------------------------------------


def test_random_boards_satisfy_the_known_facts() -> None:
    rng = Random(2)
    impossible = loads("(if-chain-3-is-safe-from-merging (if-chain-1-is-safe-from-merging 0 1) 0)")
    assert agreement(impossible, loads("0"), 1000, rng) == 1.0
    assert agreement(thesis_trees()["pair-2-buy"], loads("(size-of-chain-1)"), 1000, rng) < 0.2
    assert len({tuple(features(rng)) for _ in range(100)}) == 100
