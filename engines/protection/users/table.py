"""The scripted users by name."""

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from engines.protection.pool import handwritten
from engines.protection.users.farms import drones, farmers, mines, mixed, nothing, settlers
from engines.protection.users.forts import artillery, fortress, jammers, turtle
from engines.protection.users.greedy import Greedy
from engines.protection.users.placement import bundled
from engines.protection.users.reactive import reactive
from engines.protection.users.user import Plan, Scripted, User

PLANS: Final[Mapping[str, Plan]] = MappingProxyType(
    {
        "drones": drones,
        "farmers": farmers,
        "settlers": settlers,
        "turtle": turtle,
        "artillery": artillery,
        "mines": mines,
        "mixed": mixed,
        "jammers": jammers,
        "fortress": fortress,
        "reactive": reactive,
    }
)
SWITCHED: Final = ("drones", "artillery", "turtle", "mines", "fortress")
SWITCHES_EVERY: Final = 5  # games
LEARNS_IN: Final = 40  # games, from the lowest skill to the whole
LOWEST_SKILL: Final = 0.2
SKILL: Final = re.compile(r"0(\.[0-9]{1,6})?|1(\.0{1,6})?")


def user(name: str, game: int, skill: float = 1.0) -> User:
    """The user of that name, at game number `game` of their life, from 0. ValueError if there is none.

    `mines:0.4` is one whose skill is 0.4, whatever `skill` says. Who buys at random has no skill to speak of, and
    the learner's is its own.
    """
    plan, colon, own = name.partition(":")
    if colon:
        if not SKILL.fullmatch(own):
            raise ValueError(f"a skill is 0 to 1 with six decimals at most, not {own[:40]!r}")
        skill = float(own)
    if plan in PLANS:
        return Scripted(plan=PLANS[plan], skill=skill, watches=plan == "reactive")
    if plan not in SPECIAL:
        raise ValueError(f"no scripted user is called {plan[:40]!r}; there are {', '.join(USERS)}")
    return SPECIAL[plan](game, skill)


# -- Those who are more than a plan ----------------------------------------------------------------


def _idle(game: int, skill: float) -> User:
    return Scripted(plan=nothing, spends=0.0)


def _random(game: int, skill: float) -> User:
    return Scripted(plan=nothing, skill=0.0)


def _novice(game: int, skill: float) -> User:
    return Scripted(plan=nothing, skill=0.0, spends=0.5)


def _saver(game: int, skill: float) -> User:
    return Scripted(plan=mixed, skill=skill, spends=0.4)


def _switcher(game: int, skill: float) -> User:
    return Scripted(plan=PLANS[SWITCHED[game // SWITCHES_EVERY % len(SWITCHED)]], skill=skill)


def _learner(game: int, skill: float) -> User:
    learned = min(game / LEARNS_IN, 1.0)
    return Scripted(plan=mixed, skill=LOWEST_SKILL + (1 - LOWEST_SKILL) * learned)


def _evolved(game: int, skill: float) -> User:
    return Scripted(plan=bundled().plan, skill=skill)


def _greedy(game: int, skill: float) -> User:
    strings = b"".join(genome.code for genome in handwritten().values())
    return Greedy(plans=tuple(PLANS.values()), strings=strings)


SPECIAL: Final[Mapping[str, Callable[[int, float], User]]] = MappingProxyType(
    {
        "idle": _idle,
        "random": _random,
        "novice": _novice,
        "saver": _saver,
        "switcher": _switcher,
        "learner": _learner,
        "greedy": _greedy,
        "evolved": _evolved,
    }
)
USERS: Final = (*PLANS, *SPECIAL)
