"""Advanced Protection over the JSON lines: its rules and options, Chaos and the bots as players, and its games."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import asdict, dataclass, replace
from functools import partial
from math import exp
from pathlib import Path
from typing import Any, Final, Literal

import msgspec

from core.protection.board import Map, Scenario, generate_map
from core.protection.evaluate import toward_zero
from core.protection.rules import (
    CHAOS,
    HUMAN,
    MINIONS,
    NO_UNIT,
    NOBODY,
    PHASES,
    RULES,
    SQUARES,
    START_DOLLARS,
    Rules,
)
from core.protection.state import PlacedUnit, ProtectionState
from core.protection.turn import TurnLog
from core.random import Random
from engines.names import near
from engines.protection import MODES
from engines.protection.adaptation import (
    AIMS,
    EVEN,
    MERCY,
    PAPER_RULE,
    REPLICATES,
    Calibration,
    Mode,
    fixed_string,
)
from engines.protection.boardfiles import UNITS, map_rows, rules_hash
from engines.protection.bot_plans import Observation, observe
from engines.protection.bots import BOTS, create_bot
from engines.protection.chaos import Chaos, Decision, OpponentModel, rate
from engines.protection.game import (
    MAP,
    Fault,
    Placement,
    Preview,
    ProtectionGame,
    Purchase,
    Setup,
    faults,
    preview,
)
from engines.protection.genome import DIGITS, Genome
from engines.protection.pool import Pool, bundled_pool
from engines.protection.profile import STRINGS, Profile, ProfileStore, dumps, normalised_name
from engines.seeds import RandomStreams, SeededStreams
from engines.version import VERSION
from protocols.jsonl import protection_events as events
from protocols.jsonl import protection_messages as messages
from protocols.jsonl.adapter import (
    Agent,
    Call,
    Event,
    GameAdapter,
    GameConfig,
    GameState,
    IllegalMove,
    Job,
    MessageTypes,
    Move,
    OptionError,
    Problem,
    Profiles,
    VariantInfo,
)
from protocols.jsonl.codec import pack, unpack
from protocols.jsonl.messages import COMMON_EVENTS, Explained, GameEvent
from protocols.jsonl.protection_explain import FinishedTurn, Strategy, TurnHistory, played_again
from protocols.jsonl.protection_messages import (
    CODES,
    KINDS,
    by_kind,
    free_squares,
    map_of,
    place_of,
    square_at,
)

DETAILS: Final = ("none", "summary", "phases")
NUMBERS: Final = (
    "farmer_rate", "max_minions", "human_wins_ratio", "chaos_wins_ratio", "turn_cap", "elimination_below",
)  # fmt: skip
PURCHASES: Final = ("string", "free")  # who decides what Chaos buys, where a client plays it
YIELDS: Final = ("every", "first")
MOST_NUMBER: Final = 10**9  # of a rule or of money
MOST_TESTS: Final = 16
# A turn of 20,000 minions takes 40 ms, and its phases are 1.4 MB; these are a twentieth of that.
MAX_REMOTE_DOLLARS: Final = 10_000
MAX_REMOTE_MINIONS: Final = 1000
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
PHASES_BY_SEAT: Final = ("setup", "strategy")
WINNERS: Final = {HUMAN: ("human", [1.0, 0.0]), CHAOS: ("chaos", [0.0, 1.0]), NOBODY: ("none", [0.5, 0.5])}
BY_NAME: Final = {name: winner for winner, (name, _) in WINNERS.items()}
OF_CHAOS: Final = "chaos:"
OF_USERS: Final = "user:"
AGENTS: Final = (*(OF_CHAOS + mode for mode in MODES), *(OF_USERS + name for name in BOTS))
SEEDS: Final = 2**53
SETUPS: Final = msgspec.json.Decoder(messages.Setup)
STRATEGIES: Final = msgspec.json.Decoder(messages.Strategy)
WORDS: Final = {
    "money": "it costs ${need:,}, and ${have:,} are left",
    "terrain": "no unit can stand on {terrain}",
    "occupied": "another unit stands there",
    "twice": "it is named twice",
    "square": "that is no square of the board",
    "unit": "there is no such unit",
}
WANTS: Final = {"money": "dollars are needed", "most": "minions are wanted"}


@dataclass(frozen=True, slots=True, kw_only=True)
class GameOptions:
    """What a game was created with, besides rules, map and money."""

    profile: str | None = None
    detail: str = "summary"  # or none, or phases
    calibration: Calibration = EVEN
    tests: int | None = None  # of a string a turn
    shows_ratings: bool = False
    keeps_arrangements: bool = False
    buys_freely: bool = False  # a client that plays Chaos


class ProtectionAdapter(GameAdapter):
    """Both records of rules, and laboratory games with rules of one's own."""

    def __init__(
        self, profiles: Path | None = None, agents: Sequence[str] = AGENTS, pool: Pool | None = None
    ) -> None:
        """Profiles are kept in a folder, if there is one; `agents` are the names that are listed."""
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
        """A copy in a worker process knows no profiles: the games that are played there are not those of people."""
        return ProtectionAdapter, (None, self.agents, self._own_pool)

    def has_agent(self, name: str, seat: int) -> bool:
        try:
            create_agent(name, seat, None, self.profiles)
        except KeyError:
            return False
        return True

    def describe(self, variant: str) -> VariantInfo:
        rules = _record(variant)
        return VariantInfo(
            rules=rules.fields(),
            rules_hash=rules_hash(rules),
            seats=(2, 2),
            options=OPTIONS,
            actions=["setup", "strategy"],
            unrated=UNRATED,
        )

    def open(self, config: GameConfig) -> GameState:
        record = _record(config.variant)
        if config.seats != 2:
            raise OptionError("$.seats", "two play: the human, and Chaos")
        options = {name: value for name, value in config.options.items() if value is not None}
        for name in options:
            if name not in OPTIONS and name not in (*NUMBERS, "scavenger_yield"):
                raise OptionError(
                    f"$.options.{name}"[:100],
                    f"protection has no option {name[:40]!r}; {near(name, OPTIONS)}",
                )
        rules = _with_options(record, options)
        ground = _map(options["map"]) if "map" in options else generate_map(config.streams.stream(MAP))
        chosen = _options(options)
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
        return create_agent(name, seat, state, self.profiles)

    def _check_profile(self, name: str, rules: str, *, may_reset: bool) -> None:
        """Refuse a profile whose ratings are of other strings or rules, or forget them if that is asked for."""
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
                f"the ratings of {name} are those of {why}; with the option reset they are forgotten",
                reason="needs_reset",
            )
        self.profiles.put(name, profile.forgotten())


