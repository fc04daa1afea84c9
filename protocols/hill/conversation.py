"""Submissions over a connection: each is answered with its report and a line with a single full stop."""

import asyncio
import json
import sqlite3
from collections.abc import Callable
from math import ceil

from engines.corewar.hill import HillError
from engines.executor import TaskError
from protocols.hill.letters import Letters
from protocols.hill.office import Office
from protocols.hill.report import refusal_text
from protocols.hill.submission import Submission, SubmissionError
from protocols.serve import WRITE_SECONDS, Reader, Writer


async def converse(
    office: Office, reader: Reader, writer: Writer, first_line: str, wait: Callable[[], float]
) -> None:
    """Take submissions until the input ends. `wait` says how many seconds before another one is taken.

    TimeoutError when the other side does not read for WRITE_SECONDS, ConnectionError when it is gone.
    """
    letters = Letters()
    line: str | None = first_line
    while line is not None:
        try:
            text = letters.receive(line)
            if text is not None:
                await _say(writer, await _answer(office, text, wait))
            line = await _line(reader)
        except ValueError as error:  # too long, the line or the whole
            await _say(writer, refusal_text(str(error)))
            return
    text = letters.end()
    if text is not None:
        await _say(writer, await _answer(office, text, wait))


async def _line(reader: Reader) -> str | None:
    """The next line in the encoding that keeps every byte; None at the end of input."""
    data = await reader.readline()
    return data.decode("iso-8859-1").rstrip("\r\n") if data else None


async def _answer(office: Office, text: str, wait: Callable[[], float]) -> str:
    is_json = False
    try:
        submission = Submission.read(text)
        is_json = submission.is_json
        if seconds := wait():
            raise SubmissionError(f"that is enough for now; come again in {ceil(seconds / 60)} minutes")
        reply = await office.submit(submission)
        return json.dumps(reply.data) + "\n" if is_json else reply.text
    except (SubmissionError, HillError) as error:
        problem = str(error)
    except TaskError:  # its battles end every worker that tries them
        problem = "its battles cannot be fought here"
    except sqlite3.Error:  # a full disk, for example
        problem = "the hill cannot be written at present; try again later"
    return json.dumps({"refused": problem}) + "\n" if is_json else refusal_text(problem)


async def _say(writer: Writer, text: str) -> None:
    writer.write(f"{text}.\n".encode("iso-8859-1", "replace"))
    async with asyncio.timeout(WRITE_SECONDS):
        await writer.drain()
