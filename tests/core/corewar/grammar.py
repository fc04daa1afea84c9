"""Random Redcode: warriors that mostly make sense, with odd layouts and mistakes, and hostile damage to any text."""

from collections.abc import Sequence
from typing import Final, Protocol, TypeVar

from core.corewar.instruction import MODES, MODIFIERS, OPERATIONS

T = TypeVar("T")

OPERATORS: Final = ("+", "-", "*", "/", "%", "==", "!=", "<", ">", "<=", ">=", "&&", "||")
PREDEFINED: Final = (
    "CORESIZE", "MAXPROCESSES", "MAXCYCLES", "MAXLENGTH", "MINDISTANCE", "ROUNDS", "PSPACESIZE", "VERSION",
    "WARRIORS", "CURLINE",
)  # fmt: skip
ODDITIES: Final = (
    ",", "&", "&&", "|", "#", "@", ".", ":", "=", "!", "(", ")", "'", "\\", "[", "\x0b", "\t", "  ", "^",
    "\xa0",
    "\xe9", "_", "for", "rof", "equ", "end", "mov", "CURLINE", "i&j", ">", "*", "0", "9223372036854775807",
)  # fmt: skip
HOSTILE: Final = (
    "a equ b b\nb equ a a\n", "z equ z\n", "y equ 1\n equ y y\n", "for 60000\n", "i for 65536\nj&i dat i\n",
    "for 0\n", "rof\n", "for 1-2\n", "x1 equ x2+x2\nx2 equ x3+x3\nx3 equ x4*x4\nx4 equ 1\n", "mov ", "mov@", "\\\n",
    ";redcode\n", ";assert 0\n", ";assert 1/0\n", "dat 9223372036854775807*9223372036854775807\n",
    "dat 12345678901234567890\n", "a1\n", "org org\n", "end end\n", "CURLINE dat 0\n", "dat (a=a+1)\n", "equ equ equ\n",
)  # fmt: skip
PARTS: Final = (
    "(", ")", "-", "!", "+1", "a=", "1||2*3&&", "==", "1 ", " ", "a:", "&i", "x", "9", "\\", ";", "\t,",
)  # fmt: skip
MOST_CHARACTERS: Final = 70_000  # a little beyond what the assembler takes


class Source(Protocol):
    """Where numbers come from: core.random, or what hypothesis draws."""

    def below(self, n: int, /) -> int: ...


class Choices:
    """Decisions."""

    def __init__(self, source: Source) -> None:
        self.source = source

    def chance(self, tenths: int) -> bool:
        return self.below(10) < tenths

    def below(self, n: int) -> int:
        return int(self.source.below(n))

    def pick(self, things: Sequence[T]) -> T:
        return things[self.below(len(things))]


