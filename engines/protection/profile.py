"""Profiles: Chaos's memory of a user, its `.apu` file, and a store of profiles by name.

A rating is the change of the human's value less that of Chaos's over a turn: below 0 is good for Chaos.

An `.apu` file has 252 whole numbers in a line: wins, losses and 250 ratings. Any white space may separate them when
the file is read. Further lines consist of a letter and fields separated by TABs; old readers skip them. P is the
pool's hash, R the name and hash of the rules, M the mode and its aim, H a hybrid's rating and its 264 hex digits, T
the mark of an arrangement that was learnt from in a game in progress, O the digest of its owner's token, C the word
`study` if the user agrees to be studied. V is the version of the file unless it is 1: owners came with version 2,
agreement with version 3. Reference: "Advanced Protection, part Appendix B".
"""

import logging
import re
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, Self
from unicodedata import normalize

from core.protection.evaluate import toward_zero
from engines.names import is_hidden
from engines.protection.genome import Genome
from engines.storage import open_file, write_atomically

STRINGS: Final = 250
NUMBERS: Final = STRINGS + 2
NUMBER: Final = re.compile(r"[-+]?[0-9]{1,15}")
MAX_CHARACTERS: Final = 1 << 20
SUFFIX: Final = ".apu"
MAX_NAME: Final = 40
MAX_SPELLING: Final = 4 * MAX_NAME  # of a name whose letters and accents are characters of their own
NAME_MARKS: Final = " _-"
VERSION: Final = 3  # of the file
VERSION_WITH_OWNER: Final = 2
STUDY: Final = "study"  # the purpose that a user agrees to
MAX_PROFILES: Final = 10_000  # remote clients must not fill the disk
FEW_GAMES: Final = 3  # a profile with an owner and fewer games may be evicted for a new one
LOG: Final = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Hybrid:
    """A child of two strings of the pool, kept in the profile of one user."""

    rating: int
    genome: Genome


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """A user's record. An empty string stands for an unknown value: old profiles hold numbers only."""

    wins: int = 0
    losses: int = 0
    ratings: tuple[int, ...] = (0,) * STRINGS
    pool: str = ""  # its hash
    rules: tuple[str, str] = ("", "")  # name and hash
    mode: str = ""
    aim: str = ""  # the share of games that the user should win, as a decimal number
    hybrids: tuple[Hybrid, ...] = ()
    learnt: tuple[str, ...] = ()  # marks of arrangements of games in progress, not to be learnt twice
    owner: str = (
        ""  # the digest of the token of the client that made it; "": it belongs to the server's machine
    )
    agrees: bool = False  # that the user's games are read in studies

    def __post_init__(self) -> None:
        if len(self.ratings) != STRINGS:
            raise ValueError(f"a profile has {STRINGS} ratings, not {len(self.ratings)}")
        if min(self.wins, self.losses) < 0:
            raise ValueError(f"games are counted from 0, not {self.wins} won and {self.losses} lost")
        for word in (self.pool, *self.rules, self.mode, self.aim, *self.learnt, self.owner):
            if not word.isprintable():  # a TAB or the end of a line would be something else in the file
                raise ValueError(f"{word!r} cannot be a hash, a name or a mode")

    @property
    def games(self) -> int:
        return self.wins + self.losses

    @property
    def is_new(self) -> bool:
        """Whether the profile has neither games nor ratings."""
        return not self.games and not any(self.ratings)

    def finished(self, won: bool) -> Self:
        """Return the profile after a game that the user has won or lost; a draw counts as neither."""
        return replace(self, wins=self.wins + won, losses=self.losses + (not won))

    def rated(self, latest: Sequence[int]) -> Self:
        """Return the profile after a turn, with each rating moved halfway to the latest one."""
        pairs = zip(self.ratings, latest, strict=True)
        return replace(self, ratings=tuple(halfway(old, new) for old, new in pairs))

    def forgotten(self) -> Self:
        """Return the profile with all ratings 0 and no hybrids, for another pool or other rules."""
        return replace(self, ratings=(0,) * STRINGS, hybrids=(), learnt=())


