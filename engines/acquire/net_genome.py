"""The genome of a player with a net: one net for all decisions, with an input for each that says which it is.

Whatever is decided, the result is a state of the same game, so one net has more to learn from than six. The text is
`(net 1)`, where 1 is the version of the format, followed by one row of weights on each line: `(chain NAME ...)` or
`(table NAME ...)` with one number for each unit of the layer, and `(result ...)`. Rows may come in any order. The net
has only those inputs that have rows; the rows of biases, sums and decisions are required. `;` begins a comment.
Reference: "Evolving Board Evaluation Functions", section 5.3.6.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain
from math import isfinite, sqrt
from types import MappingProxyType
from typing import Final, Self

from core.acquire.net import Net
from core.acquire.players import Player
from core.acquire.program import LEAF, READ
from core.acquire.typed_features import TypedFeatures
from core.acquire.typed_player import Decisions, TypedPlayer
from core.random import Random
from engines.acquire.genome import DECISIONS, DEFAULT_OPTIONS, TRUTHS, PlayerOptions
from engines.acquire.gp.primitives import CHAIN_FEATURES, FACTS, PRIMITIVES
from engines.acquire.gp.sexpr import NUMBER, number

DOLLAR: Final = 0.01  # money is counted in hundreds of dollars
MOVE_CHAINS: Final = ("founded", "grown", "survivor", "defunct", "bought")  # 1 for this chain, 0 for others

# Inputs by name: the features of typed programs, except the majority's bonus, which is always ten prices.
CHAIN_SLOTS: Final[Mapping[str, int]] = MappingProxyType(
    {each.name: each.code[0] - READ for each in CHAIN_FEATURES if each.name != "bonus"}
    | {name: PRIMITIVES[name].code[0] - LEAF for name in MOVE_CHAINS}
)
TABLE_SLOTS: Final[Mapping[str, int]] = MappingProxyType({each.name: each.code[0] - LEAF for each in FACTS})

BIAS: Final = "bias"
SUM: Final = "sum-"  # before the number of a unit whose values are summed up over all chains
CHAIN, TABLE, RESULT = "chain", "table", "result"  # layers
MAX_UNITS: Final = 64  # of a layer

VERSION: Final = "1"
HEAD: Final = re.compile(  # the beginning of a text that is meant to be a net
    r"(?:[^\S\n]*(?:;[^\n]*)?\n)*[^\S\n]*\([^\S\n]*net\b"
)
FORM: Final = re.compile(r"\(([^();]*)\)")
MAX_TEXT: Final = 1 << 20  # characters

Row = tuple[str, str, tuple[float, ...]]  # layer, name (empty for the result), one weight a unit


class NetError(ValueError):
    """Raised for a text that is not a net; its message contains the line and the text that was read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """The shape of a net, which is everything except its weights.

    Weights come row by row; a row has one weight for each unit of its layer.
    """

    chain_units: int = 8
    table_units: int = 6
    chain_inputs: tuple[str, ...] = tuple(CHAIN_SLOTS)
    facts: tuple[str, ...] = tuple(TABLE_SLOTS)

    @property
    def layers(self) -> tuple[tuple[str, tuple[str, ...], int], ...]:
        """Each layer with the names of its rows and its number of units."""
        sums = (f"{SUM}{unit + 1}" for unit in range(self.chain_units))
        return (
            (CHAIN, (BIAS, *self.chain_inputs), self.chain_units),
            (TABLE, (BIAS, *sums, *self.facts, *DECISIONS), self.table_units),
            (RESULT, ("",), self.table_units),
        )

    @property
    def size(self) -> int:
        """The number of weights."""
        return sum(len(rows) * units for _, rows, units in self.layers)

    def rows(self, weights: Sequence[float]) -> Iterator[Row]:
        """Yield each row: its layer, its name and its weights."""
        at = 0
        for layer, names, units in self.layers:
            for name in names:
                yield layer, name, tuple(weights[at : at + units])
                at += units


USUAL: Final = Shape()


