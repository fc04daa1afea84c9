"""The rules of a hill: the warriors that hold its places, and what a challenge makes of it. Pure functions over tallies.

The challenger fights everybody on the hill; all are ranked by their mean score against the others, and
who does not fit on the hill falls off. Age is the number of successful challenges survived, one's own
among them; a challenge that fails ages nobody. Nobody fights against himself.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from hmac import compare_digest
from itertools import combinations
from typing import Final, Literal, get_args

from core.corewar.warrior import Warrior
from engines.corewar.battles import BattleTask, Tally, fingerprint
from engines.corewar.presets import Preset
from engines.statistics import ordered_sum

Fate = Literal["on the hill", "pushed off", "killed", "removed"]
FATES: Final[tuple[Fate, ...]] = get_args(Fate)


class HillError(ValueError):
    """A challenge that is refused; the hill stays as it was."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A warrior on a hill, or before it."""

    id: int
    warrior: Warrior
    age: int
    token: str = ""  # the SHA-256 of its owner's, in hexadecimal; "": nobody has one

    @property
    def label(self) -> str:
        return f"{self.warrior.name} by {self.warrior.author}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Kills:
    """Warriors that their owner sends away."""

    author: str
    names: tuple[str, ...]
    tokens: tuple[str, ...] | None  # SHA-256 of those given; None: the author's name is enough


@dataclass(frozen=True, slots=True, kw_only=True)
class Challenger:
    """A warrior that asks for a place, and those whom he sends away first."""

    warrior: Warrior
    source: str
    kills: Kills
    token: str = ""  # as an entry's
    is_test: bool = False  # fight, but change nothing


@dataclass(frozen=True, slots=True, kw_only=True)
class Hill:
    """A hill between two challenges."""

    preset: Preset
    challenges: int  # so far
    next_id: int
    entries: tuple[Entry, ...] = ()
    battles: dict[tuple[int, int], Tally]  # of two IDs, the lower first and from its view; no melee's


@dataclass(frozen=True, slots=True, kw_only=True)
class HillRow:
    """A line of the table. Wins, losses and ties are percentages of all rounds."""

    id: int
    name: str
    author: str
    wins: float
    losses: float
    ties: float
    score: float
    age: int
    fate: Fate = "on the hill"


@dataclass(frozen=True, slots=True, kw_only=True)
class PairResult:
    """The challenger against one opponent, from the challenger's view."""

    opponent: str
    author: str
    wins: int
    losses: int
    ties: int
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ChallengeResult:
    """What came of a challenge: all that a report says."""

    number: int  # the first is 1; a test has the number that it would have had
    seconds: float  # since 1970, when the last battle was over
    challenger: int  # his ID
    name: str
    author: str
    is_test: bool
    score: float
    meetings: tuple[PairResult, ...]  # none in a melee
    table: tuple[HillRow, ...]  # the hill's places by rank, then who was pushed off, killed, removed

    @property
    def pushed_off(self) -> HillRow | None:
        return next((row for row in self.table if row.fate == "pushed off"), None)


# -- Before the battles ----------------------------------------------------------------------------


def killed(hill: Hill, kills: Kills) -> tuple[Entry, ...]:
    """Those of these names and this author whose token is given. HillError where that leaves nobody of a name."""
    named = [
        entry
        for entry in hill.entries
        if entry.warrior.name in kills.names and entry.warrior.author == kills.author
    ]
    if kills.tokens is None:
        return tuple(named)
    own = tuple(
        entry
        for entry in named
        if entry.token and any(compare_digest(entry.token, token) for token in kills.tokens)
    )
    names = {entry.warrior.name for entry in own}  # somebody else may have used one of them, too
    for entry in named:
        if entry.warrior.name not in names:
            raise HillError(
                f'to kill {entry.label}, add the line ";token TOKEN" with the token of its report;'
                " without it only the owner of the hill can remove it"
            )
    return own


def opponents(hill: Hill, challenger: Challenger) -> tuple[Entry, ...]:
    """Those whom the challenger will meet. HillError if his code is among them, and as killed().

    A test of code that is on the hill is fought in its place.
    """
    gone = killed(hill, challenger.kills)
    stay = tuple(entry for entry in hill.entries if entry not in gone)
    mark = fingerprint(challenger.warrior)
    twins = [entry for entry in stay if fingerprint(entry.warrior) == mark]
    if twins and not challenger.is_test:
        raise HillError(f"this code is on the hill already: {twins[0].label}")
    return tuple(entry for entry in stay if entry not in twins)


def battle_tasks(hill: Hill, challenger: Challenger) -> list[BattleTask]:
    """The battles of a challenge, the challenger first in each. HillError as opponents()."""
    preset, others = hill.preset, opponents(hill, challenger)
    crowds = [others] if preset.is_melee and others else [(other,) for other in others]
    return [
        BattleTask(
            rules=preset.rules,
            warriors=(challenger.warrior, *(other.warrior for other in crowd)),
            rounds=preset.rounds,
            is_exact=preset.is_exact,
        )
        for crowd in crowds
    ]


# -- After them ------------------------------------------------------------------------------------


