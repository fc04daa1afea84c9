"""A net's value is what a plain reading of its layers says, and no chain has a name to it."""

from random import Random as Chance

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.acquire import typed_features
from core.acquire.net import Net

INPUTS = (
    typed_features.first_slot(typed_features.SIZE),
    typed_features.first_slot(typed_features.HELD),
    typed_features.GROWN,
    typed_features.DEFUNCT,
)
FACTS = (typed_features.BAG_LEFT, typed_features.I_LEAD, typed_features.MY_WORTH)
WIDE, HIGH = 4, 3
SIZE = (1 + len(INPUTS)) * WIDE + (2 + WIDE + len(FACTS)) * HIGH


def made(weights: tuple[float, ...], is_truth: bool = False) -> Net:
    return Net(INPUTS, FACTS, WIDE, HIGH, weights, is_truth)


def filled(net: Net, seed: int, chains: int, defunct: int) -> None:
    """Numbers by chance in every feature, and a move."""
    chance = Chance(seed)
    for place in range(typed_features.FEATURES):
        net.values[place] = chance.uniform(-3, 3)
    net.values[typed_features.GROWN] = float(chance.choice([0, 1, 6, typed_features.NO_CHAIN]))
    net.values[typed_features.DEFUNCT] = float(defunct)
    net.chains = chains


def naive(net: Net, weights: tuple[float, ...]) -> float:
    """The layers, written out."""
    values = list(net.values)
    rest = list(weights)

    def row(units: int) -> list[float]:
        taken, rest[:] = rest[:units], rest[units:]
        return taken

    def leaky(value: float) -> float:
        return value if value > 0 else 0.1 * value

    chain_rows = [row(WIDE) for _ in range(1 + len(INPUTS))]
    table_rows = [row(HIGH) for _ in range(1 + WIDE + len(FACTS))]
    result = row(HIGH)
    defunct = int(values[typed_features.DEFUNCT])
    seen = [chain for chain in range(7) if net.chains >> chain & 1 or chain == defunct]
    sums = [0.0] * WIDE
    for chain in seen:
        told = [1.0] + [
            values[slot + chain] if slot >= typed_features.FIRST_KIND else float(values[slot] == chain)
            for slot in INPUTS
        ]
        for unit in range(WIDE):
            sums[unit] += leaky(sum(value * each[unit] for value, each in zip(told, chain_rows, strict=True)))
    table = [1.0, *sums, *(values[slot] for slot in FACTS)]
    return sum(
        result[unit] * leaky(sum(value * each[unit] for value, each in zip(table, table_rows, strict=True)))
        for unit in range(HIGH)
    )


@given(
    weights=st.lists(st.floats(-2, 2), min_size=SIZE, max_size=SIZE).map(tuple),
    seed=st.integers(0, 10_000),
    chains=st.integers(0, 127),
    defunct=st.integers(0, 7),
)
def test_the_net_value_matches_a_naive_computation_of_its_layers(
    weights: tuple[float, ...], seed: int, chains: int, defunct: int
) -> None:
    net = made(weights)
    filled(net, seed, chains, defunct)
    expected = naive(net, weights)
    assert net.value() == pytest.approx(expected, rel=1e-9, abs=1e-9)
    assert net.value() == net.value()
    truth = made(weights, is_truth=True)
    filled(truth, seed, chains, defunct)
    assert truth.value() == float(net.value() > 0)


def test_the_net_value_does_not_depend_on_chain_names() -> None:
    weights = tuple(Chance(5).uniform(-1, 1) for _ in range(SIZE))
    found = []
    for order in ([0, 1, 2], [6, 3, 1]):
        net = made(weights)
        net.values[typed_features.GROWN] = float(order[1])
        net.values[typed_features.DEFUNCT] = float(typed_features.NO_CHAIN)
        for number, chain in enumerate(order):
            net.values[typed_features.first_slot(typed_features.SIZE) + chain] = number + 2.0
        net.chains = sum(2**chain for chain in order)
        found.append(net.value())
    assert found[0] == pytest.approx(found[1]) and found[0] != 0


def test_a_wrong_number_of_weights_is_refused() -> None:
    with pytest.raises(ValueError, match=f"a net of this shape has {SIZE} weights, not {SIZE - 1}"):
        made((0.5,) * (SIZE - 1))
