"""Reading of files within limits, texts that cannot disturb a terminal, and closed standard output."""

import os
import re
import select
import stat
import sys
from contextlib import suppress
from errno import EFBIG, EINVAL, EISDIR, ENODATA
from pathlib import Path
from typing import Final

PIECE: Final = 1 << 20  # bytes read at once
WRITER_SECONDS: Final = 2.0  # the wait for a program to open a pipe for writing
# Characters that a terminal obeys or hides: control characters except tab and line feed, and format characters, which
# change the direction of writing or have no width. A byte that is not UTF-8 is a surrogate (PEP 383).
HIDDEN: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u0600-\u0605\u061c\u06dd\u070f\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    "\ufeff\ufff9-\ufffb\udc80-\udc9f\U000e0000-\U000e007f]"
)


class TooLargeError(OSError, ValueError):
    """A file that is larger than the limit."""


def visible(text: str) -> str:
    r"""Return the text with visible escapes, such as \x1b, for the characters that could disturb a terminal."""
    return HIDDEN.sub(_escape, text)


def visible_bytes(data: bytes) -> bytes:
    """Return visible() of a text in UTF-8 or ISO-8859-1, in the same encoding."""
    return visible(data.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")


def read_file(path: Path, most: int) -> bytes:
    """Return the content of a file, or the data that other programs write to a pipe until they close it.

    Raises OSError if it cannot be read, is a folder or a device, holds more than `most` bytes, or is a pipe that no
    program has opened to write within WRITER_SECONDS. The null device is an empty file.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)  # O_NONBLOCK: a pipe opens at once
    try:
        kind = os.fstat(descriptor)
        if stat.S_ISDIR(kind.st_mode):
            raise OSError(EISDIR, "this is a folder, not a file", str(path))
        is_device = stat.S_ISBLK(kind.st_mode) or stat.S_ISCHR(kind.st_mode)
        if is_device and not (os.isatty(descriptor) or kind.st_rdev == Path(os.devnull).stat().st_rdev):
            raise OSError(EINVAL, "this is a device, not a file", str(path))
        data = bytearray(_await_writer(descriptor, path) if stat.S_ISFIFO(kind.st_mode) else b"")
        while piece := _read(descriptor):
            data += piece
            if len(data) > most:
                raise TooLargeError(EFBIG, f"this is too large: more than {most:,} bytes", str(path))
        return bytes(data)
    finally:
        os.close(descriptor)


def is_output_closed() -> bool:
    """Return whether the program that reads standard output has ended, such as `head`."""
    with suppress(OSError, ValueError):  # ValueError: standard output is no file, as in tests
        poll = select.poll()
        poll.register(sys.stdout.fileno(), 0)
        return any(events & select.POLLERR for _, events in poll.poll(0))
    return False


def discard_output() -> None:
    """Redirect standard output to the null device, because Python reports an error when it flushes a closed one."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _await_writer(descriptor: int, path: Path) -> bytes:
    """Wait until a program has opened a pipe for writing, and return any data already written.

    Raises OSError if no program opens the pipe within WRITER_SECONDS.
    """
    if _is_ready(descriptor, WRITER_SECONDS):
        return b""
    try:
        data = os.read(descriptor, PIECE)
    except BlockingIOError:
        return b""
    if not data:  # a pipe without a writer is at its end
        raise OSError(ENODATA, "this is a pipe to which no program writes", str(path))
    return data


def _read(descriptor: int) -> bytes:
    """Wait for the next bytes and return them; empty at the end."""
    while True:
        try:
            return os.read(descriptor, PIECE)
        except BlockingIOError:  # a pipe or a terminal whose writer is slow
            _is_ready(descriptor, None)


def _is_ready(descriptor: int, seconds: float | None) -> bool:
    """Return whether data or the end can be read within `seconds`; None waits without a limit."""
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    return bool(poll.poll(None if seconds is None else 1000 * seconds))


def _escape(found: re.Match[str]) -> str:
    number = ord(found[0])
    if 0xDC80 <= number <= 0xDC9F:
        number -= 0xDC00
    return (
        f"\\x{number:02x}" if number < 256 else f"\\u{number:04x}" if number < 65536 else f"\\U{number:08x}"
    )
