"""External engines as players: each program that speaks UCI or CECP is wrapped in an Engine."""
