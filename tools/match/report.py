"""The outcome of a match as text, with the same table for every game, and as JSON."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from engines.match.match import Match
from engines.statistics import Estimate, Sprt, elo, los, score
from tools.cli import counted

PAIRINGS: Final = {
    "round_robin": "all against all",
    "gauntlet": "the first against all others",
    "swiss": "Swiss system",
    "ladder": "a ladder",
    "elimination": "an elimination",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """The facts about a match that are printed with its results."""

    game: str
    by: str  # the variant of the rules, or the time control
    facts: Mapping[str, object] = field(default_factory=dict)  # for JSON
    sprt: Sprt | None = None
    customs: Sequence[str] = ()  # the options of each player, as text


def match_text(terms: Terms, match: Match, names: Sequence[str]) -> Iterator[str]:
    """Yield the lines of the report."""
    schedule, standings = match.schedule, match.standings
    pairing = (
        PAIRINGS[schedule.pairing] if schedule.sides is None else "all of one side against all of the other"
    )
    is_two = len(names) == schedule.seats == 2
    seats = f" of {schedule.seats}" if schedule.seats > 2 else ""
    who = "" if len(names) == schedule.seats else f", {pairing}"
    yield f"{terms.game}, {terms.by}: {counted(match.done, 'game')}{seats}, seed {schedule.seed}{who}"
    yield from _table(match, names, has_ratings=not is_two)
    yield from _ladder_text(_ladder(match, names))
    if schedule.pairing == "elimination" and match.order:
        yield f"winner of the elimination: {names[match.order[0]]}"
    if schedule.seats == 2:
        for first, second in standings.met():
            yield _against_text(match, names, first, second)
    if schedule.seats > 2:
        yield (
            "score: the share of first places, of which a shared one counts half; players of equal strength have "
            f"{1 / schedule.seats:.1%}. rating: Plackett-Luce (openskill), starting at 25, with two standard deviations to either side."
        )
    if set(standings.endings) != {""}:
        endings = [f"{ending or 'unknown'} {number}" for ending, number in standings.endings.most_common()]
        yield f"endings: {', '.join(endings)}"
    faults = [f"{name} {forced}" for name, forced in zip(names, _forced(match), strict=True) if forced]
    if faults:
        yield f"decisions that failed or came too late: {', '.join(faults)}"
    if terms.sprt:
        counts, sprt = standings.test_counts(0, 1), terms.sprt
        yield (
            f"SPRT of {sprt.elo0:g} against {sprt.elo1:g} {sprt.model} Elo: {sprt.verdict(counts).value}, "
            f"LLR {sprt.llr(counts):.2f} in ({sprt.lower:.2f}, {sprt.upper:.2f})"
        )
    for customs, owners in _names_by_options(terms, names).items():
        yield f"{', '.join(owners)}: {customs}"


def match_data(terms: Terms, match: Match, names: Sequence[str]) -> dict[str, object]:
    """Return the report as an object for JSON."""
    schedule, standings = match.schedule, match.standings
    ratings = _ratings(match)
    players: list[dict[str, object]] = []
    for index, name in enumerate(names):
        own = standings.player(index)
        row: dict[str, object] = {
            "player": name,
            "games": own.games,
            "wins": own.wins,
            "draws": own.draws,
            "losses": own.losses,
            "score": asdict(own.share) if own.share else None,
            "rating": asdict(ratings[index]) if ratings else None,
            "mean_rank": own.mean_rank,
            "mean_result": own.mean_result,
            "failed": own.forced,
        }
        if terms.customs:
            row["customs"] = terms.customs[index]
        players.append(row)
    data: dict[str, object] = {
        "game": terms.game,
        **terms.facts,
        "seats": schedule.seats,
        "games": match.done,
        "seed": schedule.seed,
        "rating": "plackett-luce" if schedule.seats > 2 else "elo",
        "players": players,
        "against": [_against_data(match, names, *pair) for pair in standings.met()],
        "order": [names[player] for player in match.order],  # the best first, once all games are played
        "rungs": [asdict(row) for row in _ladder(match, names)],
        "endings": {ending: number for ending, number in standings.endings.items() if ending},
    }
    if terms.sprt:
        counts = standings.test_counts(0, 1)
        verdict = {"llr": terms.sprt.llr(counts), "verdict": terms.sprt.verdict(counts).value}
        data["sprt"] = asdict(terms.sprt) | verdict
    return data


# -- Helpers ---------------------------------------------------------------------------------------


def _table(match: Match, names: Sequence[str], *, has_ratings: bool) -> Iterator[str]:
    """Yield a line for each player, the best first."""
    players = [match.standings.player(index) for index in range(len(names))]
    ratings = _ratings(match) if has_ratings else None
    has_ranks = match.schedule.seats > 2
    says_result = any(abs(row.mean_result * row.games - row.wins + row.losses) > 1e-6 for row in players)
    width = max(map(len, names))
    head = f"{'':{width}} {'games':>7} {'wins':>7} {'draws':>7} {'losses':>7}"
    head += f" {'rank':>5}" * has_ranks + f"  {'score [95 %]':20}"
    head += f"  {'rating' if has_ranks else 'Elo [95 %]':20}" * bool(ratings)
    yield (head + f"  {'mean result':>11}" * says_result).rstrip()
    order = sorted(
        range(len(names)), key=lambda index: -(share.value if (share := players[index].share) else 0)
    )
    for index in order:
        row = players[index]
        line = f"{names[index]:{width}} {row.games:7,} {row.wins:7,} {row.draws:7,} {row.losses:7,}"
        line += f" {row.mean_rank:5.2f}" * has_ranks
        line += f"  {f'{row.share:.1%}' if row.share else '':20}"
        if ratings:
            line += f"  {format(ratings[index], '.1f' if has_ranks else '+z.0f'):20}"
        result = f"{row.mean_result:,.0f}" if abs(row.mean_result) >= 1000 else f"{row.mean_result:.4g}"
        yield (line + f"  {result:>11}" * says_result).rstrip()


def _ratings(match: Match) -> list[Estimate] | None:
    standings = match.standings
    if not any(standings.met()):
        return None
    return standings.table_ratings() if match.schedule.seats > 2 else standings.ratings()


def _against_text(match: Match, names: Sequence[str], first: int, second: int) -> str:
    losses, draws, wins = match.standings.against(first, second)
    counts = match.standings.counts(first, second)
    return (
        f"{names[first]} v {names[second]}: {wins:,}-{losses:,}-{draws:,} (wins, losses, draws), "
        f"score {score(counts):.1%}, Elo {elo(counts):+z.0f}, LOS {los(counts):.1%}"
    )


def _against_data(match: Match, names: Sequence[str], first: int, second: int) -> dict[str, object]:
    """Return the results of one player against another; null stands for an infinite Elo or bound."""
    standings = match.standings
    losses, draws, wins = standings.against(first, second)
    counts = standings.counts(first, second)
    difference: dict[str, Any] = asdict(elo(counts))
    return {
        "first": names[first],
        "second": names[second],
        "wins": wins,
        "draws": draws,
        "losses": losses,
        "pairs": standings.pairs(first, second) if standings.has_pairs else None,
        "score": asdict(score(counts)),
        "elo": {name: value if math.isfinite(value) else None for name, value in difference.items()},
        "los": los(counts),
    }


def _forced(match: Match) -> list[int]:
    return [match.standings.player(index).forced for index in range(len(match.schedule.players))]


def _names_by_options(terms: Terms, names: Sequence[str]) -> dict[str, list[str]]:
    """Group the names of the players by their options."""
    owners: dict[str, list[str]] = {}
    for name, customs in zip(names, terms.customs, strict=False):
        owners.setdefault(customs, []).append(name)
    return owners


@dataclass(frozen=True, slots=True, kw_only=True)
class _LadderRow:
    """A player's place at the end of a ladder; `rung` 1 is the top."""

    rung: int
    player: str
    began: int  # the rung at the start: 1 for the first player of the command line
    challenges: int  # made and received, each of as many games as a pairing has


def _ladder(match: Match, names: Sequence[str]) -> list[_LadderRow]:
    """Return the rungs from the top; none before the end, and none for another kind of pairing."""
    if match.schedule.pairing != "ladder":
        return []
    return [
        _LadderRow(
            rung=rung,
            player=names[player],
            began=player + 1,
            challenges=match.standings.player(player).games // match.schedule.games,
        )
        for rung, player in enumerate(match.order, 1)
    ]


def _ladder_text(rows: Sequence[_LadderRow]) -> Iterator[str]:
    for row in rows:
        moved = "" if row.began == row.rung else f", from rung {row.began}"
        yield f"rung {row.rung}: {row.player} after {counted(row.challenges, 'challenge')}{moved}"
