"""The command `galapagos reference`: generates pages from the code: JSON lines, keys of configurations, Python API.

The descriptions of fields are the docstrings and comments in their modules. The examples of the JSON lines come from
games that are played for the page.
"""

import ast
import inspect
import re
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import fields

from protocols.jsonl.messages import SAFE
from tools.games import GAMES, game_adapters

ROOT: Final = Path(__file__).parents[1]
TAGS: Final = ("type", "kind", "form")  # fields that name the type of an object, if they have only one value
FIELD: Final = re.compile(r"    (\w+): .*?(?:  # (.*))?$")
COMMENT: Final = re.compile(r"    # (.*)$")
WIRE: Final = ("protocols.jsonl.messages", *chain(*(game.references.messages for game in GAMES.values())))
CONFIGS: Final = tuple(chain(*(game.references.configurations for game in GAMES.values())))
API: Final = (  # (heading, module, names)
    ("Games", "core.game", ("State", "Game")),
    ("A game of your own", "tools.games.info", ("GameInfo",)),
    ("A game of your own", "engines.player", ("Player", "RandomPlayer", "PlayerEngine")),
    ("A game of your own", "core.random", ("Random",)),
    ("Engines", "engines.engine", ("Engine", "Limit", "Clock", "Info", "Option", "EngineError")),
    ("The JSON lines in one process", "protocols.jsonl.local", ("local_clients", "LocalClient", "Refused")),
    *chain(*(game.references.python for game in GAMES.values())),
    ("Players", "engines.catalogue", ("PlayerInfo",)),
    (
        "Evolution",
        "engines.evolution.population",
        (
            "Genome",
            "Population",
            "Generation",
            "Individual",
            "Contest",
            "Fitness",
            "Measurement",
            "derive_seed",
        ),
    ),
    ("Evolution", "engines.evolution.state", ("dump_state", "load_state")),
    ("Evolution", "engines.evolution.run", ("Evolution", "Experiment", "evolve")),
    ("Runs as tables", "engines.evolution.tables", ("open_run", "RunTables")),
    ("Records of runs", "engines.evolution.run_store", ("RunStore",)),
    ("Records of runs", "engines.evolution.run_history", ("RunHistory",)),
)


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("page", choices=PAGES, help="the page to print, in Markdown")


def run(args: Namespace) -> int:
    print(PAGES[args.page](), end="")
    return 0


# -- The JSON lines --------------------------------------------------------------------------------


def messages_page() -> str:
    """Return the page of the JSON lines: every message by direction, with its fields and an example."""
    from protocols.jsonl.codec import protocol_schema
    from protocols.jsonl.messages import MEANINGS, NUMBERS
    from tools.reference_examples import examples

    schema = protocol_schema(game_adapters().values())
    shown = examples()
    lines = [
        "# The JSON lines, message by message",
        "",
        "`galapagos reference messages` prints this page, `galapagos schema` the same as JSON Schema.",
        "[The guide to the protocols](../README.md#json-lines) has a short client, and describes seeds and matches.",
        "",
        "A message is a JSON object on one line; `type` names the message. A missing field and one that is `null` mean the same, and the server",
        "leaves out fields that have their default value. A request may have an `id`, a number or a text of at most 64 characters, which its",
        "answer repeats as `re`. In the examples `…` stands for parts that are left out, and fractions have at most four digits.",
        "",
        "The protocol is `galapagos/1`. Within version 1 fields, messages and kinds of events are only added: ignore those that you do not know.",
        "A change that would break clients gets a new version number, on which `hello` and `welcome` agree.",
        "",
        "## What a client sends",
        "",
    ]
    for name, kind in schema["client"].items():
        lines += _message(name, schema, kind, shown["client"].get(name))
    lines += ["## What the server sends", ""]
    for name, kind in schema["server"].items():
        lines += _message(name, schema, kind, shown["server"].get(name))
    lines += [
        "### Codes of `error`",
        "",
        "| code | number | |",
        "|---|---|---|",
        *(f"| `{code}` | {number} | {MEANINGS[code]} |" for code, number in NUMBERS.items()),
        "",
    ]
    for game, parts in schema["games"].items():
        lines += [f"## The game `{game}`", "", "### Observation", ""]
        lines += _described(_definition(schema, parts["observation"]))
        lines += _fields(schema, parts["observation"])
        lines += ["### Actions", ""]
        for name, kind in parts["actions"].items():
            lines += _message(name, schema, kind, shown[f"{game} actions"].get(name), level="####")
        lines += ["### Events", ""]
        for name, kind in parts["events"].items():
            lines += _message(name, schema, kind, shown[f"{game} events"].get(name), level="####")
        lines += ["### Other objects", ""]
        for name, kind in parts["others"].items():
            lines += _message(name, schema, kind, None, level="####")
    lines += ["## Objects within messages", ""]
    for name in _nested(schema):
        lines += [f"### {_plain(name)}", ""]
        lines += _described(schema["$defs"][name])
        lines += _fields(schema, {"$ref": f"#/$defs/{name}"})
    return "\n".join(lines)


