"""Genomes of nets: their laws, their text, and that the text's scales and decisions are what is played."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.acquire.rules import PRESETS, GameSpec
from core.random import Random
from engines.acquire.genome import Genome
from engines.acquire.gp.sexpr import TreeError
from engines.acquire.net_genome import CHAIN_SLOTS, TABLE_SLOTS, NetError, NetGenome, Shape
from engines.acquire.registry import load_genome
from tests.core.acquire.tables import random_game

SMALL = Shape(chain_units=2, table_units=1, chain_inputs=("held",), facts=("cash",))
shapes = st.builds(
    Shape,
    chain_units=st.integers(1, 4),
    table_units=st.integers(1, 4),
    chain_inputs=st.sets(st.sampled_from(list(CHAIN_SLOTS))).map(
        lambda wanted: tuple(name for name in CHAIN_SLOTS if name in wanted)
    ),
    facts=st.sets(st.sampled_from(list(TABLE_SLOTS))).map(
        lambda wanted: tuple(name for name in TABLE_SLOTS if name in wanted)
    ),
)
finite = st.floats(allow_nan=False, allow_infinity=False)
nets = shapes.flatmap(
    lambda shape: st.builds(
        NetGenome,
        shape=st.just(shape),
        weights=st.lists(finite, min_size=shape.size, max_size=shape.size).map(tuple),
    )
)


@settings(max_examples=50)
@given(net=nets)
def test_net_genomes_read_back_bit_for_bit(net: NetGenome) -> None:
    again = load_genome(net.dumps())
    assert again == net and repr(again) == repr(net)  # 0.0 is not -0.0


def test_rows_may_come_in_any_order_with_comments() -> None:
    net = NetGenome.random(Random(1), SMALL)
    head, *rows = net.dumps().splitlines()
    text = "\n".join([" ; by hand", "", head, *(f"{row} ; why" for row in reversed(rows))])
    assert load_genome(text) == net


@pytest.mark.parametrize("text", ["(net 1)", "; a comment\n\n \t(net 1)\n", "( net 1)"])
def test_comments_may_precede_a_net(text: str) -> None:
    with pytest.raises(NetError, match="ends without"):
        load_genome(text)


@pytest.mark.parametrize(
    "text", ["net 1", "(network 1)", *(each * 100_000 + "x" for each in ("\n", " \n", ";\n", " "))]
)
@pytest.mark.timeout(5)
def test_texts_without_a_net_header_are_read_as_programs(text: str) -> None:
    with pytest.raises(TreeError):
        load_genome(text)


def test_a_net_header_inside_a_comment_is_ignored() -> None:
    assert isinstance(load_genome("; (net 1)\n(define place 1)"), Genome)


GOOD = NetGenome.random(Random(1), SMALL).dumps()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (GOOD.replace("net 1", "net 2"), "line 1: (net 1) is expected, not (net 2)"),
        (GOOD.replace("(chain held", "(chain owned"), "line 3: a net has no row (chain owned ...)"),
        (GOOD + "(chain held 1 2)\n", "(chain held ...) is there already in line 3"),
        (
            re.sub(r"chain held \S+", "chain held", GOOD),
            "(chain held ...) has 1 numbers, and the rows before it 2",
        ),
        (re.sub(r"chain held \S+", "chain held nan", GOOD), "line 3: a number is expected, not 'nan'"),
        (re.sub(r"chain held \S+", "chain held 1e999", GOOD), "line 3: a number is expected, not '1e999'"),
        (re.sub(r"\(table sum-2.*\n", "", GOOD), "ends without (table sum-2 ...)"),
        (re.sub(r"\(table end.*\n", "", GOOD), "ends without (table end ...)"),
        (re.sub(r"\(chain bias.*\n", "", GOOD), "ends without (chain bias ...)"),
        (re.sub(r"\(result.*\n", "", GOOD), "ends without (result ...)"),
        (GOOD.replace("(result", "(result 1"), "(result ...) has 2 numbers, and the rows before it 1"),
        (GOOD.replace("(result", "(answer"), "a row is one of chain, table or result, not 'answer'"),
        (GOOD.replace("(result", "result"), "a line is one form in parentheses, not 'result"),
        ("(net 1)\n(chain bias " + "0 " * 65 + ")", "line 2: (chain bias ...) has 1 to 64 numbers, not 65"),
    ],
)
def test_invalid_nets_are_refused(text: str, reason: str) -> None:
    with pytest.raises(NetError, match=re.escape(reason)):
        load_genome(text)


@given(text=st.text())
def test_any_text_after_a_net_header_raises_value_error(text: str) -> None:
    with pytest.raises(ValueError):
        load_genome(f"(net 1)\n{text}")


@pytest.mark.parametrize(("name", "seats"), [("thesis-2002", 2), ("classic", 4)])
def test_decisions_are_legal_and_leave_the_state_alone(name: str, seats: int) -> None:
    players = [NetGenome.random(Random(seed)).express() for seed in range(5)]
    for seed in range(2):
        for number, state in enumerate(random_game(GameSpec(PRESETS[name], seats), seed)):
            if not state.is_terminal():
                before = state.__reduce__()
                assert players[number % 5].choose(state, Random(number)) in state.legal_actions()
                assert state.__reduce__() == before


def test_weights_include_the_decision_and_the_input_scale() -> None:
    """One unit a layer: 3 for the decision, and cash by a fiftieth."""
    zeros = dict.fromkeys(("chain bias", "chain held", "table bias", "table sum-1"), 0.0)
    rows = zeros | {"table cash": 2.0, "result": 1.0}
    rows |= {f"table {name}": 0.0 for name in ("place", "found", "survivor", "end", "dispose")} | {
        "table buy": 3.0
    }
    genome = NetGenome.loads("(net 1)\n" + "".join(f"({name} {value})\n" for name, value in rows.items()))
    for decision, expected in (("buy", 5.0), ("place", 2.0)):
        net = genome.nets()[decision]
        net.values[TABLE_SLOTS["cash"]] = 50.0
        assert net.value() == pytest.approx(expected)
