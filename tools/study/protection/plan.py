"""What a study of adaptation plays: users, rules of choice and seeds, and the series that follow from them."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from itertools import product
from json import dumps
from pathlib import Path

from core.protection.rules import RULES
from engines.protection import FIXED
from engines.protection.adaptation import PAPER_RULE, Calibration, Mode, fixed_string
from engines.protection.bots import create_bot
from engines.protection.chaos import Chaos
from engines.protection.genome import Genome
from engines.protection.pool import Pool, bundled_pool
from engines.protection.profile import Profile
from engines.protection.series import Outcome, Series, play_games
from tools.study.protection.arguments import STARTER


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """ValueError if it cannot be played."""

    users: Sequence[str]
    modes: Sequence[str]
    games: int
    seeds: int
    rules: str
    pool: tuple[str, ...]  # strings as hex digits
    starter: int
    aim: float
    mercy: float
    replicates: int
    skill: float

    def __post_init__(self) -> None:
        for name in self.users:
            create_bot(name, 0)
        for mode in self.modes:
            if mode != STARTER:
                fixed_string(mode)  # or it raises
        if self.rules not in RULES:
            raise ValueError(f"rules are {', '.join(RULES)}, not {self.rules[:40]!r}")
        if min(self.games, self.seeds, self.replicates) < 1 or not 0 <= self.skill <= 1:
            raise ValueError("games, seeds and replicates are 1 or more, a skill is 0 to 1")
        Calibration(aim=self.aim, mercy=self.mercy)

    @property
    def hash(self) -> str:
        """Of all that decides the outcome of a series, so also of one that is kept for later."""
        facts = asdict(self) | {"users": None, "modes": None, "seeds": None}
        return sha256(dumps(facts).encode()).hexdigest()

    def tasks(self) -> list["Task"]:
        return [
            Task(plan=self, user=name, mode=mode, seed=seed)
            for name, mode, seed in product(self.users, self.modes, range(1, self.seeds + 1))
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One series. It can be pickled."""

    plan: Plan
    user: str
    mode: str
    seed: int

    @property
    def key(self) -> str:
        return f"{self.user} {self.mode} {self.seed}"


def outcomes(task: Task) -> list[Outcome]:
    """Play it; the same for the same task wherever it runs."""
    plan = task.plan
    series = Series(
        user=task.user,
        skill=plan.skill,
        rules=plan.rules,
        games=plan.games,
        seed=task.seed,
    )
    is_old = task.mode == PAPER_RULE
    mode = f"{FIXED}{plan.starter}" if task.mode == STARTER else task.mode
    chaos = Chaos(
        pool=tuple(Genome.loads(string) for string in plan.pool),
        mode=Mode(mode, plan.starter, Calibration(aim=plan.aim, mercy=plan.mercy)),
        profile=Profile(),
        tests=1 if is_old else plan.replicates,
        real_money=not is_old,
    )
    return list(play_games(series, chaos))


def pool(path: Path | None) -> tuple[tuple[str, ...], int]:
    """The strings of a pool file, or of the bundled pool, and the starter. PoolError or OSError."""
    found = Pool.loads(path.read_text(encoding="utf-8")) if path else bundled_pool()
    return tuple(each.genome.hex for each in found.entries), found.starter
