"""What happens in a turn of Advanced Protection as events on the wire, with their sentences, in lines of bounded length."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from msgspec import Struct

from core.protection.rules import PHASES
from core.protection.state import PlacedUnit
from core.protection.turn import FIGHTS, TurnLog
from engines.protection.boardfiles import UNITS
from engines.protection.game import AppliedSetup, TurnRecord
from protocols.jsonl.codec import ENCODER
from protocols.jsonl.messages import GameEvent
from protocols.jsonl.protection_messages import by_kind, counted, number, place_of

MOST_BYTES: Final = 20_000  # of an event
HEAD_BYTES: Final = 200
MUSTERED_BYTES: Final = 24  # of a minion in a roster, at most


class SetupDone(GameEvent, kw_only=True, tag="setup_done"):
    seat: int
    turn: int

    def text(self, names: Sequence[str]) -> str:
        return f"{names[self.seat]} is ready for turn {self.turn}."


class Ratings(GameEvent, kw_only=True, tag="ratings"):
    """In the laboratory: what Chaos has chosen by."""

    turn: int
    done: int
    of: int
    ms: int
    best: int | None
    chosen: int | None
    stale: bool  # the ratings are not all of the last arrangement

    def text(self, names: Sequence[str]) -> str:
        stale = ", which are not all of the last arrangement" if self.stale else ""
        return f"Chaos chose string {self.chosen} by {self.done} of {self.of} ratings{stale}."


class Stood(Struct, kw_only=True, gc=False):
    """A unit that was placed or taken away."""

    id: int
    unit: str
    at: tuple[int, int]


Mustered = tuple[int, int, int, int, int]  # number, kind, x, y, facing; -1 for those off the board


class TurnStart(GameEvent, kw_only=True, tag="turn_start"):
    """What both sides have done; from now on all of it is public."""

    turn: int
    placed: list[Stood]
    salvaged: list[Stood]
    bought: dict[str, int]
    kept: int  # dollars that Chaos has not spent
    left_off: int  # minions that found no free square
    guard: bool = False
    roster: list[Mustered] | None = None

    def text(self, names: Sequence[str]) -> str:
        placed, salvaged = _units(self.placed), _units(self.salvaged)
        parts = [f"Turn {self.turn} begins"]
        if placed:
            parts.append(f"with {placed} placed")
        if salvaged:
            parts.append(f"and {salvaged} salvaged" if placed else f"with {salvaged} salvaged")
        minions = counted(self.bought) or "nothing"
        left_off = f", of which {self.left_off} found no free square" if self.left_off else ""
        kept = f" and keeps ${self.kept:,}" if self.kept else ""
        return f"{' '.join(parts)}. Chaos sends {minions}{left_off}{kept}."


class Roster(GameEvent, kw_only=True, tag="roster"):
    """More minions than a line has room for."""

    turn: int
    roster: list[Mustered]

    def text(self, names: Sequence[str]) -> str:
        return f"{number(len(self.roster), 'minion')} placed."


class Fight(Struct, kw_only=True, omit_defaults=True, gc=False):
    """A die of `of` sides showed `n`; 0 of 0 where none was rolled."""

    phase: int
    by: int  # the minion's number
    at: tuple[int, int]  # the unit's square
    kind: str
    n: int
    of: int
    win: bool  # of who attacked
    plunder: int = 0


class Phases(GameEvent, kw_only=True, tag="phases", rename={"from_": "from"}):
    """Phases of a turn, a string of `acts` each; without acts the fights of the phase before go on."""

    turn: int
    from_: int
    to: int
    acts: list[str]
    fights: list[Fight]

    def text(self, names: Sequence[str]) -> str:
        attacks = sum(fight.kind in ("attack", "ram") for fight in self.fights)
        return f"Phases {self.from_} to {self.to}: {number(attacks, 'attack')}."


class Fallen(Struct, kw_only=True, gc=False):
    id: int
    unit: str
    phase: int


class HumanTurn(Struct, kw_only=True):
    """The human's side of a turn; `value` is that at its end."""

    treasury: int
    produced: int
    plundered: int
    lost: list[Fallen]
    value: int


class ChaosTurn(Struct, kw_only=True):
    treasury: int
    carried: int
    refund: int
    lost: dict[str, int]
    value: int


class TurnEnd(GameEvent, kw_only=True, tag="turn_end"):
    turn: int
    human: HumanTurn
    chaos: ChaosTurn
    change: tuple[int, int]  # of both values; their difference is the rating of the string

    def text(self, names: Sequence[str]) -> str:
        human, chaos = self.human, self.chaos
        plundered = f", of which ${human.plundered:,} was plundered" if human.plundered else ""
        lost = counted(Counter(each.unit for each in human.lost)) or "no unit"
        destroyed = counted(chaos.lost) or "no minion"
        return (
            f"Turn {self.turn} ends: farms made ${human.produced:,}{plundered}; {lost} lost, {destroyed} destroyed. "
            f"The human is worth ${human.value:,} ({self.change[0]:+,}), Chaos ${chaos.value:,} ({self.change[1]:+,})."
        )


