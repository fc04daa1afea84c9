"""The instructions that a configuration calls common: `SPL MOV.I MOV.I DJN`, each drawn as often as it is there."""

from typing import Final

from core.corewar.instruction import LDP, MODIFIERS, OPERATIONS, STP

ALL: Final = "all"  # operations and modifiers, each as often as the others

Common = tuple[tuple[int, int | None], ...]  # an operation each, and its modifier unless it may have any


def instructions(text: str) -> str:
    """The words as they are kept. ValueError says what they must be."""
    words = " ".join(text.upper().split())
    if words == ALL.upper():
        return ALL
    for word in words.split():
        operation, dot, modifier = word.partition(".")
        if operation not in OPERATIONS or (dot and modifier not in MODIFIERS):
            raise ValueError(f"{ALL} or instructions such as SPL MOV.I MOV.I DJN")
    return words


def listed(words: str) -> Common:
    """What is in the list; nothing for all."""
    if words == ALL:
        return ()
    found = []
    for word in words.split():
        operation, _, modifier = word.partition(".")
        code = OPERATIONS.index("SEQ" if operation == "CMP" else operation)
        found.append((code, MODIFIERS.index(modifier) if modifier else None))
    return tuple(found)


def with_pspace(words: str) -> bool:
    """Whether one of them is about P-space."""
    return any(operation in (LDP, STP) for operation, _ in listed(words))
