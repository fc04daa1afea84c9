"""The rules of a hill: its warriors, and the result of a challenge, as pure functions without any battle or file.

The challenger fights all warriors on the hill. All are ranked by their mean score against the others, and those that
do not fit on the hill (Preset.places) are pushed off. The age of a warrior is the number of successful challenges that
it has survived, including its own; a challenge that fails changes no age. No warrior fights against itself.
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
    """A challenge or removal is refused, or a hill cannot be used; the hill is unchanged."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A warrior on a hill, or one that challenges it."""

    id: int
    warrior: Warrior
    age: int
    token: str = ""  # the SHA-256 of the token of its owner, in hexadecimal; "": it has no token

    @property
    def label(self) -> str:
        return f"{self.warrior.name} by {self.warrior.author}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Kills:
    """A request of an author to remove warriors from the hill."""

    author: str
    names: tuple[str, ...]
    tokens: tuple[str, ...] | None  # the SHA-256 of each given token; None: the author's name is enough


@dataclass(frozen=True, slots=True, kw_only=True)
class Challenger:
    """A warrior that challenges a hill, and the warriors that its owner removes first."""

    warrior: Warrior
    source: str  # its text in Redcode
    kills: Kills
    token: str = ""  # as in Entry
    is_test: bool = False  # fight, but change nothing


@dataclass(frozen=True, slots=True, kw_only=True)
class Hill:
    """The state of a hill between two challenges."""

    preset: Preset
    challenges: int  # the number of challenges so far
    next_id: int  # the ID of the next challenger
    entries: tuple[Entry, ...] = ()
    battles: dict[tuple[int, int], Tally]  # [lower ID, higher ID]: the tally of the lower; empty for a melee


@dataclass(frozen=True, slots=True, kw_only=True)
class HillRow:
    """A row of the table of a hill. Wins, losses and ties are percentages of all rounds."""

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
    """The result of the challenger against one opponent."""

    opponent: str
    author: str
    wins: int
    losses: int
    ties: int
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ChallengeResult:
    """The result of a challenge, with all that a report contains."""

    number: int  # from 1; a test has the number that it would have had
    seconds: float  # since 1970, when the last battle ended
    challenger: int  # its ID
    name: str
    author: str
    is_test: bool
    score: float
    meetings: tuple[PairResult, ...]  # one for each opponent; none in a melee
    table: tuple[HillRow, ...]  # the hill by rank, then the warriors that were pushed off, killed or removed

    @property
    def pushed_off(self) -> HillRow | None:
        return next((row for row in self.table if row.fate == "pushed off"), None)


# -- Before the battles ----------------------------------------------------------------------------


def killed(hill: Hill, kills: Kills) -> tuple[Entry, ...]:
    """Return the entries that a kill request removes: matching name and author, with a valid token.

    Raises HillError if there are entries of a name and the author, but none of them with a valid token.
    """
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
    names = {entry.warrior.name for entry in own}  # another owner may have used the same name, too
    for entry in named:
        if entry.warrior.name not in names:
            raise HillError(
                f'to kill {entry.label}, add the line ";token TOKEN" with the token of its report;'
                " without it only the owner of the hill can remove it"
            )
    return own


def opponents(hill: Hill, challenger: Challenger) -> tuple[Entry, ...]:
    """Return the entries that a challenger fights: those on the hill that it does not kill.

    Raises HillError if one of these entries has the same code as the challenger, or under the conditions of killed().
    If the challenge is a test, an entry with the same code is left out instead.
    """
    gone = killed(hill, challenger.kills)
    stay = tuple(entry for entry in hill.entries if entry not in gone)
    mark = fingerprint(challenger.warrior)
    twins = [entry for entry in stay if fingerprint(entry.warrior) == mark]
    if twins and not challenger.is_test:
        raise HillError(f"this code is on the hill already: {twins[0].label}")
    return tuple(entry for entry in stay if entry not in twins)


def battle_tasks(hill: Hill, challenger: Challenger) -> list[BattleTask]:
    """Return the battles of a challenge, the challenger first in each.

    Raises HillError under the conditions of opponents().
    """
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


# -- After the battles -----------------------------------------------------------------------------


