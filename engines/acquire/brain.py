"""What decides for an evolved player: programs or a net. A text says by its first form which of the two it is."""

from engines.acquire.genome import DECISIONS, Genome
from engines.acquire.nets.genome import NetGenome
from engines.acquire.nets.text import HEAD

Brain = Genome | NetGenome


def loads(text: str) -> Brain:
    """ValueError names line and what was read."""
    return NetGenome.loads(text) if HEAD.match(text) else Genome.loads(text)


def decisions(brain: Brain) -> list[str]:
    """Those that it does not leave to chance."""
    return list(DECISIONS) if isinstance(brain, NetGenome) else [name for name, _ in brain.programs()]
