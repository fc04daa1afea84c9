"""The hills on the page: tables, last challenges, battles between warriors, and submissions."""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from time import monotonic
from typing import Any, Final

import msgspec
from aiohttp import web

from core.corewar.warrior import Warrior
from engines.corewar.battles import BattleTask
from engines.corewar.hill import ChallengeResult, Hill, HillError, HillRow, Kills
from engines.corewar.hill_store import HillStore
from engines.corewar.presets import Preset
from protocols.hill.service import HillService, QuotaError
from protocols.hill.submission import Submission, SubmissionError, first_line
from protocols.server import Server
from protocols.web.corewar import FightsApi
from protocols.web.fights import LostRound, bundled_source, record_lost_round
from protocols.web.responses import ADDRESS, Routes, error, json_response, number

NO_TAG: Final = "-"  # in a URL, the tag of the hill that takes plain ;redcode
RECENT: Final = 15  # the number of last challenges that are shown
HISTORY: Final = 200  # the number of challenges from which a warrior's history is read
MAX_WAITING: Final = 16  # submissions of all hills that may wait at a time


class HillsApi:
    """The routes of the hills of a server, which may have none."""

    def __init__(self, server: Server, fights: FightsApi) -> None:
        self._server = server
        self._fights = fights
        self._waiting = 0

    def routes(self) -> Routes:
        return [
            web.get("/api/hills", self._list),
            web.get("/api/hills/{tag}", self._show),
            web.get("/api/hills/{tag}/warriors/{id}", self._warrior),
            web.post("/api/hills/{tag}/submissions", self._submit),
            web.get("/api/hills/{tag}/warriors/{id}/fights", self._fight_of_two),
            web.post("/api/hills/{tag}/warriors/{id}/fights", self._fight),
        ]

    async def _list(self, request: web.Request) -> web.Response:
        service = self._server.hills
        return json_response(
            {"hills": [_facts(store.preset) for store in (service.stores if service else ())]}
        )

    async def _show(self, request: web.Request) -> web.Response:
        _, store = self._hill(request)
        standing, recent = await asyncio.to_thread(lambda: (store.standing(), store.recent(RECENT)))
        return json_response(_facts(store.preset) | {
            "challenges": standing.number if standing else 0,
            "table": standing.table if standing else [],
            "recent": [_summary(each) for each in recent],
        })  # fmt: skip

    async def _warrior(self, request: web.Request) -> web.Response:
        id = number(request.match_info["id"])
        _, store = self._hill(request)
        began = monotonic()
        facts = await asyncio.to_thread(_warrior, store, id or 0)
        self._server.charge_workers(request[ADDRESS], monotonic() - began)
        if facts is None:
            raise error(
                web.HTTPNotFound, "no warrior with this number has challenged the hill; see the hill's table"
            )
        return json_response(facts)

    async def _submit(self, request: web.Request) -> web.Response:
        service, store = self._hill(request)
        text = (await request.read()).decode("utf-8", "replace")
        address = request[ADDRESS]
        try:
            with self._in_queue(), service.counted("" if self._server.is_local(address) else address):
                submission = _submission(text, store.preset.tag, "test" in request.query)
                reply = await service.submit(submission)
        except QuotaError as refusal:
            raise error(web.HTTPTooManyRequests, str(refusal)) from None
        except (SubmissionError, HillError) as refusal:  # an answer like another, as over TCP
            return json_response({"refused": str(refusal)})
        return json_response({"text": reply.text, "challenge": reply.data})

    async def _fight(self, request: web.Request) -> web.Response:
        """Answer with a recording of a round that a submission loses against a warrior on the hill.

        The query `lost=N` chooses the round among the lost ones, by default the first. The recording shows all
        instructions only if the warrior on the hill is a bundled one, or if the submission has a line `;token TOKEN`
        with that warrior's token; otherwise it shows which cells change owner.
        """
        id, place = number(request.match_info["id"]), number(request.query.get("lost", "1"))
        service, store = self._hill(request)
        text = (await request.read()).decode("utf-8", "replace")
        try:
            with self._in_queue():
                submission = _submission(text, store.preset.tag, is_test=True)
                made = await service.assemble(submission)
        except SubmissionError as refusal:
            return json_response({"refused": str(refusal)})
        hill = await asyncio.to_thread(store.hill)
        other = next((entry for entry in hill.entries if entry.id == id), None)
        if other is None or isinstance(made, Kills) or store.preset.is_melee:
            raise error(web.HTTPNotFound, "there is no battle of these two warriors; see the hill's table")
        owns_other = bool(other.token) and other.token in (submission.tokens or ())
        lost = _lost_round(
            store.preset,
            (made.challenger.warrior, other.warrior),
            place or 0,
            own=(0, 1) if owns_other else (0,),
        )
        return json_response(msgspec.Raw(await self._fights.run(request, record_lost_round, lost)))

    async def _fight_of_two(self, request: web.Request) -> web.Response:
        """Answer with a recording of a round that a warrior on the hill loses against another one, `against=ID`.

        The query `lost=N` chooses the round among the lost ones, by default the first. The recording shows all
        instructions only if both are bundled warriors.
        """
        ids = [number(request.match_info["id"]), number(request.query.get("against", ""))]
        place = number(request.query.get("lost", "1")) or 0
        _, store = self._hill(request)
        hill = await asyncio.to_thread(store.hill)
        first, second = (next((each for each in hill.entries if each.id == id), None) for id in ids)
        if first is None or second is None or first.id == second.id or store.preset.is_melee:
            raise error(web.HTTPNotFound, "there is no battle of these two warriors; see the hill's table")
        lost = _lost_round(store.preset, (first.warrior, second.warrior), place)
        codes = [[each.name, each.author, each.cells, each.start, each.pin] for each in lost.battle.warriors]
        inputs = [store.preset.dumps(), codes, place]
        return await self._fights.answer(request, record_lost_round, lost, inputs)

    @contextmanager
    def _in_queue(self) -> Iterator[None]:
        """Count a submission as waiting within the context. Raises HTTPServiceUnavailable if too many wait."""
        if self._waiting >= MAX_WAITING:
            raise error(
                web.HTTPServiceUnavailable,
                "too many warriors are waiting for their battles; try again in a minute",
            )
        self._waiting += 1
        try:
            yield
        finally:
            self._waiting -= 1

    def _hill(self, request: web.Request) -> tuple[HillService, HillStore]:
        """Return the hill that a request names. Raises HTTPNotFound if there is no such hill."""
        tag, service = request.match_info["tag"], self._server.hills
        for store in service.stores if service else ():
            if service and store.preset.tag == ("" if tag == NO_TAG else tag):
                return service, store
        raise error(web.HTTPNotFound, "there is no such hill; see /api/hills")