class UnusableProfile(OptionError):
    """A profile that cannot be read; a game that was begun with it goes on without it."""


class ListedProfiles(ProfileStore, Profiles):
    """A store whose profiles can be listed, shown and deleted by clients."""

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
            file=_exported(profile),
        )


class ProtectionGameState(GameState):
    """A game under way; a move is a Setup or a Strategy."""

    def __init__(
        self, game: ProtectionGame, variant: str, rules_hash: str, pool: Pool, options: GameOptions
    ) -> None:
        self.variant = variant
        self.rules_hash = rules_hash
        self.pool: Final = pool
        self.options: Final = options
        self.opponent_model: OpponentModel | None = None  # of the Chaos agent
        self.is_watched = False  # by a bot that learns from the phases
        self._history: TurnHistory | None = TurnHistory(game)  # until the game is over
        self._packed = b""  # it, from then on
        self._winner = NOBODY

    @property
    def history(self) -> TurnHistory:
        """The turns so far, and their game; they are read anew each time once the game is over."""
        if self._history is not None:
            return self._history
        history: TurnHistory = unpack(self._packed)
        return history

    @property
    def game(self) -> ProtectionGame:
        return self.history.game

    # -- The course of the game --------------------------------------------------------------------

    def seating(self) -> Sequence[int]:
        return (HUMAN, CHAOS)

    def opening(self) -> messages.Opening:
        ground = self.game.state.scenario.map
        return messages.Opening(map=map_rows(ground), gold=list(map(place_of, ground.gold)))

    def begin(self) -> list[Event]:
        return []

    def due(self) -> Sequence[int]:
        return () if self.game.over else (HUMAN, CHAOS)

    def phase(self, seat: int) -> str:
        return PHASES_BY_SEAT[seat]

    def ending(self) -> bool:
        return False

    def observation(self, seat: int | None) -> messages.Observation:
        state = self.game.state
        seen = messages.Observation(
            turn=state.turn, human_value=state.human_value(), chaos_value=state.chaos_value()
        )
        if seat == HUMAN:
            yields = state.scenario.yields
            seen.treasury = state.treasury
            seen.units = [
                messages.OwnUnit(
                    id=unit.number,
                    unit=UNITS[unit.code],
                    at=place_of(unit.square),
                    made=int(yields[unit.code * SQUARES + unit.square]),
                )
                for unit in state.units.values()
            ]
        elif seat == CHAOS:
            seen.treasury = state.chaos_treasury
            seen.string = self.default_action(CHAOS).string.hex()
        return seen

    def legal(
        self, seat: int, form: Literal["list", "rules"]
    ) -> messages.LegalSetup | messages.LegalStrategy:
        """Rules in either form."""
        state = self.game.state
        if seat == HUMAN:
            return _legal_setup(state)
        return _legal_strategy(state, self.pool, buys_freely=self.options.buys_freely)

    def parse_action(self, seat: int, action: bytes) -> Move:
        if seat == HUMAN:
            return _parse_setup(self.game.state, action)
        return _parse_strategy(self.game.state, self.pool, action, buys_freely=self.options.buys_freely)

    def preview(self, seat: int, move: Move) -> Preview | None:
        return preview(self.game.state, move) if seat == HUMAN else None

    def format_action(self, seat: int, move: Move) -> messages.Setup | messages.Strategy:
        return format_setup(move) if seat == HUMAN else format_strategy(move)

    def default_action(self, seat: int) -> Move:
        """Place nothing; the string of the last turn, or the one to begin with."""
        if seat == HUMAN:
            return Setup()
        if self.history.turns:
            return replace(self.history.turns[-1].strategy, bought=None, aim=None)
        starter = self.pool.starter
        return Strategy(string=self.pool.entries[starter].genome.code, index=starter)

    def apply(self, moves: Mapping[int, Move]) -> list[Event]:
        game, options, strategy = self.game, self.options, moves[CHAOS]
        state, turn = game.state, game.state.turn
        applied = game.set_up(moves[HUMAN])
        if self.opponent_model:
            self.opponent_model.set_up(state, game.streams)
        arrangement, treasury, chaos_treasury = state.arrangement(), state.treasury, state.chaos_treasury
        has_log = options.detail == "phases" or self.is_watched
        record = game.play(strategy.string, TurnLog() if has_log else None, strategy.bought)
        if len(game.turns) > 1:
            game.turns[-2] = replace(game.turns[-2], log=None)  # it may be longer than all else
        finished = FinishedTurn(
            arrangement=arrangement,
            treasury=treasury,
            chaos_treasury=chaos_treasury,
            strategy=strategy,
            record=replace(record, log=None) if record.log else record,
        )
        self.history.turns.append(finished)
        happened: list[GameEvent] = [events.SetupDone(seat=HUMAN, turn=turn)]
        if options.shows_ratings and strategy.aim:
            happened.append(_ratings(turn, strategy))
        if options.detail != "none":
            happened += events.turn_start(turn, applied, record, with_roster=options.detail == "phases")
        if options.detail == "phases" and record.log:
            happened += events.phases_of(turn, record.log, 1, PHASES, events.MOST_BYTES)
        happened += events.turn_end(record, state.treasury)
        return [Event(public=event) for event in happened]

    # -- The end -----------------------------------------------------------------------------------

    def result(self) -> messages.Result | None:
        over = self.game.over
        return None if over is None else self._result(*over)

    def abandoned(self, seats: Sequence[int], reason: Literal["resign", "forfeit"]) -> messages.Result:
        return self._result(CHAOS if HUMAN in seats else HUMAN, reason)

    def reveal(self) -> messages.Reveal:
        return messages.Reveal(
            strings=[
                messages.Played(turn=turn.number, index=turn.strategy.index, hybrid=turn.strategy.hybrid)
                for turn in self.history.turns
            ],
            pool_hash=f"sha256:{self.pool.hash}",
            mode=self.opponent_model.mode.name if self.opponent_model else "client",
        )

    def jobs(self) -> Sequence[Job]:
        model = self.opponent_model
        return [
            Job(function=rate, argument=job, description="ratings of strings", on_done=on_done)
            for job, on_done in (model.jobs() if model else ())
        ]

    def close(self, result: Any) -> None:
        self._winner = BY_NAME[result.winner]
        if self.opponent_model:
            self.opponent_model.finish(self._winner)
        self._packed = pack(self.history)
        self._history = None

    # -- Afterwards --------------------------------------------------------------------------------

    def replay(self, turn: int, first: int, last: int | None, most: int) -> Call:
        phases = first, events.last_phase(last)
        most = min(most, events.MOST_BYTES)
        if self._history is None:
            return partial(past_turn_events, self._packed, turn, phases, most)
        game = self._history.game
        finished = self._history.turn(turn)
        return partial(turn_events, game.streams, game.state.scenario, finished, phases, most)

    def explain(self, turn: int | None) -> Call:
        return partial(explain, self._past(), turn, self._winner)

    def export(self, name: str) -> Call | None:
        if name == "apu":
            if self.opponent_model is None:
                raise ValueError("no built-in player played Chaos here")
            return partial(_exported, self.opponent_model.chaos.profile)
        if name != "arrangements":
            return None
        if not self.options.keeps_arrangements:
            raise ValueError("the game was created without the option arrangements")
        return partial(arrangement_lines, self._past(), self.rules_hash)

    # -- Helpers -----------------------------------------------------------------------------------

    def _past(self) -> bytes:
        """Return the packed history."""
        return self._packed if self._history is None else pack(self._history)

    def _result(self, winner: int, reason: str) -> messages.Result:
        state = self.game.state
        name, score = WINNERS[winner]
        return messages.Result(
            winner=name,
            reason=reason,
            turns=len(self.history.turns),
            values=[state.human_value(), state.chaos_value()],
            score=score,
        )


