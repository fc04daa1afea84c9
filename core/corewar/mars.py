"""The MARS: it executes the instructions of the warriors, one of each in turn, until one is left.

The rules are those of the ICWS'94 draft as pMARS 0.9.2 reads them. An operand is followed to its end, with its
decrement and increment, A before B, and the two values of the cell it leads to are kept as they are then; the
operation computes with what was kept, and writes to the core as it is by now.
"""

from typing import Final, final

from mypy_extensions import i32, i64

from core.corewar import instruction as ins
from core.corewar.machine import MOST, MachineState
from core.corewar.rules import WRITE_SHIFT

DEAD: Final = -1  # in place of a process's next address


@final
class Mars(MachineState):
    """A core, the warriors in it, and the machine that executes them."""

    def run(self, ticks: i64) -> bool:
        """Execute at most so many instructions more; True when the round is over."""
        if self.over:
            return True
        called_off = self.executed + min(ticks, MOST)
        while not self.over and self.executed < called_off:
            notes = self.executed < self.touched_until
            until = min(called_off, self.touched_until) if notes else called_off
            if self.living == 2 and not notes:
                if self.rules.later:
                    self._run_two_later(until)
                else:
                    self._run_two(until)
            elif self.rules.later:
                self._run_any_later(until, notes)
            else:
                self._run_any(until, notes)
        return self.over

    def _run_two(self, until: i64) -> None:
        """_run() for two warriors, without notes, as before 0.9.4. The build puts a faster copy of its body here: see tools/mypyc_patches/specialise.py."""
        self._run(until, 2, False, False)

    def _run_two_later(self, until: i64) -> None:
        """_run() for two warriors, without notes, as since 0.9.4. The build puts a faster copy of its body here too."""
        self._run(until, 2, False, True)

    def _run_any(self, until: i64, notes: bool) -> None:
        """_run() for any number of warriors, as before 0.9.4. The build puts its body here, in which no instruction tests `later`."""
        self._run(until, self.living, notes, False)

    def _run_any_later(self, until: i64, notes: bool) -> None:
        """_run() for any number of warriors, as since 0.9.4. The build puts its body here too."""
        self._run(until, self.living, notes, True)

    def _run(self, until: i64, living: i64, notes: bool, later: bool) -> None:
        """Execute instructions until a tick, a warrior's death or the end of the round; note what is touched, or not.

        `later` is that of the rules. If it is set, each offset is looked up in `reach`, the table of the rules.

        The function is long because it is the whole machine: one turn of the loop is one instruction, and a call
        in it costs as much as half an instruction. Its parts, in order: fetch; A operand; B operand; the
        operations in groups; the queue and the death of a process; the turn. With two warriors left the end of
        the other one's queue stays in a local variable.
        """
        core, schedule = self.core, self.schedule
        size = i64(len(core))  # not self.size: so the compiler needs one register for both
        most: i64 = min(self.rules.processes, MOST // living) * living
        room = min(most, i64(len(schedule)) - living)
        reach = self.rules.reach
        tick = self.executed
        stop = min(until, self.last_tick)
        place = tick % living  # kept up to date with more than two only
        end = self.ends[place]
        other_end = self.ends[(tick + 1) % living]
        halves: i64  # said once: the build makes copies of what sets them
        zeros: i64
        near: i64 = 0
        far: i64 = 0
        while tick < stop:
            pc = i64(schedule[tick & (i64(len(schedule)) - 1)])
            cell = core[pc]
            code = cell & ins.CODE
            next_address = pc + 1
            if next_address == size:
                next_address = 0

            # The A operand leads to x and has the values of `source`. Sums are below 2 * size: instead of dividing
            # take size away, and give it back where that was too much. Under limits, `near` is the way to a pointer.
            mode = code & ins.A_MODE
            if mode == ins.DIRECT << ins.A_MODE_SHIFT:
                x = pc + ((cell >> ins.A_SHIFT) & ins.VALUE)
                if later:
                    x = pc + (reach[(cell >> ins.A_SHIFT) & ins.VALUE] & ins.VALUE)
                if x >= size:
                    x -= size
                source = core[x]
            elif mode == ins.IMMEDIATE << ins.A_MODE_SHIFT:
                x = pc
                source = cell
            else:
                at = pc + ((cell >> ins.A_SHIFT) & ins.VALUE)
                if later:
                    near = reach[(cell >> ins.A_SHIFT) & ins.VALUE]
                    near = (
                        near & ins.VALUE
                        if mode == ins.B_INDIRECT << ins.A_MODE_SHIFT
                        or mode == ins.A_INDIRECT << ins.A_MODE_SHIFT
                        else near >> WRITE_SHIFT
                    )
                    at = pc + near
                if at >= size:
                    at -= size
                pointer = core[at]
                if mode < ins.A_INDIRECT << ins.A_MODE_SHIFT:
                    value = pointer >> ins.B_SHIFT
                    if mode == ins.B_DECREMENT << ins.A_MODE_SHIFT:
                        value = (value if value else size) - 1
                        core[at] = (pointer & ins.NOT_B) | (value << ins.B_SHIFT)
                    x = at + value
                    if later:
                        x = pc + (reach[near + value] & ins.VALUE)
                    if x >= size:
                        x -= size
                    source = core[x]
                    if mode == ins.B_INCREMENT << ins.A_MODE_SHIFT:
                        core[at] = pointer + ins.ONE_B if value + 1 < size else pointer & ins.NOT_B
                else:
                    value = (pointer >> ins.A_SHIFT) & ins.VALUE
                    if mode == ins.A_DECREMENT << ins.A_MODE_SHIFT:
                        value = (value if value else size) - 1
                        core[at] = (pointer & ins.NOT_A) | (value << ins.A_SHIFT)
                    x = at + value
                    if later:
                        x = pc + (reach[near + value] & ins.VALUE)
                    if x >= size:
                        x -= size
                    source = core[x]
                    if mode == ins.A_INCREMENT << ins.A_MODE_SHIFT:
                        core[at] = pointer + ins.ONE_A if value + 1 < size else pointer & ins.NOT_A

            # The B operand leads to y and has the values of `target`. Under limits it reads what is found by the read
            # limit and writes to what is found by the write limit; a pointer that it changes is found by that too.
            mode = code & ins.B_MODE
            if mode == ins.DIRECT:
                y = pc + (cell >> ins.B_SHIFT)
                if later:
                    y = pc + (reach[cell >> ins.B_SHIFT] & ins.VALUE)
                if y >= size:
                    y -= size
                target = core[y]
                if later:
                    y = pc + (reach[cell >> ins.B_SHIFT] >> WRITE_SHIFT)
                    if y >= size:
                        y -= size
            elif mode == ins.IMMEDIATE:
                y = pc
                target = core[pc] if later else cell
            else:
                at = pc + (cell >> ins.B_SHIFT)
                if later:
                    near = reach[cell >> ins.B_SHIFT]
                    far = near >> WRITE_SHIFT
                    near = near & ins.VALUE if mode == ins.B_INDIRECT or mode == ins.A_INDIRECT else far
                    at = pc + near
                if at >= size:
                    at -= size
                pointer = core[at]
                if mode < ins.A_INDIRECT:
                    value = pointer >> ins.B_SHIFT
                    if mode == ins.B_DECREMENT:
                        value = (value if value else size) - 1
                        core[at] = (pointer & ins.NOT_B) | (value << ins.B_SHIFT)
                    y = at + value
                    if later:
                        y = pc + (reach[near + value] & ins.VALUE)
                    if y >= size:
                        y -= size
                    target = core[y]
                    if mode == ins.B_INCREMENT:
                        core[at] = pointer + ins.ONE_B if value + 1 < size else pointer & ins.NOT_B
                    if later:
                        y = pc + (reach[far + value] >> WRITE_SHIFT)
                        if y >= size:
                            y -= size
                else:
                    value = (pointer >> ins.A_SHIFT) & ins.VALUE
                    if mode == ins.A_DECREMENT:
                        value = (value if value else size) - 1
                        core[at] = (pointer & ins.NOT_A) | (value << ins.A_SHIFT)
                    y = at + value
                    if later:
                        y = pc + (reach[near + value] & ins.VALUE)
                    if y >= size:
                        y -= size
                    target = core[y]
                    if mode == ins.A_INCREMENT:
                        core[at] = pointer + ins.ONE_A if value + 1 < size else pointer & ins.NOT_A
                    if later:
                        y = pc + (reach[far + value] >> WRITE_SHIFT)
                        if y >= size:
                            y -= size

            operation = code >> ins.OPERATION_SHIFT
            modifier = (code >> ins.MODIFIER_SHIFT) & 7
            if operation == ins.MOV:
                if modifier == ins.DOT_I:
                    core[y] = source
                elif modifier == ins.DOT_B:
                    core[y] = (core[y] & ins.NOT_B) | (source & ins.B_VALUE)
                elif modifier == ins.DOT_AB:
                    core[y] = (core[y] & ins.NOT_B) | (((source >> ins.A_SHIFT) & ins.VALUE) << ins.B_SHIFT)
                elif modifier == ins.DOT_A:
                    core[y] = (core[y] & ins.NOT_A) | (source & ins.A_VALUE)
                elif modifier == ins.DOT_BA:
                    core[y] = (core[y] & ins.NOT_A) | ((source >> ins.B_SHIFT) << ins.A_SHIFT)
                elif modifier == ins.DOT_F:
                    core[y] = (core[y] & ins.CODE) | (source & ins.VALUES)
                else:
                    core[y] = (core[y] & ins.CODE) | _exchanged(source)
            elif operation >= ins.CMP:
                if operation == ins.SPL:
                    if end - tick >= room and room < most:
                        self._sync(tick, end, other_end)
                        self.grow_schedule()
                        schedule = self.schedule
                        room = min(most, i64(len(schedule)) - living)
                    if end - tick < room:
                        schedule[end & (i64(len(schedule)) - 1)] = i32(next_address)
                        end += living
                        next_address = x
                elif operation == ins.DAT:
                    next_address = DEAD
                elif operation == ins.JMP:
                    next_address = x
                elif operation == ins.SEQ or operation == ins.SNE or operation == ins.CMP:
                    same = source == target if modifier == ins.DOT_I else _is_same(modifier, source, target)
                    if same != (operation == ins.SNE):
                        next_address += 1
                        if next_address == size:
                            next_address = 0
                elif operation == ins.SLT:
                    if _is_lower(modifier, source, target):
                        next_address += 1
                        if next_address == size:
                            next_address = 0
                elif operation != ins.NOP:
                    seat = self.seats[tick % living]
                    half = (
                        ins.a_of(source)
                        if modifier == ins.DOT_A or modifier == ins.DOT_AB
                        else ins.b_of(source)
                    )
                    into_a = modifier == ins.DOT_A or modifier == ins.DOT_BA
                    if operation == ins.LDP:
                        value = self.pspaces.read(seat, half)
                        core[y] = (
                            (core[y] & ins.NOT_A) | (value << ins.A_SHIFT)
                            if into_a
                            else (core[y] & ins.NOT_B) | (value << ins.B_SHIFT)
                        )
                    else:
                        self.pspaces.write(seat, ins.a_of(target) if into_a else ins.b_of(target), half)
            elif operation == ins.DJN:
                word = core[y]
                if modifier == ins.DOT_B or modifier == ins.DOT_AB:
                    core[y] = (
                        word - ins.ONE_B if word >= ins.ONE_B else word + (size << ins.B_SHIFT) - ins.ONE_B
                    )
                    if target >> ins.B_SHIFT != 1:
                        next_address = x
                elif modifier == ins.DOT_A or modifier == ins.DOT_BA:
                    core[y] = (
                        word - ins.ONE_A if word & ins.A_VALUE else word + (size << ins.A_SHIFT) - ins.ONE_A
                    )
                    if target & ins.A_VALUE != ins.ONE_A:
                        next_address = x
                else:
                    word = word - ins.ONE_B if word >= ins.ONE_B else word + (size << ins.B_SHIFT) - ins.ONE_B
                    core[y] = (
                        word - ins.ONE_A if word & ins.A_VALUE else word + (size << ins.A_SHIFT) - ins.ONE_A
                    )
                    if target & ins.VALUES != ins.ONE_A + ins.ONE_B:
                        next_address = x
            elif operation >= ins.JMZ:
                if (target & _halves(modifier) == 0) == (operation == ins.JMZ):
                    next_address = x
            else:
                # ADD to MOD work on both values, whichever of them the modifier then lets through.
                if modifier == ins.DOT_F or modifier == ins.DOT_I:
                    halves = ins.VALUES
                else:
                    halves = _halves(modifier)
                    if modifier >= ins.DOT_AB:
                        source = _exchanged(source)
                a, b = (source >> ins.A_SHIFT) & ins.VALUE, source >> ins.B_SHIFT
                target_a, target_b = (target >> ins.A_SHIFT) & ins.VALUE, target >> ins.B_SHIFT
                if operation == ins.ADD:
                    a += target_a - size
                    a += size & (a >> 63)
                    b += target_b - size
                    b += size & (b >> 63)
                elif operation == ins.SUB:
                    a = target_a - a
                    a += size & (a >> 63)
                    b = target_b - b
                    b += size & (b >> 63)
                elif operation == ins.MUL:
                    a = target_a * a % size
                    b = target_b * b % size
                else:
                    # A division by zero kills and writes nothing; the other half is divided all the same.
                    zeros = 0
                    if a:
                        a = target_a // a if operation == ins.DIV else target_a % a
                    else:
                        zeros |= ins.A_VALUE
                    if b:
                        b = target_b // b if operation == ins.DIV else target_b % b
                    else:
                        zeros |= ins.B_VALUE
                    if zeros & halves:
                        next_address = DEAD
                        halves &= ~zeros
                core[y] = (core[y] & ~halves) | (((a << ins.A_SHIFT) | (b << ins.B_SHIFT)) & halves)

            if notes:
                self.note_touched(pc, cell, y)
            if next_address >= 0:
                schedule[end & (i64(len(schedule)) - 1)] = i32(next_address)
                end += living
            elif end == tick + living:
                self._sync(tick, end, other_end)
                self.eliminate()
                return
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

    def _sync(self, tick: i64, end: i64, other_end: i64) -> None:
        """Put back what the loop keeps in local variables."""
        self.executed = tick
        self.ends[tick % self.living] = end
        if self.living == 2:
            self.ends[(tick + 1) % 2] = other_end


# -- What is too rare to stand in the loop -----------------------------------------------------------


def _exchanged(cell: i64) -> i64:
    """Its A value as B value and its B value as A value."""
    return ((cell >> ins.B_SHIFT) << ins.A_SHIFT) | (((cell >> ins.A_SHIFT) & ins.VALUE) << ins.B_SHIFT)


def _is_same(modifier: i64, source: i64, target: i64) -> bool:
    """SEQ with all modifiers but .I."""
    if modifier == ins.DOT_AB or modifier == ins.DOT_BA or modifier == ins.DOT_X:
        source = _exchanged(source)
    return (source ^ target) & _halves(modifier) == 0


def _is_lower(modifier: i64, source: i64, target: i64) -> bool:
    if modifier == ins.DOT_AB or modifier == ins.DOT_BA or modifier == ins.DOT_X:
        source = _exchanged(source)
    halves = _halves(modifier)
    a_lower = source & ins.A_VALUE < target & ins.A_VALUE or halves == ins.B_VALUE
    b_lower = source & ins.B_VALUE < target & ins.B_VALUE or halves == ins.A_VALUE
    return a_lower and b_lower


def _halves(modifier: i64) -> i64:
    """The mask of the target's values that a modifier is about."""
    if modifier == ins.DOT_B or modifier == ins.DOT_AB:
        return ins.B_VALUE
    if modifier == ins.DOT_A or modifier == ins.DOT_BA:
        return ins.A_VALUE
    return ins.VALUES
