"""The study of people: the games that a server has stored of users who agree to be studied.

FOLDER has `records`, the journals of games, and `profiles`, as the home of a server does. A game is read if its option
`study` is true and the profile that it names still agrees; engines/protection/STUDY.md has the text that users agree to.
Users are called user-1, user-2 and so on, in the order of their first games; no name and no number of a game is in the
report. Games are in the order in which their files were last changed.

A file that is damaged is skipped, with its name and line in `faults`, which are for the operator: they may contain names.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import fmean, median
from typing import Any, Final

import msgspec
from msgspec import Struct

from core.protection.rules import CHAOS, HUMAN
from engines.protection.adaptation import MERCY, PAPER_RULE
from engines.protection.profile import MAX_CHARACTERS, SUFFIX, loads, normalised_name
from engines.statistics import Estimate, mean, score
from protocols.jsonl.journal import GAMES, whole_lines
from protocols.jsonl.protection import DEFAULT_TARGET, calibration
from protocols.jsonl.protection_agents import CHAOS_PREFIX
from protocols.jsonl.protection_state import BY_NAME
from protocols.jsonl.record import is_record, line_type
from protocols.jsonl.record_lines import RecordHeader
from tools.cli import counted
from tools.files import read_file, visible

MAX_RECORD_BYTES: Final = 1 << 28
NEAR: Final = 0.10  # of the chosen share
MIN_GAMES: Final = 10  # with a winner, before a share can be said to be near
AIMED: Final = ("pilot", "calibrated", PAPER_RULE)  # modes with a share to hold
LEGEND: Final = (
    "chosen: the share of games that Chaos should let the user win, the mean over the games with a winner. share: games\n"
    "won among games with a winner, with Wilson's 95 % interval. halves: the shares of the first and the second half of\n"
    "these games. left: games without an end, because the user left them or still plays them. holds: whether the share\n"
    f"is within .10 of the chosen one, for users with {MIN_GAMES} games or more."
)
HEAD: Final = "user      chaos       games  won  chosen  share              halves    turns  left  holds"


# -- Reading -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonsGame:
    """A stored game of a person; `winner` is None if the game has no end."""

    name: str  # the key of the profile
    mode: str
    aim: float
    winner: int | None
    turns: int = 0  # that were played, if the game has an end


@dataclass(slots=True, kw_only=True)
class Stored:
    """The contents of a folder: the games of users who agree, the oldest first."""

    games: list[PersonsGame] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)  # a line for each damaged file
    without_agreement: int = 0  # games of Advanced Protection that must not be read
    without_aim: int = 0  # games against modes that hold no share


class Ending(Struct, kw_only=True):
    """The part of a result that a study needs."""

    winner: str
    turns: int


class EndLine(Struct, kw_only=True):
    """The last line of a record of a finished game."""

    result: Ending


HEADERS: Final = msgspec.json.Decoder(RecordHeader)
ENDS: Final = msgspec.json.Decoder(EndLine)


def read_people(folder: Path) -> Stored:
    """Read the games and profiles of a folder. Raises ValueError if it is no home of a server."""
    records, profiles = folder / "records", folder / "profiles"
    for each in (records, profiles):
        if not each.is_dir():
            raise ValueError(
                f"{each} is missing; give the home of a server, or a folder with records and profiles"
            )
    stored = Stored()
    agreeing = set(_agreeing(profiles, stored.faults))
    for path in sorted(records.glob(f"*{GAMES}"), key=_age):
        try:
            game = game_of(read_file(path, MAX_RECORD_BYTES))
        except (ValueError, OSError) as error:
            stored.faults.append(_fault(path, error))
            continue
        if game is None:
            continue
        if game.name not in agreeing:
            stored.without_agreement += 1
        elif game.mode not in AIMED:
            stored.without_aim += 1
        else:
            stored.games.append(game)
    return stored


def game_of(data: bytes) -> PersonsGame | None:
    """Return the game of a record between a person and a built-in Chaos; None for any other game.

    The name is empty if the person did not agree. Raises ValueError, with the line, for a damaged record.
    """
    lines = whole_lines(data)
    header = _decoded(HEADERS, lines[0], 1) if lines and is_record(lines[0]) else None
    if header is None:
        raise ValueError("line 1: the header of a record is expected")
    if not _is_against_chaos(header):
        return None
    ending = _ending(lines)
    mode = header.seats[CHAOS].name.removeprefix(CHAOS_PREFIX)
    target = header.options.get("target")
    if target is None or mode == PAPER_RULE:  # whose aim is always one half
        target = DEFAULT_TARGET
    try:
        return PersonsGame(
            name=_name_of(header),
            mode=mode,
            aim=calibration(target, MERCY).aim,
            winner=BY_NAME[ending.winner] if ending else None,
            turns=ending.turns if ending else 0,
        )
    except ValueError as error:
        raise ValueError(f"line 1: {error}") from None


def _is_against_chaos(header: RecordHeader) -> bool:
    """Return whether a client plays against a mode of Chaos."""
    if header.game != "protection" or len(header.seats) != 2:
        return False
    human, chaos = header.seats
    return human.kind == "client" and chaos.kind == "agent" and chaos.name.startswith(CHAOS_PREFIX)


def _ending(lines: Sequence[bytes]) -> Ending | None:
    """Return the result in the last line; None if the game has no end. Raises ValueError for a damaged line."""
    kinds = [line_type(line) for line in lines]
    for number, kind in enumerate(kinds[1:], 2):
        if not kind:
            raise ValueError(f"line {number}: this is no line of a record")
        if kind == "end" and number < len(lines):
            raise ValueError(f"line {number + 1}: the line follows the end of the game")
    if kinds[-1] != "end":
        return None
    ending: Ending = _decoded(ENDS, lines[-1], len(lines)).result
    if ending.winner not in BY_NAME or ending.turns < 0:
        raise ValueError(f"line {len(lines)}: the result has no known winner, or fewer than 0 turns")
    return ending


def _name_of(header: RecordHeader) -> str:
    """Return the key of the profile if the game has the user's agreement, otherwise ""."""
    name = header.options.get("profile")
    return normalised_name(name) if header.options.get("study") is True and isinstance(name, str) else ""


