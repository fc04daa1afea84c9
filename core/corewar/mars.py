"""The MARS: the machine that executes the warriors' instructions in turn until one warrior is left or time is up.

Rules. The rules are those of the ICWS'94 draft as pMARS 0.9.2 implements them. An instruction is fetched from the
core. Its A operand is evaluated completely, with decrement and increment, and then its B operand. The two values of
the cell that an operand leads to are captured at that moment. The operation computes with the captured values, and
writes to the core as it is by then. In the rules of pMARS 0.9.4 (`rules.later`) an immediate B operand has the values
that its cell holds after the A operand, and read and write limits may fold an offset back towards its instruction.

State. core.corewar.machine holds everything that outlives a call: the core, the schedule, which is the queues of all
living warriors in one ring of addresses by tick, and the end of each queue. A round runs from begin() until `over`:
when a death leaves fewer than two warriors, or at `last_tick`, which a death brings closer. run() stops after any
number of instructions and continues there, so debuggers, displays and battles share this machine. The loop keeps the
tick and the ends of queues in local variables; _sync() puts them back before anything else may read them. The loop
never changes the length of the schedule: run() lets it grow (make_room()), and the loop ends as soon as a queue needs
a longer one.

Invariants. The values of a cell are 0 to size - 1, so the sum of two is below 2 * size: an address is wrapped by
taking the size away once, never by a division. Under limits an offset is looked up in `rules.reach`, for sums too. A
queue is never empty: the warrior that loses its last process leaves the schedule at once (eliminate()). While `notes`
is set, the first rules.size // 16 ticks of a round, the touched blocks of the core are noted, so that the next round
after a short one resets only these.

Speed. All of the machine is one function, _run(): a call in its loop costs as much as half an instruction. It is
written once, for any number of warriors and both sets of rules. The build makes copies of it with constants for some
parameters. In the copies for two warriors, which replace the bodies of _run_two() and _run_two_later(), the commonest
instructions have bodies of their own, an address is looked up while the instruction before is executed, and the body
is found by a jump on the code of the instruction (tools/mypyc_patches). The copies were 1.6 times as fast as the
plain loop, and twice as fast as pMARS; with turns of both warriors in one pass of the loop they are 1.12 times as
fast again. With 56 instead of 72 instructions of the processor for one of Redcode, papers of a late phase of seed are
1.18 to 1.2 times as fast again, and fights of hand-made warriors 1.07 times. One schedule in place of a queue for
each warrior made the machine a fifth faster, and short rounds twice as fast. Divisions under limits, before there was
a table, made an instruction take up to 3.6 times as long as without limits; with the table it takes 1.1 to 1.4 times
as long.

Tests compare this machine with core.corewar.interpreter, which is slower and works an instruction out step by step,
and its battles with those of pMARS.
"""

from typing import Final, final

from mypy_extensions import i32, i64

from core.corewar import instruction as ins
from core.corewar.machine import MAX_NUMBER, MachineState
from core.corewar.rules import WRITE_SHIFT

DEAD: Final = -1  # the next address of a process that dies


