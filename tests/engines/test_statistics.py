"""Match statistics against published values, values derived by hand, and the laws they obey."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.random import Random
from engines.statistics import (
    Sprt,
    Verdict,
    bradley_terry,
    change_point,
    elo,
    expectation,
    geometric_mean,
    los,
    mean,
    ranks,
    score,
    spearman,
    student,
    to_elo,
)

# Losses, draws, wins of single games; or pairs that made 0, 1/2, 1, 1 1/2, 2 points.
counts_of_3 = st.tuples(*[st.integers(0, 500)] * 3).filter(any)
counts_of_5 = st.tuples(*[st.integers(0, 500)] * 5).filter(any)
any_counts = st.one_of(counts_of_3, counts_of_5)


# -- Score and Elo ---------------------------------------------------------------------------------


def test_scores_agree_with_values_by_hand() -> None:
    assert score((1, 2, 5)).value == 0.75
    assert score((0, 1, 0, 2, 1)).value == (0.25 + 2 * 0.75 + 1) / 4
    with pytest.raises(ValueError, match="at least one result"):
        score((0, 0, 0))


def test_the_interval_of_coin_tosses_is_near_wilsons() -> None:
    """60 heads of 100: Wilson's 0.502..0.691; the half result added to each count moves it a little."""
    estimate = score((40, 0, 60))
    assert (estimate.low, estimate.high) == pytest.approx((0.502, 0.691), abs=5e-3)


def test_elo_differences_of_scores_match_rating_tables() -> None:
    """The figures of every rating table: 50 % 0, 64 % 100, 76 % 200, 10:1 400."""
    assert to_elo(0.5) == 0
    assert to_elo(0.64) == pytest.approx(100, abs=0.1)
    assert to_elo(0.76) == pytest.approx(200, abs=0.5)
    assert to_elo(10 / 11) == pytest.approx(400)
    assert (to_elo(1.0), to_elo(0.0)) == (math.inf, -math.inf)


@pytest.mark.parametrize(
    ("counts", "difference", "error"),
    [
        ((96, 111, 136), 40.70, 30.43),
        ((34, 54, 63, 64, 75), 55.58, 27.65),
        ((332, 433, 498, 333, 334), -8.64, 10.33),
        ((7895, 8757, 5685, 568, 9999), -21.04, 2.95),
    ],
)
def test_elo_agrees_with_fastchess(counts: tuple[int, ...], difference: float, error: float) -> None:
    """Values of fastchess's app/tests/elo_test.cpp; its interval is the mean +- 1.96 sigma."""
    estimate = elo(counts)
    assert estimate.value == pytest.approx(difference, abs=0.01)
    assert (estimate.high - estimate.low) / 2 == pytest.approx(error, rel=0.01)


def test_a_clean_sweep_has_an_interval() -> None:
    estimate = elo((0, 0, 10))
    assert estimate.value == math.inf and 150 < estimate.low < 300
    assert all(elo((0, 0, 0, 0, pairs)).high == math.inf for pairs in range(1, 100))
    assert all(elo((pairs, 0, 0, 0, 0)).low == -math.inf for pairs in range(1, 100))
    assert score((0, 9, 0)).low < 0.45, "nine draws do not prove equality"


@pytest.mark.parametrize("shares", [(0.3, 0.4, 0.3), (0.05, 0.05, 0.9), (0.1, 0.2, 0.4, 0.2, 0.1)])
@pytest.mark.parametrize("games", [10, 100])
def test_the_interval_covers_the_truth_95_times_in_100(shares: tuple[float, ...], games: int) -> None:
    rng = Random(games)
    truth = sum(share * step for step, share in enumerate(shares)) / (len(shares) - 1)
    covered = 0
    for _ in range(500):
        estimate = score(_drawn(shares, games, rng))
        covered += estimate.low <= truth <= estimate.high
    assert 0.92 <= covered / 500 <= 0.985


@given(any_counts)
def test_scores_of_both_sides_mirror_each_other(counts: tuple[int, ...]) -> None:
    own, other = score(counts), score(counts[::-1])
    assert own.value == pytest.approx(1 - other.value)
    assert own.low == pytest.approx(1 - other.high, abs=1e-9)
    assert 0 <= own.low <= own.value + 1e-12 <= own.high + 2e-12 <= 1 + 3e-12
    assert own.low < own.high
    assert los(counts) == pytest.approx(1 - los(counts[::-1]))


@given(any_counts)
def test_more_games_of_the_same_kind_narrow_the_interval(counts: tuple[int, ...]) -> None:
    few, many = score(counts), score([4 * count for count in counts])
    assert many.value == pytest.approx(few.value)
    assert many.high - many.low < few.high - few.low


