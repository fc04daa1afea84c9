"""JSON-RPC 2.0: the same conversation in other clothes."""

import asyncio
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols.jsonl.rpc import is_rpc, request, response
from tests.protocols.jsonl.test_transports import served
from tests.protocols.wire import Wire


def test_a_request_is_a_message() -> None:
    line = b'{"jsonrpc":"2.0","id":3,"method":"create","params":{"game":"acquire","seats":["me"]}}'
    assert json.loads(request(line)) == {"type": "create", "id": 3, "game": "acquire", "seats": ["me"]}
    assert json.loads(request(b'{"jsonrpc":"2.0","method":"bye"}')) == {"type": "bye"}


def test_what_is_said_in_its_clothes() -> None:
    for line, said in (
        (b'{"type":"ok","re":4}', {"id": 4, "result": {}}),
        (b'{"type":"decide","id":101,"seat":0}\n', {"method": "decide", "params": {"id": 101, "seat": 0}}),
        (
            b'{"type":"error","re":5,"code":"stale_seq","number":-32003,"message":"over","data":{"x":1},"fatal":false}',
            {"id": 5, "error": {"code": -32003, "message": "over",
                                "data": {"code": "stale_seq", "x": 1, "fatal": False}}},
        ),
    ):  # fmt: skip
        assert json.loads(response(line)) == {"jsonrpc": "2.0", **said}


@pytest.mark.parametrize(
    "first", [b'{"type":"hello"}', b'{"jsonrpc":"1.0"}', b'{"jsonrpc"', b"[" * 9999 + b'"jsonrpc"', b"{}"]
)
def test_who_does_not_speak_so(first: bytes) -> None:
    assert not is_rpc(first)


@given(st.binary(max_size=200) | st.text().map(str.encode))
def test_no_line_makes_it_raise(line: bytes) -> None:
    request(line)


async def test_a_game() -> None:
    async with served() as (host, port, _):
        wire = Wire(*await asyncio.open_connection(host, port, limit=1 << 20))

        def call(method: str, **params: Any) -> None:
            wire.say(json.dumps({"jsonrpc": "2.0", "id": method, "method": method, "params": params}))

        async def heard() -> dict[str, Any]:
            answer: dict[str, Any] = json.loads(await wire.hear("{"))
            assert answer.pop("jsonrpc") == "2.0"
            return answer

        call("hello", versions=[1])
        welcome = await heard()
        assert welcome["id"] == "hello" and "jsonrpc" in welcome["result"]["features"]
        wire.say('[{"jsonrpc":"2.0","id":1,"method":"ping"}]', "{")
        assert [(await heard())["error"]["code"] for _ in range(2)] == [-32600, -32700]
        call("create", game="acquire", variant="mini", seats=["me", "random"])
        said = await heard()
        while said.get("method") != "end":
            if said.get("method") == "decide":
                decide = said["params"]
                action = decide["legal"]["actions"][0]
                call("action", re=decide["id"], game_id=decide["game_id"], action=action)
            said = await heard()
            assert "error" not in said
        assert "worth" in said["params"]["result"]
        await wire.close()