def halfway(old: int, latest: int) -> int:
    """Return the mean of a rating and the latest one, truncated toward zero."""
    return toward_zero(old + latest, 2)


# -- The `.apu` file -------------------------------------------------------------------------------


class ProfileError(ValueError):
    """An invalid profile; the message names the line, or the wrong count of numbers, and the text that was read."""


def loads(text: str) -> Profile:
    """Return the profile in the text of an `.apu` file. Raises ProfileError if the text is invalid."""
    if len(text) > MAX_CHARACTERS:
        raise ProfileError(f"the profile is too long: {len(text)} characters, {MAX_CHARACTERS} are allowed")
    numbers: list[int] = []
    facts: dict[str, Any] = {}
    hybrids: list[Hybrid] = []
    learnt: list[str] = []
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        letter, *words = line.split("\t") if line[:1].isalpha() else ("", *line.split())
        try:
            if letter == "V":
                _check_version(words)
            elif letter == "H":
                hybrids.append(_hybrid(words))
            elif letter == "T":
                learnt.append(_mark(words))
            elif letter:
                facts |= _fact(letter, words, facts)
            else:
                numbers += _numbers(words, is_late=bool(facts or hybrids or learnt))
        except ValueError as error:
            raise ProfileError(f"line {number}: {error}") from None
    if len(numbers) != NUMBERS:
        raise ProfileError(f"a profile has {NUMBERS} numbers, not {len(numbers)}")
    wins, losses, *ratings = numbers
    if min(wins, losses) < 0:
        raise ProfileError(f"games are counted from 0, not {wins} won and {losses} lost")
    return Profile(
        wins=wins, losses=losses, ratings=tuple(ratings), hybrids=tuple(hybrids), learnt=tuple(learnt), **facts
    )  # fmt: skip


def dumps(profile: Profile) -> str:
    """Return the text of an `.apu` file: one line of numbers, then a line for each other fact that is known."""
    lines: list[tuple[object, ...]] = [(profile.wins, profile.losses, *profile.ratings)]
    if profile.pool:
        lines.append(("P", profile.pool))
    if any(profile.rules):
        lines.append(("R", *profile.rules))
    if profile.mode or profile.aim:
        lines.append(("M", profile.mode, profile.aim))
    lines += [("H", each.rating, each.genome.hex) for each in profile.hybrids]
    lines += [("T", mark) for mark in profile.learnt]
    if (
        profile.owner or profile.agrees
    ):  # the lowest version that has these lines: earlier programs can read it
        lines.append(("V", VERSION if profile.agrees else VERSION_WITH_OWNER))
    if profile.owner:
        lines.append(("O", profile.owner))
    if profile.agrees:
        lines.append(("C", STUDY))
    return "".join("\t".join(map(str, line)) + "\n" for line in lines)


def exported(profile: Profile) -> list[str]:
    """Return the lines of a profile's file without its owner, as users may see them."""
    return dumps(replace(profile, owner="")).splitlines()


FACTS: Final[Mapping[str, tuple[int, Callable[[list[str]], dict[str, Any]]]]] = MappingProxyType({
    "P": (1, lambda words: {"pool": words[0]}),
    "R": (2, lambda words: {"rules": (words[0], words[1])}),
    "M": (2, lambda words: {"mode": words[0], "aim": words[1]}),
    "O": (1, lambda words: {"owner": words[0]}),
    "C": (1, lambda words: {"agrees": _agrees(words[0])}),
})  # fmt: skip


def _numbers(words: list[str], *, is_late: bool) -> list[int]:
    if words and is_late:
        raise ValueError(
            f"numbers must come before the lines with letters, not after them: {words[0][:40]!r}"
        )
    return [_number(word) for word in words]


def _number(word: str) -> int:
    if not NUMBER.fullmatch(word):
        raise ValueError(f"{word[:40]!r} is not a whole number")
    return int(word)