def conclude(
    hill: Hill, challenger: Challenger, fought: Sequence[Sequence[Tally]], seconds: float
) -> tuple[ChallengeResult, Hill]:
    """The result of battle_tasks(), given their tallies in order; and the hill after it, a test's too."""
    others, gone = opponents(hill, challenger), killed(hill, challenger.kills)
    entry = Entry(id=hill.next_id, warrior=challenger.warrior, age=0, token=challenger.token)
    if hill.preset.is_melee:
        battles: dict[tuple[int, int], Tally] = {}
        meetings: tuple[PairResult, ...] = ()
        tallies = _of_melee((entry, *others), fought)
    else:
        pairs = list(zip(others, fought, strict=True))
        battles = hill.battles | {(other.id, entry.id): theirs for other, (_, theirs) in pairs}
        meetings = tuple(_pair_result(other, ours) for other, (ours, _) in pairs)
        tallies = _of_pairs((*others, entry), battles)
    ranked = sorted((*others, entry), key=lambda entry: (-_score(tallies[entry.id]), -entry.age, entry.id))
    kept, pushed = ranked[: hill.preset.places], ranked[hill.preset.places :]
    if entry in kept:
        kept = [replace(member, age=member.age + 1) for member in kept]
    after = replace(
        hill,
        challenges=hill.challenges + 1,
        next_id=hill.next_id + 1,
        entries=tuple(kept),
        battles=_among(kept, battles),
    )
    challenge = ChallengeResult(
        number=after.challenges,
        seconds=seconds,
        challenger=entry.id,
        name=entry.warrior.name,
        author=entry.warrior.author,
        is_test=challenger.is_test,
        score=_score(tallies[entry.id]),
        meetings=meetings,
        table=(
            *(_row(member, tallies[member.id], "on the hill") for member in kept),
            *(_row(member, tallies[member.id], "pushed off") for member in pushed),
            *(_row(member, [], "killed") for member in gone),
        ),
    )
    return challenge, after


def without_killed(hill: Hill, kills: Kills) -> Hill:
    """After kills without a challenge. HillError if nobody is killed, and as killed()."""
    gone = killed(hill, kills)
    if not gone:
        raise HillError(f"nobody on the hill is called {' or '.join(kills.names)} and by {kills.author}")
    return _without(hill, gone)


def removed(hill: Hill, name: str, author: str = "", token: str | None = None) -> Hill:
    """Without the warriors of this name, by the hill's owner. HillError if it is nobody's, or several authors'.

    With a token (as an entry's), only those that have it.
    """
    gone = [
        entry
        for entry in hill.entries
        if entry.warrior.name == name
        and author in ("", entry.warrior.author)
        and token in (None, entry.token)
    ]
    if not gone:
        raise HillError(f"nobody on the hill is called {name}" + (f" and by {author}" if author else ""))
    if len({entry.warrior.author for entry in gone}) > 1:
        raise HillError(f"several are called {name}: {', '.join(entry.label for entry in gone)}")
    return _without(hill, gone)


def with_removals(challenge: ChallengeResult, hill: Hill) -> ChallengeResult:
    """The hill's last challenge, with those who have been removed since at the end; scores stay until the next one."""
    ids = {entry.id for entry in hill.entries}
    rows = [
        replace(row, fate="removed") if row.fate == "on the hill" and row.id not in ids else row
        for row in challenge.table
    ]
    return replace(challenge, table=tuple(sorted(rows, key=lambda row: FATES.index(row.fate))))


def _of_melee(entries: Sequence[Entry], fought: Sequence[Sequence[Tally]]) -> dict[int, list[Tally]]:
    """Everybody's one tally; nobody's where there was nobody to fight."""
    if not fought:
        return {entry.id: [] for entry in entries}
    return {entry.id: [tally] for entry, tally in zip(entries, fought[0], strict=True)}


def _of_pairs(entries: Sequence[Entry], battles: dict[tuple[int, int], Tally]) -> dict[int, list[Tally]]:
    """Everybody's tallies against each of the others; `entries` by rising ID."""
    tallies: dict[int, list[Tally]] = {entry.id: [] for entry in entries}
    for first, second in combinations(sorted(tallies), 2):
        tally = battles[first, second]
        tallies[first].append(tally)
        tallies[second].append(tally.reversed())
    return tallies


def _without(hill: Hill, gone: Sequence[Entry]) -> Hill:
    kept = [entry for entry in hill.entries if entry not in gone]
    return replace(hill, entries=tuple(kept), battles=_among(kept, hill.battles))


def _among(entries: Sequence[Entry], battles: dict[tuple[int, int], Tally]) -> dict[tuple[int, int], Tally]:
    ids = {entry.id for entry in entries}
    return {pair: tally for pair, tally in battles.items() if ids.issuperset(pair)}


def _score(tallies: Sequence[Tally]) -> float:
    """The mean over the opponents; 0 without any."""
    return ordered_sum(tally.score for tally in tallies) / len(tallies) if tallies else 0.0


def _row(entry: Entry, tallies: Sequence[Tally], fate: Fate) -> HillRow:
    percent = 100 / max(sum(tally.rounds for tally in tallies), 1)
    return HillRow(
        id=entry.id,
        name=entry.warrior.name,
        author=entry.warrior.author,
        wins=percent * sum(tally.wins for tally in tallies),
        losses=percent * sum(tally.losses for tally in tallies),
        ties=percent * sum(tally.ties for tally in tallies),
        score=_score(tallies),
        age=entry.age,
        fate=fate,
    )


def _pair_result(other: Entry, tally: Tally) -> PairResult:
    return PairResult(
        opponent=other.warrior.name,
        author=other.warrior.author,
        wins=tally.wins,
        losses=tally.losses,
        ties=tally.ties,
        score=tally.score,
    )
