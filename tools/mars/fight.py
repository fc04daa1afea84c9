"""The roster: the warriors that a command line names, read and assembled, with what is printed about each."""

import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from core.corewar.battle import Battle, StartPositions, checksum, fixed, seeded
from core.corewar.expression import Evaluator, Registers, evaluate
from core.corewar.instruction import EMPTY
from core.corewar.rules import Rules
from core.corewar.warrior import Warrior
from engines.corewar.battles import with_shared_pspace
from protocols.redcode.assemble import Assembly, assemble
from protocols.redcode.dialect import Dialect, Limits
from protocols.redcode.listing import listing
from protocols.redcode.messages import Message, messages_text
from tools.mars.cli import Options
from tools.mars.streams import Text, native, say

LARGEST: Final = 1 << 24  # bytes of a file; pMARS reads what it is given, /dev/zero for ever
LIMITS: Final = Limits(characters=1 << 20, expression_depth=200, labels=5_000, steps=200_000)


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A warrior, or why there is none; an empty file name is standard input."""

    file: str
    assembly: Assembly | None  # None: there was no text
    complaints: str
    listing: str

    @property
    def is_ready(self) -> bool:
        return self.assembly is not None and self.assembly.ok

    def summary(self) -> str:
        """A line about how the assembly went."""
        source = self.file or "standard input"
        if self.assembly is None or not self.assembly.ok:
            return f"{source} has no warrior\n"
        assembly = self.assembly
        pin = "" if assembly.pin is None else f", PIN {assembly.pin}"
        size = f"{len(assembly.cells)} instructions, the first to execute is number {assembly.start + 1}{pin}"
        return f"{source} has {assembly.name}: {size}\n"


def load(options: Options, rules: Rules, standard_input: Text, registers: Registers) -> Iterator[Entry]:
    """The warriors in order, up to the first that cannot be read or assembled.

    Several follow each other on standard input, divided by ;redcode lines.
    """
    dialect = dialect_of(options)
    begun = False
    for file in options.files:
        try:
            text = _file_text(file) if file else _rest_of(standard_input)
        except _SourceError as error:
            yield Entry(file=file, assembly=None, complaints=f"Error:\n        {error}\n", listing="")
            return
        assembly = assemble(
            text,
            rules,
            dialect,
            warriors=len(options.files),
            rounds=options.rounds,
            registers=registers,
            begun=begun and not file,
        )
        if not file:
            begun = True
            standard_input.put_back(assembly.rest)
        yield Entry(
            file=file,
            assembly=assembly,
            complaints=messages_text(assembly.messages),
            listing=_listing(assembly, rules, options) if assembly.ok else "",
        )
        if not assembly.ok:
            return


def dialect_of(options: Options) -> Dialect:
    """How texts are read, those of files and those that are typed at the debugger."""
    return Dialect(
        icws88=options.icws88,
        evaluator=options.evaluator,
        debugger=True,
        version=options.version,
        limits=LIMITS,
    )


def loaded(entries: Sequence[Entry]) -> list[Warrior]:
    """The warriors as pMARS loads them: one without instructions executes the empty core."""
    ready = [entry.assembly for entry in entries if entry.assembly and entry.assembly.ok]
    return with_shared_pspace(
        Warrior(each.name, each.author, each.cells or (EMPTY,), each.start, each.pin) for each in ready
    )


def pspaces(warriors: Sequence[Warrior]) -> int:
    """How many P-spaces such warriors have."""
    pins = [warrior.pin for warrior in warriors]
    return pins.count(None) + len({pin for pin in pins if pin is not None})


def _listing(assembly: Assembly, rules: Rules, options: Options) -> str:
    """The program as pMARS lists it, or from 0.9.4 on, if asked for, as a load file."""
    text = listing(assembly, rules, options.icws88, assembly.traced)
    if not options.load_file:
        return text
    lines = text.partition("\n\n")[2].removesuffix("\n")
    pin = "" if assembly.pin is None else f"       PIN     {assembly.pin:6}\n"
    return f"{lines}{pin}       END\n"


class _SourceError(OSError):
    """A warrior's text that cannot be had."""


def _file_text(name: str) -> str:
    """What stands in a file. _SourceError."""
    path = Path(native(name))
    try:
        is_folder = path.is_dir()
        data = b"" if is_folder else _head(path)
    except (OSError, ValueError):  # ValueError: a name with a NUL
        raise _SourceError(f"Unable to open file '{name}'") from None
    if is_folder or len(data) > LARGEST:
        raise _SourceError(f"Unable to read file '{name}'")
    return data.decode("latin-1")


def _rest_of(text: Text) -> str:
    """What is left of a text; not much more than the largest warrior."""
    lines = []
    size = 0
    while size <= LARGEST and (line := text.line()):
        lines.append(line)
        size += len(line)
    return "".join(lines)


