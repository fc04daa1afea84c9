"""Genomes of every kind, and what is true of each."""

from dataclasses import replace
from itertools import cycle, islice

from hypothesis import strategies as st

from core.random import Random
from engines.chess.genes import (
    GENE_SPECS,
    OPTIONAL_GENES,
    REQUIRED_GENES,
    SEARCH_GENE,
    Gene,
    GeneSpec,
    Param,
    phased_params,
)
from engines.chess.genome import Genome


def values(params: tuple[Param, ...]) -> st.SearchStrategy[tuple[float, ...]]:
    """Within the bounds; of many numbers, whose bounds are the same, some are equal."""
    some = st.tuples(
        *(st.floats(param.minimum, param.maximum) for param in params[: len(SEARCH_GENE.params)])
    )
    return some.map(lambda few: tuple(islice(cycle(few), len(params))))


def genes(spec: GeneSpec) -> st.SearchStrategy[Gene]:
    plain, phased = (values(params) for params in (spec.params, phased_params(spec.name)))
    return st.builds(Gene, name=st.just(spec.name), values=plain | phased, active=st.booleans())


ids = st.none() | st.integers(0, 10**18 - 1)
# With phases, and with further genes, here and there.
genomes = st.builds(
    Genome,
    genes=st.tuples(
        *(genes(spec) for spec in REQUIRED_GENES),
        *(st.none() | genes(spec) for spec in (*OPTIONAL_GENES, SEARCH_GENE)),
    ).map(lambda found: tuple(gene for gene in found if gene)),
    id=ids,
)
rngs = st.integers(0, 2**64 - 1).map(Random)


def assert_valid(genome: Genome) -> None:
    names = [gene.name for gene in genome.genes]
    assert names[:10] == [spec.name for spec in REQUIRED_GENES]
    assert names == [name for name in GENE_SPECS if name in names]
    for gene in genome.genes:
        for param, value in zip(gene.params, gene.values, strict=True):
            assert type(value) is float
            assert param.minimum <= value <= param.maximum


def with_gene(genome: Genome, gene: Gene) -> Genome:
    return replace(genome, genes=tuple(gene if old.name == gene.name else old for old in genome.genes))
