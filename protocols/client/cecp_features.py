"""What a CECP engine announces of itself before it plays: features, and options among them."""

import re
from collections.abc import Iterator
from typing import Final

from engines.engine import Option
from protocols.client.question import read_number

FEATURE: Final = re.compile(r'\b(\w+)=("[^"]*"|\S+)')
OPTION: Final = re.compile(r"(.+?) -(button|save|reset|check|string|spin|combo|slider|file|path)\b *(.*)")
MOST_OPTIONS: Final = 300
LARGEST_MEMORY: Final = 65_536  # MiB
MOST_CORES: Final = 1024

# The features that we know what to do with, and their values as long as the engine says nothing.
DEFAULTS: Final = {
    "ping": "0", "setboard": "0", "usermove": "0", "time": "1", "nps": "0", "memory": "0", "smp": "0",
    "variants": "normal", "myname": "", "done": "",
    "sigint": "1", "sigterm": "1", "colors": "1", "name": "0", "debug": "0", "analyze": "1",  # never used
}  # fmt: skip


class Features:
    """One engine's features; `options` has what it lets one configure."""

    def __init__(self) -> None:
        self.options: list[Option] = []
        self._values = dict(DEFAULTS)

    def learn(self, line: str) -> Iterator[str]:
        """Take in a feature line; what to reply to it, feature by feature."""
        for name, quoted in FEATURE.findall(line):
            value = quoted.strip('"')
            accepted = name == "option" or name in DEFAULTS
            if name == "option":
                self._add(read_option(value))
            elif accepted:
                self._values[name] = value
                self._add(_command_option(name, value))
            yield f"{'accepted' if accepted else 'rejected'} {name}"

    def has(self, name: str) -> bool:
        return self._values[name] == "1"

    @property
    def name(self) -> str:
        return self._values["myname"]

    @property
    def is_done(self) -> bool:
        return self._values["done"] == "1"

    @property
    def is_loading(self) -> bool:
        """Whether it has asked for as long as it takes."""
        return self._values["done"] == "0"

    @property
    def plays_chess(self) -> bool:
        return "normal" in self._values["variants"].split(",")

    def _add(self, option: Option | None) -> None:
        if option is not None and len(self.options) < MOST_OPTIONS:
            self.options.append(option)


def _command_option(feature: str, value: str) -> Option | None:
    """Features that are a setting with a command of its own."""
    if value == "1" and feature == "memory":
        return Option(name="memory", kind="spin", default="64", minimum=1, maximum=LARGEST_MEMORY)
    if value == "1" and feature == "smp":
        return Option(name="cores", kind="spin", default="1", minimum=1, maximum=MOST_CORES)
    return None


def read_option(text: str) -> Option | None:
    """`NAME -KIND FIGURES` as the feature `option` has it; None if it is no such thing, or cannot be true."""
    match = OPTION.fullmatch(text)
    if match is None:
        return None
    name, kind, rest = (group.strip() for group in match.groups())
    option = Option(name=name, kind="button")
    if kind == "check":
        option = Option(name=name, kind="check", default="true" if rest == "1" else "false")
    elif kind in ("spin", "slider"):
        figures = [read_number(word) for word in rest.split()]
        default, least, most = figures if len(figures) == 3 else (None, None, None)
        if default is None or least is None or most is None:
            return None
        option = Option(name=name, kind="spin", default=str(default), minimum=least, maximum=most)
    elif kind == "combo":
        marked = [choice.strip() for choice in rest.split("///")]
        default_choice = next((choice for choice in marked if choice.startswith("*")), marked[0])
        choices = tuple(choice.removeprefix("*") for choice in marked)
        option = Option(name=name, kind="combo", default=default_choice.removeprefix("*"), choices=choices)
    elif kind == "string":
        option = Option(name=name, kind="string", default=rest)
    elif kind in ("file", "path"):
        option = Option(name=name, kind="path" if kind == "path" else "file", default=rest)
    try:
        if option.kind != "button":
            option.checked(option.default)
    except ValueError:
        return None
    return option
