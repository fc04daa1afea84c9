"""Configuration files: lines of `key = value` with # comments, and what a value may be.

A configuration is a Config, a frozen dataclass whose fields are declared by `setting`, each with its default and its
reader: `cycles: int = setting(80_000, whole(1, 10**9))`. The key is the field's name with blanks for underscores.
A reader takes the text after the equals sign; its ValueError completes the sentence `KEY must be ...`.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields
from types import MappingProxyType
from typing import Any, ClassVar, Final, Self

from engines.names import near

LISTING: Final = "`galapagos reference configs`"  # of all keys
MAX_CHARACTERS: Final = 1 << 20
LONGEST_NAME: Final = 200  # bytes; with a suffix behind it still a file name everywhere
LONGEST_PATH: Final = 1000
EVER: Final = 1_000_000_000  # the most that a number may be which nothing else limits
RUN_FILE: Final = "run.sqlite"  # the record of a run, in its folder; SQLite adds -wal and -shm

# Python's own float() would also take "nan", "1_0" and other scripts' digits.
NUMBER: Final = re.compile(r"[-+]?(?:[0-9]{1,40}(?:\.[0-9]{0,400})?|\.[0-9]{1,400})(?:[eE][-+]?[0-9]{1,4})?")
SECONDS: Final[Mapping[str, float]] = MappingProxyType(
    dict.fromkeys(("", "s", "sec", "secs", "second", "seconds"), 1.0)
    | dict.fromkeys(("m", "min", "mins", "minute", "minutes"), 60.0)
    | dict.fromkeys(("h", "hr", "hrs", "hour", "hours"), 3600.0)
    | dict.fromkeys(("d", "day", "days"), 86400.0)
)
TIME: Final = re.compile(rf"({NUMBER.pattern}) ?([a-z]*)")

Reader = Callable[[str], object]


class ConfigError(ValueError):
    """A text that configures nothing. `line` counts from 1; it and `key` are None where there is none."""

    def __init__(self, reason: str, *, key: str | None = None, line: int | None = None) -> None:
        super().__init__(f"line {line}: {reason}" if line else reason)
        self.reason = reason
        self.key = key
        self.line = line

    def at(self, line: int | None) -> "ConfigError":
        return ConfigError(self.reason, key=self.key, line=line)


def setting(default: Any, reader: Reader, *, name: str = "", none: str = "") -> Any:
    """A field of a configuration.

    `name` is its key where that is not the field's name; `none` is the word for None where None is a value.
    """
    return field(default=default, metadata={"reader": reader, "name": name, "none": none})


def required(reader: Reader, *, name: str = "", none: str = "") -> Any:
    """A field that every file must give."""
    return setting(MISSING, reader, name=name, none=none)


def count(default: int | None, least: int = 1, most: int = EVER, *, name: str = "", none: str = "") -> Any:
    """A setting that is a whole number."""
    return setting(default, whole(least, most), name=name, none=none)


def share(default: float, *, name: str = "") -> Any:
    """A setting from 0 to 1."""
    return setting(default, number(0, 1), name=name)


def word(default: str, *others: str) -> Any:
    """A setting that is one of these words."""
    return setting(default, one_of(default, *others))


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """How one value is written."""

    name: str
    field: str
    reader: Reader
    none: str  # the word for None; "" where None is no value
    is_required: bool

    def read(self, text: str) -> object:
        """ConfigError says what it must be and what was read."""
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
    """The keys of a configuration, in the order of its fields."""
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
    """The values of a file by field, and the line of each key. ConfigError names line, key and what was read."""
    values: dict[str, Any] = {}
    lines: dict[str, int] = {}
    for line, name, value in _entries(text):
        try:
            key = _key(name, keys)
            if key.name in lines:
                raise ConfigError(f"{key.name} is there already, in line {lines[key.name]}", key=key.name)
            lines[key.name] = line
            values[key.field] = key.read(value)
        except ConfigError as error:
            raise error.at(line) from None
    return values, lines


class Config:
    """What a run is configured to do, checked: loads(x.dumps()) == x for every x that there is.

    A frozen dataclass that inherits from it has a key for each field. Of the keys ALL_OR_NONE a file gives all or none.
    """

    __slots__ = ()
    ALL_OR_NONE: ClassVar[Sequence[str]] = ()

    def __post_init__(self) -> None:
        """ConfigError for what no file can say, and for values that contradict each other."""
        for key in keys_of(type(self)):
            value = getattr(self, key.field)
            if key.read(key.write(value)) != value:
                raise ConfigError(f"{key.name} cannot be {value!r}", key=key.name)
        self._check_together()

    @classmethod
    def loads(cls, text: str) -> Self:
        """Read a configuration file. ConfigError names the line, the key, and what was read."""
        keys = keys_of(cls)
        values, lines = read(text, keys)
        missing = [key.name for key in keys if key.is_required and key.name not in lines]
        if any(name in lines for name in cls.ALL_OR_NONE):
            missing += [name for name in cls.ALL_OR_NONE if name not in lines]
        if missing:
            raise ConfigError(f"missing: {', '.join(missing)}", key=missing[0])
        try:
            return cls(**values)
        except ConfigError as error:
            raise error.at(lines.get(error.key or "")) from None

    def dumps(self) -> str:
        """The file that says the same, with every key."""
        return "".join(f"{key.name} = {key.write(getattr(self, key.field))}\n" for key in keys_of(type(self)))

    def _check_together(self) -> None:
        """ConfigError for values that contradict each other, with the key to be changed."""
        return


def plain(value: object) -> str:
    """Text that reads back exactly; 30.0 is 30."""
    return str(value).removesuffix(".0") if isinstance(value, float) else str(value)


# -- What a value may be ---------------------------------------------------------------------------


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
    """A number of seconds, or of another unit that is named: `90`, `90 s`, `1.5 min`, `2 hours`."""

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
    """One of the words, or anything else that can name a file."""

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
    """The name of a file in the run's own folder, and of none that the run keeps there itself."""
    is_plain = text.isprintable() and not text.startswith(".") and not any(mark in text for mark in "/\\#")
    if not is_plain or len(text.encode()) > LONGEST_NAME:
        raise ValueError("the plain name of a file, without a folder and not hidden")
    if text.lower().startswith(RUN_FILE):
        raise ValueError(f"another name than {RUN_FILE}, which the run keeps for itself")
    return text


def folded(text: str) -> str:
    """Small letters and single spaces: two texts that differ in no more are the same key or word."""
    return " ".join(text.lower().split())


# -- Helpers ---------------------------------------------------------------------------------------


def _key(name: str, keys: Sequence[Key]) -> Key:
    for key in keys:
        if folded(key.name) == folded(name):
            return key
    raise ConfigError(
        f"unknown key {name[:60]!r}; {near(folded(name), [key.name for key in keys], LISTING)}", key=name[:60]
    )


def _entries(text: str) -> Iterator[tuple[int, str, str]]:
    """Line, key and value of every line that says something."""
    if len(text) > MAX_CHARACTERS:
        raise ConfigError(f"the file is too large: {len(text)} characters, {MAX_CHARACTERS} are allowed")
    for line, content in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        name, equals, value = content.partition("#")[0].partition("=")
        name = name.strip()
        if name and not equals:
            raise ConfigError(f"a line is `key = value`, not {name[:60]!r}", line=line)
        if equals and not name:
            raise ConfigError(f"no key before {value.strip()[:60]!r}", line=line)
        if equals:
            yield line, name, value


def _is_whole(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 20
