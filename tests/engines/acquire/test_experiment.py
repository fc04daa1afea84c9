"""Runs of Acquire: what a configuration evolves, and what curves show of programs."""

import pytest

from engines.acquire.experiment import configured, traits
from engines.acquire.genome import Genome
from engines.acquire.gp_config import GpConfig
from engines.acquire.league_config import LeagueConfig
from engines.acquire.nes_config import NesConfig
from engines.acquire.net_genome import USUAL, NetGenome


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("", GpConfig),
        ("# evolve = net\nEVOLVE = Pair # evolve = net", GpConfig),
        ("seed = 3\n evolve=All  Decisions", LeagueConfig),
        ("evolve = NET # not programs", NesConfig),
    ],
)
def test_the_evolve_key_selects_the_kind_of_configuration(text: str, kind: type) -> None:
    assert type(configured(text)) is kind


def test_function_parameters_do_not_count_as_words() -> None:
    genome = Genome.loads("(define (rate-1 it) (size it))\n(define place (sum (rate-1 it)))")
    numbers = {name: value for name, value in traits(genome.dumps()).items() if name.startswith("words")}
    assert numbers == {f"words of a program: {name}": len(tree) for name, tree in genome.programs()}
    assert numbers["words of a program: rate-1"] == 2


def test_inputs_of_nets_are_named_in_words() -> None:
    net = NetGenome(shape=USUAL, weights=(1.0,) * USUAL.size)
    names = traits(net.dumps())
    inputs = [name for _, rows, _ in USUAL.layers[:2] for name in rows if name != "bias"]
    assert len(names) == len(inputs), "a chain and a decision are both called survivor"
    assert "weight of an input: the price at two tiles of a chain" in names
    assert "weight of an input: whether the decision is survivor" in names
    assert not any(f": {name}" in names for name in inputs)
    assert "weight of an input: what it sums up over all chains, number 6" in names