@given(st.floats(-800, 800))
def test_elo_and_expectation_are_inverse(difference: float) -> None:
    assert to_elo(expectation(difference)) == pytest.approx(difference, abs=1e-6)


# -- Likelihood of superiority ---------------------------------------------------------------------


def test_los_agrees_with_values_by_hand() -> None:
    """Phi((16 - 9) / 5) = Phi(1.4) = 0.9192, whatever was drawn."""
    assert los((9, 0, 16)) == pytest.approx(0.9192, abs=1e-4)
    assert los((9, 1000, 16)) == los((9, 0, 16))
    assert los((0, 50, 0)) == 0.5


@pytest.mark.parametrize(
    ("counts", "percent"),
    [((89, 123, 76), 15.53), ((96, 111, 136), 99.60), ((332, 433, 498, 333, 334), 5.05)],
)
def test_los_agrees_with_fastchess(counts: tuple[int, ...], percent: float) -> None:
    assert 100 * los(counts) == pytest.approx(percent, abs=0.06)


@given(counts_of_3)
def test_a_win_more_is_never_worse(counts: tuple[int, int, int]) -> None:
    losses, draws, wins = counts
    better = (losses, draws, wins + 1)
    assert los(better) >= los(counts)
    assert score(better).value >= score(counts).value
    if draws:
        assert los((losses, draws - 1, wins + 1)) >= los(counts)


# -- SPRT ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("counts", "elo0", "elo1", "model", "llr"),
    [
        ((36027, 68692, 36433), 0, 2, "normalized", 0.92),
        ((10650, 20431, 10871), -1.75, 0.25, "normalized", 2.30),
        ((21184, 40708, 21404), 0.5, 2.5, "logistic", -1.57),
        ((57030, 106593, 57433), 0, 2, "logistic", -2.59),
        ((365, 16618, 36229, 16974, 390), 0, 2, "normalized", 2.25),
        ((127, 4883, 10712, 5150, 104), -1.75, 0.25, "normalized", 3.01),
        ((223, 9863, 21279, 10037, 246), 0.5, 2.5, "logistic", -3.07),
        ((871, 26175, 55983, 26678, 821), 0, 2, "logistic", -4.98),
    ],
)
def test_llr_agrees_with_fastchess(
    counts: tuple[int, ...], elo0: float, elo1: float, model: str, llr: float
) -> None:
    """Values of fastchess's app/tests/sprt_test.cpp."""
    sprt = Sprt.parse(f"{elo0},{elo1},{model}")
    assert sprt.llr(counts) == pytest.approx(llr, abs=0.006)


def test_llr_agrees_with_values_by_hand() -> None:
    """Only wins and losses are likely, p of them wins, where nothing but wins was seen: logistic
    p = expectation(elo), normalised (p - 1/2) / sqrt(p (1 - p)) = t = sqrt(2) elo 347.4356**-1."""
    expected = 104 * math.log(expectation(5) / expectation(0))
    assert Sprt(elo0=0, elo1=5, model="logistic").llr((0, 0, 0, 0, 104)) == pytest.approx(expected, abs=0.01)
    t = math.sqrt(2) * 5 / 347.4356
    expected = 104 * math.log((0.5 + 0.5 * t / math.sqrt(1 + t * t)) / 0.5)
    assert Sprt(elo0=0, elo1=5).llr((0, 0, 0, 0, 104)) == pytest.approx(expected, abs=0.01)


def test_sprt_verdicts_follow_from_the_bounds() -> None:
    """ln(0.95 / 0.05) = 2.944 both ways."""
    sprt = Sprt(elo0=0, elo1=5)
    assert (sprt.lower, sprt.upper) == pytest.approx((-2.944, 2.944), abs=1e-3)
    assert Sprt(elo0=0, elo1=5, alpha=0.01, beta=0.1).upper == pytest.approx(math.log(90))
    assert sprt.llr((0, 0, 0)) == 0 and sprt.verdict((0, 0, 0)) is Verdict.CONTINUE
    assert sprt.verdict((10, 200, 400, 400, 30)) is Verdict.H1
    assert sprt.verdict((30, 400, 400, 200, 10)) is Verdict.H0
    assert sprt.verdict((0, 0, 1, 0, 0)) is Verdict.CONTINUE


@given(any_counts, st.sampled_from(["normalized", "logistic"]), st.sampled_from([2.0, 20.0, 150.0]))
def test_llr_is_antisymmetric(counts: tuple[int, ...], model: str, bound: float) -> None:
    sprt = Sprt.parse(f"{-bound},{bound},{model}")
    assert sprt.llr(counts) == pytest.approx(-sprt.llr(counts[::-1]), abs=1e-6, rel=1e-6)


