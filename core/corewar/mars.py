"""The MARS: it executes the instructions of the warriors, one of each in turn, until one is left.

The rules are those of the ICWS'94 draft as pMARS 0.9.2 reads them. An operand is followed to its end, with its
decrement and increment, A before B, and the two values of the cell it leads to are kept as they are then; the
operation computes with what was kept, and writes to the core as it is by now.
"""

from typing import Final, final

from mypy_extensions import i64

from core.corewar.instruction import (
    A_DECREMENT,
    A_INCREMENT,
    A_INDIRECT,
    A_MODE,
    A_MODE_SHIFT,
    A_SHIFT,
    A_VALUE,
    ADD,
    B_DECREMENT,
    B_INCREMENT,
    B_MODE,
    B_SHIFT,
    B_VALUE,
    CMP,
    CODE,
    DAT,
    DIRECT,
    DIV,
    DJN,
    DOT_A,
    DOT_AB,
    DOT_B,
    DOT_BA,
    DOT_F,
    DOT_I,
    DOT_X,
    IMMEDIATE,
    JMP,
    JMZ,
    LDP,
    MODIFIER_SHIFT,
    MOV,
    MUL,
    NOP,
    NOT_A,
    NOT_B,
    ONE_A,
    ONE_B,
    OPERATION_SHIFT,
    SEQ,
    SLT,
    SNE,
    SPL,
    SUB,
    VALUE,
    VALUES,
    a_of,
    b_of,
)  # fmt: skip
from core.corewar.rounds import MOST, Rounds

DEAD: Final = -1  # in place of a process's next address


