"""JSON lines over a TCP connection whose first line has been read already."""

import asyncio
from typing import Final

from protocols.jsonl.host import Host

CHUNK_BYTES: Final = 65_536


async def converse(
    host: Host, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, first: str, is_local: bool
) -> None:
    """Until either side has enough; the connection is then still to be closed."""
    transport = writer.transport
    await host.converse(
        lambda: reader.read(CHUNK_BYTES),
        writer,
        first.encode() + b"\n",
        is_trusted=is_local,
        waiting=transport.get_write_buffer_size,
        close=transport.close,
        cut=transport.abort,
    )
