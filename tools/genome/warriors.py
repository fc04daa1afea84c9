"""The card of a warrior: what it does, in words, measured by running it alone and against the warriors of ours."""

import json
from argparse import ArgumentParser, Namespace, _SubParsersAction
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final, Self

from core.corewar.instruction import OPERATIONS, operation_of
from core.corewar.rules import Rules
from core.corewar.warrior import Warrior
from engines.chess.genome_file import bundled
from engines.corewar import ranking
from engines.corewar.battles import Draw, Tally, fight, tasks
from engines.corewar.evolution.config import TribesConfig
from engines.corewar.load_file import instruction_line
from engines.corewar.presets import PRESETS, Preset
from engines.corewar.ranking import Standing
from engines.corewar.style import Conduct, Manner, Writer, against, alone, manner
from engines.evolution.run_store import RunStore
from protocols.redcode.library import Named, parse, starters
from tools.genome import acquire, protection
from tools.genome.chess import Kin
from tools.genome.lineage import Lineage
from tools.warriors import collect, preset_for, read_text

ROUNDS: Final = 100  # against each of ours, in large cores
FOILS: Final = ("Imp-Gate", "Paper", "Stone")  # of ours, those that its style shows against
NAMED_WRITERS: Final = 5
LEAST: Final = 0.01  # a share that is worth a line