def _message(
    name: str, schema: dict[str, Any], kind: dict[str, Any], example: str | None, level: str = "###"
) -> list[str]:
    lines = [f"{level} `{name}`", "", *_described(_definition(schema, kind)), *_fields(schema, kind)]
    return [*lines, "```json", example, "```", ""] if example else lines


def _described(definition: dict[str, Any]) -> list[str]:
    text = definition.get("description", "")
    return [text, ""] if text else []


def _fields(schema: dict[str, Any], kind: dict[str, Any]) -> list[str]:
    """Return a table of the fields; empty if there are none."""
    definition = _definition(schema, kind)
    notes = _notes_of(kind)
    needed = definition.get("required", ())
    rows = []
    for name, field in definition.get("properties", {}).items():
        if not _is_tag(name, field):
            always = "always" if name in needed else ""
            rows.append(f"| `{name}` | {_words(field)} | {always} | {_cell(notes.get(name, ''))} |")
    return ["| field | what it is | | |", "|---|---|---|---|", *rows, ""] if rows else []


def _is_tag(name: str, field: dict[str, Any]) -> bool:
    """Return whether a field names the type of its object, and so has the same value in all objects of the type."""
    return name in TAGS and len(field.get("enum", ())) == 1


def _words(field: dict[str, Any]) -> str:
    """Return the type of a field, in words."""
    if "$ref" in field:
        return _plain(field["$ref"].rpartition("/")[2])
    if "anyOf" in field:
        words = [_words(each) for each in field["anyOf"] if each.get("type") != "null"]
        return " or ".join(dict.fromkeys(words))
    if "enum" in field:
        return " or ".join(f"`{each}`" for each in field["enum"] if each is not None)
    if "const" in field:
        return f"`{field['const']}`"
    kind = field.get("type")
    if kind == "array" and "prefixItems" in field:
        return "[" + ", ".join(map(_words, field["prefixItems"])) + "]"
    if kind == "array":
        return f"list of {_several(_words(field.get('items') or {}))}"
    names = {"integer": "whole number", "string": "text", "boolean": "true or false", "null": "null"}
    least, most = field.get("minimum"), field.get("maximum", field.get("exclusiveMaximum", SAFE))
    bounds = f" from {least} to {most}" if least is not None and most < SAFE else ""
    return names.get(str(kind), str(kind) if kind else "anything") + bounds


def _several(words: str) -> str:
    """Return the plural of the words for a type."""
    for one in ("whole number", "number", "text", "list"):
        if words.startswith(one):
            return f"{one}s{words.removeprefix(one)}"
    return words


def _definition(schema: dict[str, Any], kind: dict[str, Any]) -> dict[str, Any]:
    definition: dict[str, Any] = schema["$defs"][kind["$ref"].rpartition("/")[2]]
    return definition


def _nested(schema: dict[str, Any]) -> list[str]:
    """Return the definitions that occur only within messages, actions, events and other objects of a game."""
    named = {
        kind["$ref"].rpartition("/")[2]
        for kinds in (schema["client"], schema["server"], *(
            part for game in schema["games"].values() for part in (
                {"observation": game["observation"]}, game["actions"], game["events"], game["others"])))
        for kind in kinds.values()
    }  # fmt: skip
    return [name for name in schema["$defs"] if name not in named]


def _plain(name: str) -> str:
    """Return the name of a definition without its module."""
    return name.rpartition(".")[2]


