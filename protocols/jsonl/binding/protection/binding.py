"""Advanced Protection behind the JSON lines: its rules, its options and the players of the house."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from core.protection.board import Map, Scenario, generate_map
from core.protection.rules import RULES, START_DOLLARS, Rules
from core.random import Random
from engines.protection.adaptation import AIMS, MERCY, REPLICATES, Calibration
from engines.protection.boardfiles import rules_hash
from engines.protection.game import MAP, ProtectionGame, SeededStreams
from engines.protection.pool import Pool
from engines.protection.profile import Profile, ProfileStore
from protocols.jsonl.binding.binding import Agent, Binding, Facts, OptionError, Plan, Play, Shapes
from protocols.jsonl.binding.protection.chaos.store import ShownProfiles
from protocols.jsonl.binding.protection.lexicon import map_of
from protocols.jsonl.binding.protection.play import ProtectionPlay, Wishes
from protocols.jsonl.binding.protection.shapes import ends, events, moves, observations
from protocols.jsonl.messages.events import COMMON_EVENTS

DETAILS: Final = ("none", "summary", "phases")
NUMBERS: Final = (
    "farmer_rate", "max_minions", "human_wins_ratio", "chaos_wins_ratio", "turn_cap", "elimination_below",
)  # fmt: skip
PURCHASES: Final = ("string", "free")  # who decides what Chaos buys, where a client plays it
YIELDS: Final = ("every", "first")
MOST_NUMBER: Final = 10**9  # of a rule or of money
MOST_TESTS: Final = 16
OPTIONS: Final[dict[str, Any]] = {
    "profile": {"type": "string", "default": None},
    "reset": {"type": "bool", "default": False},
    "map": {"type": "map", "default": None},
    "money": {"type": "money", "default": {"human": START_DOLLARS, "chaos": START_DOLLARS}},
    "detail": {"type": "enum", "values": list(DETAILS), "default": "summary"},
    "target": {"type": "share", "values": list(AIMS), "default": "intermediate"},
    "adaptation": {"type": "adaptation", "default": {"mercy": MERCY, "replicates": REPLICATES}},
    "observe_ai": {"type": "bool", "default": False},
    "chaos_buys": {"type": "enum", "values": list(PURCHASES), "default": "string"},
    "arrangements": {"type": "bool", "default": False},
}
UNRATED: Final = frozenset(("map", "money", "observe_ai", "chaos_buys", "scavenger_yield", *NUMBERS))

# (name, seat, game, profiles) -> a player
Cast = Callable[[str, int, ProtectionPlay | None, ProfileStore], Agent]


class ProtectionBinding(Binding):
    """Both records of rules, and laboratory games with rules of one's own."""

    def __init__(self, agents: Sequence[str], cast: Cast, store: ShownProfiles, pool: Pool) -> None:
        """`cast` makes the agents whose names are listed, and others."""
        self.name = "protection"
        self.variants = ("improved", "seed")
        self.agents = tuple(agents)
        self.profiles: ShownProfiles = store
        self.shapes = Shapes(
            observation=observations.Observation,
            actions=(moves.Setup, moves.Strategy),
            events=(*events.EVENTS, *COMMON_EVENTS),
            others=(moves.LegalSetup, moves.LegalStrategy, observations.Opening, moves.Preview, ends.Result, ends.Reveal,
                    ends.KnownProfile),
        )  # fmt: skip
        self._cast = cast
        self._pool = pool

    def has_agent(self, name: str, seat: int) -> bool:
        try:
            self._cast(name, seat, None, self.profiles)
        except KeyError:
            return False
        return True

    def describe(self, variant: str) -> Facts:
        rules = _record(variant)
        return Facts(
            rules=rules.fields(),
            rules_hash=rules_hash(rules),
            seats=(2, 2),
            options=OPTIONS,
            actions=["setup", "strategy"],
            unrated=UNRATED,
        )

    def open(self, plan: Plan) -> Play:
        record = _record(plan.variant)
        if plan.seats != 2:
            raise OptionError("$.seats", "two play: the human, and Chaos")
        options = {name: value for name, value in plan.options.items() if value is not None}
        for name in options:
            if name not in OPTIONS and name not in (*NUMBERS, "scavenger_yield"):
                raise OptionError(f"$.options.{name}"[:100], f"protection has no option {name[:40]!r}")
        rules = _with_options(record, options)
        ground = _map(options["map"]) if "map" in options else generate_map(plan.chance.stream(MAP))
        wishes = _wishes(options)
        if wishes.profile is not None:
            self._admit(wishes.profile, rules_hash(rules), may_reset=_flag(options, "reset"))
        human, chaos = _money(options.get("money", {}))
        game = ProtectionGame(Scenario(rules, ground), plan.chance, human, chaos)
        variant = plan.variant if rules == record else "custom"
        return ProtectionPlay(game, variant, rules_hash(rules), self._pool, wishes)

    def agent(self, name: str, play: Play, stream: Callable[[str], Random], seat: int) -> Agent:
        assert isinstance(play, ProtectionPlay)
        return self._cast(name, seat, play, self.profiles)

    def _admit(self, name: str, rules: str, *, may_reset: bool) -> None:
        """Let nobody play by ratings of other strings or rules."""
        try:
            profile = self.profiles.find(name)
        except ValueError as error:
            raise OptionError("$.options.profile", str(error)) from None
        if profile is None or _belongs(profile, self._pool.hash, rules):
            return
        if not may_reset:
            why = "other strings" if profile.pool != self._pool.hash else "other rules"
            raise OptionError(
                "$.options.profile",
                f"the ratings of {name} are those of {why}; with the option reset they are forgotten",
            )
        self.profiles.put(name, profile.forgotten())


