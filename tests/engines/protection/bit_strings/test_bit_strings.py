"""The Population of strings: what is on record of those who come, go and come back."""

from core.protection.policy import STRING_BYTES
from engines.evolution.population import Generation
from engines.protection.bit_strings.bit_strings import BitStrings
from engines.protection.bit_strings.config import BitStringsConfig
from engines.protection.bit_strings.target import Batch
from engines.protection.genome import Genome

# Everybody has one child, unchanged, and is tried again.
STILL = BitStringsConfig(
    population=4,
    trials=100,
    saved=2,
    candidates=1,
    selection="rank",
    least_share=1.0,
    mutation=1e-6,
    crossover=0.0,
    re_evaluate="yes",
    examination_interval=1000,
)


def rows(population: BitStrings) -> list[bytes]:
    (batch,) = population.tasks()
    assert isinstance(batch, Batch)
    return [
        batch.strings[start : start + STRING_BYTES] for start in range(0, len(batch.strings), STRING_BYTES)
    ]


def played(population: BitStrings, performances: dict[bytes, int]) -> Generation[Genome]:
    return population.step([[performances[row] for row in rows(population)]])


def test_who_comes_back_among_the_best_is_on_record_once() -> None:
    population = BitStrings(STILL, 1)
    assert population.step([]) == Generation(number=0)
    a, b, c, d = rows(population)
    records = []
    born = []
    for performances in ({a: 0, b: 1, c: 2, d: 3}, {a: 0, b: 1, c: -5, d: 3}, {a: 0, b: -9, c: 2, d: 3}):
        generation = played(population, performances)
        born.append([(each.id, each.genome.code) for each in generation.born])
        records.append(generation.contests[0].record)
    assert born == [[(0, a), (1, b)], [(2, c)], []]
    assert generation.statistics["best_ever"] == {"id": 1, "performance": -9}
    again = BitStrings(STILL, 1)
    again.resume(population.dumps(), records)
    assert again.tasks() == population.tasks()
    assert again.dumps() == population.dumps()
