"""The rules of a battle of Core War: sizes and limits, as in the options of pMARS."""

from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64

from core.corewar.instruction import LARGEST_CORE

WRITE_SHIFT: Final = 24  # a shift that packs two offsets below LARGEST_CORE into one number


@final
class Rules:
    """The rules of a battle; raises ValueError if no battle can be fought by them.

    `cycles` is counted for each warrior; `distance` is the least distance between the first cells of two warriors. A
    `pspace` of 0 stands for a sixteenth of the core, or if 16 does not divide its size, a fifteenth, a fourteenth and
    so on. A read or write limit of 0 is no limit. `later` selects the MARS of pMARS 0.9.4 and 0.9.5, the only
    versions with such limits: an immediate B operand has the values that its cell holds after the A operand, not
    those fetched.
    """

    def __init__(
        self,
        size: int = 8000,
        cycles: int = 80000,
        processes: int = 8000,
        length: int = 100,
        distance: int = 100,
        pspace: int = 0,
        read_limit: int = 0,
        write_limit: int = 0,
        later: bool = False,
    ) -> None:
        if not 1 <= size <= LARGEST_CORE:
            raise ValueError(f"a core has 1 to {LARGEST_CORE} cells, not {size}")
        if cycles < 1 or processes < 1 or length < 1:
            raise ValueError(
                f"cycles, processes and length must be at least 1, not {cycles}, {processes}, {length}"
            )
        if distance < length:
            raise ValueError(f"the distance cannot be smaller than the length: {distance} < {length}")
        if not 0 <= pspace <= size:
            raise ValueError(f"the P-space cannot be bigger than the core: {pspace} of {size}")
        for limit in (read_limit, write_limit):
            if limit < 0 or limit > size or (limit and size % limit):
                raise ValueError(f"a read or write limit must divide the core size, {size}, not {limit}")
        self.size: Final = size
        self.cycles: Final = cycles
        self.processes: Final = processes
        self.length: Final = length
        self.distance: Final = distance
        self.pspace: Final = pspace or _default_pspace(size)
        self.read_limit: Final = read_limit or size
        self.write_limit: Final = write_limit or size
        self.later: Final = later or self.read_limit < size or self.write_limit < size
        # If `later`, the table [offset] of the offset under the read limit, plus the offset under the write limit <<
        # WRITE_SHIFT. The table is long enough for the sum of two offsets, since a division for each operand would
        # take as long as an instruction.
        self.reach: Final = _reach(size, self.read_limit, self.write_limit) if self.later else vec[i64]()

    def _values(self) -> tuple[int, int, int, int, int, int, int, int, bool]:
        return (
            self.size,
            self.cycles,
            self.processes,
            self.length,
            self.distance,
            self.pspace,
            self.read_limit,
            self.write_limit,
            self.later,
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rules) and self._values() == other._values()

    def __hash__(self) -> int:
        return hash(self._values())

    def __reduce__(self) -> tuple[object, tuple[int, int, int, int, int, int, int, int, bool]]:
        return Rules, self._values()


def folded(offset: i64, limit: i64, size: i64) -> i64:
    """Return an offset from an instruction, folded into half of `limit` on each side of the instruction."""
    offset %= limit  # a limit divides the size of the core
    return offset if offset <= limit // 2 else offset + size - limit


def _reach(size: i64, read_limit: i64, write_limit: i64) -> vec[i64]:
    reach = vec[i64]([0] * (2 * size))
    for offset in range(size):
        both = folded(offset, read_limit, size) | (folded(offset, write_limit, size) << WRITE_SHIFT)
        reach[offset] = both
        reach[size + offset] = both
    return reach


def _default_pspace(size: int) -> int:
    part = 16
    while size % part:
        part -= 1
    return size // part
