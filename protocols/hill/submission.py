"""Submissions to a hill: a warrior as plain text whose first line names the hill, read and assembled.

The first line is `;redcode-94nop` or the like, followed by any of `quiet` or `verbose`, `test` and `json`. Other words
are refused, since they are probably misspelled; those with a digit, such as a version, are ignored. The lines
after it are `;name`, `;author`, `;strategy` and `;assert`, then the program. `;kill NAME` removes a warrior of the
same author, together with the line `;token TOKEN` of that warrior's report; for kills alone no program is needed.
With `standings` the first line is enough: it asks for the hill's table. A submission ends after the program's END, at
a line with a single full stop, as in mail, before the next `;redcode...`, and at the end of input.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, fields
from hashlib import sha256
from typing import Final, Self

from core.corewar.assembler import assemble
from core.corewar.dialect import Dialect
from core.corewar.instruction import OPERATIONS, operation_of
from core.corewar.warrior import Warrior
from engines.corewar.hill import Challenger, Kills
from engines.corewar.presets import Preset
from engines.names import near
from protocols.redcode.library import failed_assertions
from protocols.redcode.listing import display_name, listing, messages_text

MAX_BYTES: Final = 65_536
MAX_LINES: Final = 5000
TOO_LARGE: Final = f"a submission may have at most {MAX_BYTES} bytes and {MAX_LINES} lines"
WORDS: Final = ("quiet", "verbose", "test", "json", "standings")  # that the first line may contain
HEAD: Final = re.compile(r"\s*;redcode(?:-(\S*))?(?!\S)(.*)", re.IGNORECASE)
END: Final = re.compile(r"\s*(?:\w+:?\s+)?END(?:\s+[^;\s]+)?\s*(?:;.*)?$", re.IGNORECASE)
TOKEN: Final = re.compile(r"\s*;\s*token(?!\w)(.*)", re.IGNORECASE)
MAX_TOKENS: Final = 100
LETTERS: Final = re.compile(r"\b[^\W\d_]+\b")
WORD: Final = re.compile(r"[^\s:]+")


class SubmissionError(ValueError):
    """A submission is refused; the text has the reason, in one line or more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """The first line of a submission: the hill, and options of the report."""

    tag: str  # of the hill
    is_quiet: bool = False  # whether the report leaves out the opponents
    is_verbose: bool = False  # whether the report contains the program's listing
    is_test: bool = False
    is_json: bool = False
    is_question: bool = False  # whether it asks for the standings, without a warrior
    unknown: str = ""  # the first of its words that is none of WORDS

    def check(self) -> None:
        """Raise SubmissionError if the line has an unknown word."""
        if self.unknown:
            raise SubmissionError(
                f"the line {first_line(self.tag)} has the unknown word {self.unknown[:40]};"
                f" {near(self.unknown, WORDS)}"
            )

    @classmethod
    def read(cls, text: str) -> "Heading":
        """Read the line `;redcode...` only. Raises SubmissionError if there is none, or if the text is too large."""
        return next(_headings(_lines(text)))[1]


@dataclass(frozen=True, slots=True, kw_only=True)
class Submission(Heading):
    """The text of a warrior, with its first line's contents."""

    source: str  # without tokens
    tokens: tuple[str, ...] | None = ()  # as in Kills

    @classmethod
    def read(cls, text: str) -> Self:
        """Read from the line `;redcode...` to the next one, or to the end.

        Only digests of the tokens are kept, so that no token is stored or shown. Raises SubmissionError if there is
        no such line, or if the text is too large.
        """
        lines = _lines(text)
        headings = _headings(lines)
        first, heading = next(headings)
        later, _ = next(headings, (len(lines), heading))
        source, tokens = _without_tokens(lines[first:later])
        asked = {field.name: getattr(heading, field.name) for field in fields(heading)}
        return cls(source=source, tokens=tokens, **asked)


