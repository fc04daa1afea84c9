"""A contest of warriors from files: each against each, or all against a fixed set."""

from argparse import Namespace
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Final

from engines.corewar.battles import Tally
from engines.corewar.presets import PRESETS, Preset, exact_rounds
from engines.corewar.ranking import benchmark, round_robin
from engines.corewar.ranking.bouts import Draw
from engines.corewar.ranking.standing import Standing, by_score
from engines.run.executor import Crew
from protocols.warriors import Named
from tools.rank.crew import fought
from tools.rank.table import HEAD, is_exact, places, row
from tools.study.statistics import mean
from tools.warriors import collect

USUAL: Final = "94nop"


@dataclass(frozen=True, slots=True, kw_only=True)
class Contest:
    """Who fights whom, and how; without a set, each of the warriors each other one."""

    preset: Preset
    draw: Draw
    fights: int  # of each pair; P-space is empty at the beginning of each
    warriors: tuple[Named, ...]
    set: tuple[Named, ...]

    @classmethod
    def of(cls, args: Namespace, skipped: list[str]) -> "Contest":
        """ValueError or OSError for arguments that make no contest."""
        if args.fights > 1 and args.checksum:
            raise ValueError("--fights with --checksum would all be the same one")
        preset = PRESETS[args.rules or USUAL]
        if preset.is_melee:
            raise ValueError(f"{preset.name} is fought all at once, not in pairs")
        return cls(
            preset=preset,
            draw=_draw(args, preset),
            fights=args.fights,
            warriors=tuple(collect(args.warriors, preset, skipped)),
            set=tuple(collect(args.against or [], preset, skipped)),
        )

    @property
    def is_exact(self) -> bool:
        return is_exact(self.draw, self.preset.rules)

    def pairs(self) -> list[tuple[Named, Named]]:
        """ValueError when there are too few warriors."""
        return benchmark.pairs(self.warriors, self.set) if self.set else round_robin.pairs(self.warriors)

    def standings(self, tallies: Sequence[Tally]) -> list[Standing]:
        if self.set:
            return benchmark.standings(len(self.set), tallies, self.is_exact)
        return round_robin.standings(len(self.warriors), tallies, self.is_exact)

    async def fight(self, crew: Crew) -> "Fought":
        """TaskError."""
        pairs = self.pairs()
        warriors = [(first.warrior, second.warrior) for first, second in pairs for _ in range(self.fights)]
        tallies = await fought(crew, self.preset.rules, self.draw, warriors, f"{len(pairs)} pairs")
        return Fought(contest=self, series=[tallies[number :: self.fights] for number in range(self.fights)])


@dataclass(frozen=True, slots=True, kw_only=True)
class Fought:
    """What came of a contest: of each series of fights the tallies of all pairs, in their order."""

    contest: Contest
    series: Sequence[Sequence[Tally]]

    @property
    def standings(self) -> list[Standing]:
        return _over_series([self.contest.standings(tallies) for tallies in self.series])

    def text(self) -> str:
        contest = self.contest
        lines = [self._heading(), HEAD + "Name, author"]
        for place, each in enumerate(self.standings, 1):
            named = contest.warriors[each.seat]
            lines.append(f"{row(place, each, contest.is_exact)}{named.label}, {named.author}")
        return "\n".join(lines)

    def data(self) -> dict[str, object]:
        """For JSON, with every pair and fight."""
        contest = self.contest
        return {
            "rules": contest.preset.name,
            "rounds": contest.draw.rounds,
            "fights": contest.fights,
            "seed": contest.draw.seed,
            "exact": contest.is_exact,
            "standings": [
                {"file": contest.warriors[each.seat].source, "name": contest.warriors[each.seat].label}
                | asdict(each)
                for each in self.standings
            ],
            "pairs": [
                {"first": first.source, "second": second.source} | asdict(tally) | {"score": tally.score}
                for tallies in self.series
                for (first, second), tally in zip(contest.pairs(), tallies, strict=True)
            ],
        }

    def _heading(self) -> str:
        contest = self.contest
        opponents = f"{len(contest.set)} opponents" if contest.set else f"{len(contest.warriors)} warriors"
        fights = f"{contest.fights} fights of " if contest.fights > 1 else ""
        return (
            f"{opponents}, {contest.preset.name} rules, {fights}{contest.draw.rounds} rounds a pair, "
            f"{places(contest.draw)}"
        )


def _draw(args: Namespace, preset: Preset) -> Draw:
    exact = args.exact or (preset.is_exact and args.rounds is None and not args.checksum)
    usual = exact_rounds(preset.rules) if exact else preset.rounds
    return Draw(
        rounds=usual if args.rounds is None else args.rounds,
        seed=None if args.checksum else args.seed,
        exact=exact,
    )


def _over_series(series: Sequence[Sequence[Standing]]) -> list[Standing]:
    """Each warrior over all series of fights. These are alike but for chance, so the interval is their means'.

    Rounds are not: a warrior that learns from one round for the next makes series of them.
    """
    if len(series) == 1:
        return list(series[0])
    by_seat = zip(*(sorted(standings, key=lambda each: each.seat) for standings in series), strict=True)
    return by_score([
        Standing(
            seat=fights[0].seat,
            score=mean([each.score.value for each in fights]),
            wins=sum(each.wins for each in fights),
            losses=sum(each.losses for each in fights),
            ties=sum(each.ties for each in fights),
        )
        for fights in by_seat
    ])  # fmt: skip
