"""The part of `galapagos genome` on warriors of Core War: how a warrior behaves, and which known code is similar."""

import json
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import median
from typing import Final, Self

from core.corewar.instruction import EMPTY, OPERATIONS, operation_of
from core.corewar.rules import Rules
from core.corewar.warrior import Warrior
from engines.corewar import ranking
from engines.corewar.battles import Sampling, Tally, fight_pairs, pair_tasks
from engines.corewar.evolution.config import TribesConfig
from engines.corewar.evolution.genome import WarriorGenome
from engines.corewar.load_file import instruction_line
from engines.corewar.presets import PRESETS, RULES, Preset
from engines.corewar.ranking import Standing
from engines.corewar.similarity import FIELDS, Similarity, nearest
from engines.corewar.style import (
    BehaviourStats,
    StyleLabel,
    WritingInstruction,
    label,
    observe_against,
    observe_alone,
)
from protocols.redcode.library import NamedWarrior, parse, starters
from tools.cli import counted
from tools.genome.lineage import Change, Lineage, changed_lines
from tools.genome.source import Source
from tools.warriors import assembled, collect, preset_for, read_text

GAME: Final = "corewar"
EXAMPLES: Final = (
    "explain mine.red       what a warrior of Core War does when it runs",
    "explain RUN 4711       the same for an evolved warrior, with its ancestors",
    "show RUN 4711          an evolved warrior as Redcode that can be submitted to a hill",
    "compare mine.red hill/ the warriors of a folder with the most similar code",
)
USUAL: Final = ("explain", "compare")
SUFFIX: Final = ".red"
ROUNDS: Final = 100  # against each starter warrior, in large cores
STYLE_OPPONENTS: Final = ("Imp-Gate", "Paper", "Stone")  # starter warriors against which a style is observed
NAMED_WRITERS: Final = 5
MIN_SHARE: Final = 0.01  # a share that is worth a line
# Among 55,631 pairs of hand-made warriors by different authors, 99 % have at most 13 % of their instructions in
# common and in order, and 99.9 % have at most 36 %; the pairs above that have borrowed from each other.
COPIED: Final = 0.2
MIN_INSTRUCTIONS: Final = 4  # instructions; three in order prove nothing


def add_options(verbs: Mapping[str, ArgumentParser]) -> None:
    for verb in (verbs["explain"], verbs["compare"]):
        verb.add_argument(
            "--rules",
            choices=list(PRESETS),
            help="the hill whose rules apply to a warrior (default: those that its text names)",
        )


def is_meant(source: str) -> bool:
    """Return whether `source` is a file of Redcode, judged by its suffix."""
    return Path(source).suffix == SUFFIX


def explain(source: Source, args: Namespace) -> str:
    """Return a description of a warrior's behaviour, with the ancestors of an individual of a run.

    Raises ValueError if there is no such warrior.
    """
    if source.store:
        return _explain_evolved(source, args)
    if source.id is not None:
        raise ValueError("a file of Redcode holds one warrior, so no ID can be given")
    named, preset = _read(source.name, args.rules)
    card = WarriorCard.of(named, preset.rules, preset.title, starters(preset))
    return json.dumps(card.data()) if args.json else card.text()


def show(source: Source, args: Namespace) -> str:
    """Return an evolved warrior as Redcode that can be submitted to the hill with its run's rules, if there is one.

    Raises ValueError if the source is no run, or if there is no such warrior.
    """
    if source.store is None:
        raise ValueError(
            f"{source.name} is a file; `galapagos genome show` needs the folder of a run and the ID of a warrior"
        )
    born, config = source.individual(GAME), TribesConfig.loads(source.store.config)
    named = replace(WarriorGenome.loads(born.genome), name=_name(source, born.id))
    preset = _hill_of(config)
    first, rest = named.dumps().split("\n", 1)
    head, code = rest.split("\nORG ", 1)
    strategy = f";strategy evolved: generation {born.generation} of a run with seed {source.store.seed}"
    text = f"{first}{f'-{preset.tag}' if preset else ''}\n{head}\n{strategy}\nORG {code}".rstrip("\n")
    return (
        json.dumps({"id": born.id, "hill": preset.name if preset else None, "text": text})
        if args.json
        else text
    )


def changes(before: str, after: str, others: Mapping[int, str]) -> tuple[Change, ...]:
    """Return the instructions that a child changed, with their numbers from 1, and the place where it starts."""
    old, new = WarriorGenome.loads(before), WarriorGenome.loads(after)
    codes = {id: _code(WarriorGenome.loads(text)) for id, text in others.items()}
    found = changed_lines(_code(old), _code(new), codes, "instruction")
    if old.start == new.start:
        return found
    moved = (("", str(old.start + 1), str(new.start + 1)),)
    return (*found, Change(part="start at instruction", inherited_from=None, values=moved))


