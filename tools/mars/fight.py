"""A fight as a command line asks for it: warriors assembled and listed, rounds fought, results printed."""

import time
from collections.abc import Sequence
from typing import Final

from core.corewar.battle import Battle
from core.corewar.placement import Placement, checksum, fixed, seeded
from core.corewar.redcode.expression import Registers
from core.corewar.rules import Rules
from core.corewar.warrior import Warrior
from tools.mars.command_line.options import Options
from tools.mars.results import (
    Formula,
    Standing,
    by_score,
    exit_status,
    koth_text,
    nothing_yet,
    results_text,
    standings_of,
)
from tools.mars.roster import Entry, load, loaded, pspaces
from tools.mars.streams import Text, say

FOUGHT, UNREADABLE, QUIT, INTERRUPTED, NO_MEMORY = 0, 3, 4, 130, 254
SLICE: Final = 4_000_000  # instructions, some 40 ms: so long does Ctrl-C wait


def fight(options: Options, standard_input: Text) -> int:
    """Do what the options ask and print what there is to say; the exit status."""
    try:
        rules = _rules(options)
    except ValueError:  # the options fit together: it is too large
        say("Out of memory\n", error=True)
        return NO_MEMORY
    formula = options.score_formula()
    entries = _loaded(options, rules, standard_input, formula.registers)
    warriors = loaded(entries)
    is_complete = len(warriors) == len(options.files)
    battle = None
    status = FOUGHT if is_complete else UNREADABLE
    if is_complete and options.rounds and not options.load_file:
        battle = Battle(rules, warriors, options.rounds, _placement(options, rules, entries))
        status = _fought(options, battle, entries, standard_input, formula)
    standings = _standings(options, warriors, battle, formula)
    if options.json:
        from tools.mars.report import report

        say(report(options, rules, entries, battle, standings, status))
    elif battle and status != QUIT:
        text = koth_text(standings) if options.koth else _results(options, standings)
        say(text, error=status == INTERRUPTED)
    if status == INTERRUPTED or options.information is None:
        return status
    spaces = pspaces(warriors) + (not is_complete)
    return exit_status(options.information, options.version, standings, _ranking(options, standings), spaces)


def _rules(options: Options) -> Rules:
    return Rules(
        size=options.core_size,
        cycles=options.cycles,
        processes=options.processes,
        length=options.length,
        distance=options.distance,
        pspace=options.pspace,
        read_limit=options.read_limit,
        write_limit=options.write_limit,
    )


def _loaded(options: Options, rules: Rules, standard_input: Text, registers: Registers) -> list[Entry]:
    """The warriors, each with its messages and its listing as soon as it is assembled."""
    entries = []
    for entry in load(options, rules, standard_input, registers):
        entries.append(entry)
        say(entry.complaints, error=True)
        if options.verbose:
            say(entry.summary(), error=True)
        if not options.brief and not options.json:
            say(entry.listing)
    return entries


def _placement(options: Options, rules: Rules, entries: Sequence[Entry]) -> Placement:
    count = len(entries)
    if options.fixed_place:
        return fixed(rules, count, options.fixed_place, options.permute)
    number = int(time.time())
    if options.fixed_series:  # over instructions only: an empty warrior adds nothing
        assembled = (entry.assembly and entry.assembly.warrior for entry in entries)
        number = checksum([warrior for warrior in assembled if warrior])
    return seeded(rules, count, number, options.permute)


def _fought(
    options: Options, battle: Battle, entries: Sequence[Entry], standard_input: Text, formula: Formula
) -> int:
    """Fight all rounds, debugged or watched or neither; the exit status."""

    def progress() -> str:
        return _results(options, _standings(options, battle.warriors, battle, formula))

    try:
        if _is_debugged(options, entries, standard_input):
            from tools.mars.screen.debug import debug

            return debug(options, battle, entries, standard_input, progress)
        if options.core_view and not options.json:
            from tools.mars.screen.core_view import view

            view(battle)
        while not battle.run(SLICE):
            pass
    except KeyboardInterrupt:
        say(f"\nInterrupted in round {battle.round + 1} of {battle.rounds}; before it:\n", error=True)
        return INTERRUPTED
    return FOUGHT


def _is_debugged(options: Options, entries: Sequence[Entry], standard_input: Text) -> bool:
    """Whether the debugger is asked for, by -e or in a warrior's text, and there is input for it.

    Scripts give -e to the server variant of pMARS, which has no debugger, and no input. For -k, which is for
    scripts too, a stranger's ;break is no reason to wait for input.
    """
    assemblies = [entry.assembly for entry in entries if entry.assembly]
    is_marked = any(assembly.marks.enter or assembly.traced for assembly in assemblies) and not options.koth
    return (options.debug or is_marked) and not options.json and not standard_input.is_at_end()


def _standings(
    options: Options, warriors: Sequence[Warrior], battle: Battle | None, formula: Formula
) -> list[Standing]:
    """How every named warrior stands; one that was not assembled has no name."""
    names = [(warrior.name, warrior.author) for warrior in warriors]
    names += [("", "")] * (len(options.files) - len(names))
    return standings_of(names, battle.results if battle else nothing_yet(len(names)), formula)


def _ranking(options: Options, standings: Sequence[Standing]) -> Sequence[int]:
    return by_score(standings) if options.sort else range(len(standings))


def _results(options: Options, standings: Sequence[Standing]) -> str:
    return results_text([standings[seat] for seat in _ranking(options, standings)])
