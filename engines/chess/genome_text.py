"""The text form of chess genomes: lines of `name: value`, gene after gene, END after each genome.

The form is that of Genetic Chess in June 2017; a gene that has phases is written as in that program's present form,
with `Priority - Endgame` and `Priority - Opening`. The present form is read as well; properties without a counterpart
in this genome are ignored, with a remark.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from engines.chess.genes import ENDGAME, GENE_SPECS, OPENING, REQUIRED_GENES, Gene, Param
from engines.config import NUMBER
from engines.names import near

MAX_CHARACTERS: Final = 1 << 29  # 300,000 games leave about 300 MB of genomes

# Genes and properties of the present form only. Its speculation is a factor on the time, not the exponent's k.
FOREIGN_GENES: Final = frozenset({"Checkmate Material Gene", "Move Sorting Gene"})
FOREIGN: Final = frozenset({
    ("Look Ahead Gene", "Branching Factor"),
    ("Look Ahead Gene", "Game Length Uncertainty"),
    ("Look Ahead Gene", "Speculation"),
    ("Sphere of Influence Gene", "Illegal Square Score"),
    ("Sphere of Influence Gene", "Legal Square Score"),
    ("Castling Possible Gene", "Queenside Preference"),
    ("Castling Possible Gene", "Unmoved Rook Bonus"),
    ("Pawn Structure Gene", "Guarded By Pawn"),
    ("Pawn Structure Gene", "Guarded By Piece"),
})  # fmt: skip
# In the present form the priorities of these genes have another meaning: it counts stacked pawns and islands as a
# loss, and guards by pieces too. Its Passed Pawn Gene differs less, in the worth of the ranks below the seventh, and
# is read. Genes of the present form are recognized by having no switch.
REDEFINED: Final = frozenset({"Pawn Islands Gene", "Pawn Structure Gene", "Stacked Pawns Gene"})
FOREIGN_ANYWHERE: Final = frozenset({"Activation Begin", "Activation End"})
# Properties that the present form lacks.
ABSENT: Final = frozenset({
    ("Look Ahead Gene", "Minimum Moves Left"),
    ("Look Ahead Gene", "Positions Per Second"),
    ("Look Ahead Gene", "Speculation Constant"),
    ("Sphere of Influence Gene", "Legal Bonus"),
})  # fmt: skip

END_LINE: Final = re.compile(r"^[^\S\n]*END[^\S\n]*(?:#.*)?$", re.MULTILINE)
ID_LINE: Final = re.compile(r"^[^\S\n]*ID[^\S\n]*:[^\S\n]*([0-9]{1,18})[^\S\n]*(?:#.*)?$", re.MULTILINE)


class GenomeError(ValueError):
    """An invalid genome; `line` counts from 1, and `gene` is the gene that was being read."""

    def __init__(self, reason: str, *, line: int | None = None, gene: str | None = None) -> None:
        where = ", ".join(place for place in (f"line {line}" if line else "", gene) if place)
        super().__init__(f"{where}: {reason}" if where else reason)
        self.line = line
        self.gene = gene


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """The text of one genome, up to its END, and the number of its first line."""

    text: str
    line: int

    @property
    def id(self) -> int | None:
        """The genome's ID, found without reading the genome."""
        found = ID_LINE.search(self.text)
        return int(found[1]) if found else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """A parsed Block: the genes in the order of the table, and remarks on ignored and missing values."""

    id: int | None
    genes: tuple[Gene, ...]
    remarks: tuple[str, ...]


def blocks(text: str) -> Iterator[Block]:
    """Yield the genomes of a file without parsing them.

    Raises GenomeError if the file is too large or its last genome has no END.
    """
    if len(text) > MAX_CHARACTERS:
        raise GenomeError(f"the file is too large: {len(text)} characters, {MAX_CHARACTERS} are allowed")
    start, line = 0, 1
    for end in END_LINE.finditer(text):
        yield Block(text=text[start : end.end()], line=line)
        line += text.count("\n", start, end.end())
        start = end.end()
    for number, content in _contents(Block(text=text[start:], line=line)):
        if not content.startswith("Still Alive"):
            raise GenomeError(f"END is missing after {content[:40]!r}", line=number)


def parse(block: Block) -> Record:
    """Parse one genome. Raises GenomeError, which names line and gene, if the text is invalid."""
    reader = _Reader()
    for line, content in _contents(block):
        reader.take(line, content)
    return reader.record()


def write(id: int | None, genes: tuple[Gene, ...]) -> str:
    """Return a genome in the form of June 2017, with numbers that are read back exactly."""
    lines = [] if id is None else [f"ID: {id}", ""]
    for gene in genes:
        lines.append(f"Name: {gene.name}")
        numbers: dict[str, list[str]] = {}
        for param, value in zip(gene.params, gene.values, strict=True):
            numbers.setdefault(param.line or param.name, []).append(repr(value))
        lines += [f"{name}: {' '.join(values)}" for name, values in numbers.items()]
        lines += ["ACTIVE" if gene.active else "INACTIVE", ""]
    return "\n".join([*lines, "END", ""])


def _contents(block: Block) -> Iterator[tuple[int, str]]:
    """Yield number and content of each line that is not empty, without comments and superfluous spaces."""
    for number, line in enumerate(block.text.split("\n"), block.line):
        content = " ".join(line.partition("#")[0].split())
        if content:
            yield number, content