# -- Calls for another process ---------------------------------------------------------------------


def turn_events(
    streams: RandomStreams, scenario: Scenario, turn: FinishedTurn, phases: tuple[int, int], most: int
) -> Sequence[GameEvent]:
    """Return the events of phases of a turn, from the first to the last, each of at most `most` bytes."""
    log = played_again(streams, scenario, turn)
    return [
        *events.rosters_of(turn.number, log, most),
        *events.phases_of(turn.number, log, *phases, most),
    ]


def past_turn_events(packed: bytes, number: int, phases: tuple[int, int], most: int) -> Sequence[GameEvent]:
    """Return the events of phases of a turn of a packed history. Raises ValueError if there was no such turn."""
    history: TurnHistory = unpack(packed)
    game = history.game
    return turn_events(game.streams, game.state.scenario, history.turn(number), phases, most)


def explain(packed: bytes, turn: int | None, winner: int) -> Explained:
    """Explain a turn of a packed history, or all of it. Raises ValueError if there was no such turn."""
    history: TurnHistory = unpack(packed)
    return history.explain_game(winner) if turn is None else history.explain_turn(turn)


def arrangement_lines(packed: bytes, rules_hash: str) -> Sequence[str]:
    """Return the setups of a packed history, a line each."""
    history: TurnHistory = unpack(packed)
    return [each.dumps() for each in history.arrangements(rules_hash)]


