"""The three programs as anybody may run them: by the words of a command line, in this process or in one of their own.

This is all that the golden cases know of the code: the entry points that pyproject.toml names.
"""

import argparse
import os
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from io import BytesIO, TextIOWrapper
from pathlib import Path
from threading import Timer
from typing import Any, Final, NamedTuple
from unittest import mock

from tests.waiting import PATIENCE_SECONDS

ROOT: Final = Path(__file__).parents[2]
GALAPAGOS, CHESS, MARS = "galapagos", "galapagos-chess", "galapagos-mars"
WIDE: Final = {"COLUMNS": "120", "LINES": "50", "TZ": "UTC", "NO_COLOR": "1", "TERM": "dumb"}


class Answer(NamedTuple):
    """What a program said; texts are bytes of ISO-8859-1 or UTF-8, as the program has it."""

    status: int
    out: str
    err: str

    def __str__(self) -> str:
        parts = [f"status {self.status}\n"]
        parts += [
            f"--- {name}\n{_ended(text)}" for name, text in zip(("out", "err"), self[1:], strict=True) if text
        ]
        return "".join(parts)


def _ended(text: str) -> str:
    return text if text.endswith("\n") else f"{text}\n"


def script_of(program: str) -> str:
    """MODULE:FUNCTION."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return str(project["scripts"][program])


def entry(program: str) -> Callable[[Sequence[str]], int]:
    module, _, function = script_of(program).partition(":")
    found: Callable[[Sequence[str]], int] = getattr(import_module(module), function)
    return found


def run(*words: str | Path, program: str = GALAPAGOS, stdin: str = "", folder: Path | None = None) -> Answer:
    """Run a program in this process, in `folder` if there is one."""
    encoding = "latin-1" if program == MARS else "utf-8"
    streams = [TextIOWrapper(BytesIO(data), encoding) for data in (stdin.encode(encoding), b"", b"")]
    given = [str(word) for word in words]
    before = Path.cwd()
    with (
        mock.patch.multiple(sys, stdin=streams[0], stdout=streams[1], stderr=streams[2]),
        mock.patch.object(sys, "argv", [program, *given]),
        mock.patch.dict(os.environ, WIDE),
    ):
        try:
            os.chdir(folder or before)
            status = entry(program)(given)
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else 1
        finally:
            os.chdir(before)
        for stream in streams[1:]:
            stream.flush()
    out, err = (_bytes(stream).decode(encoding) for stream in streams[1:])
    return Answer(status, out, err)


def _bytes(stream: TextIOWrapper) -> bytes:
    assert isinstance(stream.buffer, BytesIO)
    return stream.buffer.getvalue()


def printed(*words: str | Path, program: str = GALAPAGOS, folder: Path | None = None) -> str:
    """Standard output of words with which all goes well. AssertionError if not."""
    answer = run(*words, program=program, folder=folder)
    assert answer.status == 0, answer
    return answer.out


def command(program: str, *words: str | Path) -> list[str]:
    """The same as a process."""
    module, _, function = script_of(program).partition(":")
    code = f"import sys; from {module} import {function}; sys.exit({function}())"
    return [sys.executable, "-c", code, *map(str, words)]


@contextmanager
def started(
    program: str, *words: str | Path, folder: Path | None = None
) -> Iterator["subprocess.Popen[str]"]:
    """A process with pipes to its standard input and output; it ends with the context."""
    with subprocess.Popen(
        command(program, *words),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=folder,
        env=environment(),
        text=True,
        bufsize=1,
    ) as process:
        alarm = Timer(PATIENCE_SECONDS, process.kill)  # whoever waits for it then reads the end
        alarm.start()
        try:
            yield process
        finally:
            alarm.cancel()
            process.terminate()


def spoken(program: str, *words: str | Path, stdin: str = "") -> Answer:
    """A process that is given a text on standard input, to its end."""
    done = subprocess.run(
        command(program, *words),
        input=stdin,
        capture_output=True,
        text=True,
        env=environment(),
        timeout=PATIENCE_SECONDS,
        check=False,
    )
    return Answer(done.returncode, done.stdout, done.stderr)


def environment() -> Mapping[str, str]:
    return os.environ | WIDE | {"PYTHONPATH": str(ROOT)}


# -- What their command lines take --------------------------------------------------------------------------


def parsers(program: str, *words: str) -> dict[str, argparse.ArgumentParser]:
    """All argparse parsers that come to be when these words are followed by --help, by the command they are for."""
    made: list[argparse.ArgumentParser] = []
    begin = argparse.ArgumentParser.__init__

    def remembered(self: argparse.ArgumentParser, *args: Any, **options: Any) -> None:
        begin(self, *args, **options)
        made.append(self)

    with mock.patch.object(argparse.ArgumentParser, "__init__", remembered):
        answer = run(*words, "--help", program=program)
    assert answer.status == 0, answer
    wanted = " ".join([program, *words])
    return {each.prog: each for each in made if f"{each.prog} ".startswith(f"{wanted} ")}
