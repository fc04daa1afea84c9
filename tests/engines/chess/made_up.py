"""Genomes of every kind, and what is true of each."""

from dataclasses import replace

from hypothesis import strategies as st

from core.random import Random
from engines.chess.genes import GENE_SPECS, OPTIONAL_GENES, PHASED_PARAMS, REQUIRED_GENES, Gene, GeneSpec
from engines.chess.genome import Genome


def genes(law: GeneSpec) -> st.SearchStrategy[Gene]:
    plain, phased = (
        st.tuples(*(st.floats(rule.least, rule.most) for rule in rules))
        for rules in (law.properties, PHASED_PARAMS[law.name])
    )
    return st.builds(Gene, name=st.just(law.name), values=plain | phased, active=st.booleans())


ids = st.none() | st.integers(0, 10**18 - 1)
# With phases, and with further genes, here and there.
genomes = st.builds(
    Genome,
    genes=st.tuples(
        *(genes(law) for law in REQUIRED_GENES), *(st.none() | genes(law) for law in OPTIONAL_GENES)
    ).map(lambda found: tuple(gene for gene in found if gene)),
    id=ids,
)
rngs = st.integers(0, 2**64 - 1).map(Random)


def assert_valid(genome: Genome) -> None:
    names = [gene.name for gene in genome.genes]
    assert names[:10] == [law.name for law in REQUIRED_GENES]
    assert names == [name for name in GENE_SPECS if name in names]
    for gene in genome.genes:
        for rule in gene.properties:
            assert type(gene[rule.name]) is float
            assert rule.least <= gene[rule.name] <= rule.most


def with_gene(genome: Genome, gene: Gene) -> Genome:
    return replace(genome, genes=tuple(gene if old.name == gene.name else old for old in genome.genes))
