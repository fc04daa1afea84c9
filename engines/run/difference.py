"""A text on record as its difference from another one: most genomes are nearly one of their ancestors.

The difference names the other text by its ID, which is kept whole, so that one step leads back.
"""

import zlib
from collections.abc import Callable
from typing import Final

ID_BYTES: Final = 8
WORTHWHILE: Final = 4  # times that the difference must be shorter than the text


def difference(text: str, other_id: int, other: str) -> bytes | None:
    """How to make `text` of `other`; None if that takes much of the text itself."""
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS, zdict=other.encode())
    raw = text.encode()
    packed = packer.compress(raw) + packer.flush()
    if WORTHWHILE * (ID_BYTES + len(packed)) > len(raw):
        return None
    return other_id.to_bytes(ID_BYTES, "big") + packed


def other_id(difference: bytes) -> int:
    """Whose text it differs from."""
    return int.from_bytes(difference[:ID_BYTES], "big")


def whole(kept: str | bytes, text_of: Callable[[int], str]) -> str:
    """The text, of what was kept: itself, or its difference from that of another ID."""
    if isinstance(kept, str):
        return kept
    unpacker = zlib.decompressobj(wbits=-zlib.MAX_WBITS, zdict=text_of(other_id(kept)).encode())
    return (unpacker.decompress(kept[ID_BYTES:]) + unpacker.flush()).decode()