class Writer(Choices):
    """Writes warriors; the same decisions, the same text."""

    def __init__(self, source: Source) -> None:
        super().__init__(source)
        self.labels: list[str] = []
        self.texts: list[str] = []
        self.counters: list[str] = []

    def warrior(self) -> str:
        """A whole text, sometimes without its last newline."""
        lines = []
        if self.chance(9):
            lines.append(
                self.pick((";redcode-94", ";redcode", "  ;REDCODE-94nop verbose", "; redcode", ";redcode94"))
            )
        for word in ("name", "author", "version", "strategy", "date"):
            if self.chance(4):
                lines.append(
                    self.pick((";", "; ", " ;"))
                    + self.cased(word)
                    + self.pick((" ", "", "  "))
                    + self.word()
                    + " x"
                )
        if self.chance(8):
            lines.append(
                f";assert {self.pick(('1', self.expression(2), 'CORESIZE==8000', 'CORESIZE > 7 && 1', ''))}"
            )
        self.labels = [self.word() for _ in range(self.below(6))]
        for _ in range(1 + self.below(12)):
            self.block(lines, 0)
        if self.chance(3):
            lines.append(f"end {self.pick(('', self.name(), self.expression(1)))}")
        if self.chance(1):
            lines.append(self.pick((";redcode", "mov 0, 1", "rubbish !", "for 2")))
        for _ in range(self.below(3) if self.chance(3) else 0):
            self.spoil(lines)
        text = self.pick(("\n", "\n", "\n", "\r\n")).join(lines)
        return text if self.chance(1) else text + "\n"

    def block(self, lines: list[str], depth: int) -> None:
        """An instruction, an EQU, a FOR block or a comment."""
        kind = self.below(20)
        if kind < 12:
            lines.append(self.instruction())
        elif kind < 15:
            lines.append(self.equ())
            while self.chance(2):
                lines.append(f"{self.pick((' ', ''))}{self.cased('equ')} {self.body()}")
        elif kind < 17 and depth < 3:
            counter = self.pick((self.word(), "i", "j", "k"))
            before = self.pick(("", "", f"{self.word()} ", f"{self.word()}\n"))
            few = str(self.below(4))
            times = self.pick((few, few, few, few, self.expression(1), self.name(), "-1"))
            lines.append(f"{before}{self.pick((counter, counter, ''))} {self.cased('for')} {times}")
            self.counters.append(counter)
            for _ in range(self.below(4)):
                self.block(lines, depth + 1)
            self.counters.pop()
            if self.below(12):
                lines.append(f"{self.pick(('', ' '))}{self.cased('rof')}")
        elif kind == 17:
            lines.append(
                self.pick(
                    ("", " ", ";", "; a comment", ";name late", f";assert {self.expression(2)}", "\t;x")
                )
            )
        elif kind == 18:
            lines.append(f"{self.pick(('org', 'org', 'pin'))} {self.pick((self.name(), self.expression(1)))}")
        else:
            lines.append(self.pick((f"{self.label()}", f"{self.label()}:", f"{self.name()}")))

    def instruction(self) -> str:
        """Labels, an operation, a modifier, operands, and space where it may stand."""
        text = ""
        while self.chance(3):
            text += self.label() + self.pick((" ", "  ", ": ", ":", "\t", "\n"))
        if not text and self.chance(9):
            text = self.pick((" ", "\t", "      "))
        operation = self.cased(self.pick(OPERATIONS))
        if self.chance(5):
            operation += self.pick((".", ".", ".", " .", " . ")) + self.cased(self.pick(MODIFIERS))
        text += operation + (self.pick((" ", "\t", "   ")) if self.below(12) else "")
        operands = self.pick((1, 2, 2, 2, 2, 2))
        text += self.pick((", ", ",", " , ", "\t,")).join(self.operand() for _ in range(operands))
        if self.chance(3):
            text += self.pick((" ", "\t; why", ";x", "   ; {}", " ;name inline"))
        return text

    def operand(self) -> str:
        mode: str = self.pick([*MODES, *MODES, "", "", "", "", "$ ", " "])
        return mode + self.pick((self.number(), self.name(), self.name(), self.expression(self.below(4))))

    def expression(self, depth: int) -> str:
        """An expression, mostly one that has a value."""
        if depth <= 0:
            return self.pick(
                (self.number(), self.number(), self.name(), self.pick(PREDEFINED), self.pick("abijxyzqr"))
            )
        left, right = self.expression(depth - 1), self.expression(depth - 1 - self.below(2))
        operator = self.pick(OPERATORS) if self.chance(5) else self.pick("+-*")
        space = self.pick(("", "", "", " "))
        text = f"{left}{space}{operator}{self.pick(('', space))}{right}"
        return self.pick(
            (
                text,
                text,
                text,
                f"({text})",
                f"-{text}",
                f"!{text}",
                f"({text})*2",
                f"({self.pick('qr')}={text})",
            )
        )

    def equ(self) -> str:
        name = self.word()
        self.texts.append(name)
        return name + self.pick((" ", ": ", "\t")) + f"{self.cased('equ')} {self.body()}"

    def body(self) -> str:
        return self.pick((
            self.number(), self.expression(1), self.expression(2), self.name(), self.operand(),
            self.instruction(), "", f"{self.operand()}, {self.operand()}",
            self.cased(self.pick(OPERATIONS)) + self.pick((".i", ".ab", "", " ")),
            self.pick(("for 2", "rof", "equ 3", "x", "3", "-1")),
        ))  # fmt: skip

    def name(self) -> str:
        """A name that was used before, or will be, or never."""
        known = [*self.labels, *self.labels, *self.texts, *self.counters, "a", "zz"]
        name = self.pick(known)
        if self.counters and self.chance(1):
            return f"{name}&{self.pick(self.counters)}"
        return name

    def label(self) -> str:
        name = self.pick((*self.labels, self.word(), self.word()))
        if self.counters and self.chance(3):
            name += f"&{self.pick(self.counters)}"
        elif self.chance(7):
            self.labels.append(name)
        return name

    def word(self) -> str:
        return self.pick("abckxyzLSTW_") + "".join(self.pick("abcXY_019") for _ in range(self.below(6)))

    def number(self) -> str:
        return self.pick((
            str(self.below(10)), str(self.below(10)), f"-{self.below(100)}", str(self.below(9000)), "0", "+3",
            str(self.below(2**31)), "007",
        ))  # fmt: skip

    def spoil(self, lines: list[str]) -> None:
        """One mistake somewhere."""
        at = self.below(len(lines)) if lines else 0
        if not lines:
            return
        line = lines[at]
        place = self.below(len(line) + 1)
        kind = self.below(6)
        if kind == 0:
            lines[at] = line[:place] + line[place + 1 :]
        elif kind == 1:
            lines[at] = line[:place] + " " + line[place:]
        elif kind == 2:
            lines[at] = line + " " * self.below(300) + "+1" * self.below(150)
        elif kind == 3:
            lines.insert(at, line)
        else:
            lines[at] = line[:place] + self.pick(ODDITIES) + line[place:]

    def cased(self, word: str) -> str:
        return self.pick((word.lower(), word.lower(), word.upper(), word.capitalize()))


def damaged(text: str, choices: Choices) -> str:
    """The text after a few accidents."""
    for _ in range(1 + choices.below(3)):
        at = choices.below(len(text) + 1)
        kind = choices.below(9)
        if kind == 0:
            length = 1 + choices.below(20)
            text = text[:at] + "".join(chr(choices.below(256)) for _ in range(length)) + text[at:]
        elif kind == 1:
            text = text[:at] + choices.pick(PARTS) * (1 + choices.below(300)) + text[at:]
        elif kind == 2:
            depth = 1 + choices.below(130)
            text = text[:at] + "(" * depth + "1" + ")" * depth + text[at:]
        elif kind == 3:
            text = text[:at] + text[choices.below(len(text) + 1) :]
        elif kind == 4:
            text = text[:at] + choices.pick(HOSTILE) * (1 + choices.below(4)) + text[at:]
        elif kind == 5:
            text = text.replace(
                choices.pick((" ", "\n", ",", "0", "for", "1")),
                choices.pick(("\xa0", "", "\0", ";", "&", "60000")),
            )
        elif kind == 6:
            text = text.rstrip("\n")
        elif kind == 7:
            text = text[:at] + chr(choices.below(0x3000)) + text[at:]
        else:
            line = text[at : text.find("\n", at) + 1]
            text = text[:at] + line * choices.below(40) + text[at:]
    if choices.below(200) == 0:
        text *= choices.below(100)
    return text[:MOST_CHARACTERS]
