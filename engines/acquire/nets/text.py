"""A net as text: `(net 1)`, where 1 is the version of the form, and then a row of weights a line.

A row is `(chain NAME ...)` or `(table NAME ...)`, with one number for each unit of the layer, and the last is
`(result ...)`. Rows may come in any order. An input without a row is one that the net does not look at; biases,
sums and decisions must be there. `;` begins a comment.
"""

import re
from collections.abc import Iterator
from math import isfinite
from typing import Final

from engines.acquire.gp.sexpr import NUMBER, number
from engines.acquire.nets.inputs import CHAIN_SLOTS, TABLE_SLOTS
from engines.acquire.nets.shape import BIAS, CHAIN, MOST_UNITS, RESULT, TABLE, Row, Shape

VERSION: Final = "1"
HEAD: Final = re.compile(
    r"(?:[^\S\n]*(?:;[^\n]*)?\n)*[^\S\n]*\([^\S\n]*net\b"
)  # of a text that is meant to be a net
FORM: Final = re.compile(r"\(([^();]*)\)")
LONGEST: Final = 1 << 20  # characters

Found = dict[tuple[str, str], tuple[int, tuple[float, ...]]]  # layer and name: line, weights


class NetError(ValueError):
    """A text that is no net; it says the line and what was read."""


def loads(text: str) -> tuple[Shape, tuple[float, ...]]:
    """A net's shape and weights. NetError."""
    if len(text) > LONGEST:
        raise NetError(f"the text is too long for a net: {len(text)} characters, {LONGEST} are allowed")
    found = _rows(text)
    end = text.count("\n") + 1
    units = {}
    for layer, name in ((CHAIN, BIAS), (TABLE, BIAS)):
        if (layer, name) not in found:
            raise NetError(f"line {end}: the text has ended without ({layer} {name} ...)")
        units[layer] = len(found[layer, name][1])
    units[RESULT] = units[TABLE]
    shape = Shape(
        chain_units=units[CHAIN],
        table_units=units[TABLE],
        chain_inputs=tuple(name for name in CHAIN_SLOTS if (CHAIN, name) in found),
        facts=tuple(name for name in TABLE_SLOTS if (TABLE, name) in found),
    )
    weights: list[float] = []
    for layer, names, _ in shape.layers:
        for name in names:
            if (layer, name) not in found:
                raise NetError(f"line {end}: the text has ended without ({_title(layer, name)} ...)")
            weights += found.pop((layer, name))[1]
    for (layer, name), (line, _) in found.items():
        raise NetError(f"line {line}: a net has no row ({_title(layer, name)} ...)")
    return shape, tuple(weights)


def dumps(shape: Shape, weights: tuple[float, ...]) -> str:
    """The text that says the same, with every number exact."""
    rows = (f"({_title(layer, name)} {_numbers(row)})\n" for layer, name, row in shape.rows(weights))
    return f"(net {VERSION})\n{''.join(rows)}"


# -- Helpers ---------------------------------------------------------------------------------------


def _rows(text: str) -> Found:
    """Every row; all of a layer are as long as the first that is read."""
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
                f"line {line}: ({_title(layer, name)} ...) is there already, in line {found[layer, name][0]}"
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
        raise NetError(f"line {line}: a row is of chain, table or result, not of {layer[:60]!r}")
    name = "" if layer == RESULT else "".join(words[1:2])
    numbers = words[1:] if layer == RESULT else words[2:]
    if not 1 <= len(numbers) <= MOST_UNITS:
        raise NetError(
            f"line {line}: ({_title(layer, name)[:60]} ...) has 1 to {MOST_UNITS} numbers, not {len(numbers)}"
        )
    for word in numbers:
        if not NUMBER.fullmatch(word) or not isfinite(float(word)):
            raise NetError(f"line {line}: a number is expected, not {word[:60]!r}")
    return layer, name, tuple(map(float, numbers))


def _title(layer: str, name: str) -> str:
    return f"{layer} {name}".rstrip()


def _numbers(row: tuple[float, ...]) -> str:
    return " ".join(map(number, row))
