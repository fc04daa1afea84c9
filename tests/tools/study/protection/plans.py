"""Plans of studies, and series whose outcomes are known."""

from core.protection.rules import CHAOS, HUMAN, NOBODY
from engines.protection.series import Outcome
from tools.study.protection.plan import Plan, pool

STRINGS, _ = pool(None)


def plan(**others: object) -> Plan:
    facts = {
        "users": ["idle", "drones"],
        "modes": ["pilot", "starter", "random"],
        "games": 6,
        "seeds": 2,
        "rules": "improved",
        "pool": STRINGS,
        "starter": 3,
        "aim": 0.5,
        "mercy": 0.5,
        "replicates": 1,
        "skill": 1.0,
    }
    return Plan(**facts | others)  # type: ignore[arg-type]


def won(pattern: str, turns: int = 8) -> list[Outcome]:
    """For example WLD."""
    winners = {"W": HUMAN, "L": CHAOS, "D": NOBODY}
    return [
        Outcome(winner=winners[letter], reason="", turns=turns, strings=(1, 2, 1), guarded=False)
        for letter in pattern
    ]
