"""Dynamic difficulty: how Chaos chooses a string in each of the modes of engines.protection.MODES.

In every mode the choice is a function of the user's profile, the game so far and the random streams. The board of
the turn is not part of these. Reference: "Advanced Protection, parts Artificial Intelligence and Future Work".
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
# The difficulty by name, as the share of games that the user should win: three levels, and the paper's three words.
AIMS: Final = MappingProxyType(
    {"easy": 0.7, "even": 0.5, "hard": 0.3, "novice": 0.6, "intermediate": 0.5, "expert": 0.4}
)
MERCY: Final = 0.5
REPLICATES: Final = 4  # tests of a string a turn
CERTAIN: Final = 20  # times the other side's value, at which a game is practically decided
IMAGINED_GAMES: Final = 4  # games at the aimed share that are added to every user's record
ADVANCED: Final = 2 / 3  # share of games above which hybrids are played

# The pilot.
GAIN: Final = 0.35  # change of the user's chance to be chosen as winner, for each game ahead or behind
GAME_TURNS: Final = 9  # the length of a game to aim at
GRACE: Final = 5  # first turns in which a game that the user should lose is kept even
LAST_TURNS: Final = 2  # the rest of the way is spread over at least this many turns, while it is not late
OVERSHOOT: Final = 1.3  # the lead to aim at, in leads that end a game: the approach does not flatten out
FAR_BEHIND: Final = (
    0.5  # games behind, from which a game to win is led there at once: weak users need all of it
)
FAR_AHEAD: Final = 1.5  # games ahead, from which a user has no grace: such users used every grace to win
SWING: Final = 1.25  # the largest distance of a turn's best and worst rating, over both values together


# -- The inputs and the result of a choice ---------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Ratings:
    """The results of testing some strings, in the order of the strings: means in dollars, truncated toward zero.

    A rating is the human's change of value less Chaos's; `human` holds the human's change alone.
    """

    ratings: tuple[int, ...]
    human: tuple[int, ...]

    def of(self, rows: Iterable[int]) -> Self:
        """Return the ratings of some rows, in the order of `rows`."""
        order = list(rows)
        return type(self)(
            ratings=tuple(self.ratings[row] for row in order), human=tuple(self.human[row] for row in order)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class GameHistory:
    """The public history of a game: the values in dollars before the setup of `turn`, and the scores so far."""

    turn: int = 1
    human_value: int = START_DOLLARS
    chaos_value: int = START_DOLLARS
    scores: tuple[float, ...] = ()  # score_fraction() after each turn

    @classmethod
    def of(cls, game: ProtectionGame) -> Self:
        """Return the history of a game in progress without the current setup, as salvaging lowers the value."""
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
        """The natural logarithm of the human's value over Chaos's; below 0 Chaos is ahead."""
        return log(max(self.human_value, 1) / max(self.chaos_value, 1))


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """All data that a choice depends on, except for random numbers."""

    profile: Profile
    history: GameHistory
    latest: Ratings | None = (
        None  # on this game's last rated arrangement: the pool's, then those of hybrids if they were rated
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class PilotPlan:
    """The aim of the pilot in a turn; leads are defined as in GameHistory."""

    is_due: bool  # whether the human should win the game
    wanted: float  # the lead to reach after the turn
    expected: float | None  # the lead after the tests of the string; None if it was not tested in this game


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A string and why it was chosen."""

    index: int  # into the ratings; from 250 on it is a hybrid of the profile
    rating: int
    target: float | None  # the rating that was searched for; None if the mode searches for none
    plan: PilotPlan | None = None


def score_fraction(human_value: int, chaos_value: int) -> float:
    """Return the score of a game after a turn: near 0 lost for the human, 1/2 even, near 1 won."""
    return 0.5 + 0.5 * tanh(log(max(human_value, 1) / max(chaos_value, 1)) / log(CERTAIN))