def _fact(letter: str, words: list[str], known: Mapping[str, Any]) -> dict[str, Any]:
    if letter not in FACTS:
        raise ValueError(f"a line starts with P, R, M, H, T, V, O or C, not {letter[:40]!r}")
    fields, read = FACTS[letter]
    if len(words) != fields:
        raise ValueError(f"a line {letter} has {fields} field{'s' * (fields > 1)}, not {len(words)}")
    facts = read(words)
    if facts.keys() & known.keys():
        raise ValueError(f"the line {letter} is there twice")
    return facts


def _agrees(word: str) -> bool:
    if word != STUDY:
        raise ValueError(f"a line C has the word {STUDY}, not {word[:40]!r}")
    return True


def _check_version(words: list[str]) -> None:
    if len(words) != 1 or not 1 <= _number(words[0]) <= VERSION:
        raise ValueError(
            f"this file has version {' '.join(words)[:20]!r}, this program reads up to {VERSION}"
        )


def _hybrid(words: list[str]) -> Hybrid:
    if len(words) != 2:
        raise ValueError(f"a line H has 2 fields, not {len(words)}")
    return Hybrid(rating=_number(words[0]), genome=Genome.loads(words[1]))


def _mark(words: list[str]) -> str:
    if len(words) != 1:
        raise ValueError(f"a line T has 1 field, not {len(words)}")
    return words[0]


# -- Storage ---------------------------------------------------------------------------------------


def normalised_name(user: str) -> str:
    """Return the normal form of a user's name, which is equal for all spellings and never a path.

    Raises ValueError unless the name has 1 to 40 visible letters, digits, spaces, `_` and `-`.
    """
    if len(user) > MAX_SPELLING:  # before normalising, which takes the square of the length
        raise ValueError(
            f"a user's name is 1 to {MAX_NAME} letters, digits, spaces, _ and -, not {len(user)}"
        )
    name = normalize("NFC", user).strip(" ")
    strange = sorted({mark for mark in name if is_hidden(mark) or not (mark.isalnum() or mark in NAME_MARKS)})
    if strange or not 0 < len(name) <= MAX_NAME:
        reason = f"no {strange[0]!r}" if strange else f"not {len(name)}"
        raise ValueError(f"a user's name is 1 to {MAX_NAME} letters, digits, spaces, _ and -, {reason}")
    return name