@dataclass(frozen=True, slots=True, kw_only=True)
class WarriorCard:
    """A warrior and what was seen of it."""

    named: Named
    rules: Rules
    title: str  # of the rules
    alone: Conduct
    manner: Manner
    opponents: tuple[Named, ...]
    tallies: tuple[Tally, ...]
    standing: Standing | None  # None: no warrior of ours fits these rules

    @classmethod
    def of(cls, named: Named, rules: Rules, title: str, opponents: Sequence[Named]) -> Self:
        """Run it: for half a second, or a few under large rules."""
        conduct = alone(rules, named.warrior)
        foils = [each.warrior for each in opponents if each.label in FOILS]
        conducts = [conduct, *against(rules, named.warrior, foils, rules.size // 2)]
        draw = _draw(rules)
        tallies: list[Tally] = []
        if opponents:
            pairs = ranking.benchmark_pairs([named.warrior], [each.warrior for each in opponents])
            tallies = [tally for task in tasks(rules, draw, pairs) for tally in fight(task)]
        return cls(
            named=named,
            rules=rules,
            title=title,
            alone=conduct,
            manner=manner(conducts),
            opponents=tuple(opponents),
            tallies=tuple(tallies),
            standing=ranking.benchmark_standings(len(opponents), tallies, draw.exact)[0] if tallies else None,
        )

    def text(self) -> str:
        """For people."""
        named, warrior = self.named, self.named.warrior
        lines = [f"{named.label} by {named.author}", f"{self.title}, a core of {self.rules.size:,} cells", ""]
        lines += [f"Style: {self.manner}"]
        lines += [f"  {style.value}: it {style.meaning}" for style in (self.manner.main, *self.manner.also)]
        if named.strategy:
            lines += ["  its author says:", *(f"    {line.strip()}" for line in named.strategy)]
        lines += ["", *self._code(warrior), "", "Alone in the core", *map(_indented, self._alone())]
        if self.standing:
            draw = _draw(self.rules)
            how = "from every place" if draw.exact else "each"
            lines += [
                "",
                f"Against warriors of ours, {draw.rounds} rounds {how}",
                *map(_indented, self._matches()),
            ]
        return "\n".join(lines)

    def data(self) -> dict[str, object]:
        """For JSON."""
        return {
            "name": self.named.label,
            "author": self.named.author,
            "file": self.named.source,
            "core_size": self.rules.size,
            "length": len(self.named.warrior.cells),
            "start": self.named.warrior.start,
            "style": self.manner.main.value,
            "also": [style.value for style in self.manner.also],
            "alone": asdict(self.alone)
            | {"writers": [_writer_data(writer, self.rules) for writer in self.alone.writers]},
            "score": asdict(self.standing.score) if self.standing else None,
            "matches": {
                each.label: asdict(tally) | {"score": tally.score}
                for each, tally in zip(self.opponents, self.tallies, strict=True)
            },
        }

    # -- Parts of the text -------------------------------------------------------------------------

    def _code(self, warrior: Warrior) -> Iterator[str]:
        counts = Counter(OPERATIONS[operation_of(cell)] for cell in warrior.cells).most_common()
        yield f"{_count(len(warrior.cells), 'instruction')}: " + ", ".join(
            f"{n} {name}" for name, n in counts
        )
        begins = warrior.start % len(warrior.cells)
        first = instruction_line(warrior.cells[begins], self.rules.size)
        yield f"It begins with number {warrior.start + 1}: {first}"
        if warrior.pin is not None:
            yield f"It shares its P-space with all that have PIN {warrior.pin}."

    def _alone(self) -> Iterator[str]:
        conduct, length = self.alone, len(self.named.warrior.cells)
        if conduct.survived:
            yield f"It survives all of {conduct.cycles:,} cycles."
        else:
            yield f"It dies after {_count(conduct.cycles, 'cycle')}."
        most, last = conduct.most_processes, conduct.last_processes
        yield f"Processes: {most:,} at most, {last:,} at the end" + (
            f", at home in up to {conduct.homes} places." if conduct.homes > 1 else "."
        )
        yield f"Of its {_count(length, 'instruction')}, {conduct.own_executed} were executed where they were loaded."
        yield f"{conduct.coverage:.1%} of the core is not empty at the end."
        yield from _deeds(conduct)
        if conduct.writers:
            yield "What writes most:"
            for writer in conduct.writers[:NAMED_WRITERS]:
                yield f"  {instruction_line(writer.cell, self.rules.size):24}{_writing(writer)}"

    def _matches(self) -> Iterator[str]:
        assert self.standing
        yield f"{'':16}{'W':>6}{'L':>6}{'T':>6}{'Score':>9}"
        for each, tally in zip(self.opponents, self.tallies, strict=True):
            yield f"{each.label:16}{tally.wins:6}{tally.losses:6}{tally.ties:6}{tally.score:9.1f}"
        total, score = self.standing, self.standing.score
        interval = "" if score.low == score.high else f"  [{score.low:.1f}, {score.high:.1f}]"
        yield f"{'all':16}{total.wins:6}{total.losses:6}{total.ties:6}{score.value:9.1f}{interval}"


def _draw(rules: Rules) -> Draw:
    """All places of a small core."""
    exact = Draw.every_place(rules)
    return exact if exact.rounds <= 2 * ROUNDS else Draw(rounds=ROUNDS)


def _deeds(conduct: Conduct) -> Iterator[str]:
    """What it spends its time on, the greatest part first."""
    deeds = [
        (conduct.bombs, f"bombs: cells far from each other, {conduct.bombed:.1%} of the core"),
        (conduct.clears, f"clears: cells next to each other, {conduct.cleared:.1%} of the core"),
        (conduct.copies, "copies: cells that it executes later"),
        (conduct.scans, f"comparisons and tests, {conduct.scanned:.1%} of the core is looked at"),
        (conduct.imps, "instructions that copy themselves"),
        (conduct.splits, "splits"),
        (conduct.streams, "instructions that change a pointer far away"),
    ]
    shown = [deed for deed in deeds if deed[0] >= LEAST]
    if shown:
        yield "Of its instructions, after the opening:"
    for share, deed in sorted(shown, reverse=True):
        yield f"  {share:5.1%} {deed}"
    for share, what in (
        (conduct.left_dats, "DAT"),
        (conduct.left_splits, "SPL"),
        (conduct.bombed_with_jumps, "JMP"),
    ):
        if share >= LEAST and conduct.bombs + conduct.clears >= LEAST:
            of = "bombs" if what == "JMP" else "bombs and clears"
            yield f"{share:.0%} of the {of} leave {what}."
    if conduct.quick_scans >= LEAST:
        yield f"In the opening {conduct.quick_scans:.0%} of its instructions look at the core."
    if conduct.pspace:
        yield f"It uses its P-space: LDP or STP are executed {_count(conduct.pspace, 'time')}."


def _writing(writer: Writer) -> str:
    leaves = OPERATIONS[writer.leaves]
    if not writer.step or writer.steadiness < 0.5:
        return f"{_count(writer.writes, 'time')}, leaves {leaves}"
    return f"{_count(writer.writes, 'time')}, steps of {writer.step:+}, leaves {leaves}"


def _writer_data(writer: Writer, rules: Rules) -> dict[str, object]:
    return asdict(writer) | {
        "cell": instruction_line(writer.cell, rules.size),
        "leaves": OPERATIONS[writer.leaves],
    }


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _indented(line: str) -> str:
    return f"  {line}"


# What `galapagos genome` explains and compares: warriors of Core War, programs of Acquire and strings of Protection.


def add_verbs(verbs: "_SubParsersAction[ArgumentParser]") -> None:
    explain = verbs.add_parser("explain", help="what a warrior does, seen when it runs; what programs want")
    explain.add_argument(
        "warrior", type=Path, metavar="FILE|RUN", help="Redcode, programs of Acquire, a string, or a run"
    )
    explain.add_argument("id", nargs="?", type=int, metavar="ID", help="whom of a run")
    explain.add_argument("--rules", choices=list(PRESETS), help="a hill's (those that the text asks for)")
    explain.add_argument("--depth", type=int, default=3, metavar="N", help="births to go back in a run (3)")
    explain.set_defaults(verb=_explain)

    compare = verbs.add_parser("compare", help="the known warriors that a warrior's code is like; programs")
    compare.add_argument("warrior", type=Path, metavar="FILE", help="Redcode, or programs of Acquire")
    compare.add_argument("known", nargs="+", type=Path, metavar="KNOWN", help="the same, or folders of it")
    compare.add_argument("--rules", choices=list(PRESETS), help="a hill's (those that the text asks for)")
    compare.add_argument("--count", type=int, default=10, metavar="N", help="so many of them (10)")
    compare.set_defaults(verb=_compare)

    for verb in (explain, compare):
        verb.add_argument("--json", action="store_true", help="print JSON")


def _explain(args: Namespace) -> str:
    if acquire.is_meant(str(args.warrior)):
        return acquire.explain(str(args.warrior), args.id, args.json)
    if protection.is_meant(str(args.warrior)):
        return protection.explain(str(args.warrior), args.id, args.json)
    if str(args.warrior) in bundled():
        raise ValueError(f"{args.warrior} plays chess; say: galapagos genome show {args.warrior}")
    if args.warrior.is_dir():
        return _explain_evolved(args)
    if args.id is not None:
        raise ValueError("a file of Redcode holds one warrior: an ID belongs to the folder of a run")
    text, preset = _text_and_preset(args)
    named = parse(text, preset, str(args.warrior))
    card = WarriorCard.of(named, preset.rules, preset.title, starters(preset))
    return json.dumps(card.data()) if args.json else card.text()


def _explain_evolved(args: Namespace) -> str:
    """Somebody of a run, with its ancestors."""
    if args.id is None:
        raise ValueError(f"{args.warrior} is the run of many: name one by its ID")
    lineage = Lineage.of(args.warrior, args.id, args.depth)
    with RunStore.open(args.warrior) as store:
        if store.game != "corewar":
            raise ValueError(f"{args.warrior} is a run of {store.game}; explain is for warriors")
        born, rules = store.individual(args.id), TribesConfig.loads(store.config).rules
    preset = _custom(rules)
    named = parse(born.genome, preset, f"{args.warrior}, ID {args.id}")
    card = WarriorCard.of(named, rules, f"ID {args.id} of {args.warrior}", starters(preset))
    if args.json:
        return json.dumps(card.data() | {"id": args.id, "lineage": lineage.data()})
    return f"{card.text()}\n\nLineage\n{lineage.text()}"


def _compare(args: Namespace) -> str:
    if args.count < 1:
        raise ValueError("--count must be 1 or more")
    if acquire.is_meant(str(args.warrior)):
        return acquire.compare(str(args.warrior), args.known, args.json)
    if protection.is_meant(str(args.warrior)):
        return protection.compare(str(args.warrior), args.known, args.json)
    text, preset = _text_and_preset(args)
    named = parse(text, preset, str(args.warrior))
    kin = Kin.of(named, collect(args.known, preset, []), args.count)
    return json.dumps(kin.data()) if args.json else kin.text()


def _text_and_preset(args: Namespace) -> tuple[str, Preset]:
    """The text of a file and the rules that hold for it. ValueError."""
    try:
        text = read_text(args.warrior)
    except OSError as error:
        raise ValueError(f"cannot read {str(args.warrior)[:100]!r}: {error.strerror}") from None
    return text, PRESETS[args.rules] if args.rules else preset_for(text)


def _custom(rules: Rules) -> Preset:
    """The rules of a run, which need not be those of a hill."""
    return Preset(name="run's", title="The rules", tag="", rules=rules)
