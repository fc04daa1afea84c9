"""External engines as players: programs that speak UCI or CECP, each behind an Engine."""