def _submission(text: str, tag: str, is_test: bool) -> Submission:
    """Return the submission in a text. Raises SubmissionError if it is not a warrior for the hill with this tag."""
    submission = Submission.read(text)
    if submission.tag != tag:
        raise SubmissionError(f"this hill takes {first_line(tag)}, not {first_line(submission.tag)}")
    if submission.is_question:
        raise SubmissionError("the text asks for the standings and has no warrior")
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


def _summary(challenge: ChallengeResult) -> dict[str, Any]:
    """Return the summary of a challenge for the list of the last ones."""
    return {
        "number": challenge.number,
        "id": challenge.challenger,
        "seconds": challenge.seconds,
        "name": challenge.name,
        "author": challenge.author,
        "score": challenge.score,
        "place": _row(challenge, challenge.challenger)[1],
        "pushed_off": [row.name for row in challenge.table if row.fate == "pushed off"],
    }


def _lost_round(
    preset: Preset, pair: tuple[Warrior, Warrior], place: int, own: tuple[int, ...] = ()
) -> LostRound:
    battle = BattleTask(rules=preset.rules, warriors=pair, rounds=preset.rounds, is_exact=preset.is_exact)
    return LostRound(battle=battle, preset=preset, place=place, own=own)


def _warrior(store: HillStore, id: int) -> dict[str, Any] | None:
    """Return the facts about the warrior with this ID (the number of its challenge), or None if there is no such warrior.

    It is the summary and the opponents of its challenge, its history, and while it is on the hill its place there, its
    row of the table and its battles. `source` is the file of a bundled warrior; the code of others is secret.
    """
    following, hill = store.following(id, HISTORY), store.hill()
    if not following or (challenge := following[0]).challenger != id:
        return None
    on_hill = {entry.id: entry.warrior for entry in hill.entries}
    standing = store.standing() if id in on_hill else None
    row, place = _row(standing, id) if standing else (None, None)
    return _summary(challenge) | {
        "meetings": challenge.meetings,
        "is_on_hill": id in on_hill,
        "row": row,
        "place_now": place,
        "battles": _battles(hill, id),
        "history": _history(following if id not in on_hill else store.recent(HISTORY)[::-1], id),
        "source": bundled_source(on_hill[id], store.preset) if id in on_hill else "",
    }


def _row(challenge: ChallengeResult, id: int) -> tuple[HillRow | None, int | None]:
    """Return the row of a warrior in the table after a challenge, with its place on the hill; both may be missing."""
    for place, row in enumerate(challenge.table, 1):
        if row.id == id:
            return row, place if row.fate == "on the hill" else None
    return None, None


def _history(challenges: Sequence[ChallengeResult], id: int) -> list[dict[str, Any]]:
    """Return the score and the place of a warrior after each of the challenges, until it left the hill."""
    history = []
    for challenge in challenges:
        row, place = _row(challenge, id)
        if row:
            score = None if row.fate in ("killed", "removed") else row.score  # it has not fought any more
            history.append({
                "number": challenge.number,
                "seconds": challenge.seconds,
                "challenger": challenge.name,
                "place": place,
                "score": score,
                "fate": row.fate,
            })  # fmt: skip
    return history


def _battles(hill: Hill, id: int) -> list[dict[str, Any]]:
    """Return the battles of a warrior against the others on the hill, without those of a melee."""
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
    return battles
