"""A warrior as it is sent to a hill: plain text whose first line names the hill; here it is understood.

The first line is `;redcode-94nop` or the like, then in any order `quiet` or `verbose`, `test`, `json`.
`;name`, `;author`, `;strategy` and `;assert` follow, `;kill NAME` for one of the author's own, the program.
With `standings` the first line is all there need be: it asks for the hill's table.
"""

import re
from dataclasses import dataclass
from typing import Final, Self

from core.corewar.assembler import assemble
from core.corewar.dialect import Dialect
from core.corewar.instruction import OPERATIONS, operation_of
from core.corewar.warrior import Warrior
from engines.corewar.hill import Challenger
from engines.corewar.presets import Preset
from protocols.redcode.listing import display_name, listing, messages_text

MAX_BYTES: Final = 65_536
HEAD: Final = re.compile(r"\s*;redcode(?:-(\S*))?(?:\s+(.*))?$", re.IGNORECASE)


class SubmissionError(ValueError):
    """A submission that no hill can take; the text says why, in as many lines as it needs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Submission:
    """The text of one warrior and what its first line asks for."""

    tag: str  # of the hill
    source: str
    is_quiet: bool = False  # no line for each opponent
    is_verbose: bool = False  # the program's listing, too
    is_test: bool = False
    is_json: bool = False
    is_question: bool = False  # for the standings, and no warrior at all

    @classmethod
    def read(cls, text: str) -> Self:
        """From the line `;redcode...` to the next one. SubmissionError if there is none, or no end to it."""
        if len(text) > MAX_BYTES:
            raise SubmissionError(f"a submission has at most {MAX_BYTES} bytes")
        lines = text.splitlines()
        heads = [index for index, line in enumerate(lines) if HEAD.match(line)]
        if not heads:
            raise SubmissionError(
                "no line begins with ;redcode: the first names the hill, as in ;redcode-94nop"
            )
        first, *later = heads
        head = HEAD.match(lines[first])
        assert head
        words = set(re.findall(r"\w+", (head[2] or "").lower()))
        return cls(
            tag=(head[1] or "").lower(),
            source="\n".join(lines[first : later[0] if later else None]) + "\n",
            is_quiet="quiet" in words,
            is_verbose="verbose" in words,
            is_test="test" in words,
            is_json="json" in words,
            is_question="standings" in words,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Assembled:
    """A submission that a hill can take."""

    challenger: Challenger
    warnings: str  # the assembler's messages; may be empty
    listing: str


def assembled(submission: Submission, preset: Preset) -> Assembled:
    """Make a challenger of a submission. SubmissionError with the assembler's messages, or the hill's own.

    It may take a second for a hostile text: not on an event loop.
    """
    if submission.tag != preset.tag:
        raise SubmissionError(f"this hill takes {first_line(preset.tag)}, not {first_line(submission.tag)}")
    assembly = assemble(
        submission.source,
        preset.rules,
        Dialect(icws88=preset.is_88, friendly=True),
        warriors=preset.places + 1 if preset.is_melee else 2,
        rounds=preset.rounds,
    )
    messages = messages_text(assembly.messages)
    warrior = assembly.warrior
    if warrior is None:
        raise SubmissionError(f"the warrior could not be assembled\n{messages}".rstrip())
    operations = {OPERATIONS[operation_of(cell)] for cell in warrior.cells}
    if not preset.has_pspace and operations & {"LDP", "STP"}:
        raise SubmissionError("this hill has no P-space: LDP and STP are refused")
    named = Warrior(
        display_name(warrior.name) or "Unknown",
        display_name(warrior.author) or "Anonymous",
        warrior.cells,
        warrior.start,
        warrior.pin,
    )
    return Assembled(
        challenger=Challenger(
            warrior=named,
            source=submission.source,
            kills=tuple(display_name(name) for name in assembly.kill),
            is_test=submission.is_test,
        ),
        warnings=messages,
        listing=listing(warrior, preset.rules, preset.is_88),
    )


def first_line(tag: str) -> str:
    """How the submissions of a hill begin."""
    return f";redcode-{tag}" if tag else ";redcode"