@dataclass(frozen=True, slots=True, kw_only=True)
class NetGenome:
    """The shape of a net, and its weights, row by row."""

    shape: Shape
    weights: tuple[float, ...]

    def __post_init__(self) -> None:
        """Raise ValueError if the number of weights is not that of the shape, or one is not finite."""
        if len(self.weights) != self.shape.size:
            raise ValueError(f"a net of this shape has {self.shape.size} weights, not {len(self.weights)}")
        if not all(map(isfinite, self.weights)):
            raise ValueError("a weight must be a finite number")

    @classmethod
    def random(cls, rng: Random, shape: Shape = USUAL) -> Self:
        """Return a net with random weights; the more weights a unit has, the smaller they are."""
        deviations = chain.from_iterable(
            [1 / sqrt(len(rows) if len(rows) > 1 else units)] * (len(rows) * units)
            for _, rows, units in shape.layers
        )
        return cls(shape=shape, weights=tuple(rng.normal(deviation) for deviation in deviations))

    @classmethod
    def loads(cls, text: str) -> Self:
        """Return the net that a text describes. Raises NetError if it describes none."""
        if len(text) > MAX_TEXT:
            raise NetError(f"the text is too long for a net: {len(text)} characters, {MAX_TEXT} are allowed")
        found = _rows(text)
        units = {layer: len(_wanted(found, layer, BIAS, text)) for layer in (CHAIN, TABLE)}
        shape = Shape(
            chain_units=units[CHAIN],
            table_units=units[TABLE],
            chain_inputs=tuple(name for name in CHAIN_SLOTS if (CHAIN, name) in found),
            facts=tuple(name for name in TABLE_SLOTS if (TABLE, name) in found),
        )
        weights: list[float] = []
        for layer, names, _ in shape.layers:
            for name in names:
                weights += _wanted(found, layer, name, text)
                del found[layer, name]
        for (layer, name), (line, _) in found.items():
            raise NetError(f"line {line}: a net has no row ({_title(layer, name)} ...)")
        return cls(shape=shape, weights=tuple(weights))

    def dumps(self) -> str:
        """Return the text of the net, with every number exact."""
        rows = (
            f"({_title(layer, name)} {' '.join(map(number, row))})\n"
            for layer, name, row in self.shape.rows(self.weights)
        )
        return f"(net {VERSION})\n{''.join(rows)}"

    def express(self, options: PlayerOptions = DEFAULT_OPTIONS) -> Player:
        """Return a new player. It keeps the state of its game, so two seats need two players."""
        features = [TypedFeatures(net, DOLLAR) for net in self.nets().values()]
        return TypedPlayer(Decisions(*features), options.tie, *options.chance_arguments)

    def nets(self) -> dict[str, Net]:
        """Return the net as it is in each of DECISIONS, in their order."""
        chain_inputs = tuple(CHAIN_SLOTS[name] for name in self.shape.chain_inputs)
        facts = tuple(TABLE_SLOTS[name] for name in self.shape.facts)
        chain_units, table_units = self.shape.chain_units, self.shape.table_units
        return {
            decision: Net(chain_inputs, facts, chain_units, table_units, weights, decision in TRUTHS)
            for decision, weights in zip(DECISIONS, _weights(self), strict=True)
        }

    def moved(self, steps: Sequence[float]) -> Self:
        """Return the net with a step added to each weight."""
        pairs = zip(self.weights, steps, strict=True)
        return replace(self, weights=tuple(weight + step for weight, step in pairs))

    def with_weights(self, weights: Sequence[float]) -> Self:
        """Return a net of this shape with other weights."""
        return replace(self, weights=tuple(weights))


# Cached: a table has up to six nets for six decisions each, and a server's event loop waits while they are made.
@lru_cache(maxsize=32)
def _weights(genome: NetGenome) -> list[tuple[float, ...]]:
    """Return the weights for each of DECISIONS.

    The weights include the scales of the inputs, and the biases include the input of the decision.
    """
    rows = {(layer, name): row for layer, name, row in genome.shape.rows(genome.weights)}
    added = [rows.pop((TABLE, name)) for name in DECISIONS]
    biases = rows[TABLE, BIAS]
    weights = []
    for more in added:
        rows[TABLE, BIAS] = tuple(a + b for a, b in zip(biases, more, strict=True))
        weights.append(tuple(weight * scale_of(name) for (_, name), row in rows.items() for weight in row))
    return weights


def scale_of(name: str) -> float:
    """Return the scale by which an input is multiplied: that of the primitive of this name, else 1."""
    return PRIMITIVES[name].scale if name in PRIMITIVES else 1.0


# -- Reading ---------------------------------------------------------------------------------------

Found = dict[tuple[str, str], tuple[int, tuple[float, ...]]]  # layer and name: line, weights


def _wanted(found: Found, layer: str, name: str, text: str) -> tuple[float, ...]:
    """Return a row. Raises NetError if the text has none of this name."""
    if (layer, name) not in found:
        end = text.count("\n") + 1
        raise NetError(f"line {end}: the text ends without ({_title(layer, name)} ...)")
    return found[layer, name][1]


def _rows(text: str) -> Found:
    """Read every row. The rows of a layer must all be as long as the first one read."""
    found: Found = {}
    lengths: dict[str, int] = {}
    is_begun = False
    for line, words in _forms(text):
        if not is_begun:
            if words != ["net", VERSION]:
                raise NetError(f"line {line}: (net {VERSION}) is expected, not ({' '.join(words)[:60]})")
            is_begun = True
            continue
        layer, name, row = _row(line, words)
        width = TABLE if layer == RESULT else layer
        if (layer, name) in found:
            raise NetError(
                f"line {line}: ({_title(layer, name)} ...) is there already in line {found[layer, name][0]}"
            )
        if len(row) != lengths.setdefault(width, len(row)):
            raise NetError(
                f"line {line}: ({_title(layer, name)} ...) has {len(row)} numbers, and the rows before it {lengths[width]}"
            )
        found[layer, name] = line, row
    if not is_begun:
        raise NetError(
            f"line {text.count(chr(10)) + 1}: (net {VERSION}) is expected, not the end of the text"
        )
    return found


def _forms(text: str) -> Iterator[tuple[int, list[str]]]:
    for line, read in enumerate(text.split("\n"), 1):
        content = read.partition(";")[0].strip()
        if content:
            form = FORM.fullmatch(content)
            if not form:
                raise NetError(f"line {line}: a line is one form in parentheses, not {content[:60]!r}")
            yield line, form[1].split()


def _row(line: int, words: list[str]) -> Row:
    layer = words[0] if words else ""
    if layer not in (CHAIN, TABLE, RESULT):
        raise NetError(f"line {line}: a row is one of chain, table or result, not {layer[:60]!r}")
    name = "" if layer == RESULT else "".join(words[1:2])
    numbers = words[1:] if layer == RESULT else words[2:]
    if not 1 <= len(numbers) <= MAX_UNITS:
        raise NetError(
            f"line {line}: ({_title(layer, name)[:60]} ...) has 1 to {MAX_UNITS} numbers, not {len(numbers)}"
        )
    for word in numbers:
        if not NUMBER.fullmatch(word) or not isfinite(float(word)):
            raise NetError(f"line {line}: a number is expected, not {word[:60]!r}")
    return layer, name, tuple(map(float, numbers))


def _title(layer: str, name: str) -> str:
    return f"{layer} {name}".rstrip()
