"""The style of a warrior: statistics of its behaviour when it runs, and the name that authors give to such behaviour.

Paper copies itself everywhere, stone bombs blindly, scissors scan and then attack what they have found (S. Morell,
"My First Core War Book"). The style is derived from what a warrior executes, not from its code.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from core.corewar import instruction as ins
from core.corewar.interpreter import DECREMENT, INCREMENT, READ, WRITE, trace
from core.corewar.mars import Mars
from core.corewar.rules import Rules
from core.corewar.warrior import Warrior

WATCHED: Final = 12_000  # instructions of the warrior that are watched at the start of a round
OPENING: Final = 300  # of these: time for a quick scan, and to boot elsewhere
SHORTEST: Final = 8  # an opening is at most this part of the cycles
LOOK_COUNT: Final = 40  # at the processes, over the cycles of a round
NEAR: Final = 3  # cells, at most, between two writes of an instruction that clears
SITE: Final = 40  # cells, in a core of 8,000, between processes that run different copies
# The least share of the core that is not empty at the end if a warrior without other signs has changed much of it.
MUCH: Final = 0.1

LOOKING: Final = frozenset({ins.CMP, ins.SEQ, ins.SNE, ins.SLT, ins.JMZ, ins.JMN})


@dataclass(frozen=True, slots=True, kw_only=True)
class WritingInstruction:
    """An instruction that writes to the core, together with its copies elsewhere."""

    cell: int  # its content when it was first seen
    writes: int
    step: int  # the usual distance from target to target; 0 if it writes to the same cell, or wrote once
    steadiness: float  # share of its steps that are the usual one
    leaves: int  # the operation that most of its targets have after the write


@dataclass(frozen=True, slots=True, kw_only=True)
class BehaviourStats:
    """Statistics of a warrior's behaviour in a round.

    Shares are of the watched instructions after the opening, unless the field's comment says otherwise.
    """

    survived: bool
    cycles: int  # its instructions until its death or the end of the round
    most_processes: int  # at any look
    last_processes: int
    homes: int  # sites far from each other where processes run that are not imps, the most at any look
    coverage: float  # share of the core that is not empty at the end
    travel: float  # share of 64 parts of the core in which it was seen to execute an instruction
    imps: float  # share: instructions that copy themselves
    copies: float  # share: cells written that it also executed
    bombs: float  # share: cells written far from the instruction's last write, and not executed
    clears: float  # share: cells written near the instruction's last write, and not executed
    scans: float  # share: comparisons and tests of other cells
    quick_scans: float  # share of the opening: comparisons and tests of other cells
    splits: float  # share: SPL
    streams: float  # share: pointers decremented or incremented far from the instruction
    bombed: float  # share of the core that was hit by bombs
    cleared: float  # share of the core that was written in clears
    scanned: float  # share of the core that was compared or tested, opening included
    bombed_with_jumps: float  # share of the bombs
    left_splits: float  # share of bombs and clears: SPL
    left_dats: float  # share of bombs and clears: DAT
    pspace: int  # LDP and STP executed, opening included
    own_executed: int  # the number of its cells that were executed where they were loaded
    writers: tuple[WritingInstruction, ...]  # the most active first, opening included


class Style(Enum):
    """A style of warriors; the value is its name."""

    SWITCHER = "switcher"
    IMP = "imp"
    PAPER = "paper"
    VAMPIRE = "vampire"
    SCANNER = "scanner"
    STONE = "stone"
    CLEAR = "clear"
    QUICK_SCAN = "quick scan"
    STREAM = "stream"
    WAITS = "waits"
    DIES = "dies"

    @property
    def meaning(self) -> str:
        """The behaviour of this style, as the end of a sentence that starts with "it"."""
        return _MEANINGS[self]


_MEANINGS: Final = {
    Style.SWITCHER: "remembers the results of rounds in its P-space, and may change its strategy for the next round",
    Style.IMP: "starts instructions that copy themselves to the next cell and move on",
    Style.PAPER: "copies itself all over the core and executes the copies",
    Style.VAMPIRE: "throws jumps that capture the processes of opponents",
    Style.SCANNER: "looks for opponents before it attacks",
    Style.STONE: "throws bombs at places far from each other, without looking",
    Style.CLEAR: "writes over cell after cell",
    Style.QUICK_SCAN: "checks a few places when a round starts",
    Style.STREAM: "changes values in cells across the core, as a DJN stream does",
    Style.WAITS: "waits and leaves most of the core unchanged",
    Style.DIES: "dies before it attacks",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class StyleLabel:
    """The main style of a warrior, and the other styles that it shows."""

    main: Style
    also: tuple[Style, ...]

    def __str__(self) -> str:
        return "/".join(style.value for style in (self.main, *self.also))


def label(observed: Sequence[BehaviourStats]) -> StyleLabel:
    """Return the style from statistics: first those of the warrior alone in the core, then those against opponents.

    The styles shown alone come before those shown only against opponents. Raises ValueError without statistics.
    """
    if not observed:
        raise ValueError("a style needs at least one observation")
    alone, *others = observed
    shown = [style for style, shows in _SIGNS if shows(alone)]
    shown += [style for style, shows in _SIGNS if style not in shown and any(map(shows, others))]
    if shown and (shown[0] is not Style.QUICK_SCAN or len(shown) > 1):
        main = next(style for style in shown if style is not Style.QUICK_SCAN)
    elif alone.coverage >= MUCH:
        main = Style.STREAM
    else:
        main = Style.WAITS if alone.survived else Style.DIES
    return StyleLabel(main=main, also=tuple(style for style in shown if style is not main))


# -- Observing -------------------------------------------------------------------------------------

# At its start a round is watched instruction by instruction. At LOOK_COUNT regular moments until its end the processes are
# counted. Only the warrior in the first seat is watched.


def observe(mars: Mars) -> BehaviourStats:
    """Run the round of a core to its end, and return the statistics of the warrior in the first seat."""
    observer = _Observer(mars)
    looks = []
    pause = max(mars.rules.cycles * len(mars.warriors) // LOOK_COUNT, 1)
    while not mars.over and observer.instructions < WATCHED:
        if mars.turn == 0:
            observer.step()
        else:
            mars.run(1)
        if mars.executed % pause == 0:
            looks.append(observer.sample_processes())
    looks.append(observer.sample_processes())
    while not mars.over:
        mars.run(pause)
        looks.append(observer.sample_processes())
    return observer.stats(looks)


def observe_alone(rules: Rules, warrior: Warrior) -> BehaviourStats:
    """Return the statistics of a warrior that runs alone in an empty core."""
    mars = Mars(rules, [warrior])
    mars.begin([0], 0)
    return observe(mars)


def observe_against(
    rules: Rules, warrior: Warrior, opponents: Sequence[Warrior], place: int
) -> list[BehaviourStats]:
    """Return the statistics of a warrior against each opponent, which is loaded at `place`."""
    observed = []
    mars: Mars | None = None
    for opponent in opponents:
        if mars is None:
            mars = Mars(rules, [warrior, opponent])
        else:
            mars.load_warriors([warrior, opponent])
        mars.begin([0, place], 0)
        observed.append(observe(mars))
    return observed


@dataclass(frozen=True, slots=True, kw_only=True)
class _ProcessSample:
    """The processes of the warrior at one moment."""

    processes: int
    sites: int


@dataclass(frozen=True, slots=True)
class _Write:
    """A write to the core by MOV."""

    writer: int  # the content of the writing cell when it was first seen
    target: int
    step: int | None  # the distance from the last target; None for the first
    operation: int  # of the target after the write

    @property
    def is_near(self) -> bool:
        return self.step is not None and abs(self.step) <= NEAR


class _Observer:
    """The observations of a round so far."""

    def __init__(self, mars: Mars) -> None:
        self._mars = mars
        self._site = max(SITE * mars.size // 8_000, 2)
        self._opening = min(OPENING, mars.rules.cycles // SHORTEST)
        self.instructions = 0
        self._executed: set[int] = set()
        self._last_write: dict[int, _Write] = {}  # by the address of the writing instruction
        self._writes: list[_Write] = []
        self._steady_from = 0  # the index of the first write after the opening
        self._scanned: set[int] = set()
        self._imps = self._scans = self._quick_scans = self._splits = self._streams = self._pspace = 0

    def step(self) -> None:
        """Let the warrior execute its next instruction, and record its effects."""
        mars = self._mars
        address = mars.next_address
        cell = mars.cell(address)
        operation = ins.operation_of(cell)
        is_opening = self.instructions < self._opening
        self.instructions += 1
        self._executed.add(address)
        if operation == ins.SPL:  # trace() would look at all its processes, and find little else
            self._splits += not is_opening
            mars.run(1)
            return
        touched = trace(mars)
        mars.run(1)
        if _copies_itself(cell):
            self._imps += not is_opening
        elif operation in (ins.LDP, ins.STP):
            self._pspace += 1
        elif operation == ins.MOV:
            self._note_write(address, cell, next(place for kind, place in touched if kind == WRITE))
            if is_opening:
                self._steady_from = len(self._writes)
        elif operation in LOOKING:
            seen = {place for kind, place in touched if kind == READ and place != address}
            self._scanned |= seen
            if is_opening:
                self._quick_scans += bool(seen)
            else:
                self._scans += bool(seen)
        if not is_opening:
            self._streams += any(
                kind in (DECREMENT, INCREMENT) and abs(self._signed_distance(place, address)) > self._site
                for kind, place in touched
            )

    def _note_write(self, address: int, cell: int, target: int) -> None:
        before = self._last_write.get(address)
        write = _Write(
            before.writer if before else cell,
            target,
            self._signed_distance(before.target, target) if before else None,
            ins.operation_of(self._mars.cell(target)),
        )
        self._last_write[address] = write
        self._writes.append(write)

    def _signed_distance(self, start: int, end: int) -> int:
        """Return the signed distance between two addresses, the shorter one around the core."""
        size = self._mars.size
        way = (end - start) % size
        return way if way <= size // 2 else way - size

    def sample_processes(self) -> _ProcessSample:
        mars = self._mars
        addresses = sorted(set(mars.processes(0)))
        sites, last = 0, -self._site
        for address in addresses:
            if address - last >= self._site and not _copies_itself(mars.cell(address)):
                sites += 1
                last = address
        return _ProcessSample(processes=mars.count(0), sites=sites)

    def stats(self, looks: Sequence[_ProcessSample]) -> BehaviourStats:
        mars = self._mars
        steady = max(self.instructions - self._opening, 1)
        writes = self._writes[self._steady_from :]
        left = [write for write in writes if write.target not in self._executed]
        bombs = [write for write in left if not write.is_near]
        clears = [write for write in left if write.is_near]
        length = len(mars.warriors[0].cells)
        parts = {address * 64 // mars.size for address in self._executed}
        return BehaviourStats(
            survived=mars.is_alive(0),
            cycles=-(-mars.executed // len(mars.warriors)),
            most_processes=max(look.processes for look in looks),
            last_processes=looks[-1].processes,
            homes=max(look.sites for look in looks),
            coverage=sum(cell != ins.EMPTY for cell in mars.core) / mars.size,
            travel=len(parts) / 64,
            imps=self._imps / steady,
            copies=(len(writes) - len(left)) / steady,
            bombs=len(bombs) / steady,
            clears=len(clears) / steady,
            scans=self._scans / steady,
            quick_scans=self._quick_scans / min(max(self.instructions, 1), max(self._opening, 1)),
            splits=self._splits / steady,
            streams=self._streams / steady,
            bombed=len({write.target for write in bombs}) / mars.size,
            cleared=len({write.target for write in clears}) / mars.size,
            scanned=len(self._scanned) / mars.size,
            bombed_with_jumps=_share(ins.JMP, bombs),
            left_splits=_share(ins.SPL, left),
            left_dats=_share(ins.DAT, left),
            pspace=self._pspace,
            own_executed=sum(
                (mars.positions[0] + index) % mars.size in self._executed for index in range(length)
            ),
            writers=_writers(self._writes),
        )


def _writers(writes: Sequence[_Write]) -> tuple[WritingInstruction, ...]:
    by_cell: dict[int, list[_Write]] = {}
    for write in writes:
        by_cell.setdefault(write.writer, []).append(write)
    writers = []
    for cell, written in by_cell.items():
        steps = Counter(write.step for write in written if write.step is not None)
        step, times = steps.most_common(1)[0] if steps else (0, 0)
        writers.append(
            WritingInstruction(
                cell=cell,
                writes=len(written),
                step=step,
                steadiness=times / max(steps.total(), 1),
                leaves=Counter(write.operation for write in written).most_common(1)[0][0],
            )
        )
    return tuple(sorted(writers, key=lambda writer: -writer.writes))


def _share(operation: int, writes: Sequence[_Write]) -> float:
    """Return the share of the writes that left this operation."""
    return sum(write.operation == operation for write in writes) / max(len(writes), 1)


def _copies_itself(cell: int) -> bool:
    """Return whether an instruction copies itself as a whole."""
    if ins.operation_of(cell) != ins.MOV or ins.modifier_of(cell) != ins.DOT_I:
        return False
    return ins.a_mode_of(cell) == ins.IMMEDIATE or (ins.a_mode_of(cell) == ins.DIRECT and ins.a_of(cell) == 0)


# -- From statistics to a style ----------------------------------------------------------------------

# The thresholds were chosen on 183 warriors of the '94 hills whose comments name their style: for 90 of 100 the main
# style is one that the author names. For 44 warriors of the '88 hill, which were not used for the choice, it is for
# 77 of 100.


def _switches(stats: BehaviourStats) -> bool:
    return stats.pspace > 0


def _is_imp(stats: BehaviourStats) -> bool:
    return stats.imps >= 0.02


def _is_paper(stats: BehaviourStats) -> bool:
    """Return whether the processes of a warrior run at many sites, which it has written itself."""
    return stats.homes >= 8 and stats.copies >= 0.02


def _is_vampire(stats: BehaviourStats) -> bool:
    """Return whether most bombs of a warrior are jumps; scanners that stun with SPL and JMP throw fewer of them."""
    return stats.bombs >= 0.05 and stats.bombed_with_jumps >= 0.6


def _scans(stats: BehaviourStats) -> bool:
    """Return whether a warrior scans more of the core than a quick scan does."""
    goes_on = stats.scans >= 0.01 or stats.quick_scans >= 0.3
    return stats.scanned >= (0.03 if goes_on else 0.06)


def _is_stone(stats: BehaviourStats) -> bool:
    return stats.bombs >= 0.05


def _clears(stats: BehaviourStats) -> bool:
    return stats.clears >= 0.1


def _scans_quickly(stats: BehaviourStats) -> bool:
    return stats.quick_scans >= 0.03 and not _scans(stats)


# In the order of how much a style says about a warrior: the first that is shown is the main one.
_SIGNS: Final[Sequence[tuple[Style, Callable[[BehaviourStats], bool]]]] = (
    (Style.SWITCHER, _switches),
    (Style.PAPER, _is_paper),
    (Style.VAMPIRE, _is_vampire),
    (Style.SCANNER, _scans),
    (Style.STONE, _is_stone),
    (Style.CLEAR, _clears),
    (Style.IMP, _is_imp),
    (Style.QUICK_SCAN, _scans_quickly),
)
