"""The hills of a server: submissions are assembled, fought and reported, with the same limits on all connections."""

import asyncio
import json
import logging
import sqlite3
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from math import ceil
from secrets import token_urlsafe
from typing import Final

from engines.corewar import hill
from engines.corewar.challenge_queue import START_SECONDS, ChallengeQueue
from engines.corewar.hill_store import HillStore
from engines.corewar.presets import Preset
from engines.events import Bus, Challenge, Standing, Standings, topic_level
from engines.storage import Stamp, database_stamp
from engines.worker_pool import TaskError, WorkerPool
from protocols.engine_session import WRITE_SECONDS, Reader, Writer
from protocols.hill.report import (
    Style,
    refusal_text,
    report_data,
    report_text,
    standings_data,
    standings_text,
    summary_line,
)
from protocols.hill.submission import (
    Assembled,
    Heading,
    Submission,
    SubmissionError,
    SubmissionReader,
    assemble_submission,
    first_line,
    token_digest,
)
from protocols.incidents import Incidents
from protocols.limits import HourlyQuota, Limits

LOG: Final = logging.getLogger(__name__)
FOLLOW_SECONDS: Final = 1.0  # between two checks of the files
TOKEN_BYTES: Final = 16
UNTAGGED: Final = "redcode"  # in topics, the hill whose submissions begin with ;redcode alone
SUBMISSION_SECONDS: Final = 600.0  # from its first line to its end, enough to type it


class QuotaError(SubmissionError):
    """The sender has used up its hourly quota of submissions."""