@final
class Mars(MachineState):
    """A core with warriors, and the machine that executes them."""

    def run(self, ticks: i64) -> bool:
        """Execute at most `ticks` more instructions, and return whether the round is over."""
        if self.over:
            return True
        called_off = self.executed + min(ticks, MAX_NUMBER)
        while not self.over and self.executed < called_off:
            notes = self.executed < self.touched_until
            until = min(called_off, self.touched_until) if notes else called_off
            self.make_room()
            # The copies for two warriors leave the last instruction of an odd number to the loop for any.
            if self.living == 2 and not notes and min(until, self.last_tick) - self.executed >= 2:
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
        """Run _run() for two warriors, without notes, by the rules before pMARS 0.9.4.

        The build puts a faster copy of the body of _run() here, which executes an even number of instructions: see
        tools/mypyc_patches/specialise.py.
        """
        self._run(until, 2, False, False)

    def _run_two_later(self, until: i64) -> None:
        """Run _run() for two warriors, without notes, by the rules since pMARS 0.9.4.

        The build puts a faster copy of the body of _run() here.
        """
        self._run(until, 2, False, True)

    def _run_any(self, until: i64, notes: bool) -> None:
        """Run _run() for any number of warriors, by the rules before pMARS 0.9.4.

        The build puts the body of _run() here, without the tests of `later`.
        """
        self._run(until, self.living, notes, False)

    def _run_any_later(self, until: i64, notes: bool) -> None:
        """Run _run() for any number of warriors, by the rules since pMARS 0.9.4.

        The build puts the body of _run() here, without the tests of `later`.
        """
        self._run(until, self.living, notes, True)

    def _run(self, until: i64, living: i64, notes: bool, later: bool) -> None:
        """Execute instructions until the tick `until`, a warrior's death or the end of the round.

        With `notes`, the touched blocks of the core are noted. `later` is that of the rules; if it is set, each
        offset is looked up in `reach`, the table of the rules. Each pass of the loop executes one instruction. Its
        parts, in order: fetch; A operand; B operand; the operations in groups; the queue and the death of a process;
        the turn. With two warriors left the end of the other warrior's queue stays in a local variable. An address is
        wrapped by way of `over`, and not by a comparison with `size`, since a processor's subtraction also tells the
        sign of its result.
        """
        core, schedule = self.core, self.schedule
        size = i64(len(core))  # not self.size: the compiler then needs one register for size and length
        most: i64 = min(self.rules.processes, MAX_NUMBER // living) * living
        room = i64(len(schedule)) - living
        if room >= most:
            room = MAX_NUMBER  # the schedule is long enough for all processes
        reach = self.rules.reach
        tick = self.executed
        stop = min(until, self.last_tick)
        place = tick % living  # kept up to date only with more than two warriors
        end = self.ends[place]
        other_end = self.ends[(tick + 1) % living]
        halves: i64  # declared once, since the build copies the statements that set these variables
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

            # The A operand leads to x and has the values of `source`. Under limits, `near` is the offset to a pointer
            # by the limit that applies: the read limit, or the write limit if the pointer is changed.
            mode = code & ins.A_MODE
            if mode == ins.DIRECT << ins.A_MODE_SHIFT:
                x = pc + ((cell >> ins.A_SHIFT) & ins.VALUE)
                if later:
                    x = pc + (reach[(cell >> ins.A_SHIFT) & ins.VALUE] & ins.VALUE)
                over = x - size
                if over >= 0:
                    x = over
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
                over = at - size
                if over >= 0:
                    at = over
                pointer = core[at]
                if mode < ins.A_INDIRECT << ins.A_MODE_SHIFT:
                    value = pointer >> ins.B_SHIFT
                    if mode == ins.B_DECREMENT << ins.A_MODE_SHIFT:
                        pointer -= ins.ONE_B
                        if pointer < 0:
                            pointer += size << ins.B_SHIFT
                        core[at] = pointer
                        value = pointer >> ins.B_SHIFT
                    x = at + value
                    if later:
                        x = pc + (reach[near + value] & ins.VALUE)
                    over = x - size
                    if over >= 0:
                        x = over
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
                    over = x - size
                    if over >= 0:
                        x = over
                    source = core[x]
                    if mode == ins.A_INCREMENT << ins.A_MODE_SHIFT:
                        core[at] = pointer + ins.ONE_A if value + 1 < size else pointer & ins.NOT_A

            # The B operand leads to y and has the values of `target`. Under limits, the read limit decides which cell
            # is read, and the write limit which cell is written to and which pointer is changed.
            mode = code & ins.B_MODE
            if mode == ins.DIRECT:
                y = pc + (cell >> ins.B_SHIFT)
                if later:
                    y = pc + (reach[cell >> ins.B_SHIFT] & ins.VALUE)
                over = y - size
                if over >= 0:
                    y = over
                target = core[y]
                if later:
                    y = pc + (reach[cell >> ins.B_SHIFT] >> WRITE_SHIFT)
                    over = y - size
                    if over >= 0:
                        y = over
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
                over = at - size
                if over >= 0:
                    at = over
                pointer = core[at]
                if mode < ins.A_INDIRECT:
                    value = pointer >> ins.B_SHIFT
                    if mode == ins.B_DECREMENT:
                        pointer -= ins.ONE_B
                        if pointer < 0:
                            pointer += size << ins.B_SHIFT
                        core[at] = pointer
                        value = pointer >> ins.B_SHIFT
                    y = at + value
                    if later:
                        y = pc + (reach[near + value] & ins.VALUE)
                    over = y - size
                    if over >= 0:
                        y = over
                    target = core[y]
                    if mode == ins.B_INCREMENT:
                        core[at] = pointer + ins.ONE_B if value + 1 < size else pointer & ins.NOT_B
                    if later:
                        y = pc + (reach[far + value] >> WRITE_SHIFT)
                        over = y - size
                        if over >= 0:
                            y = over
                else:
                    value = (pointer >> ins.A_SHIFT) & ins.VALUE
                    if mode == ins.A_DECREMENT:
                        value = (value if value else size) - 1
                        core[at] = (pointer & ins.NOT_A) | (value << ins.A_SHIFT)
                    y = at + value
                    if later:
                        y = pc + (reach[near + value] & ins.VALUE)
                    over = y - size
                    if over >= 0:
                        y = over
                    target = core[y]
                    if mode == ins.A_INCREMENT:
                        core[at] = pointer + ins.ONE_A if value + 1 < size else pointer & ins.NOT_A
                    if later:
                        y = pc + (reach[far + value] >> WRITE_SHIFT)
                        over = y - size
                        if over >= 0:
                            y = over

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
                    if end - tick < most:
                        schedule[end & (i64(len(schedule)) - 1)] = i32(next_address)
                        end += living
                        next_address = x
                        if end - tick >= room:
                            stop = tick  # leave the loop after this turn, since the schedule has to grow
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
                # ADD to MOD compute both values, and `halves` selects those that the modifier lets them write.
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
        """Store the local variables of the loop in the machine."""
        self.executed = tick
        self.ends[tick % self.living] = end
        if self.living == 2:
            self.ends[(tick + 1) % 2] = other_end


# -- Parts of rare instructions, outside the loop ----------------------------------------------------


def _exchanged(cell: i64) -> i64:
    """Return a cell whose A value is the B value of `cell`, whose B value is its A value, and whose code is 0."""
    return ((cell >> ins.B_SHIFT) << ins.A_SHIFT) | (((cell >> ins.A_SHIFT) & ins.VALUE) << ins.B_SHIFT)


def _is_same(modifier: i64, source: i64, target: i64) -> bool:
    """Return whether SEQ finds two cells equal, with any modifier except .I."""
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
    """Return the mask of the target's values that a modifier selects."""
    if modifier == ins.DOT_B or modifier == ins.DOT_AB:
        return ins.B_VALUE
    if modifier == ins.DOT_A or modifier == ins.DOT_BA:
        return ins.A_VALUE
    return ins.VALUES