@given(st.tuples(*[st.integers(1, 500)] * 5), st.sampled_from(["normalized", "logistic"]))
def test_a_won_pair_raises_the_llr(counts: tuple[int, ...], model: str) -> None:
    sprt = Sprt.parse(f"0,10,{model}")
    *rest, won = counts
    assert sprt.llr((*rest, won + 1)) > sprt.llr(counts)


@pytest.mark.parametrize(("share_of_wins", "verdict"), [(0.2, Verdict.H0), (0.4, Verdict.H1)])
def test_sprt_errors_are_rare(share_of_wins: float, verdict: Verdict) -> None:
    """With alpha = beta = 0.05 and truths at or beyond the bounds; 40 tests, 8 wrong is a one in 10^4."""
    sprt = Sprt(elo0=0, elo1=60, model="logistic")
    rng = Random(3)
    wrong = 0
    for _ in range(40):
        counts = [0, 0, 0]
        while (found := sprt.verdict(counts)) is Verdict.CONTINUE:
            counts = [
                a + b
                for a, b in zip(
                    counts, _drawn((0.2, 0.8 - share_of_wins, share_of_wins), 4, rng), strict=True
                )
            ]
        wrong += found is not verdict
    assert wrong < 8


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "expected, not ''"),
        ("5", "elo0,elo1"),
        ("0,5,0.05", "elo0,elo1"),
        ("0,five", "expected, not '0,five'"),
        ("5,0", "below elo1"),
        ("nan,5", "below elo1"),
        ("0,5,0.6,0.6", "alpha and beta"),
        ("0,5,0,0.05", "alpha and beta"),
        ("0,500", "-200..200"),
        ("0,5,bayesian", "expected, not"),
    ],
)
def test_invalid_sprt_descriptions_are_refused(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        Sprt.parse(text)


def test_sprt_descriptions_are_read() -> None:
    assert Sprt.parse("0,5") == Sprt(elo0=0, elo1=5)
    assert Sprt.parse("-1.75, 0.25, 0.1, 0.2, logistic") == Sprt(
        elo0=-1.75, elo1=0.25, alpha=0.1, beta=0.2, model="logistic"
    )


# -- Bradley and Terry -----------------------------------------------------------------------------


def test_two_players_have_the_difference_of_their_score() -> None:
    """60 % is +70.4 Elo; the error of the difference is 1 / sqrt(100 p (1 - p)) logits."""
    first, second = bradley_terry(2, [(0, 1, (30, 20, 50))], prior_draws=1e-6)
    assert first.value - second.value == pytest.approx(to_elo(0.6), abs=1e-3)
    assert first.value == pytest.approx(-second.value)
    half = 1.959964 / math.sqrt(24) / 2 * 400 / math.log(10)
    assert (first.high - first.low) / 2 == pytest.approx(half, rel=1e-3)


def test_three_players_with_consistent_odds_have_exact_ratings() -> None:
    """3:1, 3:1 and 9:1 fit exactly: 190.85 Elo a step."""
    games = [(0, 1, (10, 0, 30)), (1, 2, (10, 0, 30)), (0, 2, (5, 0, 45))]
    values = [estimate.value for estimate in bradley_terry(3, games, prior_draws=1e-6)]
    assert values == pytest.approx([190.85, 0, -190.85], abs=0.01)


def test_ratings_stay_finite_for_players_that_won_every_game() -> None:
    best, middle, worst = bradley_terry(3, [(0, 1, (0, 0, 6)), (1, 2, (0, 0, 6))])
    assert 1000 > best.value > middle.value > worst.value > -1000
    assert best.low > worst.high
    alone, idle = bradley_terry(2, [])
    assert alone.value == idle.value == 0 and alone.high > 300
    with pytest.raises(ValueError, match="at least one player"):
        bradley_terry(0, [])


def test_the_true_ratings_are_found() -> None:
    truth = [150.0, 60.0, 0.0, -40.0, -170.0]
    rng = Random(8)
    games = []
    for first in range(5):
        for second in range(first):
            win = expectation(truth[first] - truth[second])
            losses, wins = _drawn((1 - win, win), 480, rng)
            games.append((first, second, (losses, 0, wins)))
    for estimate, rating in zip(bradley_terry(5, games), truth, strict=True):
        assert estimate.low - 8 <= rating <= estimate.high + 8
        assert abs(estimate.value - rating) < 30


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), counts_of_3), min_size=1, max_size=8))
def test_ratings_do_not_depend_on_order_or_sides(games: list[tuple[int, int, tuple[int, int, int]]]) -> None:
    games = [game for game in games if game[0] != game[1]]
    values = [estimate.value for estimate in bradley_terry(4, games)]
    assert sum(values) == pytest.approx(0, abs=1e-6)
    turned = [(second, first, counts[::-1]) for first, second, counts in games[::-1]]
    assert [estimate.value for estimate in bradley_terry(4, turned)] == pytest.approx(values, abs=1e-4)