def _agreeing(profiles: Path, faults: list[str]) -> Iterator[str]:
    """Yield the names of the users who agree; add a line to `faults` for each profile that cannot be read."""
    for path in sorted(profiles.glob(f"*{SUFFIX}")):
        try:
            if loads(read_file(path, 4 * MAX_CHARACTERS).decode(errors="replace")).agrees:
                yield path.stem
        except (ValueError, OSError) as error:
            faults.append(_fault(path, error))


def _decoded(decoder: "msgspec.json.Decoder[Any]", line: bytes, number: int) -> Any:
    try:
        return decoder.decode(line)
    except (msgspec.DecodeError, RecursionError) as error:
        raise ValueError(f"line {number}: {error}") from None


def _fault(path: Path, error: Exception) -> str:
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return visible(f"{path}: {reason}; skipped")


def _age(path: Path) -> tuple[float, str]:
    """Return the time of a file's last change, and its name for files of the same time."""
    try:
        return path.lstat().st_mtime, path.name
    except OSError:
        return 0.0, path.name


# -- Measures ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonMeasure:
    """The measures of a user against a mode. Shares are of games with a winner, None if there are none."""

    user: str  # an anonymous name
    mode: str
    games: int  # with a winner
    won: int
    left: int  # without an end
    aim: float | None  # the mean share that the user chose
    share: Estimate | None
    halves: tuple[float, float] | None  # the share of the first half of the games, and of the second
    turns: float | None  # the median length of a game
    holds: bool | None  # whether the share is near the aim; None for fewer than MIN_GAMES games


@dataclass(frozen=True, slots=True, kw_only=True)
class ModeMeasure:
    """The measures of a mode over its users."""

    mode: str
    users: int
    games: int
    left: int
    near: Estimate | None  # the share of users near their aim, among those with MIN_GAMES games
    measured: int  # users with MIN_GAMES games
    distance: Estimate | None  # of the share from the aim, the mean over these users, by Student's t
    change: Estimate | None  # of the share from the first half to the second, likewise


