"""The events of Advanced Protection as messages, with their English sentences, in lines of bounded length.

The human plays against Chaos. A string is the policy by which Chaos buys and moves the minions of a turn
(core/protection/policy.py). The events of a turn come in this order:

    setup_done
    ratings               if the option `observe_ai` is set and the built-in Chaos has chosen
    turn_start, roster    unless the option `detail` is `none`
    phases                if `detail` is `phases`
    turn_end, grant

A turn may have thousands of minions and has 50 phases, which can be too much for one event. So rosters_of() and
phases_of() split the minions and the phases by their sizes in bytes: an upper bound for each minion and for the other
fields of an event, the encoded length for fights and acts.
"""

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

MAX_EVENT_BYTES: Final = 20_000  # the size limit of an event as JSON
HEAD_BYTES: Final = 200  # reserved for the fields of an event outside its lists
MUSTERED_BYTES: Final = 24  # an upper bound for one minion in a roster


class SetupDone(GameEvent, kw_only=True, tag="setup_done"):
    """The human has made the setup of a turn."""

    seat: int
    turn: int

    def text(self, names: Sequence[str]) -> str:
        return f"{names[self.seat]} is ready for turn {self.turn}."


class Ratings(GameEvent, kw_only=True, tag="ratings"):
    """The ratings by which Chaos has chosen its string; sent if the option `observe_ai` is set."""

    turn: int
    done: int  # strings that had been rated on the last arrangement
    of: int  # strings in all; 0 if there were none to rate
    ms: int  # milliseconds that the last part of the ratings took
    best: int | None  # the lowest rating
    chosen: int | None  # the number of the string; from 250 on, a hybrid
    stale: bool  # some of the ratings are from an earlier arrangement

    def text(self, names: Sequence[str]) -> str:
        stale = ", which are not all of the last arrangement" if self.stale else ""
        return f"Chaos chose string {self.chosen} by {self.done} of {self.of} ratings{stale}."


class Stood(Struct, kw_only=True, gc=False):
    """A unit that was placed or salvaged."""

    id: int
    unit: str
    at: tuple[int, int]  # x, y


Mustered = tuple[int, int, int, int, int]  # number, kind, x, y, facing; -1 for those off the board


class TurnStart(GameEvent, kw_only=True, tag="turn_start"):
    """A turn starts: the decisions of both sides, which are public from now on.

    With the option `detail` set to `phases`, `roster` has the minions by number: [number, kind, x, y, facing]. A kind
    is the place in the list scout, scavenger, common, amphibious, mobile, jump, kamikazee, armored, from 0. Facings
    are 0 (north) to 3, clockwise. Minions off the board have -1 for x, y and facing.
    """

    turn: int
    placed: list[Stood]
    salvaged: list[Stood]
    bought: dict[str, int]  # the number of minions by kind
    kept: int  # dollars that Chaos has not spent
    left_off: int  # minions for which there was no free square
    guard: bool = False  # rules without `max_minions`: Chaos has bought as many minions as the program allows
    roster: list[Mustered] | None = None  # continued by events `roster` if a line has no room for all

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
    """More minions of a turn, for which `turn_start` has no room; `replay` sends all minions in this form."""

    turn: int
    roster: list[Mustered]  # as in `turn_start`

    def text(self, names: Sequence[str]) -> str:
        return f"{number(len(self.roster), 'minion')} placed."


class Fight(Struct, kw_only=True, omit_defaults=True, gc=False):
    """A fight between a minion and a unit.

    `kind` is `attack` (a minion attacks a unit), `counter` (the unit strikes back after a failed attack), `mine`,
    `bomb`, `ram` (a kamikazee, without a roll) or `sweep` (an armored minion on a mine, without a roll).
    """

    phase: int
    by: int  # the number of the minion
    at: tuple[int, int]  # x, y of the unit
    kind: str
    n: int  # the roll of the die; 0 if none was rolled
    of: int  # the sides of the die; 0 if none was rolled
    win: bool  # the attacker has won
    plunder: int = 0  # dollars that the minion took