def _notes_of(kind: dict[str, Any]) -> dict[str, str]:
    """Return the comments on the fields of a type of the JSON lines."""
    found = _wire_types().get(kind["$ref"].rpartition("/")[2])
    return notes_on_fields(found) if found else {}


def notes_on_fields(kind: type[Struct]) -> dict[str, str]:
    """Return the comments on the fields of a Struct, including inherited fields, by the names of the fields in JSON."""
    bases = [each for each in reversed(kind.__mro__) if issubclass(each, Struct) and each is not Struct]
    notes = {field: note for each in bases for field, _, note in _declared(each) if note}
    return {each.encode_name: notes[each.name] for each in fields(kind) if each.name in notes}


@cache
def _wire_types() -> dict[str, type[Struct]]:
    """Return the types by their names in the schema, with the module in front if two types have the same name."""
    found: dict[str, type[Struct]] = {}
    for module in WIRE:
        for name, kind in vars(import_module(module)).items():
            if inspect.isclass(kind) and issubclass(kind, Struct) and kind.__module__ == module:
                found |= {name: found.get(name, kind), f"{module}.{name}": kind}
    return found


# -- Configurations --------------------------------------------------------------------------------


def configs_page() -> str:
    """Return the page of configurations: all keys with their defaults and permitted values."""
    lines = [
        "# The keys of configurations",
        "",
        "`galapagos reference configs` prints this page. A configuration is a text of `key = value` lines; `#` starts a comment, and small and",
        "capital letters mean the same. A key that is left out has its default. `galapagos configs` lists the configurations that come",
        "with the program, and `galapagos configs GAME NAME` prints one.",
        "",
        "A run's folder keeps the text of its configuration, its seed, and a hash of all that follows from them. A later version of the program reads",
        "the folder of an earlier version, shows the run and plots it. It also continues the run to the same hash, unless the evolution has changed;",
        "the change log names such changes.",
        "",
    ]
    for title, module, name in CONFIGS:
        kind = getattr(import_module(module), name)
        lines += [
            f"## {title}",
            "",
            "| key | default | may be | |",
            "|---|---|---|---|",
            *_key_rows(kind),
            "",
        ]
    return "\n".join(lines)


def _key_rows(kind: type) -> Iterator[str]:
    for key in described_keys(kind):
        if key.heading:
            yield f"| **{key.heading.rstrip('.')}** | | | |"
        default = f"`{key.default}`" if key.default else ""
        yield f"| `{key.name}` | {default} | {_cell(key.may_be)} | {_cell(key.note)} |"


@dataclass(frozen=True, slots=True, kw_only=True)
class DescribedKey:
    """A key of a configuration, for people."""

    name: str
    field: str
    heading: str  # of this key and the next ones; "" if it is that of the key before
    default: str  # "" if the key is required
    may_be: str  # the values that are allowed, in words
    note: str


def described_keys(kind: type) -> Iterator[DescribedKey]:
    """Yield the keys of a configuration in their order, with the comments on them in the source."""
    from engines.config import ConfigError, keys_of

    keys = {key.field: key for key in keys_of(kind)}
    defaults = {name: field.default for name, field in vars(kind)["__dataclass_fields__"].items()}
    above = ""
    for name, heading, note in _declared(kind):
        above = heading or above
        if name not in keys:
            continue
        key = keys[name]
        try:
            key.read("\x7f")
            may_be = "text"
        except ConfigError as error:
            may_be = error.reason.removeprefix(f"{key.name} must be ").partition(", not '")[0]
            may_be = re.sub(r" \([^()]*\\x7f[^()]*\)", "", may_be)  # drops the part about the wrong value
        default = "" if key.is_required else key.write(defaults[name])
        yield DescribedKey(
            name=key.name, field=name, heading=above, default=default, may_be=may_be, note=note
        )
        above = ""


def _declared(kind: type) -> Iterator[tuple[str, str, str]]:
    """Return (field, heading above it, note) of each field that a class declares, from its source."""
    return _declared_in(inspect.getsource(kind).splitlines())


