"""Worlds in which each finding is true, or false, by construction: runs that go as they say."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from engines.chess.game_record import GameRecord, RecordedMove
from engines.chess.genes import Gene
from engines.chess.genome import Genome
from engines.chess.genome_file import load_bundled
from engines.evolution.population import Contest, Generation, Individual
from engines.evolution.run_store import RunStore

GENERATIONS = 90
CONFIG = """
maximum simultaneous games = 2
gene pool population = 4
gene pool count = 2
draw kill probability = 0.05
pool swap interval = 1000
minimum game time = 30
maximum game time = 30
game time increment = 0
gene pool file = pool.txt
"""
Games = Sequence[tuple[str, float]]  # ending and White's return


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """A genome and the games of a round as functions of the generation, and promotions in each game."""

    genome: Callable[[int], Genome]
    games: Callable[[int, int], Games]  # generation, seed
    promotions: str


def player(
    strengths: Sequence[float],
    priorities: dict[str, float],
    *,
    off: Sequence[str] = (),
    speculation: float = 0.0,
    positions: float = 1.0,
    legal_bonus: float = 1.2,
) -> Genome:
    """`strengths` are P, N, B, R, Q; priorities that are not named are 0."""
    changes = {
        "Piece Strength Gene": dict(zip("PNBRQ", strengths, strict=True)),
        "Look Ahead Gene": {"Speculation Constant": speculation, "Positions Per Second": positions},
        "Sphere of Influence Gene": {"Legal Bonus": legal_bonus},
    }

    def made(gene: Gene) -> Gene:
        values = changes.get(gene.name, {}) | {
            "Priority": priorities.get(gene.name.removesuffix(" Gene"), 0.0)
        }
        return replace(
            gene,
            values=tuple(
                values.get(rule.name, value) for rule, value in zip(gene.params, gene.values, strict=True)
            ),
            active=gene.name.removesuffix(" Gene") not in off,
        )

    return Genome(genes=tuple(map(made, load_bundled("handset").genes)))


def step(now: int, when: int, before: float, after: float) -> float:
    return after if now >= when else before


def confirming_genome(now: int) -> Genome:
    """The pawn gets its value at 30, Pawn Advancement goes at 34; boards change by 40, Look Ahead at 60."""
    arrivals = {
        "Freedom to Move": (80.0, 14),
        "Opponent Pieces Targeted": (60.0, 18),
        "Sphere of Influence": (50.0, 24),
        "King Confinement": (40.0, 28),
        "King Protection": (-30.0, 34),
        "Castling Possible": (20.0, 40),
    }
    return player(
        (step(now, 30, -0.1, 1), 3, 3.1, 5, 9),
        {gene: step(now, when, 0, value) for gene, (value, when) in arrivals.items()}
        | {"Pawn Advancement": 300, "Total Force": step(now, 10, 1, 400)},
        off=("Pawn Advancement",) if now >= 34 else (),
        speculation=step(now, 60, 0.01, 0.3),
        positions=step(now, 62, 10, 1000),
        legal_bonus=1.45 + 0.001 * (now % 3),
    )


def contradicting_genome(now: int) -> Genome:
    """Rooks lead, bishops are twice knights; Force rises first and loses; high priorities come late."""
    arrivals = {
        "Freedom to Move": (80.0, 70),
        "Opponent Pieces Targeted": (60.0, 65),
        "Sphere of Influence": (50.0, 60),
        "King Confinement": (40.0, 55),
        "King Protection": (30.0, 50),
        "Castling Possible": (20.0, 45),
    }
    return player(
        (step(now, 70, -0.1, 1), 3, 6, 9, 5),
        {gene: step(now, when, 0, value) for gene, (value, when) in arrivals.items()}
        | {"Pawn Advancement": step(now, 20, 0.1, 15), "Total Force": step(now, 40, 30, 10)},
        off=("Pawn Advancement",) if now >= 25 else (),
        speculation=step(now, 10, 0.01, 0.3),
        legal_bonus=0.5,
    )


def games_confirming(now: int, seed: int) -> Games:
    """White mates 11 to 10, a bit more with a higher seed; forfeits are even and rise at 65."""
    white = 11 + (now % 10 < seed) - (now % 10 < 2)
    mates = [("checkmate", 1.0)] * white + [("checkmate", -1.0)] * 10
    times = [("time", 1.0), ("time", -1.0)] * (8 if now >= 65 else 1)
    return [*mates, *times, *[("threefold repetition", 0.0)] * 3, ("stalemate", 0.0), ("fifty moves", 0.0)]


def games_contradicting(now: int, seed: int) -> Games:
    """Black mates more often, White wins on time, forfeits fall late."""
    mates = [("checkmate", 1.0)] * (10 + (now + seed) % 2) + [("checkmate", -1.0)] * 14
    times = [("time", 1.0), ("time", 1.0), ("time", -1.0)] * (1 if now >= 75 else 8)
    return [*mates, *times, ("threefold repetition", 0.0), *[("insufficient material", 0.0)] * 2]


CONFIRMING = World(genome=confirming_genome, games=games_confirming, promotions="Q" * 93 + "RRRRBBN")
CONTRADICTING = World(genome=contradicting_genome, games=games_contradicting, promotions="QNNNRB")


def write_run(
    world: World, folder: Path, seed: int, *, config: str = CONFIG, last: int = GENERATIONS
) -> Path:
    with RunStore.create(folder, game="chess", config=config, seed=seed, version="1") as store:
        for now in range(last + 1):
            store.write(generation(world, now, seed), "", "", 0.0)
    return folder


def generation(world: World, now: int, seed: int) -> Generation[Genome]:
    """Six live, in two pools; one of them is as those three generations ago."""
    genomes = [world.genome(now), world.genome(max(now - 3, 0))]
    born = tuple(
        Individual(id=2 * now + index, genome=genome, generation=now) for index, genome in enumerate(genomes)
    )
    living = [[2 * now, 2 * now, 2 * now], [2 * now, 2 * now, 2 * now + 1]]
    record = packed(world.promotions)
    contests = tuple(
        Contest(
            players=(2 * now, 2 * now + 1),
            returns=(white, -white),
            ending=ending,
            length=1,
            record=record if index == 0 else b"",
        )
        for index, (ending, white) in enumerate(world.games(now, seed) if now else ())
    )
    return Generation(number=now, born=born, contests=contests, statistics={"living": living})


@cache
def packed(promotions: str) -> bytes:
    """A game with these promotions of both sides, after a move that is none."""
    moves = [0, *((4 + "NBRQ".index(piece)) << 12 for piece in promotions)]
    plies = tuple(RecordedMove(move=move) for move in moves)
    return GameRecord(plies=plies, returns=(0.0, 0.0), ending="adjudication").pack()
