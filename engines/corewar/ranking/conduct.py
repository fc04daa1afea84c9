"""Conduct: what a warrior was seen to do while it ran, in numbers: copies, bombs, clears, scans, processes, places."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Writer:
    """An instruction that writes to the core, wherever its copies stand."""

    cell: int  # as it was when it was first seen
    writes: int
    step: int  # the usual way from one target to the next; 0 if it writes to the same cell, or wrote once
    steadiness: float  # share of its ways that are the usual one
    leaves: int  # the operation that most of its targets have then


@dataclass(frozen=True, slots=True, kw_only=True)
class Conduct:
    """Of a warrior in a round. Shares are of the watched instructions after the opening, unless said otherwise."""

    survived: bool
    cycles: int  # own instructions until its death or the end of time
    most_processes: int  # at any look
    last_processes: int
    homes: int  # places, most at any look, far from each other, where its processes run that are no imps
    coverage: float  # share of the core that is not as it was before the warrior came, at the end
    travel: float  # share of the core, in 64 parts, in which it was seen to execute something
    imps: float  # share: instructions that copy themselves
    copies: float  # share: cells written that it executed later
    bombs: float  # share: cells written far from what the same instruction wrote before, and left there
    clears: float  # share: cells written next to what the same instruction wrote before
    scans: float  # share: comparisons and tests of cells it does not write
    quick_scans: float  # the same share of the opening
    splits: float  # share: SPL
    streams: float  # share: pointers decremented or incremented far from the instruction
    bombed: float  # share of the core hit by bombs
    cleared: float  # share of the core written in clears
    scanned: float  # share of the core that was compared or tested, opening included
    bombed_with_jumps: float  # share of the bombs
    left_splits: float  # share of bombs and clears: SPL
    left_dats: float  # share of bombs and clears: DAT
    pspace: int  # LDP and STP executed, opening included
    own_executed: int  # of its cells, those that were executed where they were loaded
    writers: tuple[Writer, ...]  # the most active first, opening included
