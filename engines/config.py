"""Configuration files: lines of `key = value` with # comments, and the readers of values.

A configuration is a Config, a frozen dataclass whose fields are declared by `setting`, each with its default and its
reader: `cycles: int = setting(80_000, whole(1, 10**9))`. The key is the field's name with blanks for underscores.
A reader gets the text after the equals sign. Its ValueError completes the sentence `KEY must be ...`.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields
from types import MappingProxyType
from typing import Any, ClassVar, Final, Self

from engines.names import near

LISTING: Final = "`galapagos reference configs`"  # the command that lists all keys
UNKNOWN_KEY: Final = "unknown key"  # how the reason of an error about a key begins
MAX_CHARACTERS: Final = 1 << 20
LONGEST_NAME: Final = 200  # bytes; with a suffix it is still a file name on all systems
LONGEST_PATH: Final = 1000
MAX_COUNT: Final = 1_000_000_000  # the maximum of numbers without another limit
RUN_FILE: Final = "run.sqlite"  # the record of a run, in its folder; SQLite adds -wal and -shm

# Python's own float() would also accept "nan", "1_0" and digits of other scripts.
NUMBER: Final = re.compile(r"[-+]?(?:[0-9]{1,40}(?:\.[0-9]{0,400})?|\.[0-9]{1,400})(?:[eE][-+]?[0-9]{1,4})?")
SECONDS: Final[Mapping[str, float]] = MappingProxyType(
    dict.fromkeys(("", "s", "sec", "secs", "second", "seconds"), 1.0)
    | dict.fromkeys(("m", "min", "mins", "minute", "minutes"), 60.0)
    | dict.fromkeys(("h", "hr", "hrs", "hour", "hours"), 3600.0)
    | dict.fromkeys(("d", "day", "days"), 86400.0)
)
EVOLVES: Final = re.compile(r"^[^\S\n]*evolve[^\S\n]*=([^#\n]*)", re.MULTILINE | re.IGNORECASE)
TIME: Final = re.compile(rf"({NUMBER.pattern}) ?([a-z]*)")

Reader = Callable[[str], object]


class ConfigError(ValueError):
    """A configuration is invalid; `line` counts from 1, and is None, as is `key`, if the fault has no such place."""

    def __init__(self, reason: str, *, key: str | None = None, line: int | None = None) -> None:
        super().__init__(f"line {line}: {reason}" if line else reason)
        self.reason = reason
        self.key = key
        self.line = line

    def at(self, line: int | None) -> "ConfigError":
        return ConfigError(self.reason, key=self.key, line=line)


def setting(default: Any, reader: Reader, *, name: str = "", none: str = "") -> Any:
    """Declare a field of a configuration.

    `name` is the key, if the key is not the field's name. `none` is the word for None, if None is a value.
    """
    return field(default=default, metadata={"reader": reader, "name": name, "none": none})


def required(reader: Reader, *, name: str = "", none: str = "") -> Any:
    """Declare a field that every file must have."""
    return setting(MISSING, reader, name=name, none=none)


def count(
    default: int | None, least: int = 1, most: int = MAX_COUNT, *, name: str = "", none: str = ""
) -> Any:
    """Declare a field that is a whole number."""
    return setting(default, whole(least, most), name=name, none=none)


def share(default: float, *, name: str = "") -> Any:
    """Declare a field that is a number from 0 to 1."""
    return setting(default, number(0, 1), name=name)


def word(default: str, *others: str) -> Any:
    """Declare a field that is one of some words."""
    return setting(default, one_of(default, *others))


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """A key of a configuration, with the reader of its value."""

    name: str
    field: str
    reader: Reader
    none: str  # the word for None; "" if None is no value
    is_required: bool

    def read(self, text: str) -> object:
        """Return the value of a text. Raises ConfigError, naming the possible values and the text."""
        text = text.strip()
        if not text:
            raise ConfigError(f"{self.name} has no value", key=self.name)
        if self.none and folded(text) == self.none:
            return None
        try:
            return self.reader(text)
        except ValueError as error:
            other = f"{self.none} or " if self.none else ""
            raise ConfigError(
                f"{self.name} must be {other}{error}, not {text[:60]!r}", key=self.name
            ) from None

    def write(self, value: object) -> str:
        return self.none if value is None else plain(value)


def keys_of(kind: type) -> tuple[Key, ...]:
    """Return the keys of a configuration, in the order of its fields."""
    return tuple(
        Key(
            name=setting.metadata["name"] or setting.name.replace("_", " "),
            field=setting.name,
            reader=setting.metadata["reader"],
            none=setting.metadata["none"],
            is_required=setting.default is MISSING,
        )
        for setting in fields(kind)
    )


def read(text: str, keys: Sequence[Key]) -> tuple[dict[str, Any], dict[str, int]]:
    """Return the values of a file by field, and the line of each key. Raises ConfigError, naming line and key."""
    values: dict[str, Any] = {}
    lines: dict[str, int] = {}
    for line, name, value in _entries(text):
        try:
            key = _key(name, keys)
            if key.name in lines:
                raise ConfigError(f"{key.name} is set already, in line {lines[key.name]}", key=key.name)
            lines[key.name] = line
            values[key.field] = key.read(value)
        except ConfigError as error:
            raise error.at(line) from None
    return values, lines


class Config:
    """The base of configurations, whose values are always checked: loads(x.dumps()) == x for every instance x.

    A frozen dataclass that inherits from Config has a key for each field. A file has all or none of the keys in
    ALL_OR_NONE.
    """

    __slots__ = ()
    ALL_OR_NONE: ClassVar[Sequence[str]] = ()

    def __post_init__(self) -> None:
        """Raise ConfigError for values that no file can express, or that contradict each other."""
        for key in keys_of(type(self)):
            value = getattr(self, key.field)
            if key.read(key.write(value)) != value:
                raise ConfigError(f"{key.name} cannot be {value!r}", key=key.name)
        self._check_together()

    @property
    def main_keys(self) -> Sequence[str]:
        """The names of the keys that matter most, for people who start a run; for subclasses."""
        return ()

    @property
    def fork_keys(self) -> Sequence[str]:
        """The names of the main keys that a fork may change, because no state of a run depends on their values."""
        return ()

    @classmethod
    def loads(cls, text: str) -> Self:
        """Return the configuration of a file. Raises ConfigError, naming the line, the key, and the text read."""
        keys = keys_of(cls)
        values, lines = read(text, keys)
        missing = [key.name for key in keys if key.is_required and key.name not in lines]
        if any(name in lines for name in cls.ALL_OR_NONE):
            missing += [name for name in cls.ALL_OR_NONE if name not in lines]
        if missing:
            raise ConfigError(
                f"missing {'key' if len(missing) == 1 else 'keys'}: {', '.join(missing)}", key=missing[0]
            )
        try:
            return cls(**values)
        except ConfigError as error:
            raise error.at(lines.get(error.key or "")) from None

    def dumps(self) -> str:
        """Return the text of a configuration file with every key."""
        return "".join(f"{key.name} = {key.write(getattr(self, key.field))}\n" for key in keys_of(type(self)))

    def _check_together(self) -> None:
        """Raise ConfigError, with the key to change, for values that contradict each other; for subclasses."""
        return


def evolves(text: str) -> str:
    """Return the value of the key `evolve`, which decides the kind of a configuration; "" if the text has none.

    The rest of the text need not be valid.
    """
    found = EVOLVES.search(text)
    return folded(found[1]) if found else ""


def plain(value: object) -> str:
    """Return the text of a value, which reads back exactly; 30.0 is written as 30."""
    return str(value).removesuffix(".0") if isinstance(value, float) else str(value)


# -- Readers of values -----------------------------------------------------------------------------


def whole(least: int, most: int) -> Reader:
    def read(text: str) -> int:
        if _is_whole(text) and least <= int(text) <= most:
            return int(text)
        raise ValueError(f"a whole number from {least} to {most}")

    return read


def even(least: int, most: int, *, or_one: bool = False) -> Reader:
    def read(text: str) -> int:
        if or_one and text == "1":
            return 1
        if _is_whole(text) and least <= int(text) <= most and not int(text) % 2:
            return int(text)
        raise ValueError(f"{'1 or ' if or_one else ''}an even number from {least} to {most}")

    return read


def number(least: float, most: float) -> Reader:
    def read(text: str) -> float:
        if NUMBER.fullmatch(text) and least <= float(text) <= most:
            return float(text)
        raise ValueError(f"{least:.12g} to {most:.12g}")

    return read


def seconds(least: float, most: float) -> Reader:
    """Return a reader of times, in seconds or with a unit: `90`, `90 s`, `1.5 min`, `2 hours`."""

    def read(text: str) -> float:
        found = TIME.fullmatch(folded(text))
        if found and found[2] in SECONDS:
            value = float(found[1]) * SECONDS[found[2]]
            if least <= value <= most:
                return value
        raise ValueError(f"{least:.12g} to {most:.12g} seconds (s, min, h and d are understood)")

    return read


def one_of(*words: str) -> Reader:
    def read(text: str) -> str:
        if folded(text) in words:
            return folded(text)
        raise ValueError(" or ".join(words))

    return read


def word_or_path(*words: str) -> Reader:
    """Return a reader of one of some words, or of the path of a file."""

    def read(text: str) -> str:
        if folded(text) in words:
            return folded(text)
        allowed = f"{', '.join(words)} or the name of a file"
        if len(text) > LONGEST_PATH:
            raise ValueError(f"{allowed}, of {LONGEST_PATH} characters at most")
        if text.isprintable() and "#" not in text:
            return text
        raise ValueError(allowed)

    return read


def plain_name(text: str) -> str:
    """Return `text` if it can be the name of a file in the folder of a run, other than the run's own files."""
    is_plain = text.isprintable() and not text.startswith(".") and not any(mark in text for mark in "/\\#")
    if not is_plain or len(text.encode()) > LONGEST_NAME:
        raise ValueError("the plain name of a file, without a folder or a leading dot")
    if text.lower().startswith(RUN_FILE):
        raise ValueError(f"a name other than {RUN_FILE}, which the run itself uses")
    return text


def folded(text: str) -> str:
    """Return a text in small letters with single spaces, by which keys and words are compared."""
    return " ".join(text.lower().split())


# -- Helpers ---------------------------------------------------------------------------------------


def _key(name: str, keys: Sequence[Key]) -> Key:
    for key in keys:
        if folded(key.name) == folded(name):
            return key
    raise ConfigError(
        f"{UNKNOWN_KEY} {name[:60]!r}; {near(folded(name), [key.name for key in keys], LISTING)}",
        key=name[:60],
    )


def _entries(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield line number, key and value of every line that is not empty."""
    if len(text) > MAX_CHARACTERS:
        raise ConfigError(
            f"the file is too large: {len(text)} characters; at most {MAX_CHARACTERS} are allowed"
        )
    for line, content in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        name, equals, value = content.partition("#")[0].partition("=")
        name = name.strip()
        if name and not equals:
            raise ConfigError(f"a line must be `key = value`, not {name[:60]!r}", line=line)
        if equals and not name:
            raise ConfigError(f"no key before {value.strip()[:60]!r}", line=line)
        if equals:
            yield line, name, value


def _is_whole(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 20