class CostlyError(SubmissionError):
    """A submission exceeds the limits of a worker; unlike other refusals, this counts in the sender's quota."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """The answer to a submission, as text and as data."""

    text: str
    data: dict[str, object]


class HillService:
    """The service of one or more hills; the first line of a submission names its hill."""

    def __init__(
        self,
        stores: Sequence[HillStore],
        pool: WorkerPool,
        bus: Bus | None = None,
        quota: HourlyQuota | None = None,
        *,
        texts: WorkerPool | None = None,
        trusts_authors: bool = False,
        incidents: Incidents | None = None,
    ) -> None:
        """Create a service of the hills in `stores`.

        Challenges and tables are published on the bus. Texts are assembled in the pool `texts`, so that none waits
        for the battles of others, or without it in `pool`. If the service trusts authors, a submission with an
        author's name may kill the warriors of that author, as on the mail hills; otherwise the report on a warrior
        has a token by which it can be killed. Raises ValueError if two hills have the same first line.
        """
        self._texts = texts or pool
        self._incidents = incidents or Incidents()
        self._bus = bus
        self._quota = quota or HourlyQuota(Limits().hill_submissions_per_hour)
        self._stamps: dict[str, Stamp] = {}  # of the files by tag, as last read for the bus
        self._published: dict[str, Standings] = {}
        self._trusts_authors = trusts_authors
        self._queues = {store.preset.tag: ChallengeQueue(store, pool) for store in stores}
        if len(self._queues) < len(stores):
            raise ValueError(
                "two of the hills take the same first line; create one of them with another --tag"
            )

    @property
    def stores(self) -> list[HillStore]:
        """The stores of all hills, in the order in which they were given."""
        return [queue.store for queue in self._queues.values()]

    def preset(self, tag: str) -> Preset:
        """Return the preset of a hill. Raises SubmissionError if no hill has this tag."""
        return self._queue(tag).store.preset

    async def answer(self, text: str, sender: str = "") -> str:
        """Return the report on a submission, or why it is refused; a line of JSON if its first line asks for that."""
        is_json = False
        try:
            heading = Heading.read(text)
            is_json = heading.is_json
            heading.check()
            if heading.is_question:
                reply = await self.standings(heading.tag)
            else:
                with self.counted(sender):
                    reply = await self.submit(Submission.read(text))
        except (SubmissionError, hill.HillError) as error:
            if isinstance(error, QuotaError):
                self._incidents.add("hill_submissions", sender)
            reply = _refusal(str(error))
        except sqlite3.Error:  # a full disk, for example
            reply = _refusal("the hill cannot be written at present; try again later")
        return json.dumps(reply.data) + "\n" if is_json else reply.text

    @contextmanager
    def counted(self, sender: str) -> Iterator[None]:
        """Count a submission of a sender before it is read. Raises QuotaError if there were too many in this hour.

        A submission that is refused in this context does not count, unless it was costly. The sender "" has no quota.
        """
        if sender and (seconds := self._quota.take(sender)):
            minutes = ceil(seconds / 60)
            raise QuotaError(
                f"the limit of submissions an hour ({self._quota.per_hour}, tests included) is reached;"
                f" try again in {minutes} minute{'' if minutes == 1 else 's'}"
            )
        try:
            yield
        except (SubmissionError, hill.HillError, sqlite3.Error) as error:
            if sender and not isinstance(error, CostlyError):
                self._quota.give_back(sender)
            if isinstance(error, sqlite3.Error):
                self._incidents.fail("a hill", error)
            raise

    async def submit(self, submission: Submission, *, is_logged: bool = True) -> Reply:
        """Let a warrior challenge a hill, or only kill. Raises SubmissionError or HillError if it is refused."""
        queue = self._queue(submission.tag)
        if self._trusts_authors:
            submission = replace(submission, tokens=None)
        made = await self.assemble(submission)
        if isinstance(made, hill.Kills):
            return await self.standings(submission.tag, await queue.kill(made))
        token = "" if self._trusts_authors or submission.is_test else token_urlsafe(TOKEN_BYTES)
        challenger = replace(made.challenger, token=token and token_digest(token))
        try:
            result = await queue.challenge(challenger)
        except TaskError:
            raise CostlyError("its battles take too much time or memory") from None
        preset = queue.store.preset
        if is_logged:
            LOG.info("%s", summary_line(preset, result))
        if not result.is_test:
            self._incidents.recover("a hill")
            self._publish_challenge(preset, result)
        style = Style(
            opponents=not submission.is_quiet,
            listing=made.listing if submission.is_verbose else "",
            warnings=made.warnings,
            token=token if any(row.id == result.challenger for row in _rows_on_hill(result)) else "",
        )
        return Reply(text=report_text(preset, result, style), data=report_data(preset, result, style.token))

    async def standings(self, tag: str, removed: Collection[int] = ()) -> Reply:
        """Return the present table of a hill, with the warriors of the IDs `removed`, which have just left it.

        Raises SubmissionError if no hill has this tag.
        """
        store = self._queue(tag).store
        result = await asyncio.to_thread(store.standing)
        return Reply(
            text=standings_text(store.preset, result, removed),
            data=standings_data(store.preset, result, removed),
        )

    async def publish_standings(self) -> None:
        """Publish the tables of the hills whose files have changed since the last call.

        Raises sqlite3.Error, OSError or HillError if a file cannot be read.
        """
        for store in self.stores if self._bus else ():
            stamp = await asyncio.to_thread(database_stamp, store.path)
            if stamp == self._stamps.get(store.preset.tag):
                continue
            if result := await asyncio.to_thread(store.standing):
                self._publish_standings(store.preset, result)
            self._stamps[store.preset.tag] = stamp

    async def follow(self) -> None:
        """Publish the tables when other processes have changed them, until cancelled."""
        while True:
            await asyncio.sleep(FOLLOW_SECONDS)
            with suppress(sqlite3.Error, OSError, hill.HillError):  # the next round tries again
                await self.publish_standings()

    async def assemble(self, submission: Submission) -> Assembled | hill.Kills:
        """Assemble a submission in a worker process. Raises SubmissionError if it is refused."""
        try:
            task = (submission, self.preset(submission.tag))
            made = await self._texts.do(_assemble, task, START_SECONDS)
        except TaskError:
            raise CostlyError("its assembly takes too much time or memory") from None
        if isinstance(made, str):
            raise SubmissionError(made)
        return made

    def _publish_challenge(self, preset: Preset, result: hill.ChallengeResult) -> None:
        places = {row.id: place for place, row in enumerate(_rows_on_hill(result), 1)}
        challenge = Challenge(
            hill=preset.tag,
            number=result.number,
            warrior=result.name,
            author=result.author,
            place=places.get(result.challenger),
        )
        if self._bus:
            self._bus.publish(f"{_topic(preset)}/battle", challenge)
        self._publish_standings(preset, result)

    def _publish_standings(self, preset: Preset, result: hill.ChallengeResult) -> None:
        """Publish the table of a hill, unless it is the one that was published last."""
        table = tuple(
            Standing(place=place, warrior=row.name, author=row.author, score=row.score, age=row.age)
            for place, row in enumerate(_rows_on_hill(result), 1)
        )
        standings = Standings(hill=preset.tag, challenges=result.number, table=table)
        if self._bus and standings != self._published.get(preset.tag):
            self._published[preset.tag] = standings
            self._bus.publish(f"{_topic(preset)}/standings", standings, is_state=True)

    def _queue(self, tag: str) -> ChallengeQueue:
        queue = self._queues.get(tag)
        if queue is None:
            known = ", ".join(first_line(each) for each in self._queues)
            raise SubmissionError(f"no hill of this server takes {first_line(tag)}; its hills take {known}")
        return queue


async def serve_submissions(
    service: HillService, lines: Reader, texts: Reader, writer: Writer, first: str, sender: str
) -> None:
    """Answer the submissions of a connection, whose line `first` was read already, until its input ends.

    A connection that sends no further warrior is closed after SUBMISSION_SECONDS. `texts` has the same lines as `lines`, but many of them count as one message. After each reply comes a line with a
    single full stop. Raises TimeoutError if the other side does not read for WRITE_SECONDS, and ConnectionError if it
    is gone.
    """
    submissions = SubmissionReader()
    text = submissions.receive(first)
    while True:
        try:
            text = text or await next_submission(submissions, lines, texts)
        except ValueError as error:  # the line or the whole is too long
            await _send(writer, refusal_text(str(error)))
            return
        except TimeoutError:
            if not submissions.is_open:  # the client has received its reports, and sends no other warrior
                return
            minutes = SUBMISSION_SECONDS / 60
            await _send(writer, refusal_text(f"its end was not received within {minutes:.0f} minutes"))
            return
        if text is None:
            return
        await _send(writer, await service.answer(text, sender))
        text = None


async def next_submission(submissions: SubmissionReader, lines: Reader, texts: Reader) -> str | None:
    """Return the text of the next submission, or None at the end of input.

    Within a submission many lines count as one message, since its size is limited. Raises ValueError if it is too
    large, and TimeoutError if it takes too long, or does not start for as long.
    """
    async with asyncio.timeout(SUBMISSION_SECONDS) as limit:
        while data := await (texts if submissions.is_open else lines).readline():
            was_open = submissions.is_open
            text = submissions.receive(data.decode("iso-8859-1").rstrip("\r\n"))  # which keeps every byte
            if text is not None:
                return text
            if submissions.is_open and not was_open:
                limit.reschedule(asyncio.get_running_loop().time() + SUBMISSION_SECONDS)
        return submissions.end()


# -- Helpers ---------------------------------------------------------------------------------------


async def _send(writer: Writer, text: str) -> None:
    writer.write(f"{text}.\n".encode("iso-8859-1", "replace"))
    async with asyncio.timeout(WRITE_SECONDS):
        await writer.drain()


def _assemble(task: tuple[Submission, Preset]) -> Assembled | hill.Kills | str:
    """Assemble a submission, and return an error as text. Runs in a worker process, since hostile text takes long."""
    submission, preset = task
    try:
        return assemble_submission(submission, preset)
    except SubmissionError as error:
        return str(error)


def _refusal(reason: str) -> Reply:
    return Reply(text=refusal_text(reason), data={"refused": reason})


def _topic(preset: Preset) -> str:
    return f"hill/{topic_level(preset.tag or UNTAGGED)}"


def _rows_on_hill(result: hill.ChallengeResult) -> list[hill.HillRow]:
    return [row for row in result.table if row.fate == "on the hill"]
