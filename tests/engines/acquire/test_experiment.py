"""Runs of Acquire: what a configuration evolves, and what curves show of programs."""

import pytest

from engines.acquire.experiment import configured, traits
from engines.acquire.genome import Genome
from engines.acquire.gp_config import GpConfig
from engines.acquire.league_config import LeagueConfig
from engines.acquire.nes_config import NesConfig


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
