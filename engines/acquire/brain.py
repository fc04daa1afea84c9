"""What decides for an evolved player: programs or a net. A text says by its first form which of the two it is."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

from engines.acquire.genome import DECISIONS, Genome, thesis_players, typed_players
from engines.acquire.nets.genome import NetGenome
from engines.acquire.nets.text import HEAD

Brain = Genome | NetGenome

EVOLVED_NETS: Final = Path(__file__).with_name("nets") / "evolved"


def loads(text: str) -> Brain:
    """ValueError names line and what was read."""
    return NetGenome.loads(text) if HEAD.match(text) else Genome.loads(text)


def decisions(brain: Brain) -> list[str]:
    """Those that it does not leave to chance."""
    return list(DECISIONS) if isinstance(brain, NetGenome) else [name for name, _ in brain.programs()]


def net_players() -> dict[str, NetGenome]:
    """Nets that this program has bred, by name."""
    return {
        f"evolved-net-{path.stem}": NetGenome.loads(path.read_text(encoding="utf-8"))
        for path in sorted(EVOLVED_NETS.glob("*.lisp"))
    }


@cache
def named_brains() -> Mapping[str, Brain]:
    """Everybody with a name and a genome: of the thesis, written by hand, evolved. They are read once."""
    return {**thesis_players(), **typed_players(), **net_players()}