def _code(genome: WarriorGenome) -> str:
    return "\n".join(instruction_line(cell, genome.size) for cell in genome.cells)


def _name(source: Source, id: int) -> str:
    """Return the name of an individual of a run, as `show` writes it in its Redcode."""
    return f"{Path(source.name).resolve().name} {id}"


def _hill_of(config: TribesConfig) -> Preset | None:
    """Return the preset with the rules of a run, one without P-space first if the run has none."""
    rules, has_pspace = config.rules, config.pspace == "on"
    fitting = [
        preset
        for preset in PRESETS.values()
        if not (preset.is_88 or preset.is_melee)
        and all(
            getattr(preset.rules, name) == getattr(rules, name)
            for name in RULES
            if name != "pspace" or has_pspace
        )
    ]
    return min(fitting, key=lambda preset: preset.has_pspace != has_pspace, default=None)


def compare(source: Source, args: Namespace) -> str:
    """Return the known warriors whose code is most similar. Raises ValueError if a warrior cannot be read."""
    named, preset = _read(source.name, args.rules)
    report = SimilarityReport.of(named, collect(args.known, preset, []), args.count)
    return json.dumps(report.data()) if args.json else report.text()


def _explain_evolved(source: Source, args: Namespace) -> str:
    assert source.store
    born, rules = source.individual(GAME), TribesConfig.loads(source.store.config).rules
    lineage = Lineage.of(source.store, born.id, args.depth, changes)
    preset = Preset(name="run's", title="The rules", tag="", rules=rules)  # not always those of a hill
    text = replace(WarriorGenome.loads(born.genome), name=_name(source, born.id)).dumps()
    named = parse(text, preset, f"{source.name}, ID {born.id}")
    card = WarriorCard.of(named, rules, f"ID {born.id} of {source.name}", starters(preset))
    if args.json:
        return json.dumps(card.data() | {"id": born.id, "lineage": lineage.data()})
    return f"{card.text()}\n\nLineage\n{lineage.text()}"


def _read(name: str, rules: str | None) -> tuple[NamedWarrior, Preset]:
    """Return the warrior of a file and its rules: `rules`, or else those that the text asks for.

    Raises ValueError if the file cannot be read or assembled.
    """
    try:
        text = read_text(Path(name))
    except OSError as error:
        raise ValueError(f"cannot read {name[:100]!r}: {error.strerror}") from None
    preset = PRESETS[rules] if rules else preset_for(text)
    return assembled(text, preset, name), preset