class SubmissionReader:
    """A splitter of the lines of a connection into submissions; lines between submissions are skipped."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._bytes = 0
        self._depth = 0  # of nested FORs: an END within them may be text in a FOR 0

    def receive(self, line: str) -> str | None:
        """Take a line without its break, and return the submission that it completes, if any.

        Raises SubmissionError if the submission is too large.
        """
        is_head = HEAD.match(line) is not None
        whole = self.end() if is_head else None
        if not is_head and not self._lines:
            return None
        if not is_head and line.strip() == ".":
            return self.end()
        self._lines.append(line)
        self._bytes += len(line) + 1
        if self._bytes > MAX_BYTES or len(self._lines) > MAX_LINES:
            raise SubmissionError(TOO_LARGE)
        words = [word.upper() for word in WORD.findall(line.partition(";")[0])]
        self._depth = max(self._depth + ("FOR" in words) - ("ROF" in words), 0)
        if not self._depth and END.match(line):
            return self.end()
        return whole

    @property
    def is_open(self) -> bool:
        """Whether a submission has started and not ended."""
        return bool(self._lines)

    def end(self) -> str | None:
        """Return the lines of the present submission, or None if there are none; the next line starts a new one."""
        text = "".join(f"{line}\n" for line in self._lines)
        self._lines, self._bytes, self._depth = [], 0, 0
        return text or None


@dataclass(frozen=True, slots=True, kw_only=True)
class Assembled:
    """A submission that a hill accepts."""

    challenger: Challenger
    warnings: str  # the assembler's messages; may be empty
    listing: str


def assemble_submission(submission: Submission, preset: Preset) -> Assembled | Kills:
    """Return the challenger of a submission, or the kills if there is no program.

    Raises SubmissionError with the messages of the assembler or the reason of the hill. A hostile text may take a
    second, so the function must not run on an event loop.
    """
    submission.check()
    if submission.tag != preset.tag:
        raise SubmissionError(f"this hill takes {first_line(preset.tag)}, not {first_line(submission.tag)}")
    assembly = assemble(
        submission.source,
        preset.rules,
        Dialect(icws88=preset.is_88, friendly=True),
        warriors=preset.places + 1 if preset.is_melee else 2,
        rounds=preset.rounds,
    )
    author = display_name(assembly.author) or "Anonymous"
    kills = Kills(
        author=author, names=tuple(display_name(name) for name in assembly.kill), tokens=submission.tokens
    )
    if assembly.ok and not assembly.cells and kills.names and not submission.is_test:
        return kills
    messages = messages_text(assembly.messages)
    warrior = assembly.warrior
    if warrior is None:
        problem = f"the warrior could not be assembled\n{messages}".rstrip()
        raise SubmissionError(f"{problem}\n{failed_assertions(assembly.messages, preset)}".rstrip())
    operations = {OPERATIONS[operation_of(cell)] for cell in warrior.cells}
    if not preset.has_pspace and operations & {"LDP", "STP"}:
        raise SubmissionError("this hill has no P-space: LDP and STP are refused")
    named = Warrior(
        display_name(warrior.name) or "Unknown",
        author,
        warrior.cells,
        warrior.start,
        warrior.pin,
    )
    return Assembled(
        challenger=Challenger(
            warrior=named,
            source=submission.source,
            kills=kills,
            is_test=submission.is_test,
        ),
        warnings=messages,
        listing=listing(warrior, preset.rules, preset.is_88),
    )


def first_line(tag: str) -> str:
    """Return the first line of a hill's submissions."""
    return f";redcode-{tag}" if tag else ";redcode"


def token_digest(token: str) -> str:
    """Return the hash of a token that a hill stores."""
    return sha256(token.encode()).hexdigest()


def _lines(text: str) -> list[str]:
    if len(text) > MAX_BYTES or len(lines := text.splitlines()) > MAX_LINES:
        raise SubmissionError(TOO_LARGE)
    return lines


def _headings(lines: list[str]) -> Iterator[tuple[int, Heading]]:
    """Yield each line `;redcode...` with its index. Raises SubmissionError if there is none."""
    found = False
    for index, line in enumerate(lines):
        if head := HEAD.match(line):
            found = True
            words = LETTERS.findall(head[2].partition(";")[0].lower())
            yield (
                index,
                Heading(
                    tag=(head[1] or "").lower(),
                    is_quiet="quiet" in words,
                    is_verbose="verbose" in words,
                    is_test="test" in words,
                    is_json="json" in words,
                    is_question="standings" in words,
                    unknown=next((word for word in words if word not in WORDS), ""),
                ),
            )
    if not found:
        raise SubmissionError(
            "no line starts with ;redcode; the first line must name the hill, as in ;redcode-94nop"
        )


def _without_tokens(lines: list[str]) -> tuple[str, tuple[str, ...]]:
    """Return the text, with an empty comment in place of each line with a token, and the digests of the tokens.

    Raises SubmissionError if there are too many tokens.
    """
    found = [TOKEN.match(line) for line in lines]
    given = [match[1].strip() for match in found if match]
    if len(given) > MAX_TOKENS:
        raise SubmissionError(f"a submission may have at most {MAX_TOKENS} lines with ;token")
    kept = (";" if match else line for line, match in zip(lines, found, strict=True))
    return "".join(f"{line}\n" for line in kept), tuple(map(token_digest, given))