def nearest(ratings: Sequence[float], target: float) -> int:
    """Return the index of the rating nearest to the target, the first of equals."""
    return min(range(len(ratings)), key=lambda index: abs(ratings[index] - target))


# -- Modes -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """The aim of a mode. Raises ValueError for an aim or mercy out of range."""

    aim: float = 0.5  # the share of games that the user should win, above 0 and below 1
    mercy: float = MERCY  # 0..1: the largest target, for users who lose every game, over the highest rating

    def __post_init__(self) -> None:
        if not (0 < self.aim < 1 and 0 <= self.mercy <= 1):
            raise ValueError(
                f"an aim must be between 0 and 1, and mercy 0 to 1, not {self.aim} and {self.mercy}"
            )

    def share(self, profile: Profile, scores: Sequence[float] = ()) -> float:
        """Return the user's share of won games, shrunk toward the aim; the game in progress counts as one more."""
        won, games = profile.wins + IMAGINED_GAMES * self.aim, profile.games + IMAGINED_GAMES
        if scores:
            return (won + ordered_sum(scores) / len(scores)) / (games + 1)
        return won / games

    def target(self, share: float, ratings: Sequence[int]) -> float:
        """Return the rating to search for: 0 at the aimed share, below 0 above it, above 0 below it."""
        if share >= self.aim:
            return (share - self.aim) / (1 - self.aim) * min(ratings)
        return (self.aim - share) / self.aim * max(0, *ratings) * self.mercy


EVEN: Final = Calibration()


