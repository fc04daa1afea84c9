"""The plan of who learns from losses: rebuilds where units fell, with what stops their killer."""

from collections.abc import Iterator
from types import MappingProxyType
from typing import Final

from core.protection.rules import (
    AMPHIBIOUS,
    ARMOR,
    ARMORED,
    ARTILLERY,
    COMMON,
    DRONE,
    INFANTRY,
    JUMP,
    KAMIKAZEE,
    MOBILE,
)
from core.random import Random
from engines.protection.game import Placement
from engines.protection.users.farms import mixed
from engines.protection.users.seen import Seen

COUNTERS: Final = MappingProxyType(
    {
        COMMON: INFANTRY,
        AMPHIBIOUS: INFANTRY,
        MOBILE: INFANTRY,
        JUMP: ARMOR,
        KAMIKAZEE: ARTILLERY,  # no fight stops it, bombs may
        ARMORED: ARMOR,
    }
)


def reactive(seen: Seen, rng: Random) -> Iterator[Placement]:
    """Then it goes on as the mixed user does."""
    for loss in seen.losses:
        yield Placement(DRONE if loss.killer is None else COUNTERS[loss.killer], loss.square)
    yield from mixed(seen, rng)