def _exported(profile: Profile) -> list[str]:
    """Return the lines of a profile's file, without its owner."""
    return dumps(replace(profile, owner="")).splitlines()


def _ratings(turn: int, strategy: Strategy) -> events.Ratings:
    aim = strategy.aim
    assert aim is not None
    return events.Ratings(
        turn=turn, done=aim.done, of=aim.of, ms=aim.ms, best=aim.best, chosen=strategy.index,
        stale=aim.done < aim.of,
    )  # fmt: skip


# -- Agents ------------------------------------------------------------------------------------------


def create_agent(name: str, seat: int, state: ProtectionGameState | None, store: ProfileStore) -> Agent:
    """KeyError if no agent of this name sits in that seat. Without a game it has a name only."""
    kind, colon, rest = name.partition(":")
    try:
        if kind + colon == OF_CHAOS and seat == CHAOS:
            fixed_string(rest)
            return ChaosAgent(name, rest, state, store)
        if kind + colon == OF_USERS and seat == HUMAN:
            create_bot(rest, 0)
            return BotAgent(name, rest)
    except ValueError:
        pass
    raise KeyError(name)


class ChaosAgent(Agent):
    """Chaos: it chooses when the human's setup is done, and sees nothing of that."""

    def __init__(self, name: str, mode: str, state: ProtectionGameState | None, store: ProfileStore) -> None:
        self.about = f"{name}, galapagos {VERSION}"
        self.is_slow = False
        self.decides_last = True
        if state is not None:
            self.about += f": pool {state.pool.hash}"
            self._opponent_model = state.opponent_model = _opponent_model(mode, state, store)

    def choose(self, state: GameState, seat: int) -> Move:
        assert isinstance(state, ProtectionGameState)
        return strategy_of(self._opponent_model.mode.name, self._opponent_model.choose(state.game))


