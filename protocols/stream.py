"""One connection as whoever converses over it sees it: lines come in, bytes go out, however they travel."""

from typing import Protocol


class Stream(Protocol):
    """A TCP connection, or a WebSocket whose frames are lines."""

    async def readline(self) -> bytes:
        """The next line with its break, empty at the end; ValueError if it is too long."""
        ...

    async def read(self) -> bytes:
        """What has arrived, at least a byte of it; empty at the end."""
        ...

    def write(self, data: bytes) -> None: ...

    async def drain(self) -> None:
        """Wait while the other side is slow to read."""
        ...

    def waiting(self) -> int:
        """Bytes that are written and not yet taken."""
        ...

    def is_gone(self) -> bool:
        """Whether it is known already that nobody is there any more."""
        ...

    def close(self) -> None:
        """Say what is written, and then nothing more; reading ends."""
        ...

    def abort(self) -> None:
        """End it at once."""
        ...
