"""The end of a run of tribes: each tribe ranked, each against each, and an elimination tournament between the tribes.

Reference: Evolving Warriors, sections Comparisons and Results and Discussion, where both were done by hand, "a rather
tedious task".
"""

from argparse import Namespace
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Final

from core.corewar.warrior import Warrior
from core.random import Random
from engines.corewar.battles import Tally
from engines.corewar.presets import exact_rounds
from engines.corewar.ranking import elimination, round_robin
from engines.corewar.ranking.bouts import Draw
from engines.corewar.ranking.standing import Standing, standing, swapped
from engines.corewar.tribes.config import TribesConfig
from engines.corewar.tribes.experiment import living
from engines.evolution.evolution import seed_of
from engines.run.executor import Crew
from engines.run.store import Store
from tools.rank.crew import fought
from tools.rank.table import HEAD, is_exact, places, row

SHOWN: Final = 5  # of a tribe, by text()
ROUNDS: Final = 100  # of a pair: "a minimum of 10 but 100 should be sufficient"


@dataclass(frozen=True, slots=True, kw_only=True)
class Living:
    """A member of a tribe at the end of the run."""

    id: int
    tribe: int
    warrior: Warrior


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """Of the tournament; the tally is the first one's."""

    first: Living
    second: Living
    tally: Tally
    winner: int  # ID


