"""A module outside a game's column does not name the game: what a game is called, shows and offers is in its own column.

The columns are the folders and modules of the games. What names a game elsewhere is in EXCEPTIONS, with the reason; one
that is no longer needed fails, too, so that the list gets shorter.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[1]
NAMES: Final = {
    "chess": ("chess", "Chess"),
    "acquire": ("acquire", "Acquire"),
    "corewar": ("corewar", "Core War"),
    "protection": ("protection", "Advanced Protection"),
}
# The column of each game: modules whose path matches, and what is of that game alone by its nature.
COLUMNS: Final = {
    "chess": re.compile(
        r"chess|/uci|/cecp|engine_session|protocols/sessions|/external/|perft|tactics|bench/choices"
    ),
    "acquire": re.compile(r"acquire|pettingzoo|match/tables"),
    "corewar": re.compile(r"corewar|redcode|battles|/mars|cdb|hill|warrior|film|rank"),
    "protection": re.compile(r"protection|gymnasium|adapters/environment|tools/pool|arrangements"),
}
EXCEPTIONS: Final = {
    "tools/games/__init__.py": "the list of our games",
    "tools/mypyc_patches/generated_c.py": "what is done to the C of the two fastest cores",
    "tools/mypyc_patches/specialise.py": "it makes the bodies of the MARS",
    "tools/bench/command.py": "it measures the cores, each by its own benchmark",
    "tools/bench/hostile.py": "the attacks that are known are on these games",
    "tools/bench/server.py": "the games that it plays to measure the server",
    "tools/export.py": "configurations for programs that run chess engines",
    "protocols/server.py": "UCI and CECP, which it serves, are protocols of chess",
    "protocols/web/fights.py": "fights on the page, which are of Core War",
    "protocols/mqtt/requests.py": "a request for an analysis is about a position of chess",
    "tools/reference_examples.py": "the examples of the reference are games of ours",
    "tools/script.py": "the example in its help is a move of a game",
    "tools/serve.py": "what a server is made of: hills, and fights on the page, are of Core War",
}


def strings(tree: ast.Module) -> Iterator[str]:
    """Yield what a module imports, and its strings but for docstrings and texts of several lines."""
    documented = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        if node.body and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (f"{each.name}." for each in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{each.name}." for each in node.names)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documented:
            yield node.value


def games_in(text: str) -> set[str]:
    """Return the games that a string names: as a part of a path or module, as a word of its own, or by the title."""
    found = set()
    for game, (name, title) in NAMES.items():
        if re.search(rf"(^|[./:]){name}($|[./:,])", text) or re.search(rf"\b{title}\b", text):
            found.add(game)
    return found


def named() -> dict[str, set[str]]:
    """Return the games that each module names outside their columns."""
    found: dict[str, set[str]] = {}
    for part in ("core", "engines", "protocols", "tools"):
        for path in sorted((ROOT / part).rglob("*.py")) + sorted((ROOT / part).rglob("static/*.js")):
            name, text = str(path.relative_to(ROOT)), path.read_text(encoding="utf-8")
            if path.suffix == ".py":
                words = list(strings(ast.parse(text)))
            else:
                words = re.findall(r'"([^"\n]*)"|^  (\w+): \{$', re.sub(r"//[^\n]*|/\*[\s\S]*?\*/", "", text))
                words = [each for pair in words for each in pair if each]
            games = {game for word in words for game in games_in(word)}
            if others := {game for game in games if not COLUMNS[game].search(name)}:
                found[name] = others
    return found


NAMED: Final = named()


@pytest.mark.parametrize("module", sorted(NAMED.keys() | EXCEPTIONS.keys()))
def test_modules_outside_a_games_column_do_not_name_the_game(module: str) -> None:
    assert module in EXCEPTIONS, f"{module} names {', '.join(sorted(NAMED[module]))}"
    assert module in NAMED, f"{module} names no game any more: take it out of EXCEPTIONS"
