"""Dynamic difficulty: how Chaos chooses a string in each of the modes of engines.protection.MODES.

Whatever the mode, the choice is a function of the user's profile, the game so far and the random streams. The
board of the turn is not part of these. Reference: "Advanced Protection, parts Artificial Intelligence and
Future Work".
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import exp, log, tanh
from types import MappingProxyType
from typing import Final, Self

from core.protection.rules import START_DOLLARS
from core.random import Random
from engines.names import near
from engines.protection import FIXED, MODES
from engines.protection.game import ProtectionGame, choice_purpose
from engines.protection.profile import STRINGS, Profile
from engines.seeds import RandomStreams
from engines.statistics import ordered_sum

PAPER_RULE: Final = "seed"
AIMS: Final = MappingProxyType({"novice": 0.6, "intermediate": 0.5, "expert": 0.4})
MERCY: Final = 0.5
REPLICATES: Final = 4  # tests of a string a turn
CERTAIN: Final = 20  # times the other's value, at which a game is as good as over
IMAGINED_GAMES: Final = 4  # at the aimed share, that every user begins with
ADVANCED: Final = 2 / 3  # share of games above which hybrids are played

# The pilot.
GAIN: Final = 0.35  # how much surer a game is settled for each game that the user is ahead or behind
GAME_TURNS: Final = 9  # of a game, to aim at
GRACE: Final = 5  # turns in which a game that most users are not due to win is kept even
LAST_TURNS: Final = 2  # how fast a game is led to its end, at most, while it is not late
OVERSHOOT: Final = 1.3  # of the lead that ends a game, to aim at, so that the approach does not flatten out
FAR_AHEAD: Final = 1.5  # games: so strong a user needs no grace, and has used every grace to win
SWING: Final = 1.25  # of both values together: how far apart a turn's best and worst rating are at most


# -- What a choice is made by, and what it says ----------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Ratings:
    """What tests have shown of some strings, one by one: means in dollars, toward zero.

    A rating is the human's change of value less Chaos's; `human` has the human's alone.
    """

    ratings: tuple[int, ...]
    human: tuple[int, ...]

    def of(self, rows: Iterable[int]) -> Self:
        """Those of some strings, in this order."""
        order = list(rows)
        return type(self)(
            ratings=tuple(self.ratings[row] for row in order), human=tuple(self.human[row] for row in order)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class GameHistory:
    """A game as both sides know it: the values in dollars before the setup of `turn`, and the scores so far."""

    turn: int = 1
    human_value: int = START_DOLLARS
    chaos_value: int = START_DOLLARS
    scores: tuple[float, ...] = ()  # score_fraction() after each turn

    @classmethod
    def of(cls, game: ProtectionGame) -> Self:
        """That of a game in progress, without what is set up for the turn: to salvage costs value."""
        if not game.turns:
            return cls(human_value=game.state.human_value(), chaos_value=game.state.chaos_value())
        last = game.turns[-1]
        return cls(
            turn=last.turn + 1,
            human_value=last.human_value,
            chaos_value=last.audit.after,
            scores=tuple(score_fraction(each.human_value, each.chaos_value) for each in game.turns),
        )

    @property
    def lead(self) -> float:
        """The logarithm of the human's value over Chaos's; below 0 Chaos is ahead."""
        return log(max(self.human_value, 1) / max(self.chaos_value, 1))


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """All that a choice is made by."""

    profile: Profile
    history: GameHistory
    latest: Ratings | None = (
        None  # on this game's last rated arrangement: the pool's, then perhaps the hybrids'
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class PilotPlan:
    """Where the pilot leads a game; a lead is that of GameHistory."""

    is_due: bool  # the human, to win
    wanted: float  # the lead after the turn
    expected: float | None  # the lead in tests of the string; None if it was not tested in this game


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A string and why it was chosen."""

    index: int  # of the ratings; from 250 on it is a hybrid of the profile
    rating: int
    target: float | None  # the rating that was looked for; None if none was
    plan: PilotPlan | None = None


def score_fraction(human_value: int, chaos_value: int) -> float:
    """The score of a game after a turn: near 0 lost for the human, 1/2 even, near 1 won."""
    return 0.5 + 0.5 * tanh(log(max(human_value, 1) / max(chaos_value, 1)) / log(CERTAIN))


def nearest(ratings: Sequence[float], target: float) -> int:
    """The index of the first of those that are nearest to the target."""
    return min(range(len(ratings)), key=lambda index: abs(ratings[index] - target))


