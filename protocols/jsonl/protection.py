"""Advanced Protection over the JSON lines: its rules, options and profiles.

`protection_state.py` has the games, `protection_agents.py` the built-in players, and `protection_actions.py` the
actions.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from core.protection.board import Map, Scenario, generate_map
from core.protection.evaluate import toward_zero
from core.protection.rules import RULES, START_DOLLARS, Rules
from core.random import Random
from engines.names import near
from engines.protection.adaptation import AIMS, MERCY, REPLICATES, Calibration
from engines.protection.boardfiles import rules_hash
from engines.protection.game import MAP, Preview, ProtectionGame
from engines.protection.pool import Pool, bundled_pool
from engines.protection.profile import Profile, ProfileStore, exported, normalised_name
from engines.seeds import SeededStreams
from protocols.jsonl import protection_events as events
from protocols.jsonl import protection_messages as messages
from protocols.jsonl.adapter import (
    Agent,
    GameAdapter,
    GameConfig,
    GameState,
    MessageTypes,
    OptionError,
    Profiles,
    VariantInfo,
)
from protocols.jsonl.messages import COMMON_EVENTS
from protocols.jsonl.protection_agents import AGENTS, create_agent, has_agent
from protocols.jsonl.protection_messages import map_of
from protocols.jsonl.protection_state import GameOptions, ProtectionGameState

DETAILS: Final = ("none", "summary", "phases")
NUMBERS: Final = (
    "farmer_rate", "max_minions", "human_wins_ratio", "chaos_wins_ratio", "turn_cap", "elimination_below",
)  # fmt: skip
PURCHASES: Final = ("string", "free")  # what decides the purchases of a Chaos that a client plays
YIELDS: Final = ("every", "first")
MAX_NUMBER: Final = 10**9  # of a rule or of money
MAX_TESTS: Final = 16
# A turn of 20,000 minions takes 40 ms, and its phases are 1.4 MB; these limits allow a twentieth of that.
MAX_REMOTE_DOLLARS: Final = 10_000
MAX_REMOTE_MINIONS: Final = 1000
DEFAULT_TARGET: Final = "intermediate"
OPTIONS: Final[dict[str, Any]] = {  # except those that change rules
    "profile": {"type": "string", "default": None},
    "reset": {"type": "bool", "default": False},
    "study": {"type": "bool", "default": None},
    "map": {"type": "map", "default": None},
    "money": {"type": "money", "default": {"human": START_DOLLARS, "chaos": START_DOLLARS}},
    "detail": {"type": "enum", "values": list(DETAILS), "default": "summary"},
    "target": {"type": "share", "values": list(AIMS), "default": DEFAULT_TARGET},
    "adaptation": {"type": "adaptation", "default": {"mercy": MERCY, "replicates": REPLICATES}},
    "observe_ai": {"type": "bool", "default": False},
    "chaos_buys": {"type": "enum", "values": list(PURCHASES), "default": "string"},
    "arrangements": {"type": "bool", "default": False},
}
UNRATED: Final = frozenset(("map", "money", "observe_ai", "chaos_buys", "scavenger_yield", *NUMBERS))


class ProtectionAdapter(GameAdapter):
    """The adapter of Advanced Protection, for both records of rules and for rules that options change."""

    def __init__(
        self, profiles: Path | None = None, agents: Sequence[str] = AGENTS, pool: Pool | None = None
    ) -> None:
        """Keep profiles in the folder `profiles`, or none if it is None.

        `agents` has the names that are listed; `pool` replaces the bundled pool of strings.
        """
        self.name = "protection"
        self.variants = ("improved", "seed")
        self.agents = tuple(agents)
        self.profiles: ListedProfiles = ListedProfiles(profiles)
        self.message_types = MessageTypes(
            observation=messages.Observation,
            actions=(messages.Setup, messages.Strategy),
            events=(*events.EVENTS, *COMMON_EVENTS),
            others=(
                messages.LegalSetup, messages.LegalStrategy, messages.Opening, Preview, messages.Result, messages.Reveal,
                messages.KnownProfile,
            ),
        )  # fmt: skip
        self._pool = pool or bundled_pool()
        self._own_pool = pool

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the adapter without profiles, since worker processes play no games of clients."""
        return ProtectionAdapter, (None, self.agents, self._own_pool)

    def has_agent(self, name: str, seat: int) -> bool:
        return has_agent(name, seat)

    def describe(self, variant: str) -> VariantInfo:
        rules = _record(variant)
        return VariantInfo(
            rules=rules.fields(),
            rules_hash=rules_hash(rules),
            seats=(2, 2),
            options=_options_of(rules),
            actions=["setup", "strategy"],
            unrated=UNRATED,
        )

    def open(self, config: GameConfig) -> GameState:
        record = _record(config.variant)
        if config.seats != 2:
            raise OptionError(
                "$.seats", f"protection needs 2 seats, for the human and Chaos, not {config.seats}"
            )
        options = {name: value for name, value in config.options.items() if value is not None}
        known = _options_of(record)
        for name in options:
            if name not in known:
                raise OptionError(
                    f"$.options.{name}"[:100],
                    f"protection has no option {name[:40]!r}; {near(name, known)}",
                )
        rules = _with_options(record, options)
        ground = _map(options["map"]) if "map" in options else generate_map(config.streams.stream(MAP))
        chosen = _options(options)
        if config.is_replayed:  # the user may have answered otherwise since
            chosen = replace(chosen, agrees=None)
        if chosen.profile is not None:
            with suppress(UnusableProfile) if config.is_replayed else nullcontext():
                self._check_profile(chosen.profile, rules_hash(rules), may_reset=_flag(options, "reset"))
        human, chaos = _money(options.get("money", {}))
        if config.is_remote:
            _check_costs(rules, record, max(human, chaos))
        game = ProtectionGame(Scenario(rules, ground), config.streams, human, chaos)
        variant = config.variant if rules == record else "custom"
        return ProtectionGameState(game, variant, rules_hash(rules), self._pool, chosen)

    def agent(self, name: str, state: GameState, stream: Callable[[str], Random], seat: int) -> Agent:
        assert isinstance(state, ProtectionGameState)
        return create_agent(name, seat, state, stream, self.profiles)

    def _check_profile(self, name: str, rules: str, *, may_reset: bool) -> None:
        """Raise OptionError if a profile has ratings for another pool or other rules; `may_reset` deletes them."""
        try:
            profile = self.profiles.find(name)
        except ValueError as error:
            raise UnusableProfile("$.options.profile", str(error)) from None
        if profile is None or _belongs(profile, self._pool.hash, rules):
            return
        if not may_reset:
            why = "other strings" if profile.pool != self._pool.hash else "other rules"
            raise OptionError(
                "$.options.profile",
                f"the profile {name} has ratings for {why}; the option reset deletes them",
                reason="needs_reset",
            )
        self.profiles.put(name, profile.forgotten())


