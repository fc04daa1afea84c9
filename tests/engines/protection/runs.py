"""Small runs of Advanced Protection for tests: their configuration, and a runner that begins them or goes on with them."""

from typing import Final

from engines.protection.experiment import open_experiment, seed_in
from tests.toy import Runs

gone_on: Final = Runs(game="protection", open_experiment=open_experiment, seed_in=seed_in).gone_on

GA: Final = """
arrangement = mixed
population = 300
trials = 3000
saved = 12
candidates = 4
fresh tests = 20
examination interval = 4
"""

ARMS_RACE: Final = """
evolve = arms race
population = 6
elite = 2
opponents = 4
maps = 2
turns = 2
hall interval = 2
examination interval = 4
panel games = 1
panel turns = 2
"""
