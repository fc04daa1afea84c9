"""JSON-RPC 2.0 for those who have a client for it: the same conversation, in other clothes.

    {"jsonrpc":"2.0","id":3,"method":"create","params":{...}}   is   {"type":"create","id":3,...}

An answer is `result`, an error has the number as its code; what the house says unasked is a notification. A decide is
answered by the method `action` with `re` among its params. There are no batches.
"""

from typing import Any, Final

import msgspec

VERSION: Final = "2.0"
SIGN: Final = b'"jsonrpc"'  # in the first line of who speaks so

_DECODER: Final = msgspec.json.Decoder(dict[str, Any])


def is_rpc(first: bytes) -> bool:
    """Whether a first line, which begins an object, is a request of JSON-RPC."""
    if SIGN not in first:
        return False
    try:
        return _DECODER.decode(first).get("jsonrpc") == VERSION
    except (ValueError, RecursionError):
        return False


def request(line: bytes) -> bytes:
    """What a request asks for, as a line; whatever is none of JSON-RPC's stays as it is, and is refused as such."""
    try:
        call = _DECODER.decode(line)
    except (ValueError, RecursionError):
        return line
    params, method = call.get("params", {}), call.get("method")
    if call.get("jsonrpc") != VERSION or not isinstance(method, str) or not isinstance(params, dict):
        return b"null"
    told = {"type": method, **params}
    if "id" in call:
        told["id"] = call["id"]
    return msgspec.json.encode(told)


def response(line: bytes) -> bytes:
    """A line of the house, given with or without its break, as JSON-RPC has it."""
    told = _DECODER.decode(line)
    kind, re = told.pop("type"), told.pop("re", None)
    said: dict[str, Any] = {"jsonrpc": VERSION}
    if kind == "error":
        data = {"code": told.pop("code"), **(told.pop("data", None) or {})}
        number, message = told.pop("number"), told.pop("message")
        said |= {"id": re, "error": {"code": number, "message": message, "data": data | told}}
    elif re is not None:
        said |= {"id": re, "result": told}
    else:
        said |= {"method": kind, "params": told}
    return msgspec.json.encode(said) + b"\n"
