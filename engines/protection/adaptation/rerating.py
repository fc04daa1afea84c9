"""What a finished setup teaches: every string is tested on the user's arrangement, this turn's hybrids with them.

Reference: "Advanced Protection, part Artificial Intelligence", where it is done while the turn is shown.
"""

from collections.abc import Sequence
from dataclasses import replace

from core.random import Random
from engines.protection.adaptation.hybrids import bred, kept
from engines.protection.genome import Genome
from engines.protection.profile.profile import STRINGS, Hybrid, Profile, halfway


def hybrids(profile: Profile, strings: Sequence[Genome], rng: Random) -> list[Genome]:
    """Those to be tested besides the strings: the profile's, and children of the best, if it is known which they are."""
    known = [each.genome for each in profile.hybrids]
    return [*known, *bred(strings, profile.ratings, rng)] if any(profile.ratings) else known


def learned(profile: Profile, tested: Sequence[Genome], latest: Sequence[int]) -> Profile:
    """The profile after a turn, with the ratings of all strings and of the hybrids that were tested.

    The strings' ratings and those of known hybrids go halfway to what was found; a child's is what was found.
    """
    known = {each.genome: each.rating for each in profile.hybrids}
    found = [
        Hybrid(rating=halfway(known[genome], rating) if genome in known else rating, genome=genome)
        for genome, rating in zip(tested, latest[STRINGS:], strict=True)
    ]
    return replace(profile.rated(latest[:STRINGS]), hybrids=kept(found))
