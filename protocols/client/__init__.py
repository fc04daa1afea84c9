"""Foreign engines as players of ours: programs that speak UCI or CECP, each behind an Engine."""

from protocols.client.cecp import CecpEngine
from protocols.client.uci import UciEngine

__all__ = ["CecpEngine", "UciEngine"]
