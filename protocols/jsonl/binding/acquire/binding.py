"""Acquire behind the JSON lines: its presets, its options and the players of the house."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from core.acquire.game import new_game, shuffled_bag
from core.acquire.rules import CHOICES, PRESETS, Chain, GameSpec, Rules, parse_tile
from core.random import Random
from engines.acquire.record import rules_hash
from protocols.jsonl.binding.acquire import shapes
from protocols.jsonl.binding.acquire.lexicon import Lexicon
from protocols.jsonl.binding.acquire.play import AcquirePlay
from protocols.jsonl.binding.binding import Agent, Binding, Facts, OptionError, Plan, Play, Shapes
from protocols.jsonl.messages.events import COMMON_EVENTS

OPTIONS: Final[dict[str, Any]] = {
    "bag": {"type": "list", "default": None},
    "holdings": {"type": "enum", "values": ["open", "hidden"], "default": "open"},
}
KINDS: Final = ["place", "found", "survivor", "order", "dispose", "buy", "pass"]
NUMBERS: Final = ("columns", "rows", "shares", "cash", "hand", "max_buy", "safe", "end")
MOST_LEXICONS: Final = len(PRESETS) + 1  # strangers may play by rules of their own

# (name, stream of chance by purpose, seat) -> a player
Panel = Callable[[str, Callable[[str], Random], int], Agent]


class AcquireBinding(Binding):
    """Every preset, and laboratory games with rules of one's own."""

    def __init__(self, agents: Sequence[str], panel: Panel) -> None:
        """`panel` makes the agents whose names are listed."""
        self.name = "acquire"
        self.variants = tuple(PRESETS)
        self.agents = tuple(agents)
        self.shapes = Shapes(
            observation=shapes.Observation,
            actions=(shapes.Place, shapes.Found, shapes.Survivor, shapes.Order, shapes.Dispose, shapes.Buy,
                     shapes.Pass),
            events=(*shapes.EVENTS, *COMMON_EVENTS),
            others=(shapes.Legal, shapes.Opening, shapes.Result, shapes.Reveal),
        )  # fmt: skip
        self._panel = panel
        self._lexicons: dict[Rules, Lexicon] = {}

    def __reduce__(self) -> tuple[object, ...]:
        """For another process; it has a lexicon of its own."""
        return AcquireBinding, (self.agents, self._panel)

    def has_agent(self, name: str, seat: int) -> bool:
        try:
            self._panel(name, lambda _: Random(0), seat)
        except KeyError:
            return False
        return True

    def describe(self, variant: str) -> Facts:
        rules = _preset(variant)
        return Facts(
            rules=rules_data(rules),
            rules_hash=rules_hash(rules),
            seats=rules.seats,
            options=OPTIONS,
            actions=KINDS,
            unrated=frozenset(("bag", *NUMBERS, *CHOICES)) - {"holdings"},
        )

    def open(self, plan: Plan) -> Play:
        preset = _preset(plan.variant)
        rules = _with_options(preset, plan.options)
        try:
            setting = GameSpec(rules, plan.seats)
        except ValueError as error:
            raise OptionError("$.seats", str(error)) from None
        bag = plan.options.get("bag")
        try:
            tiles = (
                _tiles(rules, bag)
                if bag is not None
                else list(map(int, shuffled_bag(setting, plan.chance.stream("bag"))))
            )
            state = new_game(setting, tiles, records_events=True)
        except ValueError as error:
            raise OptionError("$.options.bag", str(error)) from None
        lexicon, digest = self._lexicon(setting), rules_hash(rules)
        if rules == preset:
            return AcquirePlay(state, plan.variant, digest, lexicon)
        return AcquirePlay(state, "custom", digest, lexicon, rules_data(rules))

    def agent(self, name: str, play: Play, stream: Callable[[str], Random], seat: int) -> Agent:
        return self._panel(name, stream, seat)

    def _lexicon(self, setting: GameSpec) -> Lexicon:
        lexicon = self._lexicons.get(setting.rules)
        if lexicon is None:
            if len(self._lexicons) >= MOST_LEXICONS:
                self._lexicons.clear()
            lexicon = self._lexicons[setting.rules] = Lexicon(setting)
        return lexicon


def rules_data(rules: Rules) -> dict[str, Any]:
    """The rules record."""
    return {
        "columns": rules.columns,
        "rows": rules.rows,
        "chains": [
            {"name": chain.name, "letter": chain.letter, "tier": chain.tier} for chain in rules.chains
        ],
        "shares": rules.shares,
        "cash": rules.cash,
        "hand": rules.hand,
        "max_buy": rules.max_buy,
        "safe": rules.safe,
        "end": rules.end,
        "end_check": rules.end_check,
        "seats": list(rules.seats),
        "steps": list(rules.steps),
        "bonus_rounding": "up_100",
        **{name: value for name, value in rules.options().items() if name != "end_check"},
    }


# -- Helpers ---------------------------------------------------------------------------------------


def _preset(variant: str) -> Rules:
    if variant not in PRESETS:
        raise OptionError("$.variant", f"no variant {variant[:40]!r}; there are {', '.join(PRESETS)}")
    return PRESETS[variant]


def _with_options(preset: Rules, options: Mapping[str, Any]) -> Rules:
    """The preset with the rules that the options change."""
    changes: dict[str, Any] = {}
    for name, value in options.items():
        path = f"$.options.{name}"
        if name == "bag" or value is None:
            continue
        if name in NUMBERS:
            if not isinstance(value, int) or isinstance(value, bool):
                raise OptionError(path, f"{name} is a whole number")
            changes[name] = value
        elif name in CHOICES:
            if value not in CHOICES[name]:
                raise OptionError(path, f"{name} is one of {', '.join(CHOICES[name])}")
            changes[name] = value
        elif name == "chains":
            changes[name] = _chains(value)
        else:
            raise OptionError(path[:100], f"acquire has no option {name[:40]!r}")
    if not changes:
        return preset
    fields = {name: getattr(preset, name) for name in (*NUMBERS, *CHOICES, "chains", "steps", "seats")}
    try:
        return Rules(preset.name, **(fields | changes))
    except (ValueError, OverflowError) as error:
        raise OptionError("$.options", str(error)) from None


def _chains(value: Any) -> tuple[Chain, ...]:
    try:
        return tuple(Chain(each["name"], each["letter"], each["tier"]) for each in value)
    except (TypeError, KeyError, ValueError, OverflowError) as error:
        raise OptionError("$.options.chains", f"a chain has a name, a letter and a tier: {error}") from None


def _tiles(rules: Rules, bag: Any) -> list[int]:
    if not isinstance(bag, list) or not all(isinstance(tile, str) for tile in bag):
        raise ValueError("a bag is a list of tiles such as 1A")
    return [parse_tile(rules, tile) for tile in bag]
