"""The first setup of a scripted user: what strings are bred against where no arrangement is given."""

from typing import Final

from core.protection.board import Arrangement, Map, Scenario
from core.protection.rules import Rules
from core.random import Random
from engines.protection.game.chance import Seeded
from engines.protection.game.game import ProtectionGame
from engines.protection.users.seen import seen
from engines.protection.users.table import PLANS, user

# Whose first setups differ: there is nothing to react to yet.
BUILDERS: Final = (*(name for name in PLANS if name != "reactive"), "random")


def first_setup(name: str, rules: Rules, board: Map, dollars: int, rng: Random) -> Arrangement:
    """What a user of full skill builds on an empty map for so much money. ValueError if nobody has this name."""
    game = ProtectionGame(Scenario(rules, board), Seeded(0), dollars)
    game.set_up(user(name, 0).setup(seen(game), rng))
    return game.state.arrangement()
