"""Sentences about values that msgspec refuses, with the field, the values that are allowed, and the given value."""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, Final

import msgspec

from engines.names import near

PATH_PREFIX: Final = " - at `"  # msgspec writes this before the path of the invalid value
STEPS: Final = re.compile(r"\.(\w+)|\[(\d+)\]|\[\.\.\.\]")  # of a path: a field, an index, any key
MISSING: Final = re.compile(r"Object missing required field `(\w+)`\Z")
UNKNOWN: Final = re.compile(r"Object contains unknown field `(.*)`\Z", re.DOTALL)
TYPE: Final = re.compile(r"Expected `([\w| ]+)`, got `\w+`\Z")
BOUND: Final = re.compile(r"Expected `\w+` (of length )?([<>]=?|==) (-?[\d.]+)\Z")
PATTERN: Final = "` matching regex '"
TYPES: Final = {
    "int": "a whole number", "float": "a number", "str": "a text", "bool": "true or false", "array": "a list",
    "object": "an object",
}  # fmt: skip
BOUNDS: Final = {"<=": "at most", ">=": "at least", "<": "less than", ">": "more than", "==": "exactly"}
MAX_SHOWN: Final = 40  # characters of a value


def path_of(problem: str) -> tuple[str, str]:
    """Return msgspec's reason for a refusal, and the path of the value, such as `$.seats[1]`.

    The path is last in msgspec's message: text before it that looks like a path was written by the client.
    """
    reason, at, path = problem.rpartition(PATH_PREFIX)
    if not (at and path.endswith("`")):
        return problem, "$"
    return reason, path.removesuffix("`").removeprefix("key in `")


def sentence(problem: str, data: bytes, kind: Any, whole: str) -> tuple[str, str]:
    """Return a sentence about an invalid value in valid JSON, and its path.

    `problem` is msgspec's message, `kind` the type that `data` should have, and `whole` what its value is called.
    """
    reason, path = path_of(problem)
    try:
        value, infos = _found(msgspec.json.decode(data), _info(kind), path)
    except (msgspec.DecodeError, RecursionError):  # in fields that the type does not have
        return reason[:200], path
    if missing := MISSING.match(reason):
        path += f".{missing[1]}"
        names = _allowed(_children(infos, value, missing[1]))
        return f"{_name(path, whole)} is missing" + (f"; it must be {names}" if names else ""), path
    name = _name(path, whole)
    if unknown := UNKNOWN.match(reason):
        known = [field.encode_name for info in infos for field in getattr(info, "fields", ())]
        return f"{name} has no field {unknown[1][:MAX_SHOWN]!r}; {near(unknown[1], known)}", path
    return f"{name} {_must(reason, _allowed(infos))}, not {_shown(value)}", path


# -- Helpers ---------------------------------------------------------------------------------------


def _name(path: str, whole: str) -> str:
    return path.removeprefix("$").removeprefix(".") or whole


def _must(reason: str, allowed: str) -> str:
    """Return what a value must be, for a sentence: `must be at most 100`."""
    if allowed:
        return f"must be {allowed}"
    if kind := TYPE.match(reason):
        words = [TYPES.get(each, each) for each in kind[1].split(" | ") if each != "null"]
        return f"must be {' or '.join(words)}"
    if bound := BOUND.match(reason):
        if not bound[1]:
            return f"must be {BOUNDS[bound[2]]} {bound[3]}"
        what = ("character", "characters") if "`str`" in reason else ("entry", "entries")
        return f"must have {BOUNDS[bound[2]]} {bound[3]} {what[bound[3] != '1']}"
    if PATTERN in reason:  # PRINTABLE of messages.py is the only one
        return "must have no control characters, `/` or `\\`"
    return f"is invalid ({reason[:100]})"


def _shown(value: Any) -> str:
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}…"


def _allowed(infos: Iterable[Any]) -> str:
    """Return the values that the types list, for a sentence; empty if they list none."""
    values = [str(value) for info in infos for value in getattr(info, "values", ())]
    return " or ".join(filter(None, (", ".join(values[:-1]), *values[-1:])))


@cache
def _info(kind: Any) -> Any:
    from msgspec import inspect  # takes 10 ms, which programs without a fault need not wait

    return inspect.type_info(kind)


def _found(value: Any, info: Any, path: str) -> tuple[Any, list[Any]]:
    """Return the part of a value at a path, and the types that it may have."""
    infos = list(_members(info))
    for name, index in STEPS.findall(path):
        step = name or (int(index) if index else None)
        infos = list(_children(infos, value, step))
        if isinstance(value, dict):
            value = value.get(name)
        elif isinstance(value, list) and isinstance(step, int) and step < len(value):
            value = value[step]
        else:
            value = None
    return value, infos


def _members(info: Any) -> Iterator[Any]:
    for each in getattr(info, "types", (info,)):
        if type(each).__name__ != "NoneType":
            yield each


def _children(infos: Iterable[Any], value: Any, step: str | int | None) -> Iterator[Any]:
    """Yield the types of a part of a value: of a field, of an entry of a list, or (None) of any value of an object."""
    infos = list(infos)
    tag = value.get(getattr(infos[0], "tag_field", None)) if infos and isinstance(value, dict) else None
    meant = [info for info in infos if getattr(info, "tag", None) == tag] or infos
    tags = [info.tag for info in infos if getattr(info, "tag_field", None) == step and step is not None]
    if tags:
        yield _Tags(tags)
        return
    for info in meant:
        if isinstance(step, str):
            for field in getattr(info, "fields", ()):
                if field.encode_name == step:
                    yield from _members(field.type)
        else:
            part = getattr(info, "value_type" if step is None else "item_type", None)
            if part is not None:
                yield from _members(part)


class _Tags:
    """The values of the field that names the type of an object."""

    def __init__(self, values: list[Any]) -> None:
        self.values = values