@dataclass(frozen=True, slots=True, kw_only=True)
class BotTurn:
    """A setup to be thought about in another process."""

    name: str
    seen: Observation  # without the units, which as objects of the core do not travel:
    units: tuple[tuple[int, int, int, bool], ...]
    seed: int


class BotAgent(Agent):
    """A bot at seat 0, each setup with a random stream of its own; in another process."""

    def __init__(self, name: str, plan: str) -> None:
        self.about = f"{name}, galapagos {VERSION}"
        self.is_slow = True
        self._plan = plan
        self._watches = create_bot(plan, 0).watches

    def choose(self, state: GameState, seat: int) -> Move:
        function, argument = self.remote_call(state, seat)
        return function(argument)

    def remote_call(self, state: GameState, seat: int) -> tuple[Callable[[BotTurn], Setup], BotTurn]:
        assert isinstance(state, ProtectionGameState)
        state.is_watched = state.is_watched or self._watches
        rng, view = state.game.streams.stream(f"seat|{seat}|{state.game.state.turn}"), observe(state.game)
        return consider, BotTurn(
            name=self._plan,
            seen=replace(view, units=()),
            units=tuple((unit.number, unit.code, unit.square, unit.is_new) for unit in view.units),
            seed=int(rng.below(SEEDS)),
        )


def consider(argument: BotTurn) -> Setup:
    """What the bot does."""
    view = replace(argument.seen, units=tuple(PlacedUnit(*unit) for unit in argument.units))
    return create_bot(argument.name, 0).choose(view, Random(argument.seed))


def _opponent_model(mode: str, state: ProtectionGameState, store: ProfileStore) -> OpponentModel:
    options = state.options
    is_old = mode == PAPER_RULE  # rules of old: one test a string, with what the units have cost
    chaos = Chaos(
        pool=tuple(each.genome for each in state.pool.entries),
        mode=Mode(mode, state.pool.starter, options.calibration),
        profile=Profile(),
        tests=options.tests or (1 if is_old else REPLICATES),
        real_money=not is_old,
    )
    return OpponentModel(chaos, store, options.profile, state.pool.hash, (state.variant, state.rules_hash))


# -- Options -----------------------------------------------------------------------------------------


def _record(variant: str) -> Rules:
    if variant not in RULES:
        raise OptionError("$.variant", f"no variant {variant[:40]!r}; {near(variant, RULES)}")
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


