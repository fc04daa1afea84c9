"""Intervals of results in clusters: those of survey samples; they cover the truth where clusters differ."""

import pytest

from core.random import Random
from engines.clusters import Cluster, clustered_mean, clustered_share
from engines.statistics import Z_95, Estimate, mean, student, wilson


def test_clusters_of_one_are_independent_results() -> None:
    values = [0.5, 3.0, -1.0, 4.0, 2.5]
    assert bounds(clustered_mean([(value, 1) for value in values])) == pytest.approx(bounds(mean(values)))


def test_the_mean_is_of_results_not_of_clusters() -> None:
    assert clustered_mean([(1.0, 1), (0.0, 3)]).value == 0.25
    assert clustered_share([(1.0, 1), (0.0, 3)]).value == 0.25


def test_the_variance_is_that_of_a_ratio() -> None:
    """By hand: residuals 3, 0 and -3 around the mean 1/2, so a variance of 18 * 3/2 / 30^2 = 0.03."""
    estimate = clustered_mean([(8.0, 10), (5.0, 10), (2.0, 10)])
    assert estimate.high - estimate.value == pytest.approx(student(2) * 0.03**0.5)
    share = clustered_share([(8.0, 10), (5.0, 10), (2.0, 10)])
    assert bounds(share) == pytest.approx(bounds(wilson(0.5, 0.25 / 0.03 * (Z_95 / student(2)) ** 2)))


def test_alike_clusters_tell_no_more_than_their_results() -> None:
    share = clustered_share([(5.0, 10)] * 4)
    assert bounds(share) == pytest.approx(bounds(wilson(0.5, 40 * (Z_95 / student(3)) ** 2)))
    none, all = clustered_share([(0.0, 10)] * 4), clustered_share([(10.0, 10)] * 4)
    assert none.low == 0 < none.high < 0.5 < all.low < all.high == 1


def test_one_cluster_tells_nothing_of_others() -> None:
    share = clustered_share([(3.0, 4)])
    assert bounds(share) == (0.75, 0.0, 1.0)
    with pytest.raises(ValueError, match="at least two clusters"):
        clustered_mean([(3.0, 4)])
    with pytest.raises(ValueError, match="at least one result"):
        clustered_share([])


def test_the_intervals_cover_the_truth_where_clusters_differ() -> None:
    """In 300 samples of 12 clusters; the interval of independent results covers it in three of four."""
    rng = Random(5)
    covered = {clustered_share: 0, clustered_mean: 0}
    independent = 0
    for _ in range(300):
        clusters = [_cluster(rng) for _ in range(12)]
        for function in covered:
            estimate = function(clusters)
            covered[function] += estimate.low <= 0.4 <= estimate.high
        results = sum(count for _, count in clusters)
        estimate = wilson(sum(total for total, _ in clusters) / results, results)
        independent += estimate.low <= 0.4 <= estimate.high
    assert all(275 <= count <= 297 for count in covered.values()), covered.values()
    assert independent < 240


def _cluster(rng: Random) -> Cluster:
    """Return 20 to 40 results, with a share of 0.25 or 0.55 at equal chances."""
    share = 25 if rng.below(2) else 55
    count = 20 + int(rng.below(21))
    return float(sum(int(rng.below(100)) < share for _ in range(count))), count


def bounds(estimate: Estimate) -> tuple[float, float, float]:
    return estimate.value, estimate.low, estimate.high