@final
class Mars(Rounds):
    """A core, the warriors in it, and the machine that executes them."""

    def run(self, ticks: i64) -> bool:
        """Execute at most so many instructions more; True when the round is over.

        The function is long because it is the whole machine: one turn of the loop is one instruction, and a call
        in it costs as much as half an instruction. Its parts, in order: fetch; A operand; B operand; the
        operations in groups; the queue and the death of a process; the turn. With two warriors left the end of
        the other one's queue stays in a local variable.
        """
        if self.over:
            return True
        if self.rules.read_limit < self.rules.size or self.rules.write_limit < self.rules.size:
            from core.corewar.limited import run_limited  # which is made of Mars

            return run_limited(self, ticks)
        core, schedule = self.core, self.schedule
        size = self.size
        last = size - 1
        early = self.early
        living = self.living
        mask = i64(len(schedule)) - 1
        most: i64 = min(self.rules.processes, MOST // living) * living
        room = min(most, mask + 1 - living)
        tick = self.executed
        called_off = tick + min(ticks, MOST)  # when this call ends
        stop = min(called_off, self.last_tick)
        place = tick % living  # kept up to date with more than two only
        end = self.ends[place]
        other_end = self.ends[(tick + 1) % living]
        while tick < stop:
            pc = schedule[tick & mask]
            cell = core[pc]
            follower = pc + 1
            if follower == size:
                follower = 0

            # The A operand leads to x and has the values of `source`. Sums are below 2 * size: instead of dividing
            # take size away, and give it back where that was too much.
            mode = cell & A_MODE
            if mode == DIRECT << A_MODE_SHIFT:
                x = pc + ((cell >> A_SHIFT) & VALUE)
                if x >= size:
                    x -= size
                source = core[x]
            elif mode == IMMEDIATE << A_MODE_SHIFT:
                x = pc
                source = cell
            else:
                at = pc + ((cell >> A_SHIFT) & VALUE)
                if at >= size:
                    at -= size
                pointer = core[at]
                if mode < A_INDIRECT << A_MODE_SHIFT:
                    value = pointer >> B_SHIFT
                    if mode == B_DECREMENT << A_MODE_SHIFT:
                        value = value - 1 if value else last
                        core[at] = (pointer & NOT_B) | (value << B_SHIFT)
                    x = at + value
                    if x >= size:
                        x -= size
                    source = core[x]
                    if mode == B_INCREMENT << A_MODE_SHIFT:
                        core[at] = pointer + ONE_B if value < last else pointer & NOT_B
                else:
                    value = (pointer >> A_SHIFT) & VALUE
                    if mode == A_DECREMENT << A_MODE_SHIFT:
                        value = value - 1 if value else last
                        core[at] = (pointer & NOT_A) | (value << A_SHIFT)
                    x = at + value
                    if x >= size:
                        x -= size
                    source = core[x]
                    if mode == A_INCREMENT << A_MODE_SHIFT:
                        core[at] = pointer + ONE_A if value < last else pointer & NOT_A

            # The B operand leads to y and has the values of `target`.
            mode = cell & B_MODE
            if mode == DIRECT:
                y = pc + (cell >> B_SHIFT)
                if y >= size:
                    y -= size
                target = core[y]
            elif mode == IMMEDIATE:
                y = pc
                target = cell
            else:
                at = pc + (cell >> B_SHIFT)
                if at >= size:
                    at -= size
                pointer = core[at]
                if mode < A_INDIRECT:
                    value = pointer >> B_SHIFT
                    if mode == B_DECREMENT:
                        value = value - 1 if value else last
                        core[at] = (pointer & NOT_B) | (value << B_SHIFT)
                    y = at + value
                    if y >= size:
                        y -= size
                    target = core[y]
                    if mode == B_INCREMENT:
                        core[at] = pointer + ONE_B if value < last else pointer & NOT_B
                else:
                    value = (pointer >> A_SHIFT) & VALUE
                    if mode == A_DECREMENT:
                        value = value - 1 if value else last
                        core[at] = (pointer & NOT_A) | (value << A_SHIFT)
                    y = at + value
                    if y >= size:
                        y -= size
                    target = core[y]
                    if mode == A_INCREMENT:
                        core[at] = pointer + ONE_A if value < last else pointer & NOT_A

            operation = (cell >> OPERATION_SHIFT) & 31
            modifier = (cell >> MODIFIER_SHIFT) & 7
            if operation == MOV:
                if modifier == DOT_I:
                    core[y] = source
                elif modifier == DOT_B:
                    core[y] = (core[y] & NOT_B) | (source & B_VALUE)
                elif modifier == DOT_AB:
                    core[y] = (core[y] & NOT_B) | (((source >> A_SHIFT) & VALUE) << B_SHIFT)
                elif modifier == DOT_A:
                    core[y] = (core[y] & NOT_A) | (source & A_VALUE)
                elif modifier == DOT_BA:
                    core[y] = (core[y] & NOT_A) | ((source >> B_SHIFT) << A_SHIFT)
                elif modifier == DOT_F:
                    core[y] = (core[y] & CODE) | (source & VALUES)
                else:
                    core[y] = (core[y] & CODE) | _exchanged(source)
            elif operation >= CMP:
                if operation == SPL:
                    if end - tick >= room and room < most:
                        self._sync(tick, end, other_end)
                        self.lengthen()
                        schedule = self.schedule
                        mask = i64(len(schedule)) - 1
                        room = min(most, mask + 1 - living)
                    if end - tick < room:
                        schedule[end & mask] = follower
                        end += living
                        follower = x
                elif operation == DAT:
                    follower = DEAD
                elif operation == JMP:
                    follower = x
                elif operation == SEQ or operation == SNE or operation == CMP:
                    same = source == target if modifier == DOT_I else _is_same(modifier, source, target)
                    if same != (operation == SNE):
                        follower += 1
                        if follower == size:
                            follower = 0
                elif operation == SLT:
                    if _is_lower(modifier, source, target):
                        follower += 1
                        if follower == size:
                            follower = 0
                elif operation != NOP:
                    seat = self.seats[tick % living]
                    half = a_of(source) if modifier == DOT_A or modifier == DOT_AB else b_of(source)
                    into_a = modifier == DOT_A or modifier == DOT_BA
                    if operation == LDP:
                        value = self.pspaces.recall(seat, half)
                        core[y] = (
                            (core[y] & NOT_A) | (value << A_SHIFT)
                            if into_a
                            else (core[y] & NOT_B) | (value << B_SHIFT)
                        )
                    else:
                        self.pspaces.remember(seat, a_of(target) if into_a else b_of(target), half)
            elif operation == DJN:
                word = core[y]
                if modifier == DOT_B or modifier == DOT_AB:
                    core[y] = word - ONE_B if word >= ONE_B else word | (last << B_SHIFT)
                    if target >> B_SHIFT != 1:
                        follower = x
                elif modifier == DOT_A or modifier == DOT_BA:
                    core[y] = word - ONE_A if word & A_VALUE else word | (last << A_SHIFT)
                    if target & A_VALUE != ONE_A:
                        follower = x
                else:
                    word = word - ONE_B if word >= ONE_B else word | (last << B_SHIFT)
                    core[y] = word - ONE_A if word & A_VALUE else word | (last << A_SHIFT)
                    if target & VALUES != ONE_A + ONE_B:
                        follower = x
            elif operation >= JMZ:
                if (target & _halves(modifier) == 0) == (operation == JMZ):
                    follower = x
            else:
                # ADD to MOD work on both values, whichever of them the modifier then lets through.
                if modifier == DOT_F or modifier == DOT_I:
                    halves = i64(VALUES)
                else:
                    halves = _halves(modifier)
                    if modifier >= DOT_AB:
                        source = _exchanged(source)
                a, b = (source >> A_SHIFT) & VALUE, source >> B_SHIFT
                target_a, target_b = (target >> A_SHIFT) & VALUE, target >> B_SHIFT
                if operation == ADD:
                    a += target_a - size
                    a += size & (a >> 63)
                    b += target_b - size
                    b += size & (b >> 63)
                elif operation == SUB:
                    a = target_a - a
                    a += size & (a >> 63)
                    b = target_b - b
                    b += size & (b >> 63)
                elif operation == MUL:
                    a = target_a * a % size
                    b = target_b * b % size
                else:
                    # A division by zero kills and writes nothing; the other half is divided all the same.
                    zeros: i64 = 0
                    if a:
                        a = target_a // a if operation == DIV else target_a % a
                    else:
                        zeros |= A_VALUE
                    if b:
                        b = target_b // b if operation == DIV else target_b % b
                    else:
                        zeros |= B_VALUE
                    if zeros & halves:
                        follower = DEAD
                        halves &= ~zeros
                core[y] = (core[y] & ~halves) | (((a << A_SHIFT) | (b << B_SHIFT)) & halves)

            if tick < early:
                self.mark(pc, cell, y)
            if follower >= 0:
                schedule[end & mask] = follower
                end += living
            elif end == tick + living:
                self._sync(tick, end, other_end)
                self.fall()
                if self.over:
                    return True
                tick += 1
                living = self.living
                most = min(self.rules.processes, MOST // living) * living
                room = min(most, mask + 1 - living)
                stop = min(called_off, self.last_tick)
                place = tick % living
                end = self.ends[place]
                other_end = self.ends[(tick + 1) % living]
                continue
            tick += 1
            if living == 2:
                end, other_end = other_end, end
            else:
                self.ends[place] = end
                place += 1
                if place == living:
                    place = 0
                end = self.ends[place]
        self._sync(tick, end, other_end)
        if tick >= self.last_tick:
            self.end()
        return self.over

    def _sync(self, tick: i64, end: i64, other_end: i64) -> None:
        """Put back what the loop keeps in local variables."""
        self.executed = tick
        self.ends[tick % self.living] = end
        if self.living == 2:
            self.ends[(tick + 1) % 2] = other_end


# -- What is too rare to stand in the loop -----------------------------------------------------------


def _exchanged(cell: i64) -> i64:
    """Its A value as B value and its B value as A value."""
    return ((cell >> B_SHIFT) << A_SHIFT) | (((cell >> A_SHIFT) & VALUE) << B_SHIFT)


def _is_same(modifier: i64, source: i64, target: i64) -> bool:
    """SEQ with all modifiers but .I."""
    if modifier == DOT_AB or modifier == DOT_BA or modifier == DOT_X:
        source = _exchanged(source)
    return (source ^ target) & _halves(modifier) == 0


def _is_lower(modifier: i64, source: i64, target: i64) -> bool:
    if modifier == DOT_AB or modifier == DOT_BA or modifier == DOT_X:
        source = _exchanged(source)
    halves = _halves(modifier)
    a_lower = source & A_VALUE < target & A_VALUE or halves == B_VALUE
    b_lower = source & B_VALUE < target & B_VALUE or halves == A_VALUE
    return a_lower and b_lower


def _halves(modifier: i64) -> i64:
    """The mask of the target's values that a modifier is about."""
    if modifier == DOT_B or modifier == DOT_AB:
        return B_VALUE
    if modifier == DOT_A or modifier == DOT_BA:
        return A_VALUE
    return VALUES
