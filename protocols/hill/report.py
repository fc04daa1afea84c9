"""Reports of a hill: as text in the form of the mail hills, and as data for JSON.

The lines after "Your overall score" are those of the King of the Hill server; the block of opponents is an addition.
"""

import time
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import asdict, dataclass, replace
from typing import Final

from engines.corewar.hill import ChallengeResult, Fate, HillRow
from engines.corewar.presets import Preset

VERBS: Final[dict[Fate, str]] = {
    "pushed off": "pushed off",
    "killed": "killed and removed from",
    "removed": "removed from",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """The optional contents of a report."""

    opponents: bool = True  # whether each opponent has a line
    listing: str = ""  # of the program, if requested
    warnings: str = ""
    token: str = ""  # by which the receiver of the report can kill the challenger


def report_text(preset: Preset, challenge: ChallengeResult, style: Style) -> str:
    """Return the report on a challenge, as text."""
    return "\n".join(_report(preset, challenge, style)) + "\n"


def standings_text(preset: Preset, challenge: ChallengeResult | None, removed: Collection[int] = ()) -> str:
    """Return the hill's table after its last challenge and later removals, as text.

    Of the warriors that are no longer on the hill, it contains those with the IDs `removed`.
    """
    if challenge is None:
        return f"The {preset.title} hill is empty.\n\nRules: {preset.summary}\n"
    shown = replace(challenge, table=_present(challenge, removed))
    return "\n".join((*_standings(preset, shown), "", f"Rules: {preset.summary}")) + "\n"


def summary_line(preset: Preset, challenge: ChallengeResult) -> str:
    """Return a challenge and its result as one line."""
    kind = "test" if challenge.is_test else f"challenge {challenge.number}"
    ids = [row.id for row in challenge.table if row.fate == "on the hill"]
    place = (
        f"place {ids.index(challenge.challenger) + 1}" if challenge.challenger in ids else "not on the hill"
    )
    return (
        f"{preset.title} hill, {kind}: {challenge.name} by {challenge.author}, "
        f"score {challenge.score:.1f}, {place}"
    )


def refusal_text(reason: str) -> str:
    """Return the report on a warrior that is refused, as text."""
    return f"Your warrior was refused: {reason}\n"


def report_data(preset: Preset, challenge: ChallengeResult, token: str = "") -> dict[str, object]:
    """Return the report on a challenge, as values that JSON can hold."""
    data = {"hill": preset.name, "places": preset.places} | asdict(challenge)
    return data | {"token": token} if token else data


def standings_data(
    preset: Preset, challenge: ChallengeResult | None, removed: Collection[int] = ()
) -> dict[str, object]:
    """Return the table of standings_text(), as values that JSON can hold."""
    table = [asdict(row) for row in _present(challenge, removed)] if challenge else []
    return {"hill": preset.name, "places": preset.places, "table": table}


# -- Helpers ---------------------------------------------------------------------------------------


def _present(challenge: ChallengeResult, removed: Collection[int]) -> tuple[HillRow, ...]:
    return tuple(row for row in challenge.table if row.fate == "on the hill" or row.id in removed)


def _report(preset: Preset, challenge: ChallengeResult, style: Style) -> Iterator[str]:
    yield f"{challenge.name} by {challenge.author} challenges the {preset.title} hill."
    if challenge.is_test:
        yield "This is a test: the hill stays as it was before."
    for text in (style.warnings, style.listing):
        if text:
            yield ""
            yield text.strip("\n")
    yield ""
    if preset.is_melee and len(challenge.table) > 1:
        yield f"All at once, {preset.rounds} rounds."
        yield ""
    elif challenge.meetings and style.opponents:
        yield f"{preset.rounds} rounds against each:"
        yield " Score  Wins/Losses/Ties  Opponent"
        for met in challenge.meetings:
            yield (
                f"{met.score:6.1f}  {met.wins:4}/{met.losses:6}/{met.ties:4}  {met.opponent} by {met.author}"
            )
        yield ""
    yield f"Your overall score: {challenge.score:.6f}"
    yield ""
    if style.token:
        yield f'Keep this: the line ";token {style.token}" lets a submission kill {challenge.name}.'
        yield ""
    yield from _standings(preset, challenge)


def _standings(preset: Preset, challenge: ChallengeResult) -> Iterator[str]:
    gone = [row for row in challenge.table if row.fate != "on the hill"]
    for row in gone:
        yield f"{row.name} has been {VERBS[row.fate]} the {preset.title} hill."
    if gone:
        yield ""
    concluded = time.strftime("%a %b %e %H:%M:%S %Z %Y", time.localtime(challenge.seconds))
    yield f"The current {preset.title} hill:"
    yield f"Last battle concluded at : {concluded}"
    shown = _shown_names(challenge)
    names = max(map(len, shown), default=0)
    authors = max((len(row.author) for row in challenge.table), default=0)
    number = 5 if preset.decimals else 3
    head = "/".join(f"{'%' + letter:>{number}}" for letter in "WLT")
    yield f" # {head}  {'Name':{max(names, 4)}}  {'Author':{max(authors, 6)}}  Score  Age"
    for place, (row, name) in enumerate(zip(challenge.table, shown, strict=True), 1):
        yield _line(preset, place, row, f"{name:{max(names, 4)}}", max(authors, 6), number)


def _shown_names(challenge: ChallengeResult) -> list[str]:
    """Return the name of each row, with the number of its challenge where name and author repeat."""
    counts = Counter((row.name, row.author) for row in challenge.table)
    return [
        row.name
        if counts[row.name, row.author] == 1
        else f"{row.name} (test)"
        if challenge.is_test and row.id == challenge.challenger
        else f"{row.name} #{row.id}"
        for row in challenge.table
    ]


def _line(preset: Preset, place: int, row: HillRow, name: str, authors: int, number: int) -> str:
    percentages = "/".join(
        f"{value:{number}.{preset.decimals}f}" for value in (row.wins, row.losses, row.ties)
    )
    return (
        f"{place:2} {percentages}  {name}  {row.author:{authors}}"
        f"  {row.score:5.{preset.decimals}f}  {row.age:3}"
    )