@dataclass(slots=True)
class _Reader:
    """A parser of one genome, line by line."""

    id: int | None = None
    gene: str | None = None  # the gene of the last Name line
    values: dict[str, dict[str, float]] = field(default_factory=dict)
    phased: set[str] = field(default_factory=set)  # genes that have phases; values of others hold in both
    active: dict[str, bool] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)
    is_todays: bool = False  # whether a property without a counterpart was found: it is the present form
    line: int = 0

    def take(self, line: int, content: str) -> None:
        self.line = line
        started = self.id is not None or self.gene is not None
        if content == "END" or (content.startswith("Still Alive") and not started):
            return
        if content in ("ACTIVE", "INACTIVE"):
            self._switch(content == "ACTIVE")
            return
        name, *values = content.split(":")
        if len(values) != 1:
            raise self._error(f"a line has exactly one colon, this one has {len(values)}: {content[:60]!r}")
        name, value = name.strip(), values[0].strip()
        if name == "ID" and self.gene is None:
            self._identify(value)
        elif name == "Name":
            self._begin(value)
        else:
            self._set(name, value)

    def record(self) -> Record:
        """Return the genome after its last line. Raises GenomeError if a gene or value is missing."""
        for name in sorted(REDEFINED & (self.values.keys() - self.active.keys())):
            if self.is_todays:
                self.gene = name
                self._leave_out("it", "has another meaning in Genetic Chess")
                del self.values[name]
        present = {spec.name for spec in REQUIRED_GENES} | self.values.keys()
        genes = tuple(self._finished(name) for name in GENE_SPECS if name in present)
        return Record(id=self.id, genes=genes, remarks=tuple(self.remarks))

    def _identify(self, text: str) -> None:
        if self.id is not None:
            raise self._error("the ID is there twice")
        if not (text.isascii() and text.isdigit() and len(text) <= 18):
            raise self._error(f"ID must be a number of at most 18 digits, not {text[:40]!r}")
        self.id = int(text)

    def _begin(self, name: str) -> None:
        self.gene = name
        if name in FOREIGN_GENES:
            self._leave_out("it")
        elif name not in GENE_SPECS:
            raise self._error(f"unknown gene; {near(name, GENE_SPECS)}")
        elif name in self.values:
            raise self._error("the gene is there twice")
        else:
            self.values[name] = {}

    def _switch(self, active: bool) -> None:
        if self.gene is None:
            raise self._error("ACTIVE or INACTIVE before the first gene")
        if self.gene in self.active:
            raise self._error("ACTIVE or INACTIVE is there twice")
        self.active[self.gene] = active

    def _set(self, name: str, text: str) -> None:
        gene = self.gene
        if gene is None:
            raise self._error(f"{name[:60]!r} before the first gene")
        if gene in FOREIGN_GENES:
            return
        plain, dash, phase = name.rpartition(" - ")
        if phase not in (OPENING, ENDGAME):
            plain, dash = name, ""
        params = [param for param in GENE_SPECS[gene].params if plain == (param.line or param.name)]
        has_phases = any(param.has_phases for param in params)
        is_late = dash and phase == ENDGAME and params and not has_phases
        if plain in FOREIGN_ANYWHERE or (gene, plain) in FOREIGN or is_late:
            self._leave_out(repr(name))
            return
        if not params:
            known = [param.line or param.name for param in GENE_SPECS[gene].params]
            raise self._error(f"unknown property {name[:60]!r}; {near(plain, known)}")
        if dash and has_phases:
            self.phased.add(gene)
        numbers = text.split(" ") if len(params) > 1 else [text]
        if len(numbers) != len(params):
            raise self._error(f"{plain} must be {len(params)} numbers, not {len(numbers)}")
        for param, number in zip(params, numbers, strict=True):
            value = self._number(param, number)
            for version in param.version_names():
                if dash and has_phases and not version.endswith(f" - {phase}"):
                    continue
                if version in self.values[gene]:
                    raise self._error(f"{plain} is there twice")
                self.values[gene][version] = value

    def _number(self, param: Param, text: str) -> float:
        if not NUMBER.fullmatch(text):
            raise self._error(f"{param.name} must be a number, not {text[:40]!r}")
        value = float(text)
        if not param.minimum <= value <= param.maximum:
            raise self._error(f"{param.name} must be {param.minimum:g} to {param.maximum:g}, not {text[:40]}")
        return value

    def _finished(self, name: str) -> Gene:
        """Return a gene that was read; a missing value gets its default if the present form never has it.

        Raises GenomeError for all other missing values.
        """
        self.gene = name
        if name not in self.values:
            raise self._error("the gene is missing")
        found = self.values[name]
        values = []
        for param in GENE_SPECS[name].params:
            versions = param.version_names()
            for version in versions if name in self.phased else versions[:1]:
                value = found.get(version)
                if value is None:
                    label = version if name in self.phased else param.name
                    if not (self.is_todays and (name, label) in ABSENT):
                        raise self._error(f"{label} is missing")
                    value = param.default
                    self.remarks.append(f"{name}: {label!r} is missing and becomes {value:g}")
                values.append(value)
        if name not in self.active and not self.is_todays:
            raise self._error("ACTIVE or INACTIVE is missing")
        return Gene(name=name, values=tuple(values), active=self.active.get(name, True))

    def _leave_out(self, what: str, why: str = "has no counterpart") -> None:
        self.is_todays = True
        self.remarks.append(f"{self.gene}: {what} {why} and is ignored")

    def _error(self, reason: str) -> GenomeError:
        return GenomeError(reason, line=self.line, gene=self.gene[:60] if self.gene else None)