class Phases(GameEvent, kw_only=True, tag="phases", rename={"from_": "from"}):
    """The phases `from` to `to` of a turn; enough, with the roster, to draw the whole turn.

    Sent during the game if the option `detail` is `phases`, and after `replay`. The phases of a turn are split into
    as many events as needed. An event without `acts` has more fights of a phase whose `acts` were sent before.
    """

    turn: int
    from_: int
    to: int
    # A string for each phase, with a letter for each action in the order of acting: F moved, f blocked, J jumped,
    # R turned right, L turned left, S special.
    acts: list[str]
    fights: list[Fight]

    def text(self, names: Sequence[str]) -> str:
        attacks = sum(fight.kind in ("attack", "ram") for fight in self.fights)
        return f"Phases {self.from_} to {self.to}: {number(attacks, 'attack')}."


class Fallen(Struct, kw_only=True, gc=False):
    """A unit that was destroyed."""

    id: int
    unit: str
    phase: int


class HumanTurn(Struct, kw_only=True):
    """The outcome of a turn for the human, in dollars."""

    treasury: int  # after the turn
    produced: int  # by all units
    plundered: int  # the part of `produced` that minions took; the rest went to the treasury
    lost: list[Fallen]
    value: int  # after the turn


class ChaosTurn(Struct, kw_only=True):
    """The outcome of a turn for Chaos, in dollars."""

    treasury: int  # after the turn, before a grant
    carried: int  # brought home by surviving minions
    refund: int  # for surviving minions
    lost: dict[str, int]  # the number of minions by kind
    value: int  # after the turn, before a grant


class TurnEnd(GameEvent, kw_only=True, tag="turn_end"):
    """A turn has ended."""

    turn: int
    human: HumanTurn
    chaos: ChaosTurn
    # The changes of the human's value and of that of Chaos; the first minus the second is the rating of the string.
    change: tuple[int, int]

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
    """Chaos is granted money after a turn."""

    turn: int
    amount: int  # dollars
    chaos_treasury: int  # dollars, with the grant

    def text(self, names: Sequence[str]) -> str:
        return f"Chaos is granted ${self.amount:,} and has ${self.chaos_treasury:,}."


EVENTS = (SetupDone, Ratings, TurnStart, Roster, Phases, TurnEnd, Grant)


# -- Events of a turn --------------------------------------------------------------------------------


def turn_start(
    turn: int, done: AppliedSetup, played: TurnRecord, *, with_roster: bool
) -> Iterator[GameEvent]:
    """Yield the events at the start of a turn: TurnStart, and a Roster for each further part of the minions."""
    report = played.report
    rosters = list(rosters_of(turn, played.log, MAX_EVENT_BYTES)) if with_roster and played.log else []
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
    """Yield all minions at their starting poses, in events of at most `most` bytes."""
    minions = [(number, kind, *_posed(pose)) for number, (kind, pose) in enumerate(log.roster)]
    size = max((most - HEAD_BYTES) // MUSTERED_BYTES, 1)
    for start in range(0, len(minions), size):
        yield Roster(turn=turn, roster=minions[start : start + size])


def phases_of(turn: int, log: TurnLog, first: int, last: int, most: int) -> Iterator[Phases]:
    """Yield the phases from `first` to `last`, in events of at most `most` bytes.

    A phase in which no minion was left to act has an empty string of acts.
    """
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
        if len(acts) + 3 > room and event.acts:  # 3: two quotes and a comma
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
        if not event.acts:  # the event only continues the fights of this phase; the next phase starts another
            yield event
            event = Phases(turn=turn, from_=phase + 1, to=phase + 1, acts=[], fights=[])
            room = most - HEAD_BYTES
    if event.acts or event.fights:
        yield event


def turn_end(played: TurnRecord, treasury: int) -> Iterator[GameEvent]:
    """Yield the events at the end of a turn; `treasury` is the human's, in dollars, after the turn."""
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
    """Return `last`, or the last phase of a turn if it is None. Raises ValueError if a turn has no phase `last`."""
    if last is not None and not 1 <= last <= PHASES:
        raise ValueError(f"a turn has {PHASES} phases")
    return last or PHASES


def _unit_at(unit: PlacedUnit) -> Stood:
    return Stood(id=unit.number, unit=UNITS[unit.code], at=place_of(unit.square))


def _posed(pose: int) -> tuple[int, int, int]:
    """Return x, y and facing of a pose (square * 4 + facing), or -1 for each if the minion is off the board."""
    return (*place_of(pose >> 2), pose & 3) if pose >= 0 else (-1, -1, -1)


def _units(units: Iterable[Stood]) -> str:
    return counted(Counter(each.unit for each in units))
