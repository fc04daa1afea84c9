"""Checks of names that people and programs choose, and of their texts, for characters that cannot be seen.

A name with U+202E (right-to-left override) or a zero-width space looks like another name, or reverses the text after
it on a page, in a terminal or in a log. By Unicode's own data, `str.isprintable` rejects controls, formats,
surrogates, private and unassigned characters, and all spaces but the usual one. Some characters that it accepts as
letters or marks are as invisible as these: they are in BLANK.
"""

from collections.abc import Iterable
from typing import Final

BLANK: Final = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0\U0001d159"
    + "".join(map(chr, (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))))
)  # printable by Unicode: joiners, fillers, a blank pattern, a null notehead, variation selectors
MAX_COMPARED: Final = 60  # characters of an unknown name; the time of a comparison grows with their square
MAX_LISTED: Final = 40  # names


def is_hidden(character: str) -> bool:
    """Return whether a character is invisible, or looks like something else."""
    return character in BLANK or not character.isprintable()


def check_name(name: str) -> None:
    """Raise ValueError if a name has a hidden character, or nothing but spaces."""
    hidden = next(filter(is_hidden, name), "")
    if hidden:
        raise ValueError(f"a name must not contain invisible characters such as U+{ord(hidden):04X}")
    if not name.strip():
        raise ValueError("a name must have at least one visible character")


def escaped(text: str) -> str:
    r"""Return a text with each hidden character as an escape, such as `\u202e`."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        letter.encode("unicode_escape").decode() if is_hidden(letter) else letter for letter in text
    )


def near(name: str, known: Iterable[str], listing: str = "") -> str:
    """Return a clause to follow an unknown name: `did you mean A or B?`, or else a list of the known names.

    Case is ignored. `listing` is the command or the request that lists all names, if there is one. At most
    MAX_COMPARED characters of the name are compared, and at most MAX_LISTED names are listed.
    """
    from difflib import get_close_matches  # here: engines on standard input start without it

    names = {each.casefold(): each for each in known}
    similar = get_close_matches(name[:MAX_COMPARED].casefold(), names, n=3)
    where = f"{listing} lists all" if listing else ""
    if similar:
        return f"did you mean {' or '.join(names[each] for each in similar)}?" + (
            f" {where}" if where else ""
        )
    if not names:
        return where or "none exists"
    listed = ", ".join(list(names.values())[:MAX_LISTED])
    if len(names) > MAX_LISTED:
        more = len(names) - MAX_LISTED
        listed += f" and {more} other{'s' * (more > 1)}"
    return f"there {'is' if len(names) == 1 else 'are'} {listed}" + (f"; {where}" if where else "")
