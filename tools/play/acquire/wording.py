"""What people type for an action of Acquire: `3c`, `lux`, `2l t end`, `trade 4 sell 2`."""

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

Chains = Sequence[dict[str, Any]]  # as `describe` tells them: name, letter, tier
Action = dict[str, Any]

NOTHING: Final = ("-", "no", "none", "nothing", "pass")
PIECE: Final = re.compile(r"(\d*)\s*([a-z]+)\s*")
SHARE: Final = re.compile(r"(trade|t|sell|s|hold|h)\s*(\d+|all)?\s*")
ADVICE: Final = {
    "place": "a tile such as 3C",
    "found": "a chain, or its letter",
    "survivor": "a chain, or its letter",
    "order": "a chain, or its letter",
    "dispose": "hold, sell, trade, or numbers: trade 4 sell 2 (what is left is held)",
    "buy": "chains or letters: L, LLT, 2L T; - for nothing",
}
END_ADVICE: Final = "; add `end` to end the game"


def read(decide: dict[str, Any], chains: Chains, text: str) -> Action:
    """The action that a text means, legal or not. ValueError says how to write one."""
    phase = decide["phase"]
    words = text.lower().split()
    ends = "end" in words
    rest = " ".join(word for word in words if word != "end")
    try:
        if phase == "place":
            action: Action = {"kind": phase, "tile": rest.upper()}
        elif phase == "buy":
            action = {"kind": phase, "shares": list(_shares(chains, rest)) if rest not in NOTHING else []}
        elif phase == "dispose":
            action = {"kind": phase, **_disposal(decide["legal"], rest)}
        else:
            action = {"kind": phase, "chain": _chain(chains, rest)}
    except LookupError:
        raise ValueError(f"not understood: {text[:40]!r}; write {advice(decide)}") from None
    return action | {"end": True} if ends else action


def advice(decide: dict[str, Any]) -> str:
    """How the action that is due is written."""
    return ADVICE[decide["phase"]] + (END_ADVICE if decide["legal"].get("may_end") else "")


def written(action: Action, chains: Chains) -> str:
    """The action as it could be typed."""
    match action["kind"]:
        case "place":
            return str(action["tile"])
        case "buy":
            letters = {chain["name"]: chain["letter"] for chain in chains}
            return "".join(letters[name] for name in action["shares"]) or "-"
        case "dispose":
            parts = [f"{verb} {action[verb]}" for verb in ("trade", "sell") if action[verb]]
            return " ".join(parts) or "hold"
    return str(action["chain"])


def _shares(chains: Chains, text: str) -> Iterator[str]:
    at = 0
    while at < len(text):
        piece = PIECE.match(text, at)
        if piece is None:
            raise LookupError
        at = piece.end()
        for name in _chains(chains, piece[2]):
            yield from [name] * min(int(piece[1] or 1), 99)


def _chains(chains: Chains, word: str) -> list[str]:
    """One chain by the beginning of its name, or several by their letters."""
    try:
        return [_chain(chains, word)]
    except LookupError:
        return [_chain(chains, letter) for letter in word]


def _chain(chains: Chains, word: str) -> str:
    by_letter = [chain["name"] for chain in chains if chain["letter"].lower() == word]
    begun = [chain["name"] for chain in chains if word and chain["name"].lower().startswith(word)]
    found = by_letter or begun
    if len(found) != 1:
        raise LookupError
    return str(found[0])


def _disposal(legal: dict[str, Any], text: str) -> dict[str, int]:
    """Trades come first; `all`, or no number, is as many as are left and the bank allows."""
    counts = {"trade": 0, "sell": 0}
    most = max(action["trade"] for action in legal["actions"])
    at = 0
    while at < len(text) or not text:
        piece = SHARE.match(text, at)
        if piece is None:
            raise LookupError
        at = piece.end()
        verb = {"t": "trade", "s": "sell", "h": "hold"}[piece[1][0]]
        left = legal["held"] - counts["trade"] - counts["sell"]
        if verb != "hold":
            counts[verb] = (
                int(piece[2])
                if (piece[2] or "all") != "all"
                else min(most, left)
                if verb == "trade"
                else left
            )
    return counts
