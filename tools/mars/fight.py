"""The run of one command line: assemble and list the warriors, fight the rounds, print the results."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from errno import EFBIG, EINVAL, EISDIR, ENODATA
from pathlib import Path
from typing import Final

from core.corewar.assembler import Assembly, assemble
from core.corewar.battle import Battle, StartPositions, checksum, fixed, seeded
from core.corewar.diagnostics import Message
from core.corewar.dialect import Dialect
from core.corewar.expression import Registers
from core.corewar.instruction import EMPTY
from core.corewar.rules import Rules
from core.corewar.warrior import Warrior
from engines.corewar.battles import with_shared_pspace
from protocols.redcode.library import LIMITS
from protocols.redcode.listing import listing, load_file, messages_text
from tools.files import read_file
from tools.mars.options import RULES, Formula, Options
from tools.mars.streams import Text, native, say

FOUGHT, UNREADABLE, QUIT, INTERRUPTED, NO_MEMORY = 0, 3, 4, 130, 254
SLICE: Final = 4_000_000  # instructions, some 40 ms: the longest delay of Ctrl-C
LARGEST: Final = 1 << 24  # bytes of a file; pMARS has no limit and reads /dev/zero for ever
UNREADABLE_FILES: Final = {EISDIR, EINVAL, EFBIG, ENODATA}  # errors of files that read_file() can open
LOWEST_SCORE: Final = -(2**31)  # if the formula has no value
ADDRESS_BYTES: Final = 4  # the size of an address of the core in pMARS


def fight(options: Options, standard_input: Text) -> int:
    """Do what the options ask, print the results and return the exit status."""
    try:
        rules = options.rules()
    except ValueError:  # the options fit together: the core is too large
        say("Out of memory\n", error=True)
        return NO_MEMORY
    formula = options.score_formula()
    files = _loaded(options, rules, standard_input, formula.registers)
    warriors = _seated(files)
    is_complete = len(warriors) == len(options.files)
    battle = None
    status = FOUGHT if is_complete else UNREADABLE
    if is_complete and options.rounds and not options.load_file:
        battle = Battle(rules, warriors, options.rounds, _positions(options, rules, files))
        status = _fought(options, battle, files, standard_input, formula)
    results = _results(options, warriors, battle, formula)
    if options.json:
        say(_report(options, rules, files, battle, results, status))
    elif battle and status != QUIT:
        text = koth_text(results) if options.koth else results_text(_in_order(options, results))
        say(text, error=status == INTERRUPTED)
    if status == INTERRUPTED or options.information is None:
        return status
    pspaces = _pspaces(warriors) + (not is_complete)
    return exit_status(options, results, _ranking(options, results), pspaces)


def _fought(
    options: Options, battle: Battle, files: Sequence["WarriorFile"], standard_input: Text, formula: Formula
) -> int:
    """Fight all rounds, in the debugger, as a film or without display, and return the exit status."""

    def progress() -> str:
        return results_text(_in_order(options, _results(options, battle.warriors, battle, formula)))

    try:
        if _is_debugged(options, standard_input):
            from tools.mars.debugger import debug  # late: most fights need neither debugger nor terminal

            assemblies = [file.assembly for file in files if file.assembly]
            return debug(options, battle, assemblies, dialect_of(options), standard_input, progress)
        if options.core_view and not options.json:
            from tools.mars.film import view

            view(battle)
        while not battle.run(SLICE):
            pass
    except KeyboardInterrupt:
        say(
            f"\nInterrupted in round {battle.round + 1} of {battle.rounds}; the results of the rounds before:\n",
            error=True,
        )
        return INTERRUPTED
    return FOUGHT


def _is_debugged(options: Options, standard_input: Text) -> bool:
    """Return whether the debugger is asked for, and there is input for it.

    Scripts give -e to the server version of pMARS, where it has no effect, and no input.
    """
    return options.debug and not options.json and not standard_input.is_at_end()


def _positions(options: Options, rules: Rules, files: Sequence["WarriorFile"]) -> StartPositions:
    count = len(files)
    if options.fixed_place:  # 0 means no fixed place
        return fixed(rules, count, options.fixed_place, options.permute)
    number = int(time.time())
    if options.fixed_series:  # over instructions only: an empty warrior adds nothing
        assembled = (file.assembly and file.assembly.warrior for file in files)
        number = checksum([warrior for warrior in assembled if warrior])
    return seeded(rules, count, number, options.permute)


# -- The warriors -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class WarriorFile:
    """A file of the command line with its warrior or the errors of its assembly; an empty name is standard input."""

    name: str
    assembly: Assembly | None  # None: there was no text
    complaints: str
    listing: str

    @property
    def is_ready(self) -> bool:
        return self.assembly is not None and self.assembly.ok

    def summary(self) -> str:
        """Return a line on the result of the assembly."""
        source = self.name or "standard input"
        if self.assembly is None or not self.assembly.ok:
            return f"{source} contains no valid warrior\n"
        assembly = self.assembly
        pin = "" if assembly.pin is None else f", PIN {assembly.pin}"
        count = len(assembly.cells)
        noun = "instruction" if count == 1 else "instructions"
        size = f"{count} {noun}, execution starts at number {assembly.start + 1}{pin}"
        return f"{source} contains {assembly.name}: {size}\n"


def _loaded(options: Options, rules: Rules, standard_input: Text, registers: Registers) -> list[WarriorFile]:
    """Assemble the warriors; print the messages and the listing of each as soon as it is assembled."""
    files = []
    for file in _assembled(options, rules, standard_input, registers):
        files.append(file)
        say(file.complaints, error=True)
        if options.verbose:
            say(file.summary(), error=True)
        if not options.brief and not options.json:
            say(file.listing)
    return files


def _assembled(
    options: Options, rules: Rules, standard_input: Text, registers: Registers
) -> Iterator[WarriorFile]:
    """Yield the warriors in order, up to the first that cannot be read or assembled.

    Standard input may hold several warriors, divided by ;redcode lines.
    """
    dialect = dialect_of(options)
    begun = False  # whether a warrior has been read from standard input
    for name in options.files:
        try:
            text = _file_text(name) if name else _rest_of(standard_input)
        except _SourceError as error:
            yield WarriorFile(name=name, assembly=None, complaints=f"Error:\n        {error}\n", listing="")
            return
        assembly = assemble(
            text,
            rules,
            dialect,
            warriors=len(options.files),
            rounds=options.rounds,
            registers=registers,
            begun=begun and not name,
        )
        if not name:
            begun = True
            standard_input.put_back(assembly.rest)
        yield WarriorFile(
            name=name,
            assembly=assembly,
            complaints=messages_text(assembly.messages, _source(name, assembly) if options.debug else ""),
            listing=_listing(assembly, rules, options) if assembly.ok else "",
        )
        if not assembly.ok:
            return


def dialect_of(options: Options) -> Dialect:
    """Return the dialect of Redcode in files and in the lines that the debugger reads."""
    return Dialect(
        icws88=options.icws88,
        evaluator=options.evaluator,
        debugger=options.debug,
        version=options.version,
        limits=LIMITS,
    )


def _seated(files: Sequence[WarriorFile]) -> list[Warrior]:
    """Return the warriors as pMARS loads them: a warrior without instructions executes the empty core."""
    ready = [file.assembly for file in files if file.assembly and file.assembly.ok]
    return with_shared_pspace(
        Warrior(each.name, each.author, each.cells or (EMPTY,), each.start, each.pin) for each in ready
    )


def _pspaces(warriors: Sequence[Warrior]) -> int:
    """Return the number of distinct P-spaces: warriors with the same PIN share one."""
    pins = [warrior.pin for warrior in warriors]
    return pins.count(None) + len({pin for pin in pins if pin is not None})


def _listing(assembly: Assembly, rules: Rules, options: Options) -> str:
    """Return the program as pMARS lists it, or as a load file if the option of 0.9.4 asks for it."""
    if options.load_file:
        return load_file(assembly, rules, options.icws88)
    return listing(assembly, rules, options.icws88, assembly.traced)


def _source(name: str, assembly: Assembly) -> str:
    """Return the name of a text that the build with the debugger prints before the counts of errors and warnings."""
    return f"filename '{name}'" if name else f"standard input ({assembly.name} by {assembly.author})"


class _SourceError(OSError):
    """A warrior's text that cannot be read."""


