"""The office of the hills: takes submissions, has them assembled and fought, and writes the reports."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from engines.corewar.challenge_queue import BoundedPool, ChallengeQueue
from engines.corewar.hill_store import HillStore
from engines.corewar.presets import Preset
from engines.events import Bus
from engines.worker_pool import TaskError
from protocols.hill.bulletin import announce, post
from protocols.hill.report import Style, report_data, report_text, standings_data, standings_text
from protocols.hill.submission import Assembled, Submission, SubmissionError, assembled, first_line

PRELOAD: Final = (__name__,)  # what the worker processes of its arena need


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """The answer to a submission: the same as text and as data."""

    text: str
    data: dict[str, object]


class Office:
    """Some hills, told apart by the first lines of their submissions."""

    def __init__(self, stores: Sequence[HillStore], arena: BoundedPool, bus: Bus | None = None) -> None:
        """ValueError for two hills that want the same first line. The bus is told of challenges and tables."""
        self._arena = arena
        self._bus = bus
        self._keepers = {store.preset.tag: ChallengeQueue(store, arena) for store in stores}
        if len(self._keepers) < len(stores):
            raise ValueError(
                "two of the hills take the same first line; create one of them with another --tag"
            )

    @property
    def stores(self) -> list[HillStore]:
        """Of all its hills, in the order in which they were named."""
        return [keeper.store for keeper in self._keepers.values()]

    def preset(self, tag: str) -> Preset:
        """The rules of a hill. SubmissionError if none has this tag."""
        return self._keeper(tag).store.preset

    async def submit(self, submission: Submission) -> Reply:
        """Let a warrior challenge the hill that it names. SubmissionError or HillError if it is refused."""
        keeper = self._keeper(submission.tag)
        made = await self.assemble(submission)
        try:
            challenge = await keeper.challenge(made.challenger)
        except TaskError:
            raise SubmissionError("its battles take too much time or memory") from None
        style = Style(
            opponents=not submission.is_quiet,
            listing=made.listing if submission.is_verbose else "",
            warnings=made.warnings,
        )
        preset = keeper.store.preset
        if self._bus and not challenge.is_test:
            announce(self._bus, preset, challenge)
        return Reply(text=report_text(preset, challenge, style), data=report_data(preset, challenge))

    async def standings(self, tag: str) -> Reply:
        """The table of a hill as it is now. SubmissionError if none has this tag."""
        store = self._keeper(tag).store
        challenge = await asyncio.to_thread(store.standing)
        return Reply(
            text=standings_text(store.preset, challenge), data=standings_data(store.preset, challenge)
        )

    async def post_standings(self) -> None:
        """Tell the bus of the tables as they are."""
        for keeper in self._keepers.values() if self._bus else ():
            challenge = await asyncio.to_thread(keeper.store.standing)
            if self._bus and challenge:
                post(self._bus, keeper.store.preset, challenge)

    async def assemble(self, submission: Submission) -> Assembled:
        """What submit() would let challenge. SubmissionError if it is refused."""
        try:
            (made,) = await self._arena.map(_assembled, [(submission, self.preset(submission.tag))])
        except TaskError:
            raise SubmissionError("to assemble it takes too much time or memory") from None
        if isinstance(made, str):
            raise SubmissionError(made)
        return made

    def _keeper(self, tag: str) -> ChallengeQueue:
        keeper = self._keepers.get(tag)
        if keeper is None:
            known = ", ".join(first_line(each.store.preset.tag) for each in self._keepers.values())
            raise SubmissionError(f"no hill takes {first_line(tag)} here; there is {known}")
        return keeper


def _assembled(task: tuple[Submission, Preset]) -> Assembled | str:
    """In a worker process, which hostile text keeps busy for a while; an error comes back as text."""
    submission, preset = task
    try:
        return assembled(submission, preset)
    except SubmissionError as error:
        return str(error)
