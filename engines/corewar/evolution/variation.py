"""Variation: random code, mutation, crossover, the breeder that chooses among them, and the founders of a tribe.

Reference: Evolving Warriors, sections Recipe for primordial soup, Tribes and Breeding, Copy with optional Point
Mutation, Single point crossover, Future genetic work, P-space.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final, Self

from core.corewar import instruction as ins
from core.corewar.mars import Mars
from core.corewar.warrior import Warrior
from core.random import Random
from engines.corewar.battles import fields
from engines.corewar.evolution.config import (
    CHANGES,
    CROSSOVERS,
    PARTS,
    Common,
    TribesConfig,
    common_instructions,
)
from engines.corewar.evolution.evaluation import begin_alone, occupied_parts
from engines.corewar.evolution.genome import (
    MARK,
    Cells,
    WarriorGenome,
    expressed,
    marked,
    marked_once,
    unmarked,
)
from engines.evolution.selection import choice, weighted_index

OPERATION: Final = 0  # the parts of an instruction, in the order of PARTS in the configuration
MODIFIER: Final = 1
A_MODE: Final = 2
B_MODE: Final = 3
A_VALUE: Final = 4
B_VALUE: Final = 5

FURTHEST_NUDGE: Final = 4  # cells
CUTS: Final = 1000  # tries to cut two parents, before one of them is copied

# A switch snippet has one to three instructions. Its numbers are 0 to 3, both for cells of P-space, of which the
# first has the result of the last round, and for the values stored in them.
LONGEST_SNIPPET: Final = 3
NUMBERS: Final = 4
CONDITIONS: Final = (ins.JMZ, ins.JMN)
COMPARISONS: Final = (ins.SEQ, ins.SNE, ins.SLT)
SUMS: Final = (ins.ADD, ins.SUB)

ALL: Final = tuple(code for code in range(len(ins.OPERATIONS)) if code != ins.CMP)
WITHOUT_PSPACE: Final = tuple(code for code in ALL if code not in (ins.LDP, ins.STP))

Parts = list[int]  # of an instruction, in the order from OPERATION to B_VALUE; SEQ stands for CMP, too
Sequences = frozenset[Cells]  # sequences of instructions without their values


# -- Random code -------------------------------------------------------------------------------------

# SEQ and CMP are one operation. A run may make some instructions more common than others and some values near: in a
# large core uniform values hardly ever point into the warrior itself, and evolvers of warriors since T. Newton's REBS
# draw from such lists.


@dataclass(frozen=True, slots=True, kw_only=True)
class RandomCode:
    """The distribution of random instructions: their operations, and the numbers that their parts may have."""

    operations: tuple[int, ...]
    size: int  # of the core
    value_bits: int  # the number of bits of a value that may flip
    wide: bool = False  # whether values may be above the core size
    common: Common = ()  # the instructions to draw from; (): all
    near: float = 0.0  # the probability that a value is drawn from -reach to reach
    reach: int = 0  # cells

    @classmethod
    def of(cls, config: TribesConfig) -> Self:
        wide = config.wide_values == "on"
        largest = ins.LARGEST_CORE if wide else config.core_size
        return cls(
            operations=ALL if config.pspace == "on" else WITHOUT_PSPACE,
            size=config.core_size,
            value_bits=(largest - 1).bit_length(),
            wide=wide,
            common=common_instructions(config.instructions),
            near=config.near,
            reach=config.reach,
        )

    def choices(self, part: int) -> Sequence[int]:
        """Return the numbers that a part may have."""
        if part == OPERATION:
            return self.operations
        if part == MODIFIER:
            return range(len(ins.MODIFIERS))
        return range(len(ins.MODES) if part < A_VALUE else self.size)

    def instruction(self, rng: Random) -> int:
        """Return a random instruction; its operation and modifier come from the common ones if there are any."""
        parts = [self.drawn(part, rng) for part in range(len(PARTS))]
        if self.common:
            parts[OPERATION], modifier = choice(self.common, rng)
            parts[MODIFIER] = parts[MODIFIER] if modifier is None else modifier
        return self.joined(parts)

    def drawn(self, part: int, rng: Random) -> int:
        """Return a part of a random instruction: uniform, or from the common instructions and the near values."""
        if part == OPERATION and self.common:
            return choice(self.common, rng)[0]
        if part >= A_VALUE and self.near and rng.chance(self.near):
            return (int(rng.below(2 * self.reach + 1)) - self.reach) % self.size
        return choice(self.choices(part), rng)

    def cells(self, length: int, rng: Random) -> Cells:
        return tuple(self.instruction(rng) for _ in range(length))

    def value(self, number: int) -> int:
        """Return the number as a value: with all its bits if values are wide, else modulo the core size."""
        return number if self.wide and 0 <= number < ins.LARGEST_CORE else number % self.size

    def parts(self, gene: int) -> Parts:
        """Return the parts of a gene.

        Its operation may be one that the run does not use, if the gene is of an ancestor; a change of other parts
        keeps it.
        """
        operation, modifier, a_mode, a, b_mode, b = fields(gene & ~MARK)
        return [ins.SEQ if operation == ins.CMP else operation, modifier, a_mode, b_mode, a, b]

    def joined(self, parts: Parts) -> int:
        operation, modifier, a_mode, b_mode, a, b = parts
        return int(ins.pack(operation, modifier, a_mode, a, b_mode, b))


def switch_snippet(places: Sequence[int], size: int, rng: Random) -> Cells:
    """Return random instructions that jump to one of `places`, perhaps by a value of P-space, or store a value there.

    "Saving the previous strategy in P-space, and switching strategies if the P-space field 0 shows the program lost
    last time" (section P-space): instructions that are drawn one by one hardly ever do that. `size` is that of the
    core; `places` are counted from the first instruction of the snippet.
    """
    cell, number, place = int(rng.below(NUMBERS)), int(rng.below(NUMBERS)), choice(places, rng)
    load = ins.pack(ins.LDP, ins.DOT_AB, ins.IMMEDIATE, cell, ins.IMMEDIATE, 0)  # into its own B value
    match rng.below(5):
        case 0:  # jump if a cell of P-space is zero, or if it is not
            return load, ins.pack(
                choice(CONDITIONS, rng), ins.DOT_B, ins.DIRECT, (place - 1) % size, ins.DIRECT, -1 % size
            )
        case 1:  # jump unless a comparison with the number skips the jump
            compare = ins.pack(
                choice(COMPARISONS, rng), ins.DOT_AB, ins.IMMEDIATE, number, ins.DIRECT, -1 % size
            )
            return load, compare, _jump(place - 2, size)
        case 2:  # add to a cell, or subtract from it
            total = ins.pack(choice(SUMS, rng), ins.DOT_AB, ins.IMMEDIATE, number, ins.DIRECT, -1 % size)
            return load, total, ins.pack(ins.STP, ins.DOT_B, ins.DIRECT, -2 % size, ins.IMMEDIATE, cell)
        case 3:  # store a number in a cell
            return (ins.pack(ins.STP, ins.DOT_AB, ins.IMMEDIATE, number, ins.IMMEDIATE, cell),)
        case _:
            return (_jump(place, size),)


def _jump(way: int, size: int) -> int:
    return int(ins.pack(ins.JMP, ins.DOT_B, ins.DIRECT, way % size, ins.DIRECT, 0))


# -- Mutation ----------------------------------------------------------------------------------------

# In the paper one to eight bits are flipped, in parts that are chosen by weights. The other kinds of change are those
# of later evolvers of warriors.


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutation:
    """The distribution of mutations: the weights of the kinds of change and of the parts, and their number."""

    code: RandomCode
    kinds: tuple[float, ...]
    parts: tuple[float, ...]
    fewest: int
    most: int
    longest: int  # instructions
    protection: float
    start_moves: float  # the probability of a new start; 0 if warriors start at their first cell

    @classmethod
    def of(cls, config: TribesConfig) -> Self:
        return cls(
            code=RandomCode.of(config),
            kinds=config.weights(CHANGES),
            parts=config.weights(PARTS),
            fewest=config.fewest_changes,
            most=config.most_changes,
            longest=config.most_instructions,
            protection=config.protection,
            start_moves=config.start_moves if config.start == "evolved" else 0.0,
        )

    def apply(self, cells: Cells, protected: Sequence[bool], rng: Random) -> tuple[Cells, int]:
        """Return the mutated cells and the number of changes; `protected` marks the cells that are spared."""
        changed = list(cells)
        spared = list(protected)
        count = self.fewest + int(rng.below(self.most - self.fewest + 1))
        for _ in range(count):
            self._change(changed, spared, self._place(spared, rng), rng)
        mutated = tuple(changed)
        if self.start_moves and rng.chance(self.start_moves):
            mutated = marked(unmarked(mutated)[0], int(rng.below(len(mutated))))
        return mutated, count

    def _place(self, spared: Sequence[bool], rng: Random) -> int:
        """Return a random place. A spared one has the weight 1 - protection; if all weights are 0, all are equal."""
        if not self.protection:
            return int(rng.below(len(spared)))
        weights = [1 - self.protection if is_spared else 1.0 for is_spared in spared]
        return weighted_index(weights, rng) if any(weights) else int(rng.below(len(spared)))

    def _change(self, cells: list[int], spared: list[bool], at: int, rng: Random) -> None:
        kind = CHANGES[weighted_index(self.kinds, rng)]
        match kind:
            case "flip" | "redraw" | "nudge":
                parts = self.code.parts(cells[at])
                change = {"flip": self._flip, "redraw": self._redraw, "nudge": self._nudge}[kind]
                change(parts, rng)
                _replace(cells, at, self.code.joined(parts))
            case "aim":
                parts = self.code.parts(cells[at])
                parts[_either_value(rng)] = (int(rng.below(len(cells))) - at) % self.code.size
                _replace(cells, at, self.code.joined(parts))
            case "fresh":
                _replace(cells, at, self.code.instruction(rng))
            case "duplicate":
                _replace(cells, at, cells[rng.below(len(cells))])
            case "exchange":
                other = self._place(spared, rng)
                cells[at], cells[other] = cells[other], cells[at]
            case "phrase" if len(cells) + LONGEST_SNIPPET <= self.longest:
                # Inserted before the first instruction, so that relative addresses within the rest still fit.
                added = switch_snippet(range(LONGEST_SNIPPET + len(cells)), self.code.size, rng)
                cells[:0] = added
                spared[:0] = [False] * len(added)
            case "insertion" if len(cells) < self.longest:
                cells.insert(at, self.code.instruction(rng))
                spared.insert(at, False)
            case "deletion" if len(cells) > 1:
                mark = cells[at] & MARK
                del cells[at], spared[at]
                cells[at % len(cells)] |= mark

    def _flip(self, parts: Parts, rng: Random) -> None:
        """Flip a bit of the shortest code of a random part; draw the bit again if the result is no valid code."""
        part = weighted_index(self.parts, rng)
        if part >= A_VALUE:
            parts[part] = self.code.value(parts[part] ^ (1 << int(rng.below(self.code.value_bits))))
            return
        choices = self.code.choices(part)
        code = choices.index(parts[part]) if parts[part] in choices else 0
        while True:
            flipped = code ^ (1 << int(rng.below((len(choices) - 1).bit_length())))
            if flipped < len(choices):
                parts[part] = choices[flipped]
                return

    def _redraw(self, parts: Parts, rng: Random) -> None:
        part = weighted_index(self.parts, rng)
        parts[part] = self.code.drawn(part, rng)

    def _nudge(self, parts: Parts, rng: Random) -> None:
        """Add to one of the values, or subtract from it, 1 to FURTHEST_NUDGE cells."""
        value = _either_value(rng)
        step = 1 + rng.below(FURTHEST_NUDGE)
        parts[value] = self.code.value(parts[value] + (step if rng.chance(0.5) else -step))


def _either_value(rng: Random) -> int:
    return A_VALUE + int(rng.below(2))


def _replace(cells: list[int], at: int, cell: int) -> None:
    """Replace a cell, and leave the mark of the start where it is."""
    cells[at] = (cell & ~MARK) | (cells[at] & MARK)


# -- Crossover: a child of two parents, cut between instructions ---------------------------------------

# Two-point and homologous crossover are those of section Future genetic work. A join cuts nothing. A child of a
# crossover is not mutated.


def single_point(mother: Cells, father: Cells, longest: int, rng: Random) -> Cells:
    """Cut each parent once, and join a part of each in random order; cut again until the length is allowed."""
    for _ in range(CUTS):
        parts = []
        for parent in (mother, father):
            cut = int(rng.below(len(parent) + 1))
            parts.append(parent[:cut] if rng.chance(0.5) else parent[cut:])
        if rng.chance(0.5):
            parts.reverse()
        child = parts[0] + parts[1]
        if 1 <= len(child) <= longest:
            return child
    return mother


def two_point(mother: Cells, father: Cells, longest: int, rng: Random) -> Cells:
    """Replace a random stretch of the mother by a random stretch of the father."""
    for _ in range(CUTS):
        first, last = sorted(int(rng.below(len(mother) + 1)) for _ in range(2))
        begin, end = sorted(int(rng.below(len(father) + 1)) for _ in range(2))
        child = mother[:first] + father[begin:end] + mother[last:]
        if 1 <= len(child) <= longest:
            return child
    return mother


def homologous(mother: Cells, father: Cells, longest: int, rng: Random) -> Cells:
    """Cut both parents before the same place, at which they have the same operation, and join the two parts.

    So aligned instructions stay aligned. If no place has the same operation, the crossover is a single point
    crossover.
    """
    aligned = [
        place
        for place, (one, other) in enumerate(zip(mother, father, strict=False))
        if ins.operation_of(one) == ins.operation_of(other)
    ]
    if not aligned:
        return single_point(mother, father, longest, rng)
    cut = aligned[rng.below(len(aligned))]
    if rng.chance(0.5):
        mother, father = father, mother
    return mother[:cut] + father[cut:]


def join(mother: Cells, father: Cells, longest: int, rng: Random) -> Cells:
    """Put both parents whole after a SPL, so that both execute; if that is too long, do a two-point crossover."""
    child = (int(ins.pack(ins.SPL, ins.DOT_B, ins.DIRECT, len(mother) + 1, ins.DIRECT, 0)), *mother, *father)
    return child if len(child) <= longest else two_point(mother, father, longest, rng)


# -- Protection of sequences that recur in a tribe: their instructions mutate less ---------------------

# Section Future genetic work, after J. R. Koza's automatically defined functions. Instructions that differ only in
# their values are equal here.


def occurring(parts: Iterable[Cells], length: int) -> Sequences:
    """Return all sequences of `length` instructions in the parts; a part that is shorter is a sequence itself."""
    return frozenset(sequence for cells in parts for sequence in _sequences(cells, min(length, len(cells))))


def recurring(tribe: Sequence[Cells], length: int) -> Sequences:
    """Return the sequences of `length` instructions that more than half of the tribe has."""
    owners = Counter(sequence for cells in tribe for sequence in set(_sequences(cells, length)))
    return frozenset(sequence for sequence, count in owners.items() if 2 * count > len(tribe))


def protected(cells: Cells, sequences: Sequences) -> list[bool]:
    """Return for each instruction whether it belongs to one of the sequences."""
    safe = [False] * len(cells)
    for length in {len(sequence) for sequence in sequences}:
        for at, sequence in enumerate(_sequences(cells, length)):
            if sequence in sequences:
                safe[at : at + length] = [True] * length
    return safe


def _sequences(cells: Cells, length: int) -> Iterator[Cells]:
    codes = tuple(cell & ins.CODE for cell in cells)
    for at in range(len(codes) - length + 1):
        yield codes[at : at + length]


# -- Breeding ----------------------------------------------------------------------------------------


KINDS: Final[tuple[Callable[[Cells, Cells, int, Random], Cells], ...]] = (
    single_point, two_point, homologous, join,
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Child:
    """The genes of an offspring, its parents as numbers in the breeder's list, and its origin in words."""

    genes: Cells
    parents: tuple[int, ...]
    origin: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Breeder:
    """The operators of variation for one generation of a tribe, their probabilities, and the protected sequences."""

    mutation: Mutation
    crossover_chance: float
    crossovers: tuple[float, ...]
    mutation_chance: float
    longest: int
    start_evolves: bool
    sequences: Sequences

    @classmethod
    def of(cls, config: TribesConfig, crossover_chance: float, sequences: Sequences) -> Self:
        return cls(
            mutation=Mutation.of(config),
            crossover_chance=crossover_chance,
            crossovers=config.weights(CROSSOVERS),
            mutation_chance=config.mutation,
            longest=config.most_instructions,
            start_evolves=config.start == "evolved",
            sequences=sequences,
        )

    def offspring(self, parents: Sequence[Cells], rng: Random) -> Child:
        """Return a child of one of the parents, or of two different ones by crossover."""
        if len(parents) > 1 and rng.chance(self.crossover_chance):
            return self._crossed(parents, rng)
        parent = int(rng.below(len(parents)))
        cells = parents[parent]
        if not rng.chance(self.mutation_chance):
            return Child(genes=cells, parents=(parent,), origin="copy")
        mutated, changes = self.mutation.apply(cells, protected(cells, self.sequences), rng)
        return Child(genes=mutated, parents=(parent,), origin=f"mutation {changes}")

    def _crossed(self, parents: Sequence[Cells], rng: Random) -> Child:
        places = list(range(len(parents)))
        mother = places.pop(int(rng.below(len(places))))
        father = choice(places, rng)
        kind = weighted_index(self.crossovers, rng)
        cells = KINDS[kind](parents[mother], parents[father], self.longest, rng)
        return Child(
            genes=marked_once(cells) if self.start_evolves else cells,
            parents=(mother, father),
            origin=f"{CROSSOVERS[kind]} crossover".replace("_", " "),
        )


