"""What a match of Acquire is to be: its arguments, understood, and the games of a round."""

import os
from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self, cast

from core.acquire.rules.rules import PRESETS, Rules
from engines.acquire.entrant import Entrant
from engines.acquire.measure import Contest
from engines.match.pairing import Group, Kind

PREFIX: Final = "acquire:"
BAGS: Final = 100  # unless said otherwise
SEEDS: Final = 2**31
BATCH_BAGS: Final = 200  # a task for a worker
SLOW_BAGS: Final = 2  # of players that try tiles out
PARTS: Final = 20  # of a meeting at least, so that one sees it go on


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """`bags` by each group of `seats` players that meets, once for each rotation of them."""

    rules: Rules
    entrants: tuple[Entrant, ...]
    seats: int
    bags: int
    pairing: Kind
    seed: int
    workers: int
    records: Path | None

    @classmethod
    def of(cls, args: Namespace) -> Self:
        """ValueError or OSError for arguments that make no match."""
        variant = "classic" if args.variant is None else args.variant
        if variant not in PRESETS:
            raise ValueError(f"no variant is called {variant[:40]!r}; there are {', '.join(PRESETS)}")
        rules = PRESETS[variant]
        fewest, most = rules.seats
        seats = 2 if args.seats is None else args.seats
        if not max(fewest, 2) <= seats <= most:
            raise ValueError(f"{rules.name} is for {fewest} to {most} players, not {seats}")
        games = BAGS * seats if args.games is None else args.games
        if games < seats or games % seats:
            raise ValueError(
                f"every bag is played once for every seat: --games {games} is no multiple of {seats}"
            )
        workers = (os.cpu_count() or 1) if args.workers is None else args.workers
        if workers < 1 or not 0 <= args.seed < SEEDS:
            raise ValueError("--workers must be 1 or more, --seed a number from 0 below 2^31")
        players = [Entrant.read(player.removeprefix(PREFIX)) for player in args.players]
        players += players[-1:] * (seats - len(players))
        return cls(
            rules=rules,
            entrants=tuple(players),
            seats=seats,
            bags=games // seats,
            pairing=cast(Kind, args.pairing),
            seed=args.seed,
            workers=workers,
            records=args.records,
        )

    def recipe(self) -> Mapping[str, object]:
        """Everything that the games follow from."""
        return {
            "game": "acquire",
            "variant": self.rules.name,
            "players": [entrant.name for entrant in self.entrants],
            "seats": self.seats,
            "bags": self.bags,
            "pairing": self.pairing,
            "seed": self.seed,
        }

    def batches(self, groups: Sequence[Group], number: int) -> Iterator[tuple[Group, Contest]]:
        """The games of round `number`, over bags that no other round has.

        The groups take turns, so that a match broken off has played as much with each.
        """
        is_slow = any(entrant.name.startswith("mc-") for entrant in self.entrants)
        bags = max(1, min(SLOW_BAGS if is_slow else BATCH_BAGS, self.bags // PARTS))
        by_group = [
            Contest(
                rules=self.rules,
                players=tuple(self.entrants[index] for index in group),
                bags=self.bags,
                seed=self.seed,
                first=number * self.bags,
                records=self.records,
            ).batches(bags)
            for group in groups
        ]
        for contests in zip(*by_group, strict=True):
            yield from zip(groups, contests, strict=True)
