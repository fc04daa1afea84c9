"""The `.apu` file of a profile: 252 whole numbers in a line, and lines of a letter and a TAB that old readers skip.

The numbers are wins, losses and 250 ratings, with any white space between them when read. P is the pool's
hash, R the name and hash of the rules, M the mode and its aim, H a hybrid's rating and its 264 hex digits, T the
mark of an arrangement that was learnt from in a game under way.
Reference: "Advanced Protection, part Appendix B".
"""

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from engines.protection.genome import Genome
from engines.protection.profile.profile import STRINGS, Hybrid, Profile

NUMBERS: Final = STRINGS + 2
NUMBER: Final = re.compile(r"[-+]?[0-9]{1,15}")
MOST_CHARACTERS: Final = 1 << 20


class ProfileError(ValueError):
    """A text that is no profile: the line or the count of numbers, and what was read."""


def loads(text: str, *, lenient: bool = False) -> Profile:
    """A profile. `lenient` drops numbers behind the 252nd; fewer are an error always. ProfileError."""
    if len(text) > MOST_CHARACTERS:
        raise ProfileError(f"a profile is short: {len(text)} characters, {MOST_CHARACTERS} are allowed")
    numbers: list[int] = []
    facts: dict[str, Any] = {}
    hybrids: list[Hybrid] = []
    learnt: list[str] = []
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        letter, *words = line.split("\t") if line[:1].isalpha() else ("", *line.split())
        try:
            if letter == "H":
                hybrids.append(_hybrid(words))
            elif letter == "T":
                learnt.append(_mark(words))
            elif letter:
                facts |= _fact(letter, words, facts)
            else:
                numbers += _numbers(words, is_late=bool(facts or hybrids or learnt))
        except ValueError as error:
            raise ProfileError(f"line {number}: {error}") from None
    if len(numbers) < NUMBERS or (len(numbers) > NUMBERS and not lenient):
        raise ProfileError(f"a profile has {NUMBERS} numbers, not {len(numbers)}")
    if min(numbers[:2]) < 0:
        raise ProfileError(f"games are counted from 0, not {numbers[0]} won and {numbers[1]} lost")
    wins, losses, *ratings = numbers[:NUMBERS]
    return Profile(
        wins=wins, losses=losses, ratings=tuple(ratings), hybrids=tuple(hybrids), learnt=tuple(learnt), **facts
    )  # fmt: skip


def dumps(profile: Profile) -> str:
    """The file: one line of numbers, then what else is known."""
    lines: list[tuple[object, ...]] = [(profile.wins, profile.losses, *profile.ratings)]
    if profile.pool:
        lines.append(("P", profile.pool))
    if any(profile.rules):
        lines.append(("R", *profile.rules))
    if profile.mode or profile.aim:
        lines.append(("M", profile.mode, profile.aim))
    lines += [("H", each.rating, each.genome.hex) for each in profile.hybrids]
    lines += [("T", mark) for mark in profile.learnt]
    return "".join("\t".join(map(str, line)) + "\n" for line in lines)


# -- Helpers ---------------------------------------------------------------------------------------


def _numbers(words: list[str], *, is_late: bool) -> list[int]:
    if words and is_late:
        raise ValueError(f"numbers come before the lines with letters, not behind them: {words[0][:40]!r}")
    return [_number(word) for word in words]


def _number(word: str) -> int:
    if not NUMBER.fullmatch(word):
        raise ValueError(f"{word[:40]!r} is no whole number")
    return int(word)


def _fact(letter: str, words: list[str], known: Mapping[str, Any]) -> dict[str, Any]:
    if letter not in FACTS:
        raise ValueError(f"no line begins with {letter[:40]!r}; there are P, R, M, H and T")
    fields, of = FACTS[letter]
    if len(words) != fields:
        raise ValueError(f"behind {letter} there are {fields} fields, not {len(words)}")
    read = of(words)
    if read.keys() & known.keys():
        raise ValueError(f"a second line {letter}")
    return read


def _hybrid(words: list[str]) -> Hybrid:
    if len(words) != 2:
        raise ValueError(f"behind H there are 2 fields, not {len(words)}")
    return Hybrid(rating=_number(words[0]), genome=Genome.loads(words[1]))


def _mark(words: list[str]) -> str:
    if len(words) != 1:
        raise ValueError(f"behind T there is 1 field, not {len(words)}")
    return words[0]


FACTS: Final[Mapping[str, tuple[int, Callable[[list[str]], dict[str, Any]]]]] = MappingProxyType({
    "P": (1, lambda words: {"pool": words[0]}),
    "R": (2, lambda words: {"rules": (words[0], words[1])}),
    "M": (2, lambda words: {"mode": words[0], "aim": words[1]}),
})  # fmt: skip