# -- Modes -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """What a mode aims at."""

    aim: float = 0.5  # the share of games that the user is to win
    mercy: float = MERCY  # how far the worst string comes to the help of who wins less, 0..1

    def __post_init__(self) -> None:
        if not (0 < self.aim < 1 and 0 <= self.mercy <= 1):
            raise ValueError(f"an aim is between 0 and 1, mercy 0 to 1, not {self.aim} and {self.mercy}")

    def share(self, profile: Profile, scores: Sequence[float] = ()) -> float:
        """The user's share of games, shrunk toward the aim; the game in progress counts as one more."""
        won, games = profile.wins + IMAGINED_GAMES * self.aim, profile.games + IMAGINED_GAMES
        if scores:
            return (won + ordered_sum(scores) / len(scores)) / (games + 1)
        return won / games

    def target(self, share: float, ratings: Sequence[int]) -> float:
        """The rating to look for."""
        if share >= self.aim:
            return (share - self.aim) / (1 - self.aim) * min(ratings)
        return (self.aim - share) / self.aim * max(0, *ratings) * self.mercy


EVEN: Final = Calibration()


@dataclass(frozen=True, slots=True)
class Mode:
    """A mode by name, with its parameters. ValueError if there is no such mode, or no such starter."""

    name: str
    starter: int  # the string for a user of whom nothing is known
    calibration: Calibration = EVEN

    def __post_init__(self) -> None:
        fixed_string(self.name)
        if not 0 <= self.starter < STRINGS:
            raise ValueError(f"the starter is 0 to {STRINGS - 1}, not {self.starter}")

    @property
    def learns(self) -> bool:
        """Whether it chooses by ratings."""
        return self._rule.learns

    @property
    def breeds(self) -> bool:
        """Whether it plays hybrids against the most advanced."""
        return self._rule.breeds

    def choose(self, known: Known, streams: RandomStreams) -> Choice:
        """The string for the next turn."""
        if self.learns and known.profile.is_new:
            return _choice(known, self.starter)
        return self._rule.choose(self, known, streams)

    @property
    def _rule(self) -> "Rule":
        return RULES.get(self.name, FIXED_RULE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """How a mode chooses."""

    choose: Callable[[Mode, Known, RandomStreams], Choice]
    learns: bool = True
    breeds: bool = True


def fixed_string(mode: str) -> int | None:
    """The string that a mode always plays, None if there is none. ValueError if there is no such mode."""
    number = mode.removeprefix(FIXED)
    if number != mode and number.isascii() and number.isdigit() and len(number) < 4 and int(number) < STRINGS:
        return int(number)
    if mode not in MODES:
        known = (*MODES, f"{FIXED}0 to {FIXED}{STRINGS - 1}")
        raise ValueError(f"no mode is called {mode[:40]!r}; {near(mode, known)}")
    return None


def choose_by_paper_rule(wins: int, losses: int, ratings: Sequence[int]) -> Choice:
    """The rule of 1999: a string as far below 0, in parts of the best, as the user wins more than half.

    A user who does not win more than half meets the one nearest 0.
    In whole numbers, so that equal distances are equal; of these the first is chosen.
    """
    games, ahead = wins + losses, max(wins - losses, 0)
    best = min(ratings)
    scale = games if ahead else 1
    index = nearest([rating * scale for rating in ratings], best * ahead)
    target = Fraction(best * ahead, games) if ahead else Fraction(0)
    return Choice(index=index, rating=ratings[index], target=float(target))


def _choice(known: Known, index: int) -> Choice:
    return Choice(index=index, rating=known.profile.ratings[index], target=None)


def _choose_fixed(mode: Mode, known: Known, streams: RandomStreams) -> Choice:
    return _choice(known, int(mode.name.removeprefix(FIXED)))


def _choose_random(mode: Mode, known: Known, streams: RandomStreams) -> Choice:
    return _choice(known, streams.stream(choice_purpose(known.history.turn)).below(STRINGS))


def _choose_paper_rule(mode: Mode, known: Known, streams: RandomStreams) -> Choice:
    profile = known.profile
    return choose_by_paper_rule(profile.wins, profile.losses, profile.ratings)


def _choose_best(mode: Mode, known: Known, streams: RandomStreams) -> Choice:
    ratings = _ratings(known.profile, mode.calibration.share(known.profile, known.history.scores))
    index = min(range(len(ratings)), key=ratings.__getitem__)
    return Choice(index=index, rating=ratings[index], target=float(ratings[index]))


def _choose_calibrated(mode: Mode, known: Known, streams: RandomStreams) -> Choice:
    """Fair to few games, to the game in progress, and to the weak."""
    share = mode.calibration.share(known.profile, known.history.scores)
    ratings = _ratings(known.profile, share)
    target = mode.calibration.target(share, ratings)
    index = nearest(ratings, target)
    return Choice(index=index, rating=ratings[index], target=target)


def _ratings(profile: Profile, share: float) -> tuple[int, ...]:
    """Of the strings, and of the profile's hybrids for an advanced user."""
    hybrids = profile.hybrids if share > ADVANCED else ()
    return (*profile.ratings, *(each.rating for each in hybrids))


# -- The pilot -------------------------------------------------------------------------------------


def _choose_by_pilot(mode: Mode, known: Known, streams: RandomStreams) -> Choice:
    """Settle who is due to win, and choose the string that leads there.

    Shares of wins and losses alone are a slow guide: after 30 games one more win moves a share by 3 %, so a
    choice in proportion to the share (mode `seed` or `calibrated`) hardly corrects. Here the *number* of
    games that the user is ahead of the aimed share decides, which never fades. Within a game the tests of the
    strings say what each would do to the lead, by which games end; dollars do not, where one side is rich.

    One stream settles who is due, the same at all turns of the game. Before the first ratings of the game
    those of the profile have to do.
    """
    profile, history, aim = known.profile, known.history, mode.calibration.aim
    is_due = is_due_to_win(profile, aim, streams.stream(choice_purpose(1)))
    wanted = wanted_lead(profile, history, aim, is_due)
    target = _rating_for(wanted, history)
    ratings = _ratings(profile, mode.calibration.share(profile))
    expected = None
    if known.latest is None:
        target *= _scale(history, profile.ratings)
        index = nearest(ratings, target)
    else:
        leads = _leads(history, known.latest)[: len(ratings)]
        index = nearest(leads, wanted)
        expected = leads[index]
    plan = PilotPlan(is_due=is_due, wanted=wanted, expected=expected)
    return Choice(index=index, rating=ratings[index], target=target, plan=plan)


def is_due_to_win(profile: Profile, aim: float, rng: Random) -> bool:
    """Whether the human is due to win a game: the likelier, the further they are behind."""
    return rng.uniform() < aim - GAIN * _games_ahead(profile, aim)


def wanted_lead(profile: Profile, history: GameHistory, aim: float, is_due: bool) -> float:
    """The lead to aim at after this turn: a step of what is left of the way to the end.

    All of it if the game is late, or against a user who is far ahead.
    """
    is_strong = _games_ahead(profile, aim) >= FAR_AHEAD
    if not is_due and history.turn <= GRACE and not is_strong:
        return history.lead * (1 - 1 / LAST_TURNS)
    goal = OVERSHOOT * log(CERTAIN) * (1 if is_due else -1)
    if history.turn > GAME_TURNS or (is_strong and not is_due):
        return goal
    return history.lead + (goal - history.lead) / max(LAST_TURNS, GAME_TURNS + 1 - history.turn)


def _games_ahead(profile: Profile, aim: float) -> float:
    """Games won beyond the aimed share."""
    return profile.wins - aim * profile.games


def _leads(history: GameHistory, latest: Ratings) -> list[float]:
    """Where each string would take the lead, if the turn went as in its tests."""
    leads = []
    for rating, human in zip(latest.ratings, latest.human, strict=True):
        ours, theirs = history.human_value + human, history.chaos_value + human - rating
        leads.append(log(max(ours, 1) / max(theirs, 1)))
    return leads


def _rating_for(lead: float, history: GameHistory) -> float:
    """The rating that would bring about a lead, if half of it were the human's change and half Chaos's."""
    ratio = exp(lead)
    return 2 * (ratio * history.chaos_value - history.human_value) / (1 + ratio)


def _scale(history: GameHistory, ratings: Sequence[int]) -> float:
    """How much greater the ratings of another, perhaps far richer game are than this one's can be."""
    return max(1.0, (max(ratings) - min(ratings)) / (SWING * (history.human_value + history.chaos_value)))


RULES: Final[Mapping[str, Rule]] = MappingProxyType({
    "pilot": Rule(choose=_choose_by_pilot),
    "calibrated": Rule(choose=_choose_calibrated),
    PAPER_RULE: Rule(choose=_choose_paper_rule, breeds=False),
    "best": Rule(choose=_choose_best),
    "random": Rule(choose=_choose_random, learns=False, breeds=False),
})  # fmt: skip
FIXED_RULE: Final = Rule(choose=_choose_fixed, learns=False, breeds=False)
