"""The profiles of users by name: files of a folder, or as long as the process lasts where there is none."""

from pathlib import Path
from typing import Final

from engines.protection.profile.apu import ProfileError, dumps
from engines.protection.profile.files import SUFFIX, file_name, read_profile, write_profile
from engines.protection.profile.profile import Profile, toward_zero
from protocols.jsonl.binding.binding import Profiles
from protocols.jsonl.binding.protection.shapes.ends import KnownProfile

MOST: Final = 10_000  # strangers must not fill the disk


class ProfileStore(Profiles):
    """A name is one for all spellings that make the same file; it is never a path."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder: Final = folder
        self._held: dict[str, Profile] = {}  # all of them, or those that could not be written

    def get(self, name: str) -> Profile | None:
        """None for somebody who was never here. ValueError, OSError."""
        key = _key(name)
        if key in self._held or self.folder is None:
            return self._held.get(key)
        return read_profile(self.folder, key)

    def put(self, name: str, profile: Profile) -> None:
        """Keep it; what cannot be written is kept as long as the process lasts."""
        key = _key(name)
        if self.folder is not None:
            try:
                self.folder.mkdir(parents=True, exist_ok=True)
                write_profile(self.folder, key, profile)
                self._held.pop(key, None)
                return
            except OSError:
                pass  # a full disk must not end games
        self._held[key] = profile

    def has_room(self) -> bool:
        """Whether there may be one more."""
        return len(self.names()) < MOST

    def names(self) -> list[str]:
        files = self.folder.glob(f"*{SUFFIX}") if self.folder is not None else ()
        return sorted({*self._held, *(path.stem for path in files)})

    def shown(self, name: str) -> KnownProfile:
        profile = self.get(name)
        if profile is None:
            raise KeyError(name)
        ratings = profile.ratings
        return KnownProfile(
            name=_key(name),
            wins=profile.wins,
            losses=profile.losses,
            best=min(ratings),
            worst=max(ratings),
            mean=toward_zero(sum(ratings), len(ratings)),
            negative=sum(rating < 0 for rating in ratings),
            hybrids=len(profile.hybrids),
            pool=profile.pool,
            rules=list(profile.rules),
            mode=profile.mode,
            aim=profile.aim,
            file=dumps(profile).splitlines(),
        )

    def delete(self, name: str) -> None:
        key = _key(name)
        was_held = self._held.pop(key, None) is not None
        if self.folder is not None:
            try:
                (self.folder / file_name(key)).unlink()
            except FileNotFoundError:
                if not was_held:
                    raise KeyError(name) from None
        elif not was_held:
            raise KeyError(name)


def known(store: ProfileStore, name: str) -> Profile | None:
    """The profile of somebody who wants to play. ValueError says why they cannot."""
    try:
        profile = store.get(name)
        if profile is None and not store.has_room():
            raise ValueError(f"there are {MOST} profiles; one has to be deleted first")
    except ProfileError as error:
        raise ValueError(f"the profile of {name} cannot be used: {error}") from None
    except OSError as error:
        raise ValueError(f"the profile of {name} cannot be read: {error.strerror}") from None
    return profile


def _key(name: str) -> str:
    return file_name(name).removesuffix(SUFFIX)