class Grant(GameEvent, kw_only=True, tag="grant"):
    turn: int
    amount: int
    chaos_treasury: int

    def text(self, names: Sequence[str]) -> str:
        return f"Chaos is granted ${self.amount:,} and has ${self.chaos_treasury:,}."


EVENTS = (SetupDone, Ratings, TurnStart, Roster, Phases, TurnEnd, Grant)


# -- Events of a turn --------------------------------------------------------------------------------


def turn_start(
    turn: int, done: AppliedSetup, played: TurnRecord, *, with_roster: bool
) -> Iterator[GameEvent]:
    """What both sides have done; those minions come in further events that have no room in the first."""
    report = played.report
    rosters = list(rosters_of(turn, played.log, MOST_BYTES)) if with_roster and played.log else []
    yield TurnStart(
        turn=turn,
        placed=list(map(_unit_at, done.placed)),
        salvaged=list(map(_unit_at, done.salvaged)),
        bought=by_kind(report.bought),
        kept=report.unspent,
        left_off=report.unplaced,
        guard=report.hit_minion_limit,
        roster=(rosters[0].roster if rosters else []) if with_roster else None,
    )
    yield from rosters[1:]


def rosters_of(turn: int, log: TurnLog, most: int) -> Iterator[Roster]:
    """All minions as they were placed, `most` bytes an event."""
    minions = [(number, kind, *_posed(pose)) for number, (kind, pose) in enumerate(log.roster)]
    size = max((most - HEAD_BYTES) // MUSTERED_BYTES, 1)
    for start in range(0, len(minions), size):
        yield Roster(turn=turn, roster=minions[start : start + size])


def phases_of(turn: int, log: TurnLog, first: int, last: int, most: int) -> Iterator[Phases]:
    """These phases, `most` bytes an event; where nobody was left to act there are no letters."""
    fights: dict[int, list[Fight]] = {}
    for phase, kind, by, square, n, of, win, plunder in log.fights:
        fights.setdefault(phase, []).append(
            Fight(
                phase=phase, by=by, at=place_of(square), kind=FIGHTS[kind], n=n, of=of, win=bool(win),
                plunder=plunder,
            )
        )  # fmt: skip
    event = Phases(turn=turn, from_=first, to=first, acts=[], fights=[])
    room = most - HEAD_BYTES
    for phase in range(first, last + 1):
        acts = log.acts[phase - 1] if phase <= len(log.acts) else ""
        if len(acts) + 3 > room and event.acts:
            yield event
            event = Phases(turn=turn, from_=phase, to=phase, acts=[], fights=[])
            room = most - HEAD_BYTES
        event.to = phase
        event.acts.append(acts)
        room -= len(acts) + 3
        for fight in fights.get(phase, ()):
            size = len(ENCODER.encode(fight)) + 1
            if size > room and (event.acts or event.fights):
                yield event
                event = Phases(turn=turn, from_=phase, to=phase, acts=[], fights=[])
                room = most - HEAD_BYTES
            event.fights.append(fight)
            room -= size
        if not event.acts:  # the next phase has letters again
            yield event
            event = Phases(turn=turn, from_=phase + 1, to=phase + 1, acts=[], fights=[])
            room = most - HEAD_BYTES
    if event.acts or event.fights:
        yield event


def turn_end(played: TurnRecord, treasury: int) -> Iterator[GameEvent]:
    """What the turn has brought; the human has so many dollars now."""
    report = played.report
    yield TurnEnd(
        turn=played.turn,
        human=HumanTurn(
            treasury=treasury,
            produced=report.produced,
            plundered=report.plundered,
            lost=[
                Fallen(id=unit.number, unit=UNITS[unit.code], phase=phase)
                for unit, phase in report.lost_units
            ],
            value=played.human_value,
        ),
        chaos=ChaosTurn(
            treasury=played.chaos_value,
            carried=report.carried,
            refund=report.refund,
            lost=by_kind(report.lost_minions),
            value=played.chaos_value,
        ),
        change=(report.human_change, report.chaos_change),
    )
    if played.audit.grant:
        yield Grant(turn=played.turn, amount=played.audit.grant, chaos_treasury=played.audit.after)


def last_phase(last: int | None) -> int:
    """ValueError for one that no turn has."""
    if last is not None and not 1 <= last <= PHASES:
        raise ValueError(f"a turn has {PHASES} phases")
    return last or PHASES


def _unit_at(unit: PlacedUnit) -> Stood:
    return Stood(id=unit.number, unit=UNITS[unit.code], at=place_of(unit.square))


def _posed(pose: int) -> tuple[int, int, int]:
    return (*place_of(pose >> 2), pose & 3) if pose >= 0 else (-1, -1, -1)


def _units(units: Iterable[Stood]) -> str:
    return counted(Counter(each.unit for each in units))
