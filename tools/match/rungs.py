"""The rungs of a ladder: who stands where at its end, after how many challenges."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Rung:
    """`rung` 1 is the top; whoever was named first began there."""

    rung: int
    player: str
    began: int  # the rung
    challenges: int  # of others and by others, each of as many games as a pairing has


def rungs(order: Sequence[int], names: Sequence[str], games: Sequence[int], meeting: int) -> list[Rung]:
    """From the top. `order` has the players by rung; `games` are those of each player, `meeting` of a challenge."""
    return [
        Rung(rung=rung, player=names[player], began=player + 1, challenges=games[player] // meeting)
        for rung, player in enumerate(order, 1)
    ]


def text(ladder: Sequence[Rung]) -> Iterator[str]:
    """One line a rung."""
    for each in ladder:
        moved = "" if each.began == each.rung else f", from rung {each.began}"
        s = "" if each.challenges == 1 else "s"
        yield f"rung {each.rung}: {each.player} after {each.challenges} challenge{s}{moved}"


def data(ladder: Sequence[Rung]) -> list[dict[str, object]]:
    """The same for JSON."""
    return [asdict(each) for each in ladder]
