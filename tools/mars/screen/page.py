"""The page of a recording: one file of HTML that plays it, in any browser and without a network."""

import json
from base64 import b64encode
from dataclasses import asdict
from importlib.resources import files
from typing import Final

from tools.mars.screen.recording import Recording

TEMPLATE: Final = "page.html"
FACTS: Final = ("size", "cycles", "round", "warriors", "instructions", "is_whole", "survivors")


def page(recording: Recording, title: str) -> str:
    """Whatever the warriors are called, their names are text on it and nothing else."""
    facts = {name: value for name, value in asdict(recording).items() if name in FACTS}
    facts |= {"title": title, "film": b64encode(recording.packed()).decode()}
    text = (files("tools.mars.screen") / TEMPLATE).read_text(encoding="utf-8")
    return text.replace("{{film}}", json.dumps(facts).replace("<", "\\u003c").replace("&", "\\u0026"))