def _file_text(name: str) -> str:
    """Return the text of a file. Raises _SourceError if the file cannot be read."""
    try:
        return read_file(Path(native(name)), LARGEST).decode("latin-1")
    except (OSError, ValueError) as error:  # ValueError: a name with a NUL
        is_open = isinstance(error, OSError) and error.errno in UNREADABLE_FILES
        raise _SourceError(f"Unable to {'read' if is_open else 'open'} file '{name}'") from None


def _rest_of(text: Text) -> str:
    """Return the rest of a text, up to the end of the line that exceeds LARGEST bytes."""
    lines = []
    size = 0
    while size <= LARGEST and (line := text.line()):
        lines.append(line)
        size += len(line)
    return "".join(lines)


# -- The results: score lines, KotH lines and the exit status of pMARS ---------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class WarriorResult:
    """The result of one of W warriors: the rounds it ended as one of 1, 2 .. W survivors, and its score."""

    name: str
    author: str
    survivals: tuple[int, ...]
    losses: int
    score: int


def results_of(
    names: Sequence[tuple[str, str]], outcomes: Sequence[Sequence[int]], formula: Formula
) -> list[WarriorResult]:
    """Return the results of W warriors.

    `names` are pairs of name and author. `outcomes` holds 2W - 1 counts for each warrior: W of the rounds that it
    survived, by the number of survivors, and W - 1 of those that it lost, by the order of death.
    """
    count = len(names)
    formula.registers["W"] = count
    return [
        WarriorResult(
            name=name,
            author=author,
            survivals=tuple(cells[:count]),
            losses=sum(cells[count:]),
            score=_score(cells[:count], formula),
        )
        for (name, author), cells in zip(names, outcomes, strict=True)
    ]