@dataclass(frozen=True, slots=True, kw_only=True)
class Finale:
    """What is to be fought."""

    folder: Path
    config: TribesConfig
    draw: Draw
    seed: int
    entrants: int  # of each tribe in the tournament
    tribes: Sequence[Sequence[Living]]

    @classmethod
    def of(cls, args: Namespace) -> "Finale":
        """ValueError or OSError for arguments, or a run, without tribes to be ranked."""
        if len(args.warriors) > 1 or args.against or args.rules or args.fights > 1:
            raise ValueError(
                "a run is ranked alone, by its own rules: without --against, --rules and --fights"
            )
        (folder,) = args.warriors
        with Store.open(folder) as store:
            if store.game != "corewar":
                raise ValueError(f"{folder} is a run of {store.game}, not of tribes of warriors")
            config, tribes = TribesConfig.loads(store.config), living(store)
        if not 1 <= args.entrants <= config.tribe_size:
            raise ValueError(f"--entrants must be 1 to {config.tribe_size}, the size of a tribe")
        exact = args.exact or (config.rounds is None and args.rounds is None and not args.checksum)
        usual = exact_rounds(config.rules) if exact else ROUNDS
        return cls(
            folder=folder,
            config=config,
            draw=Draw(
                rounds=usual if args.rounds is None else args.rounds,
                seed=None if args.checksum else args.seed,
                exact=exact,
            ),
            seed=args.seed,
            entrants=args.entrants,
            tribes=[
                [Living(id=member.id, tribe=number, warrior=member.warrior) for member in members]
                for number, members in enumerate(tribes)
            ],
        )

    @property
    def is_exact(self) -> bool:
        return is_exact(self.draw, self.config.rules)

    async def fight(self, crew: Crew) -> "Finished":
        """TaskError."""
        standings = await self._ranked(crew)
        best = [
            (self.tribes[number][each.seat], each.score.value)
            for number, ranked in enumerate(standings)
            for each in ranked[: self.entrants]
        ]
        entrants = [each for each, _ in sorted(best, key=lambda entrant: -entrant[1])]
        left = elimination.draw(len(entrants), Random(seed_of(self.seed, 0)))
        rounds: list[list[Match]] = []
        while len(left) > 1:
            pairs = elimination.pairs(left)
            title = f"tournament, {len(left)} left"
            seats = [(entrants[first], entrants[second]) for first, second in pairs]
            tallies = await self._fought(crew, seats, 1 + len(rounds), title)
            rounds.append([
                Match(
                    first=entrants[pair[0]],
                    second=entrants[pair[1]],
                    tally=tally,
                    winner=entrants[elimination.winner(pair, tally)].id,
                )
                for pair, tally in zip(pairs, tallies, strict=True)
            ])  # fmt: skip
            left = elimination.following(left, tallies)
        return Finished(finale=self, standings=standings, rounds=rounds, champion=entrants[left[0]])

    async def _ranked(self, crew: Crew) -> list[list[Standing]]:
        """Of each tribe, the best first."""
        by_tribe = [round_robin.pairs(members) for members in self.tribes]
        pairs = [pair for pairs in by_tribe for pair in pairs]
        tallies = iter(await self._fought(crew, pairs, 0, f"{len(pairs):,} pairs in {len(by_tribe)} tribes"))
        return [
            round_robin.standings(len(members), [next(tallies) for _ in pairs], self.is_exact)
            for members, pairs in zip(self.tribes, by_tribe, strict=True)
        ]

    async def _fought(
        self, crew: Crew, pairs: Sequence[tuple[Living, Living]], stage: int, title: str
    ) -> list[Tally]:
        """Each stage from places of its own."""
        draw = self.draw if self.draw.seed is None else replace(self.draw, seed=seed_of(self.seed, 1, stage))
        warriors = [(first.warrior, second.warrior) for first, second in pairs]
        return await fought(crew, self.config.rules, draw, warriors, title)


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished:
    """What came of it."""

    finale: Finale
    standings: Sequence[Sequence[Standing]]  # of each tribe, the best first
    rounds: Sequence[Sequence[Match]]  # of the tournament
    champion: Living

    def text(self) -> str:
        return "\n".join(self._lines())

    def data(self) -> dict[str, object]:
        """For JSON, with everybody."""
        finale = self.finale
        return {
            "run": str(finale.folder),
            "rounds": finale.draw.rounds,
            "seed": finale.draw.seed,
            "exact": finale.is_exact,
            "tribes": [
                [{"id": members[each.seat].id} | _score(each) for each in ranked]
                for members, ranked in zip(finale.tribes, self.standings, strict=True)
            ],
            "tournament": [
                [
                    {"first": match.first.id, "second": match.second.id, "winner": match.winner}
                    | _score(self._standing(match.tally))
                    for match in matches
                ]
                for matches in self.rounds
            ],
            "champion": self.champion.id,
            "tribe": self.champion.tribe,
        }

    def _lines(self) -> Iterator[str]:
        finale = self.finale
        yield (
            f"{len(finale.tribes)} tribes of {finale.config.tribe_size}, each against each, "
            f"{finale.draw.rounds} rounds a pair, {places(finale.draw)}"
        )
        for number, (members, ranked) in enumerate(zip(finale.tribes, self.standings, strict=True)):
            yield f"\nTribe {number}\n{HEAD}ID"
            for place, each in enumerate(ranked[:SHOWN], 1):
                yield f"{row(place, each, finale.is_exact)}{members[each.seat].id}"
        for number, matches in enumerate(self.rounds, 1):
            yield f"\nTournament, round {number}"
            for match in matches:
                yield self._match(match)
        yield f"\nChampion: {self.champion.id} of tribe {self.champion.tribe}"
        yield f"see more:  galapagos genome explain {finale.folder} {self.champion.id}"

    def _match(self, match: Match) -> str:
        """As the winner sees it."""
        is_first = match.winner == match.first.id
        winner, other = (match.first, match.second) if is_first else (match.second, match.first)
        score = self._standing(match.tally if is_first else swapped(match.tally))
        interval = "exact" if self.finale.is_exact else f"[{score.score.low:.1f}, {score.score.high:.1f}]"
        return (
            f"  {winner.id} of tribe {winner.tribe} beats {other.id} of tribe {other.tribe}: "
            f"{score.score.value:.1f} {interval}, {score.wins} won, {score.losses} lost, {score.ties} tied"
        )

    def _standing(self, tally: Tally) -> Standing:
        return standing(0, [tally], self.finale.is_exact)


def _score(each: Standing) -> dict[str, object]:
    return {key: value for key, value in asdict(each).items() if key != "seat"}
