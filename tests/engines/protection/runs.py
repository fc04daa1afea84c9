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
