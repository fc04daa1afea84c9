"""How urgent the processes of a server are: less urgent than its loop, which has to answer everybody."""

import os
from typing import Final

NICENESS: Final = 10  # which the system takes for a tenth as urgent as 0


def give_way() -> None:
    """Let this process wait while more urgent ones need the processors."""
    os.nice(NICENESS)
