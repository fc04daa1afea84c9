"""The larger texts of a debugger: the registers, and help."""

from collections.abc import Sequence
from typing import Final

from protocols.cdb.fight import Fight

PSPACE_SHOWN: Final = 9  # cells after the first, whether there are so many or not


def registers_text(fight: Fight) -> str:
    """The warrior at the halt and, of two, the other one; of more, a line for each."""
    name = fight.mars.warriors[fight.seat].name
    text = [
        f"Round {fight.battle.round + 1:<3} of {fight.battle.rounds:<10} Cycle {fight.cycles_left}\n",
        f"Currently executing warrior {fight.seat}: {name:<30}\n",
        _processes_text(fight, fight.seat),
        _pspace_text(fight, fight.seat),
    ]
    if fight.warriors == 2:
        other = 1 - fight.seat
        text.append(f"Other warrior: {fight.mars.warriors[other].name:<30}\n")
        text.append(_processes_text(fight, other))
        text.append(_pspace_text(fight, other))
    elif fight.warriors > 2:
        for seat in range(fight.warriors):
            if seat != fight.seat:
                text.append(_warrior_text(fight, seat))
        text.append(f"{fight.mars.living} of {fight.warriors} warriors are alive\n")
    return "".join(text)


def help_text(*, has_host: bool, has_display: bool) -> Sequence[str]:
    """A line for each command that exists, and how to write ranges, expressions and macros."""
    exists = {"": True, "h": has_host, "-h": not has_host, "d": has_display, "-d": not has_display}
    return [f"{line}\n" for condition, line in _HELP if exists[condition]]


def _processes_text(fight: Fight, seat: int) -> str:
    """Some processes that were executed last, the one that is next, and some to come."""
    half = 7 if fight.mars.rules.size <= 10000 else 5
    count = fight.count(seat)
    is_other = seat != fight.seat
    is_long = count > 2 * half
    past, future = (
        (half, half) if is_long or (is_other and count == 2 * half) else (count // 2, -(-count // 2))
    )
    queue = fight.queue(seat)
    if is_other and queue:
        queue = queue[1:]
    shown = [".."] if is_long or (is_other and count == 2 * half) else []
    if past <= fight.ring_end(seat):  # a part that goes around the ring's end is lost in pMARS
        shown += map(str, queue[len(queue) - past :])
    if count or is_other:
        shown.append(f"[{fight.first(seat)}]->")
        shown += map(str, queue[: max(future - 1, 0)])
    text = "".join(f"{each} " for each in shown)
    return f"Processes active {count:<6} Process queue:\n{text}{'..' if is_long else ''}\n"


def _pspace_text(fight: Fight, seat: int) -> str:
    last, *cells = fight.mars.pspace(seat)[: PSPACE_SHOWN + 1]
    cells += [0] * (PSPACE_SHOWN - len(cells))
    return f"P-space[{fight.pspace_index(seat)}]: <{last}> {''.join(f'{cell} ' for cell in cells)}..\n"


def _warrior_text(fight: Fight, seat: int) -> str:
    count = fight.count(seat)
    return (
        f"Warrior {seat}: {fight.mars.warriors[seat].name} at address [{fight.first(seat)}]"
        f" has {count} active process{'' if count == 1 else 'es'}\n"
    )


# With what the command exists: h with a host, -h without one; d with a display, -d without one.
_HELP: Final = (
    ("", "Command groups:"),
    ("", "Executing:    continue execute  go       quit     skip     step     thread"),
    ("", "Listing:      list     search"),
    ("", "Tracing:      trace    untrace  moveable"),
    ("", "Editing:      edit     fill"),
    ("", "Information:  help     progress registers"),
    ("", "Macro:        calc     echo     if       macro    remark   reset"),
    ("-d", "Display:      clear"),
    ("d", "Display:      clear    display"),
    ("h", "Others:       pqueue   wqueue   pspace   shell    write"),
    ("-h", "Others:       pqueue   wqueue   pspace"),
    ("", ""),
    ("", "Command description, shortest abbreviation in ():"),
    ("", "(ca)lc expr1[,expr2]   calculate expression(s) and echo result(s)"),
    ("", "(cl)ear                clear cdb screen"),
    ("", "(c)ontinue *           exit cdb and finish simulation"),
    ("d", "(d)isplay              show the core"),
    ("d", "(d)isplay clear|on|off forget what was seen in the core, show it at each halt or not"),
    ("", "(ec)ho string          print string (for commenting macros)"),
    ("", "(e)dit [range]         edit core addresses"),
    ("", "(e(x))ecute [address]  reset process queue to [address] and step"),
    ("", "(f)ill [range]         fill core addresses with instruction"),
    ("", "(g)o *                 execute until next trace"),
    ("", "(h)elp                 show this command summary"),
    ("", "(if) expression        execute next command in chain if expression is not 0"),
    ("", "(l)ist [range]         list core addresses"),
    ("h", "(m)acro [name][,file]  execute macro [name] (from [file], [user]=keyboard)"),
    ("-h", "(m)acro [name][,user]  execute macro [name] ([user]: read macros from keyboard)"),
    ("", "(m)acro                list macros"),
    ("", "(mo)veable on|off      enable/disable copying debug info"),
    ("", "(pq)ueue [1|2|off]     enter/exit process queue debug mode"),
    ("", "(ps)pace [1|2|off]     enter/exit pspace debug mode"),
    ("", "(p)rogress             show result of simulation so far"),
    ("", "(q)uit                 quit program"),
    ("", "(r)egisters            show simulator state"),
    ("", "(rem)ark string        macro comment"),
    ("", "(res)et                terminate macro/command chain processing"),
    ("", "(se)arch pattern       search for wildcarded pattern in core"),
    ("h", "(sh)ell [command]      execute OS command"),
    ("", "(sk)ip [count]         execute [count] steps silently"),
    ("", "(s)tep *               execute next queued instruction"),
    ("", "(th)read *             step through current thread"),
    ("", "(t)race [range]        set trace of core addresses"),
    ("", "(u)ntrace [range]      clear trace of core addresses"),
    ("h", "(w)rite logfile        write all following output to logfile"),
    ("h", "(w)rite                close logfile"),
    ("", "(wq)ueue [off]         enter/exit warrior queue debug mode"),
    ("", "* [address]            set PC to [address], then continue|go|.."),
    ("", "range: { e | e,e | e, | ,e | , }"),
    ("", "    e: { [0-9]* | . | $ | A | B | PC | PC1 | PC2 | LINES |"),
    ("", "         +e | -e | e+e | e-e | e*e | e/e | e%e | !e | e==e | e!=e |"),
    ("", "         e<e | e>e | e<=e | e>=e | e&&e | e||e | [C-Z] | [C-Z]=e | (e) }"),
    ("", "macro definition: macro-name=command-chain"),
    ("", "command-chain: link[~link]*        link: command | !! | ![e]"),
    ("", "!!: loop start, ![e]: loop end, e: iterations"),
)
