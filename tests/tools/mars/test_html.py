"""The page of a film: one file, which holds names and nothing of their code."""

import json
import re
from base64 import b64decode

from engines.corewar.recording import record
from tests.tools.mars.fights import CODES, NAME, battle
from tools.mars.html import page


def test_a_page_holds_the_film_and_escapes_code_in_names() -> None:
    recording = record(battle(CODES[1], CODES[2]))
    text = page(recording, NAME)
    assert text.count("</script>") == 2 and "alert(1)</script>" not in text
    found = re.search(r'<script type="application/json" id="film">(.*?)</script>', text, re.S)
    assert found
    facts = json.loads(found[1])
    assert facts["title"] == facts["warriors"][0]["name"] == NAME
    assert b64decode(facts["film"]) == recording.packed()
    assert not re.search(r"^(?:import|export) ", text, re.MULTILINE), "modules, one after the other"
    text = text.replace("http://www.w3.org/2000/svg", "")  # the name of a language, not a place
    assert not re.search(r"""(?:src|href)\s*=|url\(|https?://|@import""", text), "it needs no network"