# -- Founders ----------------------------------------------------------------------------------------

# A founder is random code, or consists of switch snippets and, after them, parts that can fight already: "absolutely
# the most common use of P-space is to use it to select a strategy" (section P-space). The parts are given; evolution
# finds when to execute which of them.


@dataclass(frozen=True, slots=True, kw_only=True)
class Founders:
    """The distribution of founders: the number of their random instructions, and the parts that follow these."""

    code: RandomCode
    shortest: int
    longest: int
    start_evolves: bool
    parts: tuple[Cells, ...]
    tries: int  # for each founder; the one that executes in most of the core is taken
    mars: Mars  # the core for the tries
    cycles: int

    @classmethod
    def of(cls, config: TribesConfig, parts: Sequence[WarriorGenome]) -> Self:
        """Return the founders of a configuration. Raises ValueError if the parts are too long for a warrior."""
        cells = tuple(part.as_part() for part in parts)
        length = config.founders_longest + sum(map(len, cells))
        if cells and length > config.most_instructions:
            raise ValueError(
                f"parts and {config.founders_longest} instructions before them make {length}, above the length, "
                f"{config.most_instructions}"
            )
        return cls(
            code=RandomCode.of(config),
            shortest=config.founders_shortest,
            longest=config.founders_longest,
            start_evolves=config.start == "evolved",
            parts=cells,
            tries=config.founder_tries,
            mars=Mars(config.rules, [Warrior("", "", (), 0)]),
            cycles=config.viability_cycles,
        )

    def draw(self, rng: Random) -> Cells:
        """Return the genes of a founder, the best of `tries`."""
        genes = self._random_cells(rng)
        most = self._occupied_parts(genes) if self.tries > 1 else 0
        for _ in range(self.tries - 1):
            other = self._random_cells(rng)
            if (occupied := self._occupied_parts(other)) > most:
                genes, most = other, occupied
        return genes

    def _occupied_parts(self, genes: Cells) -> int:
        begin_alone(expressed(genes, self.code.size), self.mars)
        self.mars.run(self.cycles)
        return occupied_parts(self.mars)

    def _random_cells(self, rng: Random) -> Cells:
        length = self.shortest + int(rng.below(self.longest - self.shortest + 1))
        cells = self._choosing(length, rng) if self.parts else self.code.cells(length, rng)
        cells += sum(self.parts, ())
        return marked(cells, int(rng.below(length))) if self.start_evolves else cells

    def _choosing(self, length: int, rng: Random) -> Cells:
        """Return `length` instructions of switch snippets, which jump to each other or to the start of a part.

        The last snippet is cut to fit.
        """
        entrances = list(accumulate(map(len, self.parts[:-1]), initial=length))
        places = [*range(length), *entrances]
        cells: Cells = ()
        while len(cells) < length:
            cells += switch_snippet([place - len(cells) for place in places], self.code.size, rng)
        return cells[:length]
