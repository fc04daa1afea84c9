"""The rules of the known hills: core size, time, lengths, rounds of a battle and number of places.

Sources: the table of the King of the Hill server (koth.org), the published settings of the tiny and nano hills, and
pMARS's option files for `x`.
"""

from dataclasses import asdict, dataclass
from typing import Any, Final, Self

from core.corewar.rules import Rules

RULES: Final = ("size", "cycles", "processes", "length", "distance", "pspace")


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """The rules of a hill; `tag` follows `;redcode` on the first line of a submission to it."""

    name: str
    title: str
    tag: str
    rules: Rules
    is_88: bool = False  # ICWS'88: no modifiers; only the modes and operations of that standard
    has_pspace: bool = True  # if not, LDP and STP are refused
    is_melee: bool = False  # one battle of all warriors, instead of one of each pair
    is_exact: bool = False  # each position is fought once with each starter: no sampling noise
    rounds: int = 100  # of each battle; an exact one has as many as there are positions and starters
    places: int = 20
    decimals: int = 0  # of the percentages and scores in its table

    def __post_init__(self) -> None:
        if self.rounds < 1 or self.places < 1:
            raise ValueError("a hill has at least one round and one place")
        room = self.rules.size // self.rules.distance
        if self.is_melee and self.places >= min(room, 36):
            raise ValueError(f"this core is too small for {self.places + 1} warriors at once")
        if self.is_exact and self.rounds != exact_rounds(self.rules):
            raise ValueError(f"an exact battle has {exact_rounds(self.rules)} rounds under these rules")

    @property
    def summary(self) -> str:
        """The rules in words, such as "core 80, 800 cycles, 80 processes, length 5, distance 5, ..."."""
        rules = self.rules
        standard = ", ICWS'88" if self.is_88 else "" if self.has_pspace else ", no P-space"
        rounds = "every position once" if self.is_exact else f"{self.rounds} rounds"
        return (
            f"core {rules.size}, {rules.cycles} cycles, {rules.processes} processes, length {rules.length}, "
            f"distance {rules.distance}, {rounds}{' of all at once' if self.is_melee else ''}{standard}"
        )

    def dumps(self) -> dict[str, Any]:
        """Return the preset as values that JSON can hold; loads() reads them."""
        return asdict(self) | {"rules": {name: getattr(self.rules, name) for name in RULES}}

    @classmethod
    def loads(cls, data: dict[str, Any]) -> Self:
        """Return the preset that dumps() wrote. Raises ValueError, TypeError or KeyError for other values."""
        return cls(**(data | {"rules": Rules(**data["rules"])}))


def exact_rounds(rules: Rules) -> int:
    """Return the number of rounds that two warriors need to fight each position once with each starter."""
    return 2 * (rules.size + 1 - 2 * rules.distance)


_STANDARD: Final = Rules(pspace=500)
_LARGE: Final = Rules(size=55_440, cycles=500_000, processes=10_000, length=200, distance=200, pspace=3465)
_ICWS: Final = Rules(size=8192, cycles=100_000, processes=8000, length=300, distance=300)
_SMALL: Final = Rules(size=4096, cycles=65_536, processes=32, length=64, distance=64)
_TINY: Final = Rules(size=800, cycles=8000, processes=800, length=20, distance=20, pspace=50)
_TINY_LP: Final = Rules(size=800, cycles=8000, processes=8, length=50, distance=50, pspace=50)
_NANO: Final = Rules(size=80, cycles=800, processes=80, length=5, distance=5, pspace=5)
_LP: Final = Rules(size=8000, cycles=80_000, processes=8, length=200, distance=200)

_ALL: Final = (
    Preset(name="88", title="ICWS'88 Standard", tag="", rules=_STANDARD, is_88=True),
    Preset(name="94", title="ICWS'94", tag="94", rules=_STANDARD),
    Preset(name="94nop", title="'94 No P-space", tag="94nop", rules=_STANDARD, has_pspace=False),
    Preset(name="94x", title="ICWS'94 Experimental", tag="94x", rules=_LARGE),
    Preset(name="icws", title="ICWS Tournament", tag="icws", rules=_ICWS, is_88=True),
    Preset(name="x", title="'88 Experimental", tag="x", rules=_SMALL, is_88=True),
    Preset(name="94m", title="'94 Multiwarrior", tag="94m", rules=_STANDARD, is_melee=True, places=10),
    Preset(
        name="94xm", title="'94 Experimental Multiwarrior", tag="94xm", rules=_LARGE, is_melee=True, places=10
    ),
    Preset(name="tiny", title="Tiny", tag="tiny", rules=_TINY, decimals=1),
    Preset(name="tinylp", title="Tiny Limited Process", tag="tiny", rules=_TINY_LP, decimals=1),
    Preset(
        name="nano",
        title="Nano",
        tag="nano",
        rules=_NANO,
        is_exact=True,
        rounds=exact_rounds(_NANO),
        places=50,
        decimals=1,
    ),
    Preset(name="lp", title="Limited Process", tag="lp", rules=_LP),
)
PRESETS: Final[dict[str, Preset]] = {preset.name: preset for preset in _ALL}
