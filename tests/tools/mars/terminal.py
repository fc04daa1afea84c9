"""galapagos-mars in this process: words and standard input in; status, standard output and error out."""

import sys
from collections.abc import Sequence
from io import BytesIO, TextIOWrapper
from typing import NamedTuple

import pytest

from tools.mars.cli import main


class Answer(NamedTuple):
    """Texts as bytes of ISO-8859-1."""

    status: int
    out: str
    err: str


def answer(arguments: Sequence[str], stdin: str = "") -> Answer:
    """What galapagos-mars says in the present folder."""
    streams = [TextIOWrapper(BytesIO(data)) for data in (stdin.encode("latin-1"), b"", b"")]
    with pytest.MonkeyPatch.context() as patch:
        for name, stream in zip(("stdin", "stdout", "stderr"), streams, strict=True):
            patch.setattr(sys, name, stream)
        status = main(arguments)
        for stream in streams[1:]:
            stream.flush()
    out, err = (stream.buffer.getvalue().decode("latin-1") for stream in streams[1:])
    return Answer(status, out, err)