class UnusableProfile(OptionError):
    """An error for a profile that cannot be read. A game that was started with the profile continues without it."""


class ListedProfiles(ProfileStore, Profiles):
    """A store of profiles that clients can list, show and delete."""

    def show(self, name: str) -> messages.KnownProfile:
        profile = self.get(name)
        if profile is None:
            raise KeyError(name)
        ratings = profile.ratings
        return messages.KnownProfile(
            name=normalised_name(name),
            wins=profile.wins,
            losses=profile.losses,
            best=min(ratings),
            worst=max(ratings),
            mean=toward_zero(sum(ratings), len(ratings)),
            negative=sum(rating < 0 for rating in ratings),
            hybrids=len(profile.hybrids),
            pool=profile.pool,
            rules=list(profile.rules),
            mode=profile.mode,
            aim=profile.aim,
            agrees=profile.agrees,
            file=exported(profile),
        )


# -- Options -----------------------------------------------------------------------------------------


def _record(variant: str) -> Rules:
    if variant not in RULES:
        raise OptionError("$.variant", f"there is no variant {variant[:40]!r}; {near(variant, RULES)}")
    return RULES[variant]


def _options_of(rules: Rules) -> dict[str, Any]:
    """Return the options of a variant with its rules, each with its type and default."""
    return {
        **OPTIONS,
        **{name: {"type": "integer", "default": getattr(rules, name)} for name in NUMBERS},
        "scavenger_yield": {"type": "enum", "values": list(YIELDS), "default": rules.scavenger_yield},
    }


def _belongs(profile: Profile, pool: str, rules: str) -> bool:
    if not any(profile.ratings) and not profile.hybrids:
        return True
    return profile.pool == pool and profile.rules[1] == rules


def _with_options(record: Rules, options: Mapping[str, Any]) -> Rules:
    """Return the record of rules with the changes of the options. Raises OptionError if one is invalid."""
    numbers = {name: _number(options, name, getattr(record, name)) for name in NUMBERS}
    scavenger_yield = options.get("scavenger_yield", record.scavenger_yield)
    if scavenger_yield not in YIELDS:
        raise OptionError("$.options.scavenger_yield", f"scavenger_yield must be one of {', '.join(YIELDS)}")
    try:
        return Rules(name=record.name, scavenger_yield=scavenger_yield, **numbers)
    except ValueError as error:
        raise OptionError("$.options", str(error)) from None


