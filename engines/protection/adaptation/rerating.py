"""What a finished setup teaches: every string is tested on the user's arrangement, this turn's hybrids with them.

Reference: "Advanced Protection, part Artificial Intelligence", where it is done while the turn is shown.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import islice

from core.random import Random
from engines.protection.adaptation.hybrids import bred, kept
from engines.protection.genome import Genome
from engines.protection.profile.profile import STRINGS, Hybrid, Profile, halfway

Rate = Callable[[bytes], list[int]]  # the ratings of packed strings, 132 bytes each


def learned(profile: Profile, strings: Sequence[Genome], rate: Rate, rng: Random) -> Profile:
    """The profile after a turn. `rate` is asked once; `rng` chooses parents and what children have of each.

    The pool's ratings and those of hybrids go halfway to what was found; a child's is what was found.
    """
    if len(strings) != STRINGS:
        raise ValueError(f"a profile rates {STRINGS} strings, not {len(strings)}")
    children = bred(strings, profile.ratings, rng)
    tested = [*strings, *(each.genome for each in profile.hybrids), *children]
    ratings = iter(rate(b"".join(genome.code for genome in tested)))
    known = profile.rated(list(islice(ratings, STRINGS)))
    old = [replace(each, rating=halfway(each.rating, next(ratings))) for each in profile.hybrids]
    born = [Hybrid(rating=next(ratings), genome=genome) for genome in children]
    return replace(known, hybrids=kept([*old, *born]))
