"""`galapagos serve`: the one process that shows every player, hill and run, behind a TCP port and a page."""

from tools.serve.command import add_arguments, run

__all__ = ["add_arguments", "run"]