def no_rounds(warriors: int) -> list[list[int]]:
    """Return the outcomes if no round was fought."""
    return [[0] * (2 * warriors - 1) for _ in range(warriors)]


def results_text(results: Sequence[WarriorResult]) -> str:
    """Return the score lines of pMARS: with counts for more than two warriors; for two, the first one's result."""
    lines = []
    for each in results:
        lines.append(f"{each.name} by {each.author} scores {each.score}")
        if len(results) > 2:
            lines.append(f"  Results: {' '.join(map(str, each.survivals))} {each.losses}")
    if len(results) == 2:
        wins, ties = results[0].survivals
        lines.append(f"Results: {wins} {results[0].losses} {ties}")
    return "\n".join(lines) + "\n"


def koth_text(results: Sequence[WarriorResult]) -> str:
    """Return the lines of -k, for scripts: wins and ties for two warriors, else score, counts and losses of each."""
    if len(results) == 2:
        return "".join(f"{wins} {ties}\n" for wins, ties in (each.survivals for each in results))
    return "".join(f"{each.score} {' '.join(map(str, each.survivals))} {each.losses}\n" for each in results)


def by_score(results: Sequence[WarriorResult]) -> list[int]:
    """Return the seats from the highest score to the lowest; equal scores keep the order of the command line."""
    return sorted(range(len(results)), key=lambda seat: -results[seat].score)


def exit_status(
    options: Options, results: Sequence[WarriorResult], ranking: Sequence[int], pspaces: int
) -> int:
    """Return the status that -Q asks for; 255 for an unknown number.

    The status is a fact of the fight or of pMARS, or the number of warriors that share a P-space.
    """
    version, variant = options.version, options.variant
    statuses = {1000: version, 1001: variant, 1002: 10 * version + variant, 1003: ADDRESS_BYTES}
    statuses[2000] = len(results) - pspaces + 1
    statuses |= {rank: results[seat].score for rank, seat in enumerate(ranking, 1)}
    statuses |= {rank: seat + 1 for rank, seat in enumerate(ranking, 101)}
    return statuses.get(-1 if options.information is None else options.information, -1) & 0xFF


def _score(survivals: Sequence[int], formula: Formula) -> int:
    """Return the points of all rounds, wrapped to 32 bits as in pMARS."""
    total = 0
    for survivors, rounds in enumerate(survivals, 1):
        try:
            total += rounds * formula(survivors)
        except ValueError:
            return LOWEST_SCORE
    return (total - LOWEST_SCORE) % 2**32 + LOWEST_SCORE


def _results(
    options: Options, warriors: Sequence[Warrior], battle: Battle | None, formula: Formula
) -> list[WarriorResult]:
    """Return the results of every warrior on the command line; a warrior that was not assembled has no name."""
    names = [(warrior.name, warrior.author) for warrior in warriors]
    names += [("", "")] * (len(options.files) - len(names))
    return results_of(names, battle.results if battle else no_rounds(len(names)), formula)


def _ranking(options: Options, results: Sequence[WarriorResult]) -> Sequence[int]:
    return by_score(results) if options.sort else range(len(results))


def _in_order(options: Options, results: Sequence[WarriorResult]) -> list[WarriorResult]:
    return [results[seat] for seat in _ranking(options, results)]


# -- The report of --json -----------------------------------------------------------------------------


def _report(
    options: Options,
    rules: Rules,
    files: Sequence[WarriorFile],
    battle: Battle | None,
    results: Sequence[WarriorResult],
    status: int,
) -> str:
    """Return the report as a line of JSON.

    `status` is the exit status without -Q. The numbers in `ranking` are places on the command line, from 1.
    """
    import json  # late: a fight without --json starts without it

    warriors = [_warrior(file) for file in files]
    rule_values = {name: getattr(rules, name) for name in RULES}
    data: dict[str, object] = {
        "pmars": options.mode,
        "status": status,
        "rules": {"core_size": rules.size} | rule_values | {"icws88": options.icws88},
        "rounds": options.rounds,
        "formula": options.formula,
        "warriors": warriors,
    }
    if battle:
        data |= {
            "rounds_fought": battle.round + int(battle.mars.over),
            "instructions": battle.executed,
            "ranking": [seat + 1 for seat in by_score(results)],
        }
        for warrior, result in zip(warriors, results, strict=True):
            warrior.update(_result(result))
    return json.dumps(data) + "\n"


def _warrior(file: WarriorFile) -> dict[str, object]:
    data: dict[str, object] = {
        "file": file.name or None,
        "ready": file.is_ready,
        "complaints": file.complaints,
    }
    assembly = file.assembly
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
            "listing": file.listing,
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


def _result(result: WarriorResult) -> dict[str, object]:
    """Return the fields of a result; `survivals` counts rounds by the number of survivors, from 1."""
    return {
        "score": result.score,
        "wins": result.survivals[0],
        "ties": sum(result.survivals[1:]),
        "losses": result.losses,
        "survivals": list(result.survivals),
    }