# -- The behaviour of a warrior -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class WarriorCard:
    """A warrior, its behaviour alone in the core, and its score against the starter warriors."""

    named: NamedWarrior
    rules: Rules
    title: str  # describes the rules
    alone: BehaviourStats
    style: StyleLabel
    opponents: tuple[NamedWarrior, ...]
    tallies: tuple[Tally, ...]
    standing: Standing | None  # None: no starter warrior fits these rules

    @classmethod
    def of(cls, named: NamedWarrior, rules: Rules, title: str, opponents: Sequence[NamedWarrior]) -> Self:
        """Observe and score a warrior: in half a second, or some seconds under large rules."""
        behaviour = observe_alone(rules, named.warrior)
        foils = [opponent.warrior for opponent in opponents if opponent.label in STYLE_OPPONENTS]
        behaviours = [behaviour, *observe_against(rules, named.warrior, foils, rules.size // 2)]
        sampling = _sampling(rules)
        tallies: list[Tally] = []
        if opponents:
            pairs = ranking.benchmark_pairs([named.warrior], [opponent.warrior for opponent in opponents])
            tallies = [tally for task in pair_tasks(rules, sampling, pairs) for tally in fight_pairs(task)]
        return cls(
            named=named,
            rules=rules,
            title=title,
            alone=behaviour,
            style=label(behaviours),
            opponents=tuple(opponents),
            tallies=tuple(tallies),
            standing=ranking.benchmark_standings(len(opponents), tallies, sampling.exact)[0]
            if tallies
            else None,
        )

    def text(self) -> str:
        """Return the card as text."""
        named, warrior = self.named, self.named.warrior
        lines = [f"{named.label} by {named.author}", f"{self.title}, a core of {self.rules.size:,} cells", ""]
        lines += [f"Style: {self.style}"]
        lines += [f"  {style.value}: it {style.meaning}" for style in (self.style.main, *self.style.also)]
        if named.strategy:
            lines += ["  its author's description:", *(f"    {line.strip()}" for line in named.strategy)]
        lines += ["", *self._code(warrior), "", "Alone in the core", *map(_indented, self._solo_lines())]
        if self.standing:
            sampling = _sampling(self.rules)
            how = "from every place" if sampling.exact else "each"
            lines += [
                "",
                f"Against the starter warriors, {sampling.rounds} rounds {how}",
                *map(_indented, self._matches()),
            ]
        return "\n".join(lines)

    def data(self) -> dict[str, object]:
        """Return the card as an object for JSON."""
        return {
            "name": self.named.label,
            "author": self.named.author,
            "file": self.named.source,
            "core_size": self.rules.size,
            "length": len(self.named.warrior.cells),
            "start": self.named.warrior.start,
            "style": self.style.main.value,
            "also": [style.value for style in self.style.also],
            "alone": asdict(self.alone)
            | {"writers": [_writer_data(writer, self.rules) for writer in self.alone.writers]},
            "score": asdict(self.standing.score) if self.standing else None,
            "matches": {
                opponent.label: asdict(tally) | {"score": tally.score}
                for opponent, tally in zip(self.opponents, self.tallies, strict=True)
            },
        }

    # -- Parts of the text -------------------------------------------------------------------------

    def _code(self, warrior: Warrior) -> Iterator[str]:
        counts = Counter(OPERATIONS[operation_of(cell)] for cell in warrior.cells).most_common()
        yield f"{counted(len(warrior.cells), 'instruction')}: " + ", ".join(
            f"{n} {name}" for name, n in counts
        )
        is_own = 0 <= warrior.start < len(warrior.cells)
        first = instruction_line(warrior.cells[warrior.start] if is_own else EMPTY, self.rules.size)
        yield f"It starts with number {warrior.start + 1}{'' if is_own else ', outside its code'}: {first}"
        if warrior.pin is not None:
            yield f"It shares its P-space with all warriors of PIN {warrior.pin}."

    def _solo_lines(self) -> Iterator[str]:
        behaviour, length = self.alone, len(self.named.warrior.cells)
        if behaviour.survived:
            yield f"It survives all {behaviour.cycles:,} cycles."
        else:
            yield f"It dies after {counted(behaviour.cycles, 'cycle')}."
        most, last = behaviour.most_processes, behaviour.last_processes
        yield f"Processes: {most:,} at most, {last:,} at the end" + (
            f", which run in up to {behaviour.homes} places." if behaviour.homes > 1 else "."
        )
        yield f"Of its {counted(length, 'instruction')}, {behaviour.own_executed} were executed where they were loaded."
        yield f"{behaviour.coverage:.1%} of the core is not empty at the end."
        yield from _activities(behaviour)
        if behaviour.writers:
            yield "The instructions that write most:"
            for writer in behaviour.writers[:NAMED_WRITERS]:
                yield f"  {instruction_line(writer.cell, self.rules.size):24}{_writing(writer)}"

    def _matches(self) -> Iterator[str]:
        assert self.standing
        yield f"{'':16}{'W':>6}{'L':>6}{'T':>6}{'Score':>9}"
        for opponent, tally in zip(self.opponents, self.tallies, strict=True):
            yield f"{opponent.label:16}{tally.wins:6}{tally.losses:6}{tally.ties:6}{tally.score:9.1f}"
        total, score = self.standing, self.standing.score
        interval = "" if score.low == score.high else f"  [{score.low:.1f}, {score.high:.1f}]"
        yield f"{'all':16}{total.wins:6}{total.losses:6}{total.ties:6}{score.value:9.1f}{interval}"


def _sampling(rules: Rules) -> Sampling:
    """Return the sampling of starting positions: every position in a small core, else ROUNDS rounds."""
    exact = Sampling.every_place(rules)
    return exact if exact.rounds <= 2 * ROUNDS else Sampling(rounds=ROUNDS)


def _activities(behaviour: BehaviourStats) -> Iterator[str]:
    """Yield lines on the activities of a warrior, by their share of its instructions, largest first."""
    activities = [
        (behaviour.bombs, f"bombs: cells far from each other, {behaviour.bombed:.1%} of the core"),
        (behaviour.clears, f"clears: cells next to each other, {behaviour.cleared:.1%} of the core"),
        (behaviour.copies, "copies: cells that it executes later"),
        (behaviour.scans, f"comparisons and tests, which look at {behaviour.scanned:.1%} of the core"),
        (behaviour.imps, "instructions that copy themselves"),
        (behaviour.splits, "splits"),
        (behaviour.streams, "instructions that change a pointer far away"),
    ]
    shown = [activity for activity in activities if activity[0] >= MIN_SHARE]
    if shown:
        yield "Of its instructions, after the opening:"
    for share, activity in sorted(shown, reverse=True):
        yield f"  {share:5.1%} {activity}"
    for share, what in (
        (behaviour.left_dats, "DAT"),
        (behaviour.left_splits, "SPL"),
        (behaviour.bombed_with_jumps, "JMP"),
    ):
        if share >= MIN_SHARE and behaviour.bombs + behaviour.clears >= MIN_SHARE:
            of = "bombs" if what == "JMP" else "bombs and clears"
            yield f"{share:.0%} of the {of} leave {what}."
    if behaviour.quick_scans >= MIN_SHARE:
        yield f"In the opening {behaviour.quick_scans:.0%} of its instructions look at the core."
    if behaviour.pspace:
        yield f"It uses its P-space; it executes LDP or STP {counted(behaviour.pspace, 'time')}."


def _writing(writer: WritingInstruction) -> str:
    leaves = OPERATIONS[writer.leaves]
    if not writer.step or writer.steadiness < 0.5:
        return f"{counted(writer.writes, 'time')}, leaves {leaves}"
    return f"{counted(writer.writes, 'time')}, steps of {writer.step:+}, leaves {leaves}"


def _writer_data(writer: WritingInstruction, rules: Rules) -> dict[str, object]:
    return asdict(writer) | {
        "cell": instruction_line(writer.cell, rules.size),
        "leaves": OPERATIONS[writer.leaves],
    }


def _indented(line: str) -> str:
    return f"  {line}"


# -- The known warriors with similar code -----------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class SimilarityReport:
    """The known warriors most similar to a warrior, and the median similarities over all known warriors."""

    named: NamedWarrior
    known: int
    nearest: tuple[tuple[NamedWarrior, Similarity], ...]
    usual: tuple[float, float, float]  # shares of operations in order, instructions in order, fields

    @classmethod
    def of(cls, named: NamedWarrior, known: Sequence[NamedWarrior], count: int) -> Self:
        """Compare a warrior with the known ones but its own file. Raises ValueError if there is no other."""
        own = Path(named.source).resolve()
        others = [other for other in known if Path(other.source).resolve() != own]
        if not others:
            raise ValueError("there is no other warrior to compare it with")
        likenesses = nearest(named.warrior, [other.warrior for other in others], len(others))
        return cls(
            named=named,
            known=len(others),
            nearest=tuple((others[likeness.seat], likeness) for likeness in likenesses[:count]),
            usual=(
                median(likeness.operations_in_order / likeness.length for likeness in likenesses),
                median(likeness.instructions_in_order / likeness.length for likeness in likenesses),
                median(likeness.fields / FIELDS / likeness.length for likeness in likenesses),
            ),
        )

    def text(self) -> str:
        """Return the report as text."""
        length = len(self.named.warrior.cells)
        lines = [
            f"{self.named.label} by {self.named.author}, {counted(length, 'instruction')}, and the most similar of {self.known:,}",
            "",
            f"{'Likeness':>8}{'Length':>8}{'Same place':>12}{'Operations':>12}{'Fields':>12}"
            f"{'In order: operations':>22}{'instructions':>14}  Name, author",
        ]
        for other, likeness in self.nearest:
            lines.append(
                f"{likeness.share:8.1%}{likeness.length:8}{likeness.positions:12}{likeness.operations:12}"
                f"{f'{likeness.fields}/{FIELDS * likeness.length}':>12}{likeness.operations_in_order:22}"
                f"{likeness.instructions_in_order:14}  {other.label}, {other.author}"
            )
        operations, instructions, fields = self.usual
        lines += [
            "",
            f"Median of all: {operations:.0%} of the operations and {instructions:.0%} of the instructions in "
            f"order, {fields:.0%} of the fields in place.",
            self._verdict(),
        ]
        return "\n".join(lines)

    def data(self) -> dict[str, object]:
        """Return the report as an object for JSON."""
        operations, instructions, fields = self.usual
        return {
            "name": self.named.label,
            "file": self.named.source,
            "known": self.known,
            "nearest": [
                {"file": other.source, "name": other.label, "author": other.author, "share": likeness.share}
                | asdict(likeness)
                for other, likeness in self.nearest
            ],
            "median": {
                "operations_in_order": operations,
                "instructions_in_order": instructions,
                "fields": fields,
            },
        }

    def _verdict(self) -> str:
        other, likeness = self.nearest[0]
        if likeness.instructions_in_order >= max(COPIED * likeness.length, MIN_INSTRUCTIONS):
            return f"It shares so much with {other.label} that both must contain code of the same origin."
        return "It shares too little with any of them to contain code of the same origin."
