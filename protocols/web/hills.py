"""The room of the hills: their tables, their last challenges, who fought whom, and the way in for a warrior.

A submission goes the way of those over TCP: the same office, the same limits, the same report.
"""

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable
from dataclasses import asdict, replace
from typing import Any, Final

from aiohttp import web

from engines.corewar.hill import ChallengeResult, Hill, HillError
from engines.corewar.hill_store import HillStore
from engines.corewar.presets import Preset
from protocols.hill.service import QuotaError
from protocols.hill.submission import Submission, SubmissionError, first_line
from protocols.house import House
from protocols.web.answer import Routes, answer, number, refusal
from protocols.web.guard import ADDRESS

NO_TAG: Final = "-"  # in an address, of the hill that takes plain ;redcode
RECENT: Final = 15  # challenges that are shown
WAITING: Final = 16  # submissions at a time, of all hills

Handler = Callable[[web.Request], Awaitable[web.Response]]


class HillsRoom:
    """The hills of a house's office, if it has one."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._waiting = 0

    def routes(self) -> Routes:
        return [
            web.get("/api/hills", self._list),
            web.get("/api/hills/{tag}", self._safely(self._show)),
            web.get("/api/hills/{tag}/warriors/{id}", self._safely(self._warrior)),
            web.post("/api/hills/{tag}/submissions", self._safely(self._submit)),
        ]

    async def _list(self, request: web.Request) -> web.Response:
        stores = self._house.office.stores if self._house.office else []
        return answer({"hills": [_facts(store.preset) for store in stores]})

    async def _show(self, request: web.Request) -> web.Response:
        store = self._store(request)
        standing, recent = await asyncio.to_thread(lambda: (store.standing(), store.recent(RECENT)))
        return answer(_facts(store.preset) | {
            "challenges": standing.number if standing else 0,
            "table": [asdict(row) for row in standing.table] if standing else [],
            "recent": [_told(each) for each in recent],
        })  # fmt: skip

    async def _warrior(self, request: web.Request) -> web.Response:
        id = number(request.match_info["id"])
        store = self._store(request)
        hill, challenge = await asyncio.to_thread(lambda: (store.hill(), _challenge_of(store, id)))
        if challenge is None:
            return refusal("nobody of this number has challenged this hill; see its table", 404)
        return answer(_warrior(hill, challenge))

    async def _submit(self, request: web.Request) -> web.Response:
        tag = self._store(request).preset.tag
        office = self._house.office
        assert office is not None  # else there would be no such store
        text = (await request.read()).decode("utf-8", "replace")
        address = request[ADDRESS]
        if self._waiting >= WAITING:
            return refusal("many warriors are waiting for their battles; try again in a minute", 503)
        self._waiting += 1
        try:
            submission = _submission(text, tag, "test" in request.query)
            reply = await office.submit(submission, "" if self._house.is_local(address) else address)
        except QuotaError as error:
            return refusal(str(error), 429)
        except (SubmissionError, HillError) as error:  # an answer like another, as over TCP
            return answer({"refused": str(error)})
        finally:
            self._waiting -= 1
        return answer({"text": reply.text, "challenge": reply.data})

    # -- Helpers -----------------------------------------------------------------------------------

    def _store(self, request: web.Request) -> HillStore:
        """KeyError if there is no such hill."""
        stores = self._house.office.stores if self._house.office else []
        return {store.preset.tag: store for store in stores}[_tag(request)]

    def _safely(self, handler: Handler) -> Handler:
        async def answered(request: web.Request) -> web.Response:
            try:
                return await handler(request)
            except KeyError:
                return refusal("there is no such hill; see /api/hills", 404)
            except sqlite3.Error:  # a full disk, for example
                return refusal("the hill cannot be read or written at present; try again later", 503)

        return answered


def _tag(request: web.Request) -> str:
    tag = request.match_info["tag"]
    return "" if tag == NO_TAG else tag


def _submission(text: str, tag: str, is_test: bool) -> Submission:
    """SubmissionError if it is no warrior for this hill."""
    submission = Submission.read(text)
    if submission.tag != tag:
        raise SubmissionError(f"this hill takes {first_line(tag)}, not {first_line(submission.tag)}")
    if submission.is_question:
        raise SubmissionError("this is a question for the standings and no warrior")
    return replace(submission, is_test=submission.is_test or is_test)


def _facts(preset: Preset) -> dict[str, Any]:
    return {
        "name": preset.name,
        "title": preset.title,
        "tag": preset.tag or NO_TAG,
        "first_line": first_line(preset.tag),
        "places": preset.places,
        "rounds": preset.rounds,
        "decimals": preset.decimals,
        "is_melee": preset.is_melee,
        "is_88": preset.is_88,
        "has_pspace": preset.has_pspace and not preset.is_88,
        "size": preset.rules.size,
        "cycles": preset.rules.cycles,
        "processes": preset.rules.processes,
        "length": preset.rules.length,
        "distance": preset.rules.distance,
    }


def _told(challenge: ChallengeResult) -> dict[str, Any]:
    """A challenge in a line of history."""
    return {
        "number": challenge.number,
        "id": challenge.challenger,
        "seconds": challenge.seconds,
        "name": challenge.name,
        "author": challenge.author,
        "score": challenge.score,
        "place": _place(challenge),
        "pushed_off": [row.name for row in challenge.table if row.fate == "pushed off"],
    }


def _place(challenge: ChallengeResult) -> int | None:
    """From 1; None: it did not get on."""
    rows = [row for row in challenge.table if row.fate == "on the hill"]
    return next((place for place, row in enumerate(rows, 1) if row.id == challenge.challenger), None)


def _challenge_of(store: HillStore, id: int | None) -> ChallengeResult | None:
    """The challenge by which somebody came; IDs are given in their order. None if nobody has this one."""
    try:
        challenge = store.challenge(id or 0)
    except HillError:
        return None
    return challenge if challenge and challenge.challenger == id else None


def _warrior(hill: Hill, challenge: ChallengeResult) -> dict[str, Any]:
    """Its challenge, and while it is on the hill its battles against those who are there, from its view."""
    id = challenge.challenger
    names = {entry.id: entry.warrior for entry in hill.entries}
    battles = []
    for (first, second), tally in hill.battles.items():
        if id in (first, second):
            other = second if id == first else first
            wins, losses = (tally.wins, tally.losses) if id == first else (tally.losses, tally.wins)
            battles.append({
                "id": other,
                "opponent": names[other].name,
                "author": names[other].author,
                "wins": wins,
                "losses": losses,
                "ties": tally.ties,
            })  # fmt: skip
    facts = _told(challenge) | {"is_on_hill": id in names, "battles": battles}
    return facts | {"meetings": [asdict(each) for each in challenge.meetings]}
