"""The JavaScript modules of a page, so that a browser fetches them all at once instead of one level after the other."""

import re
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import Final

IMPORT: Final = re.compile(
    r"""^(?:import|export)\b(?:[^;"']*\bfrom)?\s*["'](\.{1,2}/[^"']+)["']""", re.MULTILINE
)


def modules_of(folder: Path, name: str) -> list[str]:
    """Return a module and all modules that it imports, directly or not, by their paths in the folder.

    A module that is missing is left out. Imports by a call, import(), do not count.
    """
    found: dict[str, None] = {}
    waiting = [name]
    while waiting:
        each = waiting.pop(0)
        if each in found or not (folder / each).is_file():
            continue
        found[each] = None
        imports = IMPORT.findall((folder / each).read_text(encoding="utf-8"))
        waiting += [normpath(join(dirname(each), path)) for path in imports]
    return list(found)
