"""What a warrior's text suffers on its way, or from somebody who means harm: bytes, length, depth, repetition."""

from typing import Final

from tests.protocols.redcode.grammar import Choices

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
