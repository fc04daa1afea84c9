"""The profiles of users as they are shown on the wire."""

from core.protection.evaluate import toward_zero
from engines.protection.profile import ProfileStore, dumps, normalised_name
from protocols.jsonl.binding.binding import Profiles
from protocols.jsonl.binding.protection.shapes.ends import KnownProfile


class ShownProfiles(ProfileStore, Profiles):
    """A store whose profiles can be listed, shown and deleted by clients."""

    def shown(self, name: str) -> KnownProfile:
        profile = self.get(name)
        if profile is None:
            raise KeyError(name)
        ratings = profile.ratings
        return KnownProfile(
            name=normalised_name(name),
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
