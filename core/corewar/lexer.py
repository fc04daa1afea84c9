"""Characters by their numbers, and where runs of them end."""

from typing import Final

from mypy_extensions import i64

TAB: Final = 9
SPACE: Final = 32
EXCLAMATION: Final = 33
PERCENT: Final = 37
AMPERSAND: Final = 38
OPEN: Final = 40
CLOSE: Final = 41
STAR: Final = 42
PLUS: Final = 43
COMMA: Final = 44
MINUS: Final = 45
DOT: Final = 46
SLASH: Final = 47
COLON: Final = 58
LESS: Final = 60
EQUALS: Final = 61
GREATER: Final = 62
UNDERSCORE: Final = 95
BAR: Final = 124


def is_space(character: i64) -> bool:
    return character == 32 or 9 <= character <= 13


def is_letter(character: i64) -> bool:
    return 65 <= character <= 90 or 97 <= character <= 122


def character(text: str, at: i64) -> i64:
    """The number of a character; 0 behind the last."""
    return ord(text[at]) if at < len(text) else 0


def is_digit(character: i64) -> bool:
    return 48 <= character <= 57


def is_word(character: i64) -> bool:
    return is_letter(character) or is_digit(character) or character == UNDERSCORE


def after_space(text: str, at: i64) -> i64:
    while is_space(character(text, at)):
        at += 1
    return at


def after_blanks(text: str, at: i64) -> i64:
    following = character(text, at)
    while following == SPACE or following == TAB:
        at += 1
        following = character(text, at)
    return at


def after_word(text: str, at: i64) -> i64:
    while is_word(character(text, at)):
        at += 1
    return at


def after_name(text: str, at: i64) -> i64:
    """The end of a word, or of words that & joins."""
    if is_digit(character(text, at)):
        return after_word(text, at)
    end = after_word(text, at)
    while end > at and character(text, end) == AMPERSAND and is_letter(character(text, end + 1)):
        end = after_word(text, end + 1)
    return end
