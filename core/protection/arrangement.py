"""An arrangement: which of the human's units stand where when a turn begins."""

from typing import Final, final

from core.protection.rules import ARTILLERY, NO_UNIT, SQUARES, Rules


@final
class Arrangement:
    """`codes` is a byte a square, the code of the unit there or 0. ValueError if it is no such thing."""

    def __init__(self, codes: bytes) -> None:
        if len(codes) != SQUARES:
            raise ValueError(f"an arrangement has {SQUARES} squares, not {len(codes)}")
        if max(codes) > ARTILLERY:
            raise ValueError(f"a unit is 1 to {ARTILLERY}, not {max(codes)}")
        self.codes: Final = codes

    def units(self) -> list[tuple[int, int]]:
        """(square, code) of every unit, in order of squares."""
        return [(square, code) for square, code in enumerate(self.codes) if code != NO_UNIT]

    def value(self, rules: Rules) -> int:
        """What the units have cost, in dollars."""
        return sum([rules.units[code].cost for code in self.codes])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Arrangement) and self.codes == other.codes

    def __hash__(self) -> int:
        return hash(self.codes)

    def __reduce__(self) -> tuple[object, tuple[bytes]]:
        return Arrangement, (self.codes,)


def arranged(units: dict[int, int]) -> Arrangement:
    """The arrangement of these units, code by square. ValueError for a square or unit that does not exist."""
    codes = bytearray(SQUARES)
    for square, code in units.items():
        if not 0 <= square < SQUARES or not 0 < code <= ARTILLERY:
            raise ValueError(f"no unit {code} can stand on square {square}")
        codes[square] = code
    return Arrangement(bytes(codes))
