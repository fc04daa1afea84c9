"""A map: the terrain of every square and where gold lies; fixed for a whole game."""

from typing import Final, final

from core.protection.rules import GOLD_SQUARES, PEAKS, SQUARES, TERRAINS, WATER
from core.protection.terrain.torus import shifted_square
from core.random import Random

SMOOTHINGS: Final = 4


@final
class Map:
    """`codes` is a byte a square, row by row; `gold` the squares with gold, in order. ValueError if it is no map."""

    def __init__(self, codes: bytes, gold: tuple[int, ...]) -> None:
        if len(codes) != SQUARES:
            raise ValueError(f"a map has {SQUARES} squares, not {len(codes)}")
        if max(codes) >= len(TERRAINS):
            raise ValueError(f"a terrain is 0 to {len(TERRAINS) - 1}, not {max(codes)}")
        for square in gold:
            if not 0 <= square < SQUARES:
                raise ValueError(f"gold lies on a square, 0 to {SQUARES - 1}, not on {square}")
        self.codes: Final = codes
        self.gold: Final = tuple(sorted(set(gold)))

    def is_land(self, square: int) -> bool:
        """Whether units may stand there, and all minions."""
        return self.codes[square] != WATER and self.codes[square] != PEAKS

    def farming(self, square: int) -> int:
        """The farming bonus of a square without its gold, dollars a phase."""
        return TERRAINS[self.codes[square]].farming

    def defence(self, square: int) -> int:
        """The defence bonus of a square."""
        return TERRAINS[self.codes[square]].defence

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Map) and self.codes == other.codes and self.gold == other.gold

    def __hash__(self) -> int:
        return hash((self.codes, self.gold))

    def __reduce__(self) -> tuple[object, tuple[bytes, tuple[int, ...]]]:
        return Map, (self.codes, self.gold)


def generated(rng: Random) -> Map:
    """A random map: smoothed noise, cut by height into the shares of the terrains; gold anywhere on land."""
    heights = [rng.uniform() for _ in range(SQUARES)]
    for _ in range(SMOOTHINGS):
        heights = [_mean_around(heights, square) for square in range(SQUARES)]
    by_height = sorted([(height, square) for square, height in enumerate(heights)])
    codes = bytearray([PEAKS]) * SQUARES
    begin = 0
    for code, terrain in enumerate(TERRAINS[:PEAKS]):
        end = begin + (terrain.share * SQUARES + 50) // 100
        for _, square in by_height[begin:end]:
            codes[square] = code
        begin = end
    land = [square for square in range(SQUARES) if codes[square] != WATER and codes[square] != PEAKS]
    for place in range(GOLD_SQUARES):
        other = place + int(rng.below(len(land) - place))
        land[place], land[other] = land[other], land[place]
    return Map(bytes(codes), tuple(land[:GOLD_SQUARES]))


def _mean_around(heights: list[float], square: int) -> float:
    total = 0.0
    for south in (-1, 0, 1):
        for east in (-1, 0, 1):
            total += heights[shifted_square(square, east, south)]
    return total / 9.0