def _options(options: Mapping[str, Any]) -> GameOptions:
    detail = options.get("detail", "summary")
    if detail not in DETAILS:
        raise OptionError("$.options.detail", f"detail must be one of {', '.join(DETAILS)}")
    buys = options.get("chaos_buys", "string")
    if buys not in PURCHASES:
        raise OptionError("$.options.chaos_buys", f"chaos_buys must be one of {', '.join(PURCHASES)}")
    profile = options.get("profile")
    if profile is not None and not isinstance(profile, str):
        raise OptionError("$.options.profile", "profile must be a name")
    if profile is None and "study" in options:
        raise OptionError("$.options.study", "study needs a profile; add the option profile")
    adaptation = _object(options, "adaptation", ("mercy", "replicates"))
    tests = adaptation.get("replicates")
    if tests is not None and (type(tests) is not int or not 1 <= tests <= MAX_TESTS):
        raise OptionError(
            "$.options.adaptation.replicates", f"replicates must be a whole number from 1 to {MAX_TESTS}"
        )
    return GameOptions(
        profile=profile,
        agrees=_flag(options, "study") if "study" in options else None,
        detail=detail,
        calibration=calibration(options.get("target", DEFAULT_TARGET), adaptation.get("mercy", MERCY)),
        tests=tests,
        shows_ratings=_flag(options, "observe_ai"),
        buys_freely=buys == "free",
        keeps_arrangements=_flag(options, "arrangements"),
    )


def calibration(target: Any, mercy: Any) -> Calibration:
    """Return the calibration for the options `target` and `mercy`. Raises OptionError if one is invalid."""
    aim = AIMS.get(target, 0.0) if isinstance(target, str) else target
    for name, value in (("target", aim), ("adaptation.mercy", mercy)):
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise OptionError(f"$.options.{name}", f"{name} must be a number")
    try:
        return Calibration(aim=aim, mercy=mercy)
    except ValueError:
        words = ", ".join(AIMS)
        raise OptionError(
            "$.options.target",
            f"target must be {words} or a number between 0 and 1, and mercy a number from 0 to 1",
        ) from None


def _map(value: Any) -> Map:
    """Return the map for a seed, or for lines and gold. Raises OptionError if the value does not describe a map."""
    fields = _object({"map": value}, "map", ("seed", "lines", "gold"))
    if "seed" in fields:
        if type(fields["seed"]) is not int or not 0 <= fields["seed"] < 2**53:
            raise OptionError(
                "$.options.map.seed", "the seed of a map must be a whole number from 0 to 2^53 - 1"
            )
        return generate_map(SeededStreams(fields["seed"]).stream(MAP))
    try:
        return map_of(fields["lines"], fields.get("gold", []))
    except KeyError:
        raise OptionError("$.options.map", "a map needs the field seed or the field lines") from None
    except (TypeError, ValueError) as error:
        raise OptionError("$.options.map", str(error)) from None


def _money(value: Any) -> tuple[int, int]:
    fields = _object({"money": value}, "money", ("human", "chaos"))
    human, chaos = (_number(fields, side, START_DOLLARS, "money.") for side in ("human", "chaos"))
    return human, chaos


def _check_costs(rules: Rules, record: Rules, dollars: int) -> None:
    """Raise OptionError if rules or money would make turns too long for a remote client."""
    if dollars > MAX_REMOTE_DOLLARS:
        raise OptionError(
            "$.options.money",
            f"remote clients may play for at most ${MAX_REMOTE_DOLLARS:,}, not ${dollars:,}",
        )
    if rules != record and not 0 < rules.max_minions <= MAX_REMOTE_MINIONS:
        text = f"remote clients that change rules need max_minions from 1 to {MAX_REMOTE_MINIONS:,}"
        raise OptionError("$.options.max_minions", text)


def _object(options: Mapping[str, Any], name: str, fields: Sequence[str]) -> dict[str, Any]:
    value = options.get(name, {})
    if not isinstance(value, dict) or not set(value) <= set(fields):
        raise OptionError(
            f"$.options.{name}", f"{name} must be an object with no other fields than {', '.join(fields)}"
        )
    return {field: each for field, each in value.items() if each is not None}


def _number(options: Mapping[str, Any], name: str, default: int, prefix: str = "") -> int:
    value = options.get(name, default)
    if type(value) is not int or not 0 <= value <= MAX_NUMBER:
        raise OptionError(
            f"$.options.{prefix}{name}", f"{name} must be a whole number from 0 to {MAX_NUMBER}"
        )
    return value


def _flag(options: Mapping[str, Any], name: str) -> bool:
    value = options.get(name, False)
    if not isinstance(value, bool):
        raise OptionError(f"$.options.{name}", f"{name} must be true or false")
    return value