def _drawn(shares: tuple[float, ...], games: int, rng: Random) -> list[int]:
    """Counts of `games` results with these probabilities."""
    counts = [0] * len(shares)
    for _ in range(games):
        number, step = rng.uniform(), 0
        while step < len(shares) - 1 and number >= shares[step]:
            number -= shares[step]
            step += 1
        counts[step] += 1
    return counts


# -- Means and series, by hand and by tables -------------------------------------------------------


@pytest.mark.parametrize(
    ("degrees", "t"),
    [(1, 12.7062), (2, 4.30265), (4, 2.776445), (5, 2.570582), (9, 2.262157), (30, 2.042272)],
)
def test_student_quantiles_match_published_tables(degrees: int, t: float) -> None:
    assert student(degrees) == pytest.approx(t, abs=5e-5)


def test_intervals_of_means_agree_with_values_by_hand() -> None:
    estimate = mean([1, 2, 3, 4, 5])
    half = 2.776445 * math.sqrt(2.5 / 5)
    assert (estimate.value, estimate.low, estimate.high) == pytest.approx((3, 3 - half, 3 + half), abs=1e-5)
    ratios = geometric_mean([0.5, 1, 2])
    assert ratios.value == pytest.approx(1)
    assert ratios.low * ratios.high == pytest.approx(1)
    assert math.log(ratios.high) == pytest.approx(4.30265 * math.log(2) / math.sqrt(3), abs=1e-5)
    with pytest.raises(ValueError, match="two values"):
        mean([1.0])


def test_the_interval_of_two_results_is_wilsons() -> None:
    """Our interval of two results is Wilson's: (n + z^2) p^2 - (2 k + z^2) p + k^2 / n = 0."""
    assert score([0, 5]).low == pytest.approx(5 / (5 + 3.841459), abs=1e-6)
    assert score([5, 0]).high == pytest.approx(3.841459 / (5 + 3.841459), abs=1e-6)
    assert (score([3, 7]).low, score([3, 7]).high) == pytest.approx((0.396778, 0.892209), abs=1e-5)


def test_spearman_agrees_with_values_by_hand() -> None:
    assert ranks([10, 30, 20, 20]) == [1, 4, 2.5, 2.5]
    assert spearman([1, 2, 3, 4, 5], [5, 6, 7, 8, 7]) == pytest.approx(0.820783, abs=1e-6)
    with pytest.raises(ValueError, match="constant"):
        spearman([1, 1, 1], [1, 2, 3])


@given(st.lists(st.integers(-1000, 1000), min_size=2, max_size=20, unique=True), st.data())
def test_spearman_depends_only_on_the_order(xs: list[int], data: st.DataObject) -> None:
    ys = data.draw(st.permutations(xs))
    rho = spearman(xs, ys)
    assert -1 - 1e-9 <= rho <= 1 + 1e-9
    assert spearman([x**3 for x in xs], ys) == pytest.approx(rho)
    assert spearman([-x for x in xs], ys) == pytest.approx(-rho)


@settings(max_examples=25)
@given(st.integers(10, 110), st.sampled_from([-1, 1]), st.integers(0, 1 << 62))
def test_a_change_is_found_where_it_is(index: int, sign: int, seed: int) -> None:
    rng = Random(seed)
    series = [rng.normal(0.05) + sign * (place >= index) for place in range(120)]
    found = change_point(series, Random(seed))
    assert found.index == index and found.p <= 0.01
    assert found.after - found.before == pytest.approx(sign, abs=0.1)


def test_noise_seldom_shows_a_change_point() -> None:
    rng = Random(7)
    found = [change_point([rng.normal(1) for _ in range(80)], rng).p < 0.05 for _ in range(60)]
    assert sum(found) <= 8, "P = 0.002 if one of 20 is found"


def test_constant_series_have_no_change_and_short_ones_are_refused() -> None:
    assert change_point([0.1] * 100, Random(1)).p == 1
    with pytest.raises(ValueError, match="80 points"):
        change_point([0.0] * 79, Random(1))