def _head(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(LARGEST + 1)


# Results: what a fight comes to, as the score lines, the KotH lines and the exit status of pMARS.


LEAST: Final = -(2**31)  # the score under a formula that has lost its value
ADDRESS_BYTES: Final = 4  # of a cell of the core, in pMARS


class Formula:
    """Points for a survivor by their number. Registers keep what one call assigned for the next."""

    def __init__(self, text: str, evaluator: Evaluator) -> None:
        self.registers = Registers()
        self._text = text
        self._evaluator = evaluator

    def __call__(self, survivors: int) -> int:
        """ValueError where it has no value."""
        self.registers["S"] = survivors
        return evaluate(self._text, self.registers, self._evaluator)[0]

    def try_all(self, warriors: int) -> None:
        """ValueError if it lacks a value for a number of survivors."""
        self.registers["W"] = warriors
        for survivors in range(1, warriors + 1):
            self(survivors)


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """One of W warriors: how often it ended a round as one of 1, 2 .. W survivors, and its score."""

    name: str
    author: str
    survivals: tuple[int, ...]
    losses: int
    score: int


def standings_of(
    names: Sequence[tuple[str, str]], outcomes: Sequence[Sequence[int]], formula: Formula
) -> list[Standing]:
    """The standings of W warriors, from names and authors, and 2W - 1 cells each: survivors, orders of death."""
    count = len(names)
    formula.registers["W"] = count
    return [
        Standing(
            name=name,
            author=author,
            survivals=tuple(cells[:count]),
            losses=sum(cells[count:]),
            score=_score(cells[:count], formula),
        )
        for (name, author), cells in zip(names, outcomes, strict=True)
    ]


def nothing_yet(warriors: int) -> list[list[int]]:
    """The outcomes of no round."""
    return [[0] * (2 * warriors - 1) for _ in range(warriors)]


def results_text(standings: Sequence[Standing]) -> str:
    """A line for each, with its counts where there are more than two; for two the first one's result."""
    lines = []
    for each in standings:
        lines.append(f"{each.name} by {each.author} scores {each.score}")
        if len(standings) > 2:
            lines.append(f"  Results: {' '.join(map(str, each.survivals))} {each.losses}")
    if len(standings) == 2:
        wins, ties = standings[0].survivals
        lines.append(f"Results: {wins} {standings[0].losses} {ties}")
    return "\n".join(lines) + "\n"


def koth_text(standings: Sequence[Standing]) -> str:
    """The same for scripts: wins and ties of two, else score, counts and losses of each."""
    if len(standings) == 2:
        return "".join(f"{wins} {ties}\n" for wins, ties in (each.survivals for each in standings))
    return "".join(f"{each.score} {' '.join(map(str, each.survivals))} {each.losses}\n" for each in standings)


def by_score(standings: Sequence[Standing]) -> list[int]:
    """The seats from the highest score to the lowest, equal ones in the order of naming."""
    return sorted(range(len(standings)), key=lambda seat: -standings[seat].score)


def exit_status(
    information: int, version: int, standings: Sequence[Standing], ranking: Sequence[int], pspaces: int
) -> int:
    """What `-Q` tells: about the fight, about pMARS, or how many share a P-space; 255 for anything else."""
    told = {1000: version, 1001: 0, 1002: 10 * version, 1003: ADDRESS_BYTES}
    told[2000] = len(standings) - pspaces + 1
    told |= {rank: standings[seat].score for rank, seat in enumerate(ranking, 1)}
    told |= {rank: seat + 1 for rank, seat in enumerate(ranking, 101)}
    return told.get(information, -1) & 0xFF


def _score(survivals: Sequence[int], formula: Formula) -> int:
    """The points of all rounds in 32 bits, as pMARS counts them."""
    total = 0
    for survivors, rounds in enumerate(survivals, 1):
        try:
            total += rounds * formula(survivors)
        except ValueError:
            return LEAST
    return (total - LEAST) % 2**32 + LEAST


# The report of a fight as one JSON object: everything a script could want.


def report(
    options: Options,
    rules: Rules,
    entries: Sequence[Entry],
    battle: Battle | None,
    standings: Sequence[Standing],
    status: int,
) -> str:
    """One line. `status` is the exit status without -Q; places in `ranking` are those of naming, from 1."""
    warriors = [_warrior(entry) for entry in entries]
    data: dict[str, object] = {
        "pmars": options.mode,
        "status": status,
        "rules": {
            "core_size": rules.size,
            "cycles": rules.cycles,
            "processes": rules.processes,
            "length": rules.length,
            "distance": rules.distance,
            "pspace": rules.pspace,
            "read_limit": rules.read_limit,
            "write_limit": rules.write_limit,
            "icws88": options.icws88,
        },
        "rounds": options.rounds,
        "formula": options.formula,
        "warriors": warriors,
    }
    if battle:
        data |= {
            "rounds_fought": battle.round + int(battle.mars.over),
            "instructions": battle.executed,
            "ranking": [seat + 1 for seat in by_score(standings)],
        }
        for warrior, standing in zip(warriors, standings, strict=True):
            warrior.update(_result(standing))
    return json.dumps(data) + "\n"


def _warrior(entry: Entry) -> dict[str, object]:
    data: dict[str, object] = {
        "file": entry.file or None,
        "ready": entry.is_ready,
        "complaints": entry.complaints,
    }
    assembly = entry.assembly
    if assembly:
        data |= {
            "messages": [_message(message) for message in assembly.messages],
            "name": assembly.name,
            "author": assembly.author,
            "tag": assembly.tag,
            "strategy": list(assembly.strategy),
            "version": assembly.version,
            "date": assembly.date,
            "length": len(assembly.cells),
            "start": assembly.start,
            "pin": assembly.pin,
            "listing": entry.listing,
        }
    return data


def _message(message: Message) -> dict[str, object]:
    return {
        "severity": message.severity.value.lower(),
        "line": message.line,
        "column": message.column,
        "source": message.source,
        "text": message.text,
        "count": message.count,
    }


def _result(standing: Standing) -> dict[str, object]:
    """`survivals` counts rounds by the number of survivors, from 1."""
    return {
        "score": standing.score,
        "wins": standing.survivals[0],
        "ties": sum(standing.survivals[1:]),
        "losses": standing.losses,
        "survivals": list(standing.survivals),
    }


# A fight as a command line asks for it: warriors assembled and listed, rounds fought, results printed.


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


def _placement(options: Options, rules: Rules, entries: Sequence[Entry]) -> StartPositions:
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
            from tools.mars.debugger import debug

            return debug(options, battle, entries, standard_input, progress)
        if options.core_view and not options.json:
            from tools.mars.film import view

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