def _options(options: Mapping[str, Any]) -> GameOptions:
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
    return GameOptions(
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


def _map(value: Any) -> Map:
    """The one of a seed, or of lines and gold."""
    fields = _object({"map": value}, "map", ("seed", "lines", "gold"))
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


def _money(value: Any) -> tuple[int, int]:
    fields = _object({"money": value}, "money", ("human", "chaos"))
    human, chaos = (_number(fields, side, START_DOLLARS, "money.") for side in ("human", "chaos"))
    return human, chaos


def _check_costs(rules: Rules, record: Rules, dollars: int) -> None:
    """Refuse what makes turns too long for a remote client. Raises OptionError."""
    if dollars > MAX_REMOTE_DOLLARS:
        raise OptionError("$.options.money", f"remote clients play for at most ${MAX_REMOTE_DOLLARS:,}")
    if rules != record and not 0 < rules.max_minions <= MAX_REMOTE_MINIONS:
        text = f"remote clients that change rules play with max_minions of 1 to {MAX_REMOTE_MINIONS:,}"
        raise OptionError("$.options.max_minions", text)


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


# -- Actions -----------------------------------------------------------------------------------------


def _legal_setup(state: ProtectionState) -> messages.LegalSetup:
    units = state.scenario.rules.units[1:]
    return messages.LegalSetup(
        rules=messages.SetupRules(
            treasury=state.treasury,
            units={unit.name: messages.Price(cost=unit.cost, salvage=unit.salvage) for unit in units},
            free=free_squares(state),
            salvage=[messages.Salvage(id=number, refund=state.refund(number)) for number in state.units],
        )
    )


def _legal_strategy(state: ProtectionState, pool: Pool, *, buys_freely: bool) -> messages.LegalStrategy:
    rules = messages.StrategyRules(treasury=state.chaos_treasury, digits=DIGITS, pool=len(pool.entries))
    if buys_freely:
        rules.minions = {kind.name: kind.cost for kind in MINIONS}
        rules.most = int(state.scenario.most_minions)
    return messages.LegalStrategy(rules=rules)


def _parse_setup(state: ProtectionState, data: bytes) -> Setup:
    """IllegalMove with every problem; msgspec.ValidationError."""
    asked = SETUPS.decode(data)
    setup = Setup(
        place=tuple(Placement(CODES.get(item.unit, NO_UNIT), square_at(*item.at)) for item in asked.place),
        salvage=tuple(asked.salvage),
    )
    found = faults(state, setup)
    if found:
        raise IllegalMove(_text_of(found[0]), *map(_problem, found))
    return setup


def format_setup(setup: Setup) -> messages.Setup:
    """As it is sent."""
    return messages.Setup(
        place=[messages.Placing(unit=UNITS[item.unit], at=place_of(item.square)) for item in setup.place],
        salvage=list(setup.salvage),
    )


def _parse_strategy(state: ProtectionState, pool: Pool, data: bytes, *, buys_freely: bool) -> Strategy:
    """IllegalMove for a string that is none, or what cannot be bought; msgspec.ValidationError."""
    asked = STRATEGIES.decode(data)
    if asked.buy is not None and not buys_freely:
        raise IllegalMove("its string buys for Chaos; the option chaos_buys changes that",
                          {"field": "buy", "reason": "option"})  # fmt: skip
    bought = None if asked.buy is None else _purchase(state, asked.buy)
    if asked.string is None:
        if asked.pool is None:
            raise IllegalMove("a strategy is a string, or its number in the pool",
                              {"field": "string", "reason": "missing"})  # fmt: skip
        return Strategy(
            string=pool.entries[asked.pool].genome.code, index=asked.pool, bought=bought, aim=asked.aim
        )
    try:
        code = Genome.loads(asked.string).code
    except ValueError as error:
        raise IllegalMove(str(error), {"field": "string", "reason": "no_string"}) from None
    return Strategy(string=code, index=asked.pool, hybrid=asked.hybrid, bought=bought, aim=asked.aim)


def format_strategy(strategy: Strategy) -> messages.Strategy:
    """As it is sent, and recorded with why it was chosen."""
    return messages.Strategy(
        string=strategy.string.hex(),
        pool=strategy.index,
        hybrid=strategy.hybrid,
        buy=None if strategy.bought is None else by_kind(strategy.bought),
        aim=strategy.aim,
    )


def strategy_of(mode: str, decision: Decision) -> Strategy:
    """What Chaos plays in a mode, with why it was chosen, for the record."""
    choice = decision.choice
    aim = messages.Aim(
        mode=mode,
        target=choice.target,
        rating=choice.rating,
        done=decision.rated,
        of=decision.of,
        ms=decision.milliseconds,
        best=decision.best,
    )
    if plan := choice.plan:
        aim.due = "human" if plan.is_due else "chaos"
        aim.ratio = round(exp(plan.wanted), 3)
        aim.expected = None if plan.expected is None else round(exp(plan.expected), 3)
    return Strategy(string=decision.string, index=choice.index, hybrid=choice.index >= STRINGS, aim=aim)


def _purchase(state: ProtectionState, wanted: Mapping[str, int]) -> Purchase:
    """Minions by kind. IllegalMove for kinds that there are not, more than can be paid, or too many."""
    if unknown := [name for name in wanted if name not in KINDS]:
        raise IllegalMove(
            f"buy: there is no minion {unknown[0][:40]!r}; {near(unknown[0], KINDS)}",
            {"field": "buy", "reason": "minion"},
        )
    bought = tuple(wanted.get(name, 0) for name in KINDS)
    cost = sum(count * kind.cost for count, kind in zip(bought, MINIONS, strict=True))
    for reason, need, have in (
        ("money", cost, state.chaos_treasury),
        ("most", sum(bought), int(state.scenario.most_minions)),
    ):
        if need > have:
            raise IllegalMove(f"buy: {need:,} {WANTS[reason]}, and there are {have:,}",
                              {"field": "buy", "reason": reason, "need": need, "have": have})  # fmt: skip
    return bought


def _problem(fault: Fault) -> Problem:
    return {name: value for name, value in asdict(fault).items() if value is not None}


def _text_of(fault: Fault) -> str:
    return f"{fault.field}: " + WORDS[fault.reason].format(**asdict(fault))