# -- Helpers ---------------------------------------------------------------------------------------


def _record(variant: str) -> Rules:
    if variant not in RULES:
        raise OptionError("$.variant", f"no variant {variant[:40]!r}; there are improved, seed")
    return RULES[variant]


def _belongs(profile: Profile, pool: str, rules: str) -> bool:
    if not any(profile.ratings) and not profile.hybrids:
        return True
    return profile.pool == pool and profile.rules[1] == rules


def _with_options(record: Rules, options: Mapping[str, Any]) -> Rules:
    """The record with the rules that the options change."""
    numbers = {name: _number(options, name, getattr(record, name)) for name in NUMBERS}
    scavenger_yield = options.get("scavenger_yield", record.scavenger_yield)
    if scavenger_yield not in YIELDS:
        raise OptionError("$.options.scavenger_yield", f"scavenger_yield is one of {', '.join(YIELDS)}")
    try:
        return Rules(name=record.name, scavenger_yield=scavenger_yield, **numbers)
    except ValueError as error:
        raise OptionError("$.options", str(error)) from None


def _wishes(options: Mapping[str, Any]) -> Wishes:
    detail = options.get("detail", "summary")
    if detail not in DETAILS:
        raise OptionError("$.options.detail", f"detail is one of {', '.join(DETAILS)}")
    buys = options.get("chaos_buys", "string")
    if buys not in PURCHASES:
        raise OptionError("$.options.chaos_buys", f"chaos_buys is one of {', '.join(PURCHASES)}")
    profile = options.get("profile")
    if profile is not None and not isinstance(profile, str):
        raise OptionError("$.options.profile", "a profile is a name")
    adaptation = _object(options, "adaptation", ("mercy", "replicates"))
    tests = adaptation.get("replicates")
    if tests is not None and (type(tests) is not int or not 1 <= tests <= MOST_TESTS):
        raise OptionError("$.options.adaptation.replicates", f"replicates are 1 to {MOST_TESTS}")
    return Wishes(
        profile=profile,
        detail=detail,
        calibration=_calibration(options.get("target", "intermediate"), adaptation.get("mercy", MERCY)),
        tests=tests,
        shows_ratings=_flag(options, "observe_ai"),
        buys_freely=buys == "free",
        keeps_arrangements=_flag(options, "arrangements"),
    )


def _calibration(target: Any, mercy: Any) -> Calibration:
    aim = AIMS.get(target, 0.0) if isinstance(target, str) else target
    for name, value in (("target", aim), ("adaptation.mercy", mercy)):
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise OptionError(f"$.options.{name}", f"{name} is a number")
    try:
        return Calibration(aim=aim, mercy=mercy)
    except ValueError:
        words = ", ".join(AIMS)
        raise OptionError(
            "$.options.target", f"a target is {words} or a share between 0 and 1, mercy 0 to 1"
        ) from None


def _map(wish: Any) -> Map:
    """The one of a seed, or of lines and gold."""
    fields = _object({"map": wish}, "map", ("seed", "lines", "gold"))
    if "seed" in fields:
        if type(fields["seed"]) is not int or not 0 <= fields["seed"] < 2**53:
            raise OptionError("$.options.map.seed", "the seed of a map is a number from 0 to 2^53 - 1")
        return generate_map(SeededStreams(fields["seed"]).stream(MAP))
    try:
        return map_of(fields["lines"], fields.get("gold", []))
    except KeyError:
        raise OptionError("$.options.map", "a map is {seed} or {lines, gold}") from None
    except (TypeError, ValueError) as error:
        raise OptionError("$.options.map", str(error)) from None


def _money(wish: Any) -> tuple[int, int]:
    fields = _object({"money": wish}, "money", ("human", "chaos"))
    human, chaos = (_number(fields, side, START_DOLLARS, "money.") for side in ("human", "chaos"))
    return human, chaos


def _object(options: Mapping[str, Any], name: str, fields: Sequence[str]) -> dict[str, Any]:
    value = options.get(name, {})
    if not isinstance(value, dict) or not set(value) <= set(fields):
        raise OptionError(f"$.options.{name}", f"{name} has no other fields than {', '.join(fields)}")
    return {field: each for field, each in value.items() if each is not None}


def _number(options: Mapping[str, Any], name: str, default: int, prefix: str = "") -> int:
    value = options.get(name, default)
    if type(value) is not int or not 0 <= value <= MOST_NUMBER:
        raise OptionError(f"$.options.{prefix}{name}", f"{name} is a whole number, 0 to {MOST_NUMBER}")
    return value


def _flag(options: Mapping[str, Any], name: str) -> bool:
    value = options.get(name, False)
    if not isinstance(value, bool):
        raise OptionError(f"$.options.{name}", f"{name} is true or false")
    return value
