"""A proof that a regular expression takes linear time, and every regular expression of the program.

Python's `re` tries one way through a pattern after the other. After n characters it has come there by as many ways as
the pattern's automaton has paths that read them; while there is a constant number of paths for every text, the time
is linear. They are unbounded exactly if

- a state has two different paths back to itself that read the same text: `(a*)*`, `(a|aa)*`; exponential;
- a text leads from one state back to itself, from there to another one, and from that back to itself: `a*a*`; a
  square at least.

A search that may begin anywhere is a state that reads any character, before the pattern: so `a*b` is linear as a
match, and no search is (over a text of a's, each start reads all that are left). Both conditions are looked for in
the automaton of positions (Glushkov's), whose states are the characters of the pattern. Reference: Weber and Seidl,
"On the degree of ambiguity of finite automata", 1991.

A match that succeeds is not tried again, and the search continues behind it. So of the paths that a search begins
only those count that can go on for ever without passing a place where the match might end.

What is left out makes the answer stricter, never laxer: assertions count as true, but for what is demanded of the
character before a search's first one, and nothing ends before one; a repetition with a bound above MOST_COPIES counts
as one without. Characters that may be left out at the end of a pattern are cut off, except under `fullmatch`: the
way there succeeds.
"""

import ast
import importlib
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from re import _compiler, _constants, _parser  # type: ignore[attr-defined]
from typing import Any

MATCHES = {"match", "fullmatch"}
SEARCHES = {"search", "sub", "subn", "finditer", "findall", "split"}
MOST_COPIES = 4  # of what is repeated so often at most, in the automaton

# Letters, digits, blanks and marks of every kind that a pattern can tell apart.
ALPHABET = [*map(chr, range(0x180)), "\u0661", "\u2028", "\u3000", "\u4e00", "\U0001f600"]


SETS: dict[str, int] = {}  # of characters, by the element that reads them and the flags


class UnsupportedPatternError(ValueError):
    """A pattern with an element about which nothing is proved."""


def why_not_linear(pattern: re.Pattern[Any], method: str) -> str:
    """Return why `method` of a pattern may take more than linear time, or "" if it never does."""
    tree = _parser.parse(pattern.pattern, pattern.flags)
    automaton = _Automaton(pattern, tree)
    whole = automaton.sequence(list(tree), is_tail=method != "fullmatch")
    if method in SEARCHES:
        automaton.search_from(whole)
    return automaton.ambiguity()


@dataclass
class _Part:
    """A part of a pattern: whether it may be empty, and the positions at which it begins and ends.

    A position occurs once for each way that leads there; those at the beginning with the characters that may precede.
    """

    is_empty: bool = True
    first: list[tuple[int, int]] = field(default_factory=list)  # position, set of characters before it
    last: list[tuple[int, int, bool]] = field(
        default_factory=list
    )  # position, characters that may follow, may end
    is_assertion: bool = False


