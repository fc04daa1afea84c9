"""Submissions over a connection: each is answered with its report and a line with a single full stop."""

import asyncio
import json
import sqlite3
from collections.abc import Callable
from math import ceil
from typing import Final

from engines.corewar.hill import HillError
from protocols.engine_session import WRITE_SECONDS, Reader, Writer
from protocols.hill.letters import Letters
from protocols.hill.office import Office
from protocols.hill.report import refusal_text
from protocols.hill.submission import Submission, SubmissionError

LETTER_SECONDS: Final = 600.0  # somebody may type it


async def converse(
    office: Office, reader: Reader, writer: Writer, first_line: str, wait: Callable[[], float]
) -> None:
    """Take submissions until the input ends. `wait` says how many seconds before another one is taken.

    TimeoutError when the other side does not read for WRITE_SECONDS, ConnectionError when it is gone.
    """
    letters = Letters()
    text = letters.receive(first_line)
    while True:
        try:
            text = text or await _letter(letters, reader)
        except ValueError as error:  # too long, the line or the whole
            await _say(writer, refusal_text(str(error)))
            return
        except TimeoutError:
            await _say(writer, refusal_text(f"no end of it within {LETTER_SECONDS / 60:.0f} minutes"))
            return
        if text is None:
            return
        await _say(writer, await answer(office, text, wait))
        text = None


async def answer(office: Office, text: str, wait: Callable[[], float]) -> str:
    """The report on one letter, or why it is refused; text, or a line of JSON if its first line asks for that."""
    is_json = False
    try:
        submission = Submission.read(text)
        is_json = submission.is_json
        if submission.is_question:
            reply = await office.standings(submission.tag)
        elif seconds := wait():
            raise SubmissionError(f"that is enough for now; come again in {ceil(seconds / 60)} minutes")
        else:
            reply = await office.submit(submission)
        return json.dumps(reply.data) + "\n" if is_json else reply.text
    except (SubmissionError, HillError) as error:
        problem = str(error)
    except sqlite3.Error:  # a full disk, for example
        problem = "the hill cannot be written at present; try again later"
    return json.dumps({"refused": problem}) + "\n" if is_json else refusal_text(problem)


async def _letter(letters: Letters, reader: Reader) -> str | None:
    """The next letter; None at the end of input. ValueError for one too large, TimeoutError for a slow one."""
    async with asyncio.timeout(LETTER_SECONDS):
        while data := await reader.readline():
            text = letters.receive(data.decode("iso-8859-1").rstrip("\r\n"))  # it keeps every byte
            if text is not None:
                return text
        return letters.end()


async def _say(writer: Writer, text: str) -> None:
    writer.write(f"{text}.\n".encode("iso-8859-1", "replace"))
    async with asyncio.timeout(WRITE_SECONDS):
        await writer.drain()
