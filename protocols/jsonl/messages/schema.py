"""The published JSON Schema of the protocol, written from the types that decode and encode it."""

from collections.abc import Iterable
from typing import Any

import msgspec

from protocols.jsonl.binding.binding import Binding
from protocols.jsonl.messages import client, server
from protocols.jsonl.messages.values import Message

DRAFT = "https://json-schema.org/draft/2020-12/schema"


def protocol_schema(bindings: Iterable[Binding]) -> dict[str, Any]:
    """Every message by direction and type, and what each game puts into them."""
    types = [*members(client.ClientMessage), *members(server.ServerMessage)]
    shapes = {binding.name: binding.shapes for binding in bindings}
    games = [
        part
        for each in shapes.values()
        for part in (each.observation, *each.actions, *each.events, *each.others)
    ]
    names = list(dict.fromkeys([*types, *games]))
    schemas, definitions = msgspec.json.schema_components(names, ref_template="#/$defs/{name}")
    by_type = dict(zip(names, schemas, strict=True))
    return {
        "$schema": DRAFT,
        "title": "galapagos/1",
        "client": {tag_of(each): by_type[each] for each in members(client.ClientMessage)},
        "server": {tag_of(each): by_type[each] for each in members(server.ServerMessage)},
        "games": {
            name: {
                "observation": by_type[each.observation],
                "actions": {tag_of(action): by_type[action] for action in each.actions},
                "events": {tag_of(event): by_type[event] for event in each.events},
                "others": {other.__name__.lower(): by_type[other] for other in each.others},
            }
            for name, each in shapes.items()
        },
        "$defs": definitions,
    }


def members(union: Any) -> tuple[type[Message], ...]:
    """The types of a union, in order."""
    return tuple(union.__args__)


def tag_of(kind: Any) -> str:
    """The `type`, `kind` or `form` of an object on the wire."""
    return str(kind.__struct_config__.tag)
