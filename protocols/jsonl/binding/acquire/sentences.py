"""An event of Acquire in an English sentence."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from protocols.jsonl.binding.acquire import shapes
from protocols.jsonl.messages import events
from protocols.jsonl.messages.events import GameEvent

EFFECTS: Final = {
    "lone": "it lies alone",
    "found": "it founds a chain",
    "grow": "a chain grows",
    "merge": "chains meet",
}
PLACES: Final = {
    "first": "the majority bonus",
    "second": "the minority bonus",
    "both": "both bonuses",
    "tie": "a share of both bonuses",
    "tie_second": "a share of the minority bonus",
}
FORCED: Final = {
    "illegal": "made too many illegal moves",
    "timeout": "was out of time",
    "gone": "is gone",
}


def sentence(event: GameEvent, names: Sequence[str]) -> str:
    """What happened, for people."""
    name = names[getattr(event, "seat", 0)]
    match event:
        case shapes.Turn():
            return f"It is {name}'s turn."
        case shapes.NoTile():
            return f"{name} has no tile that can be placed."
        case shapes.Placed():
            return f"{name} places {event.tile}; {EFFECTS[event.effect]}."
        case shapes.Grew():
            return f"{event.chain} grows to {event.size} tiles."
        case shapes.Founded():
            share = " and takes a share" if event.share else ""
            return f"{name} founds {event.chain} with {event.size} tiles{share}."
        case shapes.Merger():
            return f"{event.survivor} takes over {_and(event.defunct)} and has {event.size} tiles."
        case shapes.Bonus() | shapes.FinalBonus():
            return f"{name} receives {PLACES[event.place]} of {event.chain}, ${event.amount:,}."
        case shapes.Disposed():
            return f"{name} holds {event.hold}, trades {event.trade} and sells {event.sell} of {event.chain}."
        case shapes.Bought():
            bought = [f"{count} {chain}" for chain, count in Counter(event.shares).items()]
            return f"{name} buys {_and(bought)} for ${event.cost:,}." if bought else f"{name} buys nothing."
        case shapes.EndAnnounced():
            return f"{name} announces the end of the game."
        case shapes.Drew():
            return f"{name} draws {_and(event.tiles) if event.tiles else event.count}."
        case shapes.DeadTile():
            return f"{name} shows {event.tile}, which can never be placed, and draws another."
        case shapes.NewHand():
            return f"{name} can place none of {_and(event.tiles)}, sets them aside and draws a new hand."
        case shapes.Phantom():
            return f"The bank draws {event.tile} and counts as holding {event.holding} shares."
        case shapes.FinalSale():
            return f"{name} sells {event.shares} of {event.chain} for ${event.amount:,}."
        case events.Forced():
            return f"The server plays for {name}, who {FORCED.get(event.reason, event.reason)}."
        case events.Left():
            return f"{name} has left."
        case events.Rejoined():
            return f"{name} is back."
    raise AssertionError(f"no sentence for {event}")


def _and(words: Sequence[str]) -> str:
    return " and ".join([*[", ".join(words[:-1])] * (len(words) > 1), *words[-1:]])
