"""`galapagos match`: player against player, with intervals."""

from tools.match.command import add_arguments, run

__all__ = ["add_arguments", "run"]
