"""A turn of Advanced Protection as events of the protocol, in lines of bounded length."""

from collections.abc import Iterator
from typing import Final

from core.protection.rules import PHASES
from core.protection.state import PlacedUnit
from core.protection.turn import FIGHTS, TurnLog
from engines.protection.boardfiles import UNITS
from engines.protection.game import AppliedSetup, TurnRecord
from protocols.jsonl.binding.protection.lexicon import by_kind, place_of
from protocols.jsonl.binding.protection.shapes import events
from protocols.jsonl.messages.codec import ENCODER
from protocols.jsonl.messages.events import GameEvent

MOST_BYTES: Final = 20_000  # of an event
HEAD_BYTES: Final = 200
MUSTERED_BYTES: Final = 24  # of a minion in a roster, at most


def begun(turn: int, done: AppliedSetup, played: TurnRecord, *, with_roster: bool) -> Iterator[GameEvent]:
    """What both sides have done; those minions come in further events that have no room in the first."""
    report = played.report
    rosters = list(rosters_of(turn, played.log, MOST_BYTES)) if with_roster and played.log else []
    yield events.TurnStart(
        turn=turn,
        placed=list(map(_stood, done.placed)),
        salvaged=list(map(_stood, done.salvaged)),
        bought=by_kind(report.bought),
        kept=report.unspent,
        left_off=report.unplaced,
        guard=report.hit_minion_limit,
        roster=(rosters[0].roster if rosters else []) if with_roster else None,
    )
    yield from rosters[1:]


def rosters_of(turn: int, log: TurnLog, most: int) -> Iterator[events.Roster]:
    """All minions as they were placed, `most` bytes an event."""
    minions = [(number, kind, *_posed(pose)) for number, (kind, pose) in enumerate(log.roster)]
    size = max((most - HEAD_BYTES) // MUSTERED_BYTES, 1)
    for start in range(0, len(minions), size):
        yield events.Roster(turn=turn, roster=minions[start : start + size])


def phases_of(turn: int, log: TurnLog, first: int, last: int, most: int) -> Iterator[events.Phases]:
    """These phases, `most` bytes an event; where nobody was left to act there are no letters."""
    fights: dict[int, list[events.Fight]] = {}
    for phase, kind, by, square, n, of, win, plunder in log.fights:
        fights.setdefault(phase, []).append(
            events.Fight(
                phase=phase, by=by, at=place_of(square), kind=FIGHTS[kind], n=n, of=of, win=bool(win),
                plunder=plunder,
            )
        )  # fmt: skip
    event = events.Phases(turn=turn, from_=first, to=first, acts=[], fights=[])
    room = most - HEAD_BYTES
    for phase in range(first, last + 1):
        acts = log.acts[phase - 1] if phase <= len(log.acts) else ""
        if len(acts) + 3 > room and event.acts:
            yield event
            event = events.Phases(turn=turn, from_=phase, to=phase, acts=[], fights=[])
            room = most - HEAD_BYTES
        event.to = phase
        event.acts.append(acts)
        room -= len(acts) + 3
        for fight in fights.get(phase, ()):
            size = len(ENCODER.encode(fight)) + 1
            if size > room and (event.acts or event.fights):
                yield event
                event = events.Phases(turn=turn, from_=phase, to=phase, acts=[], fights=[])
                room = most - HEAD_BYTES
            event.fights.append(fight)
            room -= size
        if not event.acts:  # the next phase has letters again
            yield event
            event = events.Phases(turn=turn, from_=phase + 1, to=phase + 1, acts=[], fights=[])
            room = most - HEAD_BYTES
    if event.acts or event.fights:
        yield event


def ended(played: TurnRecord, treasury: int) -> Iterator[GameEvent]:
    """What the turn has brought; the human has so many dollars now."""
    report = played.report
    yield events.TurnEnd(
        turn=played.turn,
        human=events.HumanTurn(
            treasury=treasury,
            produced=report.produced,
            plundered=report.plundered,
            lost=[
                events.Fallen(id=unit.number, unit=UNITS[unit.code], phase=phase)
                for unit, phase in report.lost_units
            ],
            value=played.human_value,
        ),
        chaos=events.ChaosTurn(
            treasury=played.chaos_value,
            carried=report.carried,
            refund=report.refund,
            lost=by_kind(report.lost_minions),
            value=played.chaos_value,
        ),
        change=(report.human_change, report.chaos_change),
    )
    if played.audit.grant:
        yield events.Grant(turn=played.turn, amount=played.audit.grant, chaos_treasury=played.audit.after)


def last_phase(last: int | None) -> int:
    """ValueError for one that no turn has."""
    if last is not None and not 1 <= last <= PHASES:
        raise ValueError(f"a turn has {PHASES} phases")
    return last or PHASES


def _stood(unit: PlacedUnit) -> events.Stood:
    return events.Stood(id=unit.number, unit=UNITS[unit.code], at=place_of(unit.square))


def _posed(pose: int) -> tuple[int, int, int]:
    return (*place_of(pose >> 2), pose & 3) if pose >= 0 else (-1, -1, -1)