def conclude(
    hill: Hill, challenger: Challenger, fought: Sequence[Sequence[Tally]], seconds: float
) -> tuple[ChallengeResult, Hill]:
    """Return the result of a challenge and the hill after it, given the tallies of battle_tasks() in order.

    If the challenge is a test, the returned hill is the one that a real challenge would leave; the caller discards it.
    """
    others, gone = opponents(hill, challenger), killed(hill, challenger.kills)
    entry = Entry(id=hill.next_id, warrior=challenger.warrior, age=0, token=challenger.token)
    if hill.preset.is_melee:
        battles: dict[tuple[int, int], Tally] = {}
        meetings: tuple[PairResult, ...] = ()
        tallies = _tallies_of_melee((entry, *others), fought)
    else:
        pairs = list(zip(others, fought, strict=True))
        battles = hill.battles | {(other.id, entry.id): theirs for other, (_, theirs) in pairs}
        meetings = tuple(_pair_result(other, ours) for other, (ours, _) in pairs)
        tallies = _tallies_of_pairs((*others, entry), battles)
    ranked = sorted((*others, entry), key=lambda entry: (-_score(tallies[entry.id]), -entry.age, entry.id))
    kept, pushed = ranked[: hill.preset.places], ranked[hill.preset.places :]
    if entry in kept:
        kept = [replace(member, age=member.age + 1) for member in kept]
    after = replace(
        hill,
        challenges=hill.challenges + 1,
        next_id=hill.next_id + 1,
        entries=tuple(kept),
        battles=_battles_among(kept, battles),
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
    """Return the hill after kills without a challenge.

    Raises HillError if no warrior is killed, or under the conditions of killed().
    """
    gone = killed(hill, kills)
    if not gone:
        names = " or ".join(kills.names)
        is_missing = kills.author == "Anonymous"  # the name of all authors who give none
        raise HillError(
            f"no warrior {names} by {kills.author} is on this hill"
            + ("; is the line ;author missing?" if is_missing else "")
        )
    return _hill_without(hill, gone)


def removed(hill: Hill, name: str, author: str = "", token: str | None = None) -> Hill:
    """Return the hill after its owner has removed the warriors of a name.

    `author` and `token`, as in Entry, restrict the removal to warriors of that author and with that token. Raises
    HillError if there is no such warrior, or if there are such warriors of several authors.
    """
    gone = [
        entry
        for entry in hill.entries
        if entry.warrior.name == name
        and author in ("", entry.warrior.author)
        and token in (None, entry.token)
    ]
    if not gone:
        raise HillError(f"no warrior {name}{f' by {author}' if author else ''} is on this hill")
    if len({entry.warrior.author for entry in gone}) > 1:
        raise HillError(f"several warriors are called {name}: {', '.join(entry.label for entry in gone)}")
    return _hill_without(hill, gone)


def with_removals(challenge: ChallengeResult, hill: Hill) -> ChallengeResult:
    """Return the result of the last challenge, with the warriors that were removed since then at the end of its table.

    `hill` is the present hill. Scores stay as they are until the next challenge.
    """
    ids = {entry.id for entry in hill.entries}
    rows = [
        replace(row, fate="removed") if row.fate == "on the hill" and row.id not in ids else row
        for row in challenge.table
    ]
    return replace(challenge, table=tuple(sorted(rows, key=lambda row: FATES.index(row.fate))))


def _tallies_of_melee(entries: Sequence[Entry], fought: Sequence[Sequence[Tally]]) -> dict[int, list[Tally]]:
    """Return the tallies of each entry by its ID: a list of one, or an empty list if there was no battle."""
    if not fought:
        return {entry.id: [] for entry in entries}
    return {entry.id: [tally] for entry, tally in zip(entries, fought[0], strict=True)}


def _tallies_of_pairs(
    entries: Sequence[Entry], battles: dict[tuple[int, int], Tally]
) -> dict[int, list[Tally]]:
    """Return the tallies of each entry by its ID: one against each other entry, in the order of their IDs."""
    tallies: dict[int, list[Tally]] = {entry.id: [] for entry in entries}
    for first, second in combinations(sorted(tallies), 2):
        tally = battles[first, second]
        tallies[first].append(tally)
        tallies[second].append(tally.reversed())
    return tallies


def _hill_without(hill: Hill, gone: Sequence[Entry]) -> Hill:
    kept = [entry for entry in hill.entries if entry not in gone]
    return replace(hill, entries=tuple(kept), battles=_battles_among(kept, hill.battles))


def _battles_among(
    entries: Sequence[Entry], battles: dict[tuple[int, int], Tally]
) -> dict[tuple[int, int], Tally]:
    ids = {entry.id for entry in entries}
    return {pair: tally for pair, tally in battles.items() if ids.issuperset(pair)}


def _score(tallies: Sequence[Tally]) -> float:
    """Return the mean of the scores, or 0 without any tally."""
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
