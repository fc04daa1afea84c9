"""Genes: marks and wide values are inherited, and no core sees them."""

from hypothesis import given
from hypothesis import strategies as st

from core.corewar.instruction import a_of, b_of, pack
from core.corewar.mars import Mars
from core.corewar.rules import Rules
from core.random import Random
from engines.corewar.tribes.breeding.breeder import Breeder
from engines.corewar.tribes.breeding.mutation import Mutation
from engines.corewar.tribes.breeding.soup import Soup
from engines.corewar.tribes.config import TribesConfig
from engines.corewar.tribes.genes import MARK, expressed, marked, settled, unmarked
from engines.corewar.tribes.genome import WarriorGenome
from engines.corewar.tribes.keys import CHANGES

EVERY_CHANGE = {f"{each}_weight": 1.0 for each in CHANGES} | {"pspace": "on"}
CONFIG = TribesConfig(
    core_size=80, length=8, distance=8, founders_longest=8, start="evolved", start_moves=0.3, wide_values="on",
    crossover=0.4, two_point_weight=1, homologous_weight=1, mutation=1, most_changes=4, **EVERY_CHANGE,  # type: ignore[arg-type]
)  # fmt: skip
SOUP = Soup.of(CONFIG)
RULES = CONFIG.rules

seeds = st.integers(0, 2**32)


@given(seeds, st.integers(1, 8))
def test_a_mark_comes_off(seed: int, length: int) -> None:
    rng = Random(seed)
    cells, start = SOUP.cells(length, rng), int(rng.below(length))
    assert unmarked(marked(cells, start)) == (cells, start)
    assert unmarked(cells) == (cells, 0)
    assert settled(tuple(cell | MARK for cell in cells)) == marked(cells, 0) == settled(cells)


@given(seeds)
def test_generations_stay_warriors_and_texts(seed: int) -> None:
    """Whatever mutation and crossover do: one mark, cells that pack, a text that says it all, a core that takes it."""
    rng = Random(seed)
    breeder = Breeder.of(CONFIG, CONFIG.crossover, frozenset())
    mars = Mars(RULES, [expressed(SOUP.cells(1, rng), 80)])
    tribe = [marked(SOUP.cells(5, rng), int(rng.below(5))) for _ in range(3)]
    for _ in range(30):
        child = breeder.offspring(tribe, rng).genes
        tribe[rng.below(3)] = child
        assert sum(gene >= MARK for gene in child) == 1 and 1 <= len(child) <= 8
        cells, start = unmarked(child)
        genome = WarriorGenome(cells=cells, start=start, size=80)
        assert WarriorGenome.loads(genome.dumps()) == genome
        warrior = expressed(child, 80)
        assert genome.express().cells == warrior.cells and warrior.start == start < len(warrior.cells)
        assert all(a_of(cell) < 80 and b_of(cell) < 80 for cell in warrior.cells)
        mars.enlist([warrior])


def test_a_flip_may_go_beyond_the_core_and_back() -> None:
    """As in the listing of E1: 5234881 is no sum of the bits of a value below 8000."""
    config = TribesConfig(wide_values="on", most_changes=1, operation_weight=0, modifier_weight=0,
                          a_mode_weight=0, b_mode_weight=0)  # fmt: skip
    mutation, rng = Mutation.of(config), Random(1)
    gene = pack(0, 0, 1, 385, 1, 1)
    flipped = {mutation.apply((gene,), [False], rng)[0][0] for _ in range(2000)}
    assert len(flipped) == 48, "24 bits of each value"
    assert {a_of(each) ^ 385 for each in flipped} == {0, *(1 << bit for bit in range(24))}
    (warrior,) = [expressed((each,), 8000) for each in flipped if a_of(each) == 385 | 1 << 13]
    assert a_of(warrior.cells[0]) == (385 + 8192) % 8000


def test_a_text_keeps_what_no_core_has() -> None:
    text = ";assert CORESIZE == 8000\nMOV.I  $5234881, $-1\n"
    genome = WarriorGenome.loads(text)
    assert a_of(genome.cells[0]) == 5234881 and b_of(genome.cells[0]) == 7999
    assert "MOV.I  $5234881, $-1" in genome.dumps()
    assert a_of(genome.express().cells[0]) == 2881
    assert Rules().size == genome.size
