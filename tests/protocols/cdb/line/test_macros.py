"""Macros: which lines define one, and how many there may be."""

from protocols.cdb.command_line import MAX_MACRO_LINE, MAX_MACROS, Macros
from protocols.cdb.console import Console


class Disk:
    """A host with one file of macros."""

    def __init__(self, text: str) -> None:
        self.text = text

    def read_macros(self, name: str) -> str:
        if name != "here":
            raise FileNotFoundError(name)
        return self.text

    def open_log(self, name: str) -> "Disk":
        raise PermissionError(name)

    def shell(self, command: str) -> None:
        raise AssertionError(command)

    def write(self, text: str, /) -> None:
        raise AssertionError(text)

    def close(self) -> None:
        raise AssertionError


def loaded(text: str, file: str = "here") -> tuple[Macros, str]:
    """The macros of a file, and what was said about it."""
    console = Console()
    macros = Macros(console, Disk(text))
    macros.load(file)
    return macros, "".join(output.text for output in console.take_output())


def test_a_later_definition_wins_and_other_lines_are_remarks() -> None:
    macros, said = loaded("a remark\none = calc 1\nt w o=calc \\\n2\none=calc 11\n.\nafter=the dot\n")
    assert (list(macros), said) == (["ONE=calc 11", "TWO=calc 2"], "")


def test_no_file() -> None:
    macros, said = loaded("", "there")
    assert (bool(macros), said) == (False, 'Cannot open macro file "there"\n')


def test_most() -> None:
    macros, said = loaded("".join(f"m{number}=step\n" for number in range(MAX_MACROS + 5)))
    assert (len(list(macros)), said) == (MAX_MACROS, "Maximum number of macros exceeded\n")


def test_a_line_too_long_says_so_when_it_is_called() -> None:
    macros, _ = loaded(f"long={'x' * MAX_MACRO_LINE}\nshort=x\n")
    assert macros.get("LONG") == " echo Macro LONG is too long (>= 255 chars)~reset"
    assert macros.get("SHORT") == "x"