def _declared_in(lines: list[str]) -> Iterator[tuple[str, str, str]]:
    """Yield the fields of a class from the lines of its source, as _declared() does.

    A comment after an empty line is the heading of the fields below. Any other comment, above a field or on its line,
    is the note of that field.
    """
    heading = above = ""
    for before, line in zip(["", *lines], lines, strict=False):
        if found := COMMENT.match(line):
            if before.strip():
                above = f"{above} {found[1]}".strip()
            else:
                heading = found[1]
        elif found := FIELD.match(line):
            yield found[1], heading, found[2] or above
            heading = above = ""
        elif line.startswith("    def "):
            return


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


# -- The Python API --------------------------------------------------------------------------------


def python_page() -> str:
    """Return the page of the Python API: the classes and functions for users, with their docstrings."""
    lines = [
        "# The Python API",
        "",
        "`galapagos reference python` prints this page: the classes and functions that the documents use in examples, and those that another game implements.",
        "The import packages are `core`, `engines`, `protocols` and `tools`, so install the program into an environment of its own.",
        "Names that are not listed here may change at any time; the change log lists changes of these.",
        "",
    ]
    last = ""
    for title, module, names in API:
        if title != last:
            lines += [f"## {title}", ""]
            last = title
        source = (ROOT / f"{module.replace('.', '/')}.py").read_text(encoding="utf-8")
        tree = ast.parse(source)
        found = {node.name: node for node in tree.body if isinstance(node, Documented)}
        for name in names:
            lines += _documented(module, found[name], source.splitlines())
    return "\n".join(lines)


Documented = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def _documented(module: str, node: Documented, source: list[str]) -> list[str]:
    """Return the lines on a class or function: its path, its signature, its docstring and its public methods."""
    text = ast.get_docstring(node) or ""
    lines = [f"### `{module}.{node.name}`", ""]
    if not isinstance(node, ast.ClassDef):
        return [*lines, "```python", _call(node), "```", "", text, ""]
    notes = {name: note for name, _, note in _declared_in(source[node.lineno - 1 : node.end_lineno])}
    methods = [each for each in node.body if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)]
    maker = next((each for each in methods if each.name == "__init__"), None)
    if maker:
        lines += [
            "```python",
            _call(maker).replace("__init__", node.name, 1).replace(" -> None", ""),
            "```",
            "",
        ]
    elif fields := _keywords(node):
        lines += ["```python", f"{node.name}(*, {', '.join(fields)})", "```", ""]
    lines += [text, ""]
    if maker and (more := ast.get_docstring(maker)):
        lines += [more, ""]
    rows = [
        f"| `{_cell(ast.unparse(each))}` | {_cell(notes.get(ast.unparse(each.target), ''))} |"
        for each in node.body
        if isinstance(each, ast.AnnAssign) and _is_public(each)
    ]
    rows += [
        f"| `{_cell(_call(each))}` | {_cell((ast.get_docstring(each) or '').partition(chr(10) * 2)[0].replace(chr(10), ' '))} |"
        for each in methods
        if not each.name.startswith("_")
    ]
    return [*lines, "| | |", "|---|---|", *rows, ""] if rows else lines


def _keywords(node: ast.ClassDef) -> list[str]:
    """Return the arguments of a dataclass or Struct whose fields are keywords only; empty for another class."""
    calls = [
        *node.keywords,
        *chain(*(each.keywords for each in node.decorator_list if isinstance(each, ast.Call))),
    ]
    if not any(word.arg == "kw_only" and ast.unparse(word.value) == "True" for word in calls):
        return []
    fields = [each for each in node.body if isinstance(each, ast.AnnAssign) and _is_public(each)]
    return [f"{ast.unparse(each.target)}{'=...' if each.value else ''}" for each in fields]


def _is_public(field: ast.AnnAssign) -> bool:
    return isinstance(field.target, ast.Name) and not field.target.id.startswith("_")


def _call(node: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    """Return the signature of a function, without `self`."""
    arguments = ast.unparse(node.args)
    arguments = re.sub(r"^(self|cls)(, )?", "", arguments)
    returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    is_property = any(ast.unparse(each) == "property" for each in node.decorator_list)
    call = node.name if is_property else f"{node.name}({arguments})"
    return f"{'async ' if isinstance(node, ast.AsyncFunctionDef) else ''}{call}{returns}"


PAGES: Final[dict[str, Callable[[], str]]] = {
    "messages": messages_page,
    "configs": configs_page,
    "python": python_page,
}
