"""The pages that are made from the code: they are as they would be made now, and their examples are what they say."""

import json
import re
from typing import Any

import msgspec
import pytest

from protocols.jsonl.codec import members, tag_of
from protocols.jsonl.messages import ClientMessage, ServerMessage
from tests.conftest import ROOT
from tools.games import game_adapters
from tools.reference import PAGES, notes_on_fields
from tools.reference_examples import LEFT_OUT, Examples, examples

FILES = {
    "messages": "protocols/jsonl/MESSAGES.md",
    "configs": "engines/CONFIGURATIONS.md",
    "python": "protocols/adapters/API.md",
}


@pytest.fixture(scope="module")
def shown() -> Examples:
    return examples()


@pytest.mark.parametrize("page", PAGES)
def test_reference_pages_match_the_code(page: str) -> None:
    text = (ROOT / FILES[page]).read_text(encoding="utf-8")
    assert PAGES[page]() == text, f"galapagos reference {page} > {FILES[page]}"


def test_only_the_tag_of_an_object_is_no_field_of_its_table() -> None:
    parts = re.split(r"^#+ ", PAGES["messages"](), flags=re.MULTILINE)
    tables = {part.partition("\n")[0].strip("`"): part for part in parts}
    assert "| `kind` | `agent` or `client` |" in tables["Player"]
    assert "| `kind` | text |" in tables["Fight"] and "| `kind` | text |" in tables["event"]
    assert "| `type` |" not in tables["hello"] and "| `kind` |" not in tables["place"]


def test_the_page_of_messages_explains_the_observation_of_each_game() -> None:
    for part in PAGES["messages"]().split("### Observation\n")[1:]:
        assert part.lstrip()[0] != "|"


class Base(msgspec.Struct):
    seat: int  # from 0


class Renamed(Base, rename={"from_": "from"}):
    from_: int  # the first phase
    made: int = msgspec.field(name="yield")  # dollars


def test_notes_belong_to_the_names_on_the_wire_and_are_inherited() -> None:
    assert notes_on_fields(Renamed) == {"seat": "from 0", "from": "the first phase", "yield": "dollars"}


def test_every_message_has_a_valid_example(shown: Examples) -> None:
    for direction, union in (("client", ClientMessage), ("server", ServerMessage)):
        types = {tag_of(kind): kind for kind in members(union)}
        assert shown[direction].keys() == types.keys()
        for name, text in shown[direction].items():
            check(text, types[name])


def test_every_action_and_event_has_a_valid_example(shown: Examples) -> None:
    for game, adapter in game_adapters().items():
        kinds = adapter.message_types
        for what, types in (("actions", kinds.actions), ("events", kinds.events)):
            by_tag = {tag_of(kind): kind for kind in types}
            assert shown[f"{game} {what}"].keys() == by_tag.keys()
            for name, text in shown[f"{game} {what}"].items():
                check(text, by_tag[name])


def check(text: str, kind: type) -> None:
    """Where something is left out, only the names of the fields are."""
    fields: dict[str, Any] = json.loads(text)
    if LEFT_OUT not in text:
        msgspec.json.decode(text, type=kind, strict=True)
    known = {field.encode_name for field in msgspec.structs.fields(kind)} | {"type", "kind", "form"}
    known |= {"game_id", "seq"} if fields.get("type") == "event" else set()
    assert fields.keys() <= known or kind.__name__ in OPEN, (fields.keys() - known, kind)


OPEN = ("Start", "Event")  # to which each game adds fields of its own


def test_the_python_page_shows_keyword_only_classes_and_what_a_game_needs() -> None:
    page = PAGES["python"]()
    assert "Clock(*, seconds, increment=..., moves_to_reset=...)" in page
    own = page.partition("## A game of your own\n")[2].partition("\n## ")[0]
    assert "GameInfo(*, name, about, " in own and "`about: str` | a line of description |" in own
    for name in ("core.random.Random", "engines.player.Player", "engines.evolution.tables.open_run"):
        assert f"### `{name}`" in page