class _Automaton:
    """The positions of a pattern. Sets of characters are numbers, with a bit for each of ALPHABET."""

    def __init__(self, pattern: re.Pattern[Any], tree: Any) -> None:
        self._flags = tree.state.flags
        self._tree = tree
        is_text = isinstance(pattern.pattern, str)
        self._alphabet: Sequence[Any] = ALPHABET if is_text else [bytes([code]) for code in range(256)]
        self._all = (1 << len(self._alphabet)) - 1
        self._reads: list[int] = []  # what each position reads
        self._edges: dict[int, list[tuple[int, int]]] = defaultdict(list)  # to a position, reading a set
        self._ends: set[int] = set()  # positions after which the match succeeds, if no more follows
        self._anywhere = -1  # the state before the pattern that reads any character, if there is one

    # -- From the pattern to positions -------------------------------------------------------------

    def sequence(self, nodes: list[Any], *, is_tail: bool = False) -> _Part:
        """The positions of elements that follow one another; `is_tail` if their success ends the match."""
        if is_tail:
            while nodes and self._is_cut_off(nodes[-1]):
                nodes = nodes[:-1]
        whole = _Part()
        before = self._all  # what an assertion at the beginning demands of the character before
        for place, node in enumerate(nodes):
            if not whole.first and (demanded := self._before(node)) is not None:
                before &= demanded
                continue
            word = self._before_boundary(node, nodes[place + 1 :]) if not whole.first else None
            if word is not None:
                before &= word
                continue
            part = self._part(node, is_tail=is_tail and place == len(nodes) - 1)
            whole = self._joined(whole, part, before)
        return whole

    def _part(self, node: Any, *, is_tail: bool = False) -> _Part:
        name, value = str(node[0]), node[1]
        match name:
            case "LITERAL" | "NOT_LITERAL" | "ANY" | "IN" | "RANGE" | "CATEGORY":
                return self._character(node)
            case "AT":
                return _Part(is_assertion=True)
            case "ASSERT" | "ASSERT_NOT":
                if _parser.SubPattern(self._tree.state, list(value[1])).getwidth()[1] > 1000:
                    raise UnsupportedPatternError("an assertion about a text of any length")
                return _Part(is_assertion=True)
            case "SUBPATTERN":
                return self.sequence(list(value[3]), is_tail=is_tail)
            case "ATOMIC_GROUP":
                return self.sequence(list(value))
            case "BRANCH":
                return self._branch([list(each) for each in value[1]], is_tail=is_tail)
            case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
                return self._repeat(*value, is_possessive=name == "POSSESSIVE_REPEAT")
        raise UnsupportedPatternError(f"{name} is not known to this proof")

    def _character(self, node: Any) -> _Part:
        self._reads.append(self._set_of(node))
        position = len(self._reads) - 1
        return _Part(is_empty=False, first=[(position, self._all)], last=[(position, self._all, True)])

    def _branch(self, choices: list[list[Any]], *, is_tail: bool) -> _Part:
        parts = [self.sequence(choice, is_tail=is_tail) for choice in choices]
        return _Part(
            is_empty=any(part.is_empty for part in parts),
            first=[each for part in parts for each in part.first],
            last=[each for part in parts for each in part.last],
        )

    def _repeat(self, least: int, most: int, nodes: Any, *, is_possessive: bool) -> _Part:
        copies = most if most <= MOST_COPIES else max(min(least, MOST_COPIES), 1)
        whole = _Part()
        for number in range(copies):
            part = self.sequence(list(nodes))
            if most > MOST_COPIES and number == copies - 1:
                self._connect(part.last, part.first)
            part.is_empty = part.is_empty or number >= least
            whole = self._joined(whole, part, self._all)
        whole.is_empty = whole.is_empty or not least
        single = list(nodes)
        if is_possessive and len(single) == 1 and most > MOST_COPIES and (read := self._try_set(single[0])):
            whole.last = [(position, follows & ~read, may_end) for position, follows, may_end in whole.last]
        return whole

    def _joined(self, one: _Part, other: _Part, before: int) -> _Part:
        """One part and then another, where `before` is what must precede the whole."""
        if other.is_assertion:
            one.last = [(position, follows, False) for position, follows, _ in one.last]
        self._connect(one.last, other.first)
        return _Part(
            is_empty=one.is_empty and other.is_empty,
            first=one.first + [(at, demanded & before) for at, demanded in other.first if one.is_empty],
            last=other.last + (one.last if other.is_empty else []),
        )

    def _connect(self, ends: list[tuple[int, int, bool]], begins: list[tuple[int, int]]) -> None:
        for position, follows, _ in ends:
            for target, before in begins:
                if self._reads[position] & before and (read := self._reads[target] & follows):
                    self._edges[position].append((target, read))

    def search_from(self, whole: _Part) -> None:
        """Put a state that reads any character before the pattern."""
        self._reads.append(self._all)
        self._anywhere = anywhere = len(self._reads) - 1
        self._ends = {position for position, _, may_end in whole.last if may_end}
        self._edges[anywhere].append((anywhere, self._all))
        for position, before in whole.first:
            if before == self._all:
                self._edges[anywhere].append((position, self._reads[position]))
            elif before:  # a state that has just read what must be there before
                self._reads.append(before)
                self._edges[anywhere].append((len(self._reads) - 1, before))
                self._edges[len(self._reads) - 1].append((position, self._reads[position]))

    # -- What an element demands --------------------------------------------------------------------

    def _before(self, node: Any) -> int | None:
        """The characters of which one must precede, if an element says no more than that."""
        name, value = str(node[0]), node[1]
        if name == "AT" and str(value) == "AT_BEGINNING_STRING":
            return 0
        if name == "AT" and str(value) == "AT_BEGINNING":
            return self._set_of((_constants.LITERAL, 10)) if self._flags & re.MULTILINE else 0
        if name in ("ASSERT", "ASSERT_NOT") and value[0] < 0 and len(value[1]) == 1:
            read = self._try_set(value[1][0])
            if read is not None:
                return read if name == "ASSERT" else self._all & ~read
        return None

    def _before_boundary(self, node: Any, following: list[Any]) -> int | None:
        """The characters that are part of no word, for a boundary before an element that begins a word."""
        if (str(node[0]), str(node[1])) != ("AT", "AT_BOUNDARY"):
            return None
        words = self._set_of((_constants.IN, [(_constants.CATEGORY, _constants.CATEGORY_WORD)]))
        scratch = _Automaton.__new__(_Automaton)
        scratch.__dict__ = self.__dict__ | {"_reads": [], "_edges": defaultdict(list)}
        begin = scratch.sequence(following)
        starts = [scratch._reads[position] for position, _ in begin.first]
        if begin.is_empty or any(read & ~words for read in starts):
            return None
        return self._all & ~words

    def _is_cut_off(self, node: Any) -> bool:
        """Return whether an element is characters of a kind, as many as there are: it cannot fail after any of them."""
        name = str(node[0])
        if name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
            least, _, repeated = node[1]
            return not least and len(repeated) == 1 and self._try_set(repeated[0]) is not None
        if name == "SUBPATTERN":
            return all(self._is_cut_off(each) for each in node[1][3])
        return False

    def _try_set(self, node: Any) -> int | None:
        if str(node[0]) not in ("LITERAL", "NOT_LITERAL", "ANY", "IN", "RANGE", "CATEGORY"):
            return None
        return self._set_of(node)

    def _set_of(self, node: Any) -> int:
        """The characters that an element reads, as `re` itself decides it."""
        known = f"{node} {self._flags}"
        if known not in SETS:
            one = _compiler.compile(_parser.SubPattern(self._tree.state, [node]), self._flags)
            SETS[known] = sum(
                1 << bit for bit, character in enumerate(self._alphabet) if one.match(character)
            )
        return SETS[known]

    # -- Ambiguity ----------------------------------------------------------------------------------

    def ambiguity(self) -> str:
        """Return how a text could have ever more paths, or ""."""
        reached = {start: self._from(start) for start in range(len(self._reads))}
        loops = [state for state in reached if state in reached[state]]
        for state in loops:
            if self._loops_twice(state, reached):
                return f"{self._shown(state)} is repeated in two ways: exponential"
        for one in loops:
            for other in loops:
                if one != other and other in reached[one] and self._moves_on(one, other, reached):
                    return f"{self._shown(one)} and {self._shown(other)} share a text: a square at least"
        return ""

    def _from(self, start: int) -> set[int]:
        """The states that a path leads to."""
        found: set[int] = set()
        ahead = [start]
        while ahead:
            for target, _ in self._edges[ahead.pop()]:
                if target not in found:
                    found.add(target)
                    ahead.append(target)
        return found

    def _loops_twice(self, state: int, reached: dict[int, set[int]]) -> bool:
        """Whether two different paths lead from a state back to it by the same text."""
        seen: set[tuple[int, int, bool]] = set()
        ahead = [(state, state, False)]
        while ahead:
            one, other, differ = ahead.pop()
            for place, (first, reads) in enumerate(self._edges[one]):
                for order, (second, also) in enumerate(self._edges[other]):
                    if not reads & also or state not in reached[first] or state not in reached[second]:
                        continue
                    apart = differ or first != second or (one == other and place != order)
                    if apart and first == second == state:
                        return True
                    if (first, second, apart) not in seen:
                        seen.add((first, second, apart))
                        ahead.append((first, second, apart))
        return False

    def _moves_on(self, one: int, other: int, reached: dict[int, set[int]]) -> bool:
        """Whether a text leads from `one` to itself, from `one` to `other`, and from `other` to itself."""
        start, end = (one, one, other), (one, other, other)
        seen = {start}
        ahead = [start]
        while ahead:
            a, b, c = ahead.pop()
            for first, reads in self._edges[a]:
                if one not in reached[first]:
                    continue
                for second, also in self._edges[b]:
                    if not reads & also or (other != second and other not in reached[second]):
                        continue
                    for third, too in self._edges[c]:
                        moved = (first, second, third)
                        if one == self._anywhere and third in self._ends:
                            continue
                        if reads & also & too and other in reached[third] and moved not in seen:
                            if moved == end:
                                return True
                            seen.add(moved)
                            ahead.append(moved)
        return False

    def _shown(self, state: int) -> str:
        reads = self._reads[state]
        shown = [self._alphabet[bit] for bit in range(len(self._alphabet)) if reads >> bit & 1]
        return "any character" if reads == self._all else "".join(map(str, map(ascii, shown[:4])))


# -- The patterns of the program -------------------------------------------------------------------


@dataclass(frozen=True)
class Use:
    """A place in the program that uses a regular expression."""

    place: str  # file and line
    pattern: re.Pattern[Any]
    method: str


def module_of(path: Path, root: Path) -> str:
    return ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__")


def uses(path: Path, root: Path) -> Iterator[Use]:
    """Yield the uses of regular expressions in a source file, which are its module's constants or written out."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    known = dict(vars(importlib.import_module(module_of(path, root))))
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Attribute) and node.attr in MATCHES | SEARCHES):
            continue
        written = ast.unparse(node.value)
        if written == "re":
            call = next(each for each in ast.walk(tree) if isinstance(each, ast.Call) and each.func is node)
            written = f"re.compile({ast.unparse(call.args[0])})"  # flags change no proof: they are in no call
            assert not call.keywords, f"{path}, line {node.lineno}: make a constant of this pattern"
        try:
            pattern = eval(written, known)
        except (NameError, AttributeError, TypeError, SyntaxError):
            continue  # a method of another object, or of what is awaited
        if isinstance(pattern, re.Pattern):
            yield Use(f"{path.relative_to(root)}, line {node.lineno}", pattern, node.attr)
