"""The story of a run of chess, and the descriptions of its charts.

Story: what the founders think the pieces are worth, and why they therefore lose them; the first child that values the
pieces in the order in which people do; the first checkmate; the first victories over fixed opponents.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Final

from engines.chess.config import PoolConfig
from engines.chess.genome import Genome
from engines.evolution.charts import Chart
from engines.evolution.run_history import CURVE_POINTS, RunHistory, spaced
from engines.evolution.run_store import RunStore
from engines.evolution.story import Milestone, Story, firsts, make_story, victories

CHARTS: Final = (
    Chart(
        name="score against the panel",
        title="Strength against fixed opponents",
        unit="share of the points, 1 if every game is won",
        meaning="The best player of the run plays against opponents that stay the same for the whole run. Rising "
        "means that it has become stronger.",
        is_yardstick=True,
    ),
    Chart(
        name="loss on the training set",
        title="Error on a fixed collection of positions",
        unit="error, 0 is perfect",
        meaning="How far the champion's judgement of positions is from the results of the games that they come from. "
        "Falling means that it judges better.",
        is_yardstick=True,
    ),
    Chart(
        name="value of a piece",
        title="What the pieces are worth",
        unit="points, where the whole army is 39",
        meaning="How much the players that are born value each kind of piece. People count 1 for a pawn, 3 for a "
        "knight or a bishop, 5 for a rook and 9 for a queen; nobody tells the players.",
    ),
    Chart(
        name="priority of a gene",
        title="What the players care about",
        unit="priority in the opening",
        meaning="A gene looks at one side of a position, such as the freedom to move. The further its priority is "
        "from 0, the more it decides; below 0 it wants the opposite of what it measures.",
        is_map=True,
    ),
    Chart(
        name="comings and goings",
        title="Deaths and new blood",
        unit="players a generation",
        meaning="Losers die, and a child of the winner takes their place; after some draws a new player comes in. "
        "Neither direction is better: few deaths mean many draws.",
    ),
    Chart(
        name="size of a step",
        title="Size of the changes",
        unit="relative step",
        meaning="How far the tried players are from their parent. It usually falls when the search closes in on a "
        "good player.",
    ),
)  # fmt: skip

PIECES: Final = ("pawn", "knight", "bishop", "rook", "queen")
ARMY: Final = 39  # the usual values: 8 pawns of 1; two knights of 3, bishops of 3, rooks of 5; a queen of 9
FOUNDERS: Final = 100  # whose values are described, at most
CHILDREN: Final = 600  # the first ones of a run, of which one may be the first with the usual order of values
WON: Final = "The best player wins more games than it loses"
CHECKMATE: Final = "The first checkmate."
ORDER: Final = "The first player that values the pieces in the usual order: a pawn least, then knight and bishop, rook and queen."


def piece_values(genome: Genome) -> dict[str, float]:
    """Return the values of the pieces, of which a whole army has ARMY."""
    strengths = genome.express().weights.strengths
    return {piece: ARMY * strengths[index] for index, piece in enumerate(PIECES)}


def story(store: RunStore) -> Story:
    """Return the story of a run up to now."""
    config = PoolConfig.loads(store.config)
    history = RunHistory(store)
    past = list(history.generations(CURVE_POINTS))
    return make_story(
        past,
        _beginning(config, store),
        victories(past, ["panel"], WON),
        firsts(past, _reached),
        _checkmate(history),
        _order(store),
        expected=_expected(config),
    )


def portrait(store: RunStore) -> Mapping[str, Any]:
    """Return nothing: the curves of the traits show the genes."""
    return {}


def _expected(config: PoolConfig) -> str:
    if config.pool_rules == "examination":
        return "The founder is champion until a challenger beats it in a trial of games."
    return "The first champion is the first player that was born in the run and then won most games."


def _beginning(config: PoolConfig, store: RunStore) -> tuple[str, int | None]:
    """Return sentences on the founders, and the ID of one that shows what most of them think."""
    if config.founder != "random":
        return (
            f"Generation 0 has copies of one player, {config.founder if '/' not in config.founder else 'from a file'}. "
            "It knows how to play; only what is better than it survives.",
            0,
        )
    ids = [each.id for each in map(store.birth, store.ids()) if each.generation == 0]
    values = {id: piece_values(Genome.loads(store.individual(id).genome)) for id in spaced(ids, FOUNDERS)}
    if not values:
        return "The founders are not on record.", None
    wrong = [id for id, each in values.items() if max(each, key=lambda piece: each[piece]) != "queen"]
    generous = [id for id, each in values.items() if min(each.values()) < 0]
    if len(ids) == 1:
        opinion = (
            "does not think that a queen is worth most" if wrong else "is right that a queen is worth most"
        )
        text = f"Generation 0 has one player, whose genes are random. It {opinion}"
        if generous:
            text += ", and it would rather be rid of some of its own pieces"
        text += ". So it gives away what wins games."
    else:
        text = (
            f"Generation 0 has {len(ids):,} players whose genes are random. {len(wrong)} of {len(values)} do not think "
            f"that a queen is worth most, and {len(generous)} would rather be rid of some of their own pieces. So they "
            "give away what wins games, and games are decided by accident."
        )
    return text, (generous or wrong or [*values])[0]


def _reached(statistics: Mapping[str, Any]) -> Iterator[str]:
    if statistics.get("centre") and statistics.get("challenger") is not None:
        yield "The first challenger has beaten the founder and is the new champion."


def _checkmate(history: RunHistory) -> Iterator[Milestone]:
    for generation, contest in history.contests(1):
        if contest.ending == "checkmate":
            winner = contest.players[contest.returns.index(max(contest.returns))]
            yield Milestone(generation=generation, text=CHECKMATE, individual=winner)
            return


def _order(store: RunStore) -> Iterator[Milestone]:
    children: Iterator[Any] = (each for each in map(store.birth, store.ids()) if each.generation > 0)
    for child in islice(children, CHILDREN):
        worth = piece_values(Genome.loads(store.individual(child.id).genome))
        minor: Sequence[float] = (worth["knight"], worth["bishop"])
        if 0 < worth["pawn"] < min(minor) and max(minor) < worth["rook"] < worth["queen"]:
            yield Milestone(generation=child.generation, text=ORDER, individual=child.id)
            return
