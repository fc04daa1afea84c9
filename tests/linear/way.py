"""A way by which text from outside comes into the program, and the texts that are repeated to make it costly."""

import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

# What is repeated. Each character that any of the languages gives a meaning, and what pairs with it.
UNITS = (
    *"\"'\\ \t\r\n\f()[]{}<>01.,;:/#&|=!+-*~`@$%^_?aE\0é",
    *('\\"', "\\\\n", " \n", "\n\n", "()", "[]", "{}", "(a ", "[[", '{"a":', "1 ", "a ", "a\n", "a b", ", ", "1,", "a=", " - ", "--"),
    *("1+", "-(", "(1+", "! ", "~!", "![", "a&", "/*", " ;", ";\n", "#\n", ": ", "\r\n", "\\\n", "1.", "0x", " x", "é ", "\u2028"),
)  # fmt: skip
LAST = ("", " x")

Reader = Callable[[str], object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """A way in. `read` may raise `refusals`, and nothing else."""

    name: str
    read: Reader
    covers: tuple[str, ...]
    starts: tuple[str, ...] = ("",)
    usual_units: tuple[str, ...] = UNITS
    units: tuple[str, ...] = ()
    size: int = 4000  # characters, at which a square would show
    is_deep: bool = True  # read by compiled code, or fast: to be tried with 40,000 brackets
    refusals: tuple[type[Exception], ...] = field(default=(ValueError,))

    def texts(self, size: int, last_words: tuple[str, ...] = LAST) -> Iterator[tuple[str, str]]:
        """Yield the worst texts of about this size, each after a name for it."""
        for start in self.starts:
            for unit in (*self.usual_units, *self.units):
                for last in last_words:
                    yield (
                        f"{start[:40]!r} + {unit!r} x N + {last!r}",
                        start + unit * (size // len(unit)) + last,
                    )

    def answer(self, text: str) -> None:
        """Read a text, refused or not."""
        with suppress(*self.refusals):
            self.read(text)


def file_reader(read: Callable[[Path], object], suffix: str) -> Reader:
    """Return a reader of a text that has to be in a file."""
    folder = tempfile.TemporaryDirectory(prefix="galapagos-")
    path = Path(folder.name) / f"text{suffix}"

    def read_file(text: str) -> None:
        _ = folder  # as long as the reader
        path.write_text(text, encoding="utf-8", newline="")
        read(path)

    return read_file