def person_measures(games: Sequence[PersonsGame]) -> list[PersonMeasure]:
    """Return the measures of each user and mode, by user in the order of their first games."""
    names = list(dict.fromkeys(game.name for game in games))
    groups: dict[tuple[str, str], list[PersonsGame]] = {(name, mode): [] for name in names for mode in AIMED}
    for game in games:
        groups[game.name, game.mode].append(game)
    numbers = {name: number for number, name in enumerate(names, 1)}
    return [_person(f"user-{numbers[name]}", mode, group) for (name, mode), group in groups.items() if group]


def mode_measures(people: Sequence[PersonMeasure]) -> list[ModeMeasure]:
    return [
        _mode(mode, [each for each in people if each.mode == mode])
        for mode in AIMED
        if any(each.mode == mode for each in people)
    ]


def _person(user: str, mode: str, games: Sequence[PersonsGame]) -> PersonMeasure:
    decided = [game for game in games if game.winner in (HUMAN, CHAOS)]
    wins = [game.winner == HUMAN for game in decided]
    share = score([len(wins) - sum(wins), sum(wins)]) if wins else None
    aim = fmean(game.aim for game in decided) if decided else None
    middle = len(wins) // 2
    is_near = share is not None and aim is not None and abs(share.value - aim) <= NEAR + 1e-9
    return PersonMeasure(
        user=user,
        mode=mode,
        games=len(wins),
        won=sum(wins),
        left=sum(game.winner is None for game in games),
        aim=aim,
        share=share,
        halves=(fmean(wins[:middle]), fmean(wins[middle:])) if middle else None,
        turns=median(game.turns for game in decided) if decided else None,
        holds=is_near if len(wins) >= MIN_GAMES else None,
    )


def _mode(mode: str, people: Sequence[PersonMeasure]) -> ModeMeasure:
    known = [each for each in people if each.holds is not None]
    near = sum(bool(each.holds) for each in known)
    distances = [each.share.value - each.aim for each in known if each.share and each.aim is not None]
    changes = [each.halves[1] - each.halves[0] for each in known if each.halves]
    return ModeMeasure(
        mode=mode,
        users=len(people),
        games=sum(each.games for each in people),
        left=sum(each.left for each in people),
        near=score([len(known) - near, near]) if known else None,
        measured=len(known),
        distance=mean(distances) if len(distances) > 1 else None,
        change=mean(changes) if len(changes) > 1 else None,
    )


# -- The report --------------------------------------------------------------------------------------


def text(stored: Stored) -> str:
    people = person_measures(stored.games)
    lines = [
        f"{counted(len({game.name for game in stored.games}), 'user')} who agreed, {counted(len(stored.games), 'game')}; "
        f"not read: {counted(stored.without_agreement, 'game')} without agreement, {stored.without_aim} against other modes",
        "",
        *((HEAD, *map(_person_line, people), "") if people else ()),
        *map(_mode_line, mode_measures(people)),
        *(("", LEGEND) if people else ()),
    ]
    return "\n".join(lines)


def data(stored: Stored) -> dict[str, Any]:
    people = person_measures(stored.games)
    return {
        "people": [asdict(each) for each in people],
        "modes": [asdict(each) for each in mode_measures(people)],
        "without_agreement": stored.without_agreement,
        "without_aim": stored.without_aim,
        "faults": len(stored.faults),
    }


def _person_line(each: PersonMeasure) -> str:
    share = f"{each.share:.2f}" if each.share else "-"
    halves = "{:.2f} {:.2f}".format(*each.halves) if each.halves else "-"
    aim = "-" if each.aim is None else f"{each.aim:.2f}"
    turns = "-" if each.turns is None else f"{each.turns:.0f}"
    holds = "-" if each.holds is None else "yes" if each.holds else "no"
    return (
        f"{each.user:9} {each.mode:11} {each.games:>5} {each.won:>4}  {aim:>6}  {share:17}  {halves:9} {turns:>5}  "
        f"{each.left:>4}  {holds}"
    )


def _mode_line(each: ModeMeasure) -> str:
    facts = f"{each.mode}: {counted(each.users, 'user')}, {counted(each.games, 'game')}, {each.left} left"
    if each.near is None:
        return f"{facts}; no user has {MIN_GAMES} games"
    facts += f"; {each.near:.0%} of {counted(each.measured, 'user')} within .10 of their choice"
    if each.distance and each.change:
        facts += f"; share less choice {each.distance:+.2f}; second half less first {each.change:+.2f}"
    return facts
