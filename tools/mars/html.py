"""The page of a recording: one file of HTML that plays the recording in any browser without a network.

The player is that of the page of `galapagos serve`: its modules, concatenated to one script.
"""

import json
import re
from base64 import b64encode
from importlib.resources import files
from typing import Final

from engines.corewar.recording import Recording

TEMPLATE: Final = "page.html"
ENTRY: Final = "film.js"
STYLES: Final = ("style.css", "corewar_player.css")
MODULES: Final = (
    "dom.js",
    "format.js",
    "corewar_replay.js",
    "corewar_player.js",
)  # a module imports only from those before it
IMPORT: Final = re.compile(r"^import .*\n", re.MULTILINE)
EXPORT: Final = re.compile(r"^export ", re.MULTILINE)


def page(recording: Recording, title: str) -> str:
    """Return the page as text. Names of warriors are data on the page, never markup or code."""
    facts = recording.facts() | {"title": title, "film": b64encode(recording.packed()).decode()}
    here, static = files("tools.mars"), files("protocols.web") / "static"
    modules = [(static / name).read_text(encoding="utf-8") for name in MODULES]
    modules.append((here / ENTRY).read_text(encoding="utf-8"))
    parts = {
        "style": "".join((static / name).read_text(encoding="utf-8") for name in STYLES),
        "script": "".join(EXPORT.sub("", IMPORT.sub("", module)) for module in modules),
        "film": json.dumps(facts).replace("<", "\\u003c").replace("&", "\\u0026"),
    }
    text = (here / TEMPLATE).read_text(encoding="utf-8")
    return re.sub(r"\{\{(\w+)\}\}", lambda found: parts[found[1]], text)
