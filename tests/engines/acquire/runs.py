"""Small runs of Acquire for tests: their configurations, and a runner that begins them or goes on with them."""

from typing import Final

from engines.acquire.experiment import open_experiment, seed_in
from tests.toy import Runs

gone_on: Final = Runs(game="acquire", open_experiment=open_experiment, seed_in=seed_in).gone_on

GP: Final = """
population = 24
games = 6
elitism = 0.1
examination interval = 3
candidates = 4
retest games = 6
panel games = 4
behaviour states = 4
"""
LEAGUE: Final = """
evolve = all decisions
population = 30
elite = 6
first tables = 2
tables = 8
annealing = 3
hall interval = 2
hall tables = 8
opponent = heuristic 3, pair-2
opponent share = 0.4
founders = composed
examination interval = 3
panel games = 4
"""
THREE: Final = "players = 2\nrules = thesis-2002\n"
FOUR: Final = "players = 4\nrules = thesis-7\n"
FUNCTIONS: Final = "functions = 4\nregisters = 2\nmost work = 300\n"
ISLANDS: Final = "islands = 3\nmigration interval = 2\nmigrants = 1\n"
NES: Final = """
evolve = Net   # not programs
samples = 12
tables = 6
chain units = 3
table units = 2
opponent = heuristic, random 2
opponent share = 0.6
hall share = 0.3
hall interval = 2
examination interval = 3
panel games = 4
"""
