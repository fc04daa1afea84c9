"""What list, edit, fill and search work on: the core, the queue of a warrior, the warriors, or a P-space."""

from core.corewar.instruction import EMPTY, a_of, b_of
from protocols.cdb.fight import Fight
from protocols.cdb.line.command import BLANKS
from protocols.redcode.listing import instruction_text


class CoreList:
    """Entries 0..size-1, each of them a cell of the core; the others are the same with other headings."""

    def __init__(self, fight: Fight, *, icws88: bool) -> None:
        self.fight = fight
        self.icws88 = icws88
        self.size = fight.mars.rules.size

    @property
    def end(self) -> int:
        """What `$` stands for."""
        return self.size - 1

    def address(self, entry: int) -> int:
        """Of the cell that an entry shows."""
        return entry

    def heading(self, entry: int) -> str:
        """What stands before the content, and before the one that is typed in its place."""
        return f"{entry:05}   "

    def content(self, entry: int) -> str:
        address = self.address(entry)
        cell = self.fight.mars.cell(address)
        is_traced = address in self.fight.traced
        if cell == EMPTY and not is_traced:
            return ""
        return (
            f"{instruction_text(cell, self.fight.mars.rules.size, self.icws88)} {'T' if is_traced else '':>4}"
        )

    def line(self, entry: int) -> str:
        return f"{self.heading(entry)}{self.content(entry)}\n"

    def values(self, entry: int) -> tuple[int, int]:
        """What `A` and `B` stand for."""
        cell = self.fight.mars.cell(self.address(entry))
        return a_of(cell), b_of(cell)

    def place(self, seat: int) -> int:
        """What `PC1`, `PC2` .. stand for."""
        return self.fight.first(seat)


class QueueList(CoreList):
    """The processes of a warrior. The first is always that of the warrior at the halt, as in pMARS."""

    def __init__(self, fight: Fight, seat: int, *, icws88: bool) -> None:
        super().__init__(fight, icws88=icws88)
        self._addresses = [fight.address, *fight.queue(seat)]
        self._processes = fight.count(seat)
        self.size = max(self._processes, 1)

    @property
    def end(self) -> int:
        return self._processes - 1

    def address(self, entry: int) -> int:
        return self._addresses[entry] if entry < len(self._addresses) else 0

    def heading(self, entry: int) -> str:
        return f"{entry:<4}->{self.address(entry):05}   "

    def place(self, seat: int) -> int:
        return 0


class WarriorList(CoreList):
    """The warriors, each at its next instruction."""

    def __init__(self, fight: Fight, *, icws88: bool) -> None:
        super().__init__(fight, icws88=icws88)
        self.size = fight.warriors

    def address(self, entry: int) -> int:
        return self.fight.first(entry % self.size)

    def heading(self, entry: int) -> str:
        return f"#{entry:<2}:  {self.address(entry):05}   "

    def place(self, seat: int) -> int:
        return seat


class PSpaceList(CoreList):
    """The P-space of a warrior. For trace, its entries are cells of the core, as in pMARS."""

    def __init__(self, fight: Fight, seat: int, *, icws88: bool) -> None:
        super().__init__(fight, icws88=icws88)
        self.seat = seat
        self.size = fight.mars.rules.pspace

    def heading(self, entry: int) -> str:
        return f"[{entry:4}]="

    def content(self, entry: int) -> str:
        return f"{self.fight.mars.pspace(self.seat)[entry % self.size]:<5}"

    def values(self, entry: int) -> tuple[int, int]:
        index = self.fight.pspace_index(self.seat)
        return index, index

    def place(self, seat: int) -> int:
        return 0


def matches(pattern: str, text: str) -> bool:
    """Whether a text contains a pattern: `?` is any character, `*` any number of them, blanks do not count.

    As pMARS compares them: a part that fails in the middle is begun anew there, not one character after its start.
    """
    pattern = "".join(letter for letter in pattern if letter not in BLANKS)
    letters = [letter for letter in text if letter not in BLANKS]
    at = 0
    for part in pattern.split("*"):
        matched = 0
        while matched < len(part):
            if at < len(letters) and part[matched] in (letters[at], "?"):
                matched += 1
            elif at == len(letters):
                return False
            else:
                matched = 0
            at += 1
    return True
