"""Output: text as the bytes it was read from."""

import sys


def say(text: str, *, error: bool = False) -> None:
    """Write to standard output or error at once; each character is a byte of ISO-8859-1."""
    stream = sys.stderr if error else sys.stdout
    stream.flush()
    stream.buffer.write(text.encode("latin-1", "replace"))
    stream.buffer.flush()