@dataclass(frozen=True, slots=True)
class Mode:
    """A mode by name, with its parameters. Raises ValueError for an unknown name or a starter out of range."""

    name: str
    starter: int  # the string for a user without games and ratings
    calibration: Calibration = EVEN

    def __post_init__(self) -> None:
        fixed_string(self.name)
        if not 0 <= self.starter < STRINGS:
            raise ValueError(f"the starter must be 0 to {STRINGS - 1}, not {self.starter}")

    @property
    def learns(self) -> bool:
        """Whether the mode chooses by ratings."""
        return self._rule.learns

    @property
    def breeds(self) -> bool:
        """Whether the mode breeds hybrids and plays them against the most advanced users."""
        return self._rule.breeds

    def choose(self, known: Known, streams: RandomStreams) -> Choice:
        """Choose the string for the next turn."""
        if self.learns and known.profile.is_new:
            return _choice(known, self.starter)
        return self._rule.choose(self, known, streams)

    @property
    def _rule(self) -> "Rule":
        return RULES.get(self.name, FIXED_RULE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """The rule of a mode: its function for choosing, and whether it needs ratings and hybrids."""

    choose: Callable[[Mode, Known, RandomStreams], Choice]
    learns: bool = True
    breeds: bool = True


def fixed_string(mode: str) -> int | None:
    """Return the string that a mode always plays, or None for other modes. Raises ValueError for an unknown mode."""
    number = mode.removeprefix(FIXED)
    if number != mode and number.isascii() and number.isdigit() and len(number) < 4 and int(number) < STRINGS:
        return int(number)
    if mode not in MODES:
        known = (*MODES, f"{FIXED}0 to {FIXED}{STRINGS - 1}")
        raise ValueError(f"no mode is called {mode[:40]!r}; {near(mode, known)}")
    return None


def choose_by_paper_rule(wins: int, losses: int, ratings: Sequence[int]) -> Choice:
    """Choose by the rule of 1999.

    The target divides the way from 0 to the lowest rating as the user's share of wins divides the way from one half
    to 1. A user who wins at most one half gets the string whose rating is nearest to 0. The distances are compared in
    whole numbers, so that equal ones are equal; of these the first is chosen.
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
    """Choose by the rating in proportion to the user's share of games.

    Unlike the paper's rule it shrinks the share of users with few games, counts the game in progress, and helps users
    who win less than the aim.
    """
    share = mode.calibration.share(known.profile, known.history.scores)
    ratings = _ratings(known.profile, share)
    target = mode.calibration.target(share, ratings)
    index = nearest(ratings, target)
    return Choice(index=index, rating=ratings[index], target=target)


def _ratings(profile: Profile, share: float) -> tuple[int, ...]:
    """Return the profile's ratings of the pool, and of its hybrids for a user with a share above ADVANCED."""
    hybrids = profile.hybrids if share > ADVANCED else ()
    return (*profile.ratings, *(each.rating for each in hybrids))


# -- The pilot -------------------------------------------------------------------------------------


def _choose_by_pilot(mode: Mode, known: Known, streams: RandomStreams) -> Choice:
    """Decide which side should win the game, and choose the string that leads there.

    Shares of wins and losses alone are a slow guide: after 30 games one more win moves a share by 3 %, so a
    choice in proportion to the share (mode `seed` or `calibrated`) hardly corrects. Here the *number* of
    games that the user is ahead of the aimed share decides, which never fades. Within a game the tests of the
    strings show what each would do to the lead, which ends games; differences in dollars do not show that when one
    side is rich.

    The winner is drawn from a stream that is the same at all turns of the game. Before the first ratings of the game
    the ratings of the profile replace the tests.
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
    """Return whether the human should win a game: the more likely, the further the user is behind the aim."""
    return rng.uniform() < aim - GAIN * _games_ahead(profile, aim)


def wanted_lead(profile: Profile, history: GameHistory, aim: float, is_due: bool) -> float:
    """Return the lead to aim at after this turn: one of the equal steps that remain to the end of the game.

    The step is the whole way if the game is late or urgent: a user who is far ahead should lose it, or a user who is
    behind should win it. In the first GRACE turns of any other game that the user should lose, the lead is halved.
    """
    ahead = _games_ahead(profile, aim)
    is_urgent = ahead <= -FAR_BEHIND if is_due else ahead >= FAR_AHEAD
    if not is_due and history.turn <= GRACE and not is_urgent:
        return history.lead * (1 - 1 / LAST_TURNS)
    goal = OVERSHOOT * log(CERTAIN) * (1 if is_due else -1)
    if history.turn > GAME_TURNS or is_urgent:
        return goal
    return history.lead + (goal - history.lead) / max(LAST_TURNS, GAME_TURNS + 1 - history.turn)


def _games_ahead(profile: Profile, aim: float) -> float:
    """Return the number of games won beyond the aimed share."""
    return profile.wins - aim * profile.games


def _leads(history: GameHistory, latest: Ratings) -> list[float]:
    """Return the lead after the turn for each string, if the turn went as in the string's tests."""
    leads = []
    for rating, human in zip(latest.ratings, latest.human, strict=True):
        ours, theirs = history.human_value + human, history.chaos_value + human - rating
        leads.append(log(max(ours, 1) / max(theirs, 1)))
    return leads


def _rating_for(lead: float, history: GameHistory) -> float:
    """Return the rating that yields a lead, if the human's gain and Chaos's loss are half of the rating each."""
    ratio = exp(lead)
    return 2 * (ratio * history.chaos_value - history.human_value) / (1 + ratio)


def _scale(history: GameHistory, ratings: Sequence[int]) -> float:
    """Return the factor, at least 1, by which the ratings of earlier games exceed what this game allows.

    Earlier games may have been far richer.
    """
    return max(1.0, (max(ratings) - min(ratings)) / (SWING * (history.human_value + history.chaos_value)))


RULES: Final[Mapping[str, Rule]] = MappingProxyType({
    "pilot": Rule(choose=_choose_by_pilot),
    "calibrated": Rule(choose=_choose_calibrated),
    PAPER_RULE: Rule(choose=_choose_paper_rule, breeds=False),
    "best": Rule(choose=_choose_best),
    "random": Rule(choose=_choose_random, learns=False, breeds=False),
})  # fmt: skip
FIXED_RULE: Final = Rule(choose=_choose_fixed, learns=False, breeds=False)
