"""Runs of Acquire that tests begin, stop and go on with."""

from typing import Final

from engines.acquire.experiment import open_experiment, seed_in
from tests.toy import Runs

gone_on: Final = Runs(game="acquire", open_experiment=open_experiment, seed_in=seed_in).gone_on
