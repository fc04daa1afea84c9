"""How Chaos buys: in proportion to its preferences, by highest averages, for all the money that can be spent."""

from librt.vecs import vec
from mypy_extensions import i64

from core.protection.rules import KINDS, MINIONS


def minion_costs() -> vec[i64]:
    return vec[i64]([minion.cost for minion in MINIONS])


def buy(preferences: vec[i64], costs: vec[i64], dollars: i64, most: i64, bought: vec[i64]) -> i64:
    """Fill `bought` by kind with at most `most` minions; what is left of the money.

    Again and again the kind that can be paid with the highest preference / (bought already + 1), the first of
    equals. After so many whole rounds everybody has a multiple of their preference: those are bought at once.
    """
    round_minions: i64 = 0
    round_dollars: i64 = 0
    for kind in range(i64(KINDS)):
        round_minions += preferences[kind]
        round_dollars += preferences[kind] * costs[kind]
    rounds: i64 = 0
    if round_minions:
        rounds = min(dollars // round_dollars, most // round_minions)
    for kind in range(i64(KINDS)):
        bought[kind] = rounds * preferences[kind]
    dollars -= rounds * round_dollars
    most -= rounds * round_minions
    while most > 0:
        best: i64 = -1
        for kind in range(i64(KINDS)):
            if preferences[kind] and costs[kind] <= dollars:
                if best < 0 or preferences[kind] * (bought[best] + 1) > preferences[best] * (
                    bought[kind] + 1
                ):
                    best = kind
        if best < 0:
            break
        bought[best] += 1
        dollars -= costs[best]
        most -= 1
    return dollars
