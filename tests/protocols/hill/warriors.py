"""Texts that people might send to a hill."""

BOMBER = """\
;redcode-nano{words}
;name {name}
;author {author}
;strategy Throws a DAT every {step} cells.
;assert CORESIZE == 80
loop    ADD.AB  #{step}, bomb
        MOV.I   bomb, @bomb
        JMP     loop
bomb    DAT     #0, #0
        END     loop
"""


def bomber(step: int, name: str = "", author: str = "Ann", words: str = "") -> str:
    return BOMBER.format(step=step, name=name or f"Every {step}", author=author, words=words)