class ProfileStore:
    """The profiles of users by name: files of a folder, or in memory only if there is no folder.

    The folder is read once, and a thread writes changes, so that no caller waits for a disk except in delete()
    and flush(); pending changes are written before the process ends. One process at a time may use a folder.
    A file that cannot be used is left alone, with a warning. At MAX_PROFILES profiles a new one replaces the least
    recently used profile that has an owner and fewer than FEW_GAMES games.
    All methods that take a name raise ValueError for an invalid name.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.folder: Final = folder
        # By key, the least recently used first; the text of a file until the profile is requested.
        self._profiles: dict[str, Profile | str | OSError] = {}
        self._owned: dict[str, int] = {}  # games of the profiles with an owner, in the same order
        self._unwritten: set[str] = set()  # keys of the profiles that the thread has yet to write
        self._thread = ThreadPoolExecutor(1, "profiles")
        for path in sorted(folder.glob(f"*{SUFFIX}"), key=_changed) if folder is not None else ():
            self._read(path)

    def _read(self, path: Path) -> None:
        key = path.stem
        try:
            if normalised_name(key) != key:
                raise ValueError("no user can have this name")
            with open_file(path) as file:
                text = file.read(4 * MAX_CHARACTERS).decode(errors="replace")
            self._profiles[key] = text
            self._note(key, loads(text))
        except OSError as error:
            self._profiles[key] = error
            LOG.warning("the profile %s cannot be read (%s); move it away or repair it", path, error.strerror)
        except ValueError as error:
            LOG.warning("the profile %s cannot be used (%s); move it away or repair it", path, error)

    def _note(self, key: str, profile: Profile) -> None:
        """Make a profile with an owner the most recently used one, and record its games."""
        self._owned.pop(key, None)
        if profile.owner:
            self._owned[key] = profile.games

    def get(self, name: str) -> Profile | None:
        """Return a user's profile, or None for an unknown user.

        Raises ProfileError or OSError if the profile's file could not be used.
        """
        key = normalised_name(name)
        profile = self._profiles.get(key)
        if isinstance(profile, OSError):
            raise profile
        if isinstance(profile, str):
            profile = self._profiles[key] = loads(profile)
        return profile

    def put(self, name: str, profile: Profile) -> None:
        """Replace or add a profile. A profile that cannot be written is kept in memory only."""
        key = normalised_name(name)
        self._profiles[key] = profile
        self._note(key, profile)
        if self.folder is not None and key not in self._unwritten:
            self._unwritten.add(key)
            self._thread.submit(self._write, self.folder, key)

    def delete(self, name: str) -> None:
        """Delete a profile and its file. Raises KeyError for an unknown user, OSError if the file remains."""
        key = normalised_name(name)
        if key not in self._profiles:
            raise KeyError(name)
        if self.folder is not None:
            self._thread.submit(self._path(self.folder, key).unlink, missing_ok=True).result()
        self._forget(key)

    def owner(self, name: str) -> str | None:
        """Return the digest of the owner's token, "" if the profile belongs to this machine, None if there is none.

        Raises ProfileError or OSError under the conditions of get().
        """
        profile = self.get(name)
        return None if profile is None else profile.owner

    def claim(self, name: str, owner: str) -> None:
        """Add a profile for a new name and its owner, a digest. Raises ValueError if there are too many profiles."""
        self.make_room(name)
        self.put(name, Profile(owner=owner))

    def make_room(self, name: str) -> None:
        """Evict a profile if the name is new and there are too many. Raises ValueError if none may be evicted."""
        if normalised_name(name) in self._profiles or len(self._profiles) < MAX_PROFILES:
            return
        evicted = next((key for key, games in self._owned.items() if games < FEW_GAMES), None)
        if evicted is None:
            raise ValueError(f"there are {MAX_PROFILES} profiles already; one must be deleted first")
        LOG.info("the profile of %s is deleted, because there are %d profiles", evicted, MAX_PROFILES)
        if self.folder is not None:
            self._thread.submit(self._path(self.folder, evicted).unlink, missing_ok=True)
        self._forget(evicted)

    def _forget(self, key: str) -> None:
        del self._profiles[key]
        self._owned.pop(key, None)

    def names(self) -> list[str]:
        return sorted(self._profiles)

    def flush(self) -> None:
        """Wait until all changed profiles are written, or could not be."""
        self._thread.submit(int).result()

    def find(self, name: str) -> Profile | None:
        """Return the profile of a user who wants to play, or None for a new user.

        Raises ValueError, with the reason, if the profile cannot be used.
        """
        try:
            profile = self.get(name)
        except ProfileError as error:
            raise ValueError(f"the profile of {name} cannot be used: {error}") from None
        except OSError as error:
            raise ValueError(f"the profile of {name} cannot be read: {error.strerror}") from None
        return profile

    def _write(self, folder: Path, key: str) -> None:
        """Write a profile's file, in the thread. A profile that is put after this call starts is written again."""
        self._unwritten.discard(key)
        profile = self._profiles.get(key)
        if not isinstance(profile, Profile):
            return  # deleted
        try:
            folder.mkdir(parents=True, exist_ok=True)
            write_atomically(self._path(folder, key), dumps(profile), mode=0o600)
        except OSError as error:  # a full disk must not end games
            LOG.warning("the profile of %s cannot be written: %s", key, error)

    @staticmethod
    def _path(folder: Path, key: str) -> Path:
        return folder / f"{key}{SUFFIX}"


def _changed(path: Path) -> float:
    """Return the time of a file's last change, or 0.0 if it cannot be read."""
    try:
        return path.lstat().st_mtime
    except OSError:
        return 0.0
