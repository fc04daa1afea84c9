"""Lines in, whole submissions out: where the text of one warrior ends on a line that carries several.

It ends after the program's END, at a line with a single full stop, as in mail, before the next
`;redcode...`, and at the end of input.
"""

import re
from typing import Final

from protocols.hill.submission import HEAD, MAX_BYTES, SubmissionError

END: Final = re.compile(r"\s*(?:\w+:?\s+)?END(?:\s+[^;\s]+)?\s*(?:;.*)?$", re.IGNORECASE)
WORD: Final = re.compile(r"[^\s:]+")


class Letters:
    """A stream of submissions; what stands between them is passed over."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._bytes = 0
        self._depth = 0  # of FORs: an END among them may be prose in a FOR 0

    def receive(self, line: str) -> str | None:
        """Take a line without its break; a submission if it is whole now. SubmissionError if it is too large."""
        is_head = HEAD.match(line) is not None
        whole = self.end() if is_head else None
        if not is_head and not self._lines:
            return None
        if not is_head and line.strip() == ".":
            return self.end()
        self._lines.append(line)
        self._bytes += len(line) + 1
        if self._bytes > MAX_BYTES:
            raise SubmissionError(f"a submission has at most {MAX_BYTES} bytes")
        words = [word.upper() for word in WORD.findall(line.partition(";")[0])]
        self._depth = max(self._depth + ("FOR" in words) - ("ROF" in words), 0)
        if not self._depth and END.match(line):
            return self.end()
        return whole

    def end(self) -> str | None:
        """What was said so far of a submission; the next line begins a new one."""
        text = "".join(f"{line}\n" for line in self._lines)
        self._lines, self._bytes, self._depth = [], 0, 0
        return text or None
