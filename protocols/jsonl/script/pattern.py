"""Patterns of messages: what must be there is written down, what does not matter is left out.

An object matches one that has at least its fields; an array one of its length. `"..."` matches anything, a
text that ends with `...` any that begins so, null a field that is missing. `"$name"` stands for whatever it
stood for before; where it has not been met, it matches anything and stands for that from then on.
"""

from typing import Any, Final

ANY: Final = "..."
Bindings = dict[str, Any]


def mismatch(pattern: Any, value: Any, known: Bindings, path: str = "$") -> str:
    """Where a value does not match, in words; empty if it does. New names are added to `known`."""
    if isinstance(pattern, str):
        return _text_mismatch(pattern, value, known, path)
    if isinstance(pattern, dict):
        if not isinstance(value, dict):
            return f"{path} is {value!r}, an object is expected"
        for key, part in pattern.items():
            if problem := mismatch(part, value.get(key), known, f"{path}.{key}"):
                return problem
        return ""
    if isinstance(pattern, list):
        if not isinstance(value, list) or len(value) != len(pattern):
            return f"{path} is {value!r}, an array of {len(pattern)} is expected"
        for index, part in enumerate(pattern):
            if problem := mismatch(part, value[index], known, f"{path}[{index}]"):
                return problem
        return ""
    if pattern != value or isinstance(pattern, bool) != isinstance(value, bool):
        return f"{path} is {value!r}, {pattern!r} is expected"
    return ""


def filled(message: Any, known: Bindings) -> Any:
    """A message with the names in it replaced by what they stand for. KeyError for an unknown one."""
    if isinstance(message, str) and message.startswith("$"):
        return known[message[1:]]
    if isinstance(message, dict):
        return {key: filled(value, known) for key, value in message.items()}
    if isinstance(message, list):
        return [filled(value, known) for value in message]
    return message


def _text_mismatch(pattern: str, value: Any, known: Bindings, path: str) -> str:
    if pattern == ANY:
        return ""
    if pattern.startswith("$"):
        name = pattern[1:]
        if known.setdefault(name, value) != value:
            return f"{path} is {value!r}, {pattern} stands for {known[name]!r}"
        return ""
    if pattern.endswith(ANY):
        begins = isinstance(value, str) and value.startswith(pattern.removesuffix(ANY))
        return "" if begins else f"{path} is {value!r}, {pattern!r} is expected"
    return "" if pattern == value else f"{path} is {value!r}, {pattern!r} is expected"
