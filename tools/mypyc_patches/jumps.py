"""`match` statements as jumps: chains of comparisons in mypyc's C become a table of labels or a `switch`."""

import re
from collections.abc import Iterable, Iterator
from typing import Final

# A comparison of a `match` with a number, as mypyc writes it: the label by which it is reached, if it is not reached
# from the line before; the variable, the number, and the label to go to if they are equal, or with `!` unequal.
TEST: Final = re.compile(
    r"(?:(CPyL\d+): ;\n)?    (\w+) = (\w+) == (\d+);\n    if \((!?)\2\) goto (CPyL\d+);\n"
)
MANY: Final = 60  # comparisons from which on a chain becomes a jump


def with_jumps(text: str) -> tuple[str, int]:
    """Return the text of a function with a jump in place of each chain of MANY comparisons, and their number."""
    chains: list[list[re.Match[str]]] = []
    waiting: dict[tuple[str, str | int], list[re.Match[str]]] = {}  # by variable and place of the next test
    for test in TEST.finditer(text):
        label, _, compared, _, unequal, target = test.groups()
        chain = waiting.pop((compared, label or test.start()), [])
        if not chain:
            chains.append(chain)
        chain.append(test)
        waiting[compared, target if unequal else test.end()] = chain
    long = [chain for chain in chains if len(chain) >= MANY]
    edits = [edit for chain in long for edit in _jump(chain, _others(text, chain, long))]
    return _edited(text, edits), len(long)


def _targets(chain: list[re.Match[str]]) -> dict[int, str]:
    """Return the labels to which the numbers in a chain of comparisons lead."""
    targets = {}
    for test in chain:
        _, _, _, number, unequal, target = test.groups()
        targets[int(number)] = f"{target}_{number}" if unequal else target
    return targets


def _others(text: str, chain: list[re.Match[str]], chains: list[list[re.Match[str]]]) -> list[str]:
    """Return the labels to which all other numbers lead, from 0 on and repeated.

    This is one label, unless a chain of comparisons of the same variable, masked, follows there.
    """
    compared, otherwise = chain[0][3], chain[-1][6]
    for follower in chains:
        variable, start = follower[0][3], follower[0].start()
        begin = re.compile(rf"{otherwise}: ;\n    {variable} = {compared} & (\d+);\n$")
        if found := begin.search(text, max(start - 100, 0), start):
            targets = _targets(follower)
            return [targets.get(number, follower[-1][6]) for number in range(int(found[1]) + 1)]
    return [otherwise]


def _jump(chain: list[re.Match[str]], others: list[str]) -> Iterator[tuple[int, int, str]]:
    """Yield the edits that replace a chain of comparisons: start, end and new text of each."""
    targets = _targets(chain)
    first, last = chain[0], chain[-1]
    compared, otherwise = first[3], last[6]
    length = 1 << max(targets).bit_length()
    if len(targets) > length // 4:
        cases = "".join(f"case {number}: goto {target}; " for number, target in targets.items())
        jump = f"    switch ({compared}) {{{cases}default: goto {otherwise};}}\n"
    else:
        entries = (targets.get(number, others[number % len(others)]) for number in range(length))
        jump = (
            f"    {{ static const void *const jumps[] = {{{', '.join(f'&&{entry}' for entry in entries)}}};\n"
            f"    if ((uint64_t){compared} < {length}) goto *jumps[{compared}]; else goto {otherwise}; }}\n"
        )
    yield first.start(), first.start(), f"{first[1]}: ;\n{jump}" if first[1] else jump
    for test in chain:
        _, _, _, number, unequal, target = test.groups()
        yield test.start(), test.end(), f"{target}_{number}: ;\n" if unequal else ""


def _edited(text: str, edits: Iterable[tuple[int, int, str]]) -> str:
    """Return the text with the edits (start, end, new text) applied, which must be in order."""
    parts, at = [], 0
    for start, end, inserted in edits:
        parts += [text[at:start], inserted]
        at = end
    return "".join([*parts, text[at:]])
