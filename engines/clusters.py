"""Shares and means of results that come in clusters, such as the decisions of one game, with 95 % intervals.

Results of one cluster are alike, so they tell less than as many independent results. The intervals therefore follow
from the differences between clusters: the variance is that of a ratio of sums over clusters (W. Cochran, "Sampling
Techniques", 1977, section 6.4), and Student's t has one degree of freedom less than there are clusters. Clusters may
differ in size. A cluster is given as the sum of its results and their number, which is 1 or more.
"""

from collections.abc import Sequence
from math import sqrt

from engines.statistics import Z_95, Estimate, ordered_sum, student, wilson

Cluster = tuple[float, int]  # the sum of the results, and their number


def clustered_share(clusters: Sequence[Cluster]) -> Estimate:
    """Return the mean of results in 0..1, with Wilson's interval for the effective number of results.

    That number is the one at which independent results would vary as much as these clusters do, at most the number of
    results, and smaller by (z/t)^2 for few clusters (E. Korn and B. Graubard, Survey Methodology 24, 1998). A single
    cluster tells nothing of others: the interval is 0..1. Raises ValueError if there are no clusters.
    """
    mean, variance = _ratio(clusters)
    if len(clusters) < 2:
        return Estimate(value=mean, low=0.0, high=1.0)
    results = float(sum(count for _, count in clusters))
    if variance > 0:
        results = min(results, mean * (1 - mean) / variance)
    return wilson(mean, results * (Z_95 / student(len(clusters) - 1)) ** 2)


def clustered_mean(clusters: Sequence[Cluster]) -> Estimate:
    """Return the mean of any results with Student's interval. Raises ValueError for less than two clusters."""
    if len(clusters) < 2:
        raise ValueError("an interval needs at least two clusters")
    mean, variance = _ratio(clusters)
    half = student(len(clusters) - 1) * sqrt(variance)
    return Estimate(value=mean, low=mean - half, high=mean + half)


def _ratio(clusters: Sequence[Cluster]) -> tuple[float, float]:
    """Return the mean of all results and the variance of that mean; the variance is 0 for a single cluster."""
    results = sum(count for _, count in clusters)
    if not results:
        raise ValueError("a mean needs at least one result")
    mean = ordered_sum(total for total, _ in clusters) / results
    if len(clusters) < 2:
        return mean, 0.0
    squares = ordered_sum((total - mean * count) ** 2 for total, count in clusters)
    return mean, squares * len(clusters) / (len(clusters) - 1) / results**2
