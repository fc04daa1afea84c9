"""Bytes to lines: where one message ends and the next begins."""

from typing import Final

UTF8_MARK: Final = b"\xef\xbb\xbf"


class LineTooLong(ValueError):
    """There is no break where there should have been one."""


class Framer:
    """Cuts what arrives into lines."""

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, data: bytes, most: int) -> list[bytes]:
        """The lines that are whole now, without their breaks. LineTooLong when one has more than `most` bytes.

        Lines before the one that is too long are lost with it: it is fatal.
        """
        *lines, self._rest = (self._rest + data).split(b"\n")
        if len(self._rest) >= most or any(len(line) >= most for line in lines):
            raise LineTooLong
        return lines
