"""The claims of "Evolving Board Evaluation Functions", chapters 4 and 5 and appendix B, and the rules to judge them.

The figures are pictures without numbers; for them `thesis` has what the text says about them. A claim that needs a
margin gives it in its criterion, because the thesis prints no interval. Criteria were written before the twenty runs
were studied.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Final

from engines.statistics import Estimate, score
from tools.study import acquire_thesis_measures as measures
from tools.study.acquire_thesis_games import Repeat
from tools.study.acquire_thesis_measures import PRINTED, Measure
from tools.study.verdicts import (
    Rule,
    majority_of_runs,
    mean_above,
    mean_below,
    mean_within,
    negated,
    no_outlier,
    one_more_run,
)

FLAT_NODES: Final = 0.5
FLAT_FITNESS: Final = 0.005  # a quarter of the deviation of a mean of ten games
FLAT_WINS: Final = 0.05  # half a win in ten games
EVEN: Final = (0.45, 0.55)
PEOPLE: Final = (11, 9)  # games that the people won, and the agents


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A statement of the thesis, the number of each run that it is judged by, and the number that luck alone gives.

    `form` formats the numbers; `luck` says whose number `chance` is. `figures` are the names of pictures of the study.
    """

    place: str  # section and figure
    thesis: str
    quantity: str
    measure: Measure
    rule: Rule
    criterion: str  # a condition that the quantity meets if the claim holds
    chance: Measure | float | None
    luck: str
    form: str = "+.3f"
    remark: str = ""
    figures: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class NotRepeated:
    """A result of the thesis that new runs cannot repeat. `ours` is the nearest number that they have."""

    place: str
    thesis: str
    ours: Callable[[Repeat], str]
    luck: str
    reason: str


def _trend(evolve: str, figure: str) -> tuple[Claim, Claim]:
    """Return the claims about best fitness that the thesis makes for both populations, which differ in the trend."""
    name = {"place": "Place-Tile", "buy": "Buy-Stock"}[evolve]
    section, scatter = {"place": ("4.1.1", "Figure 4.5"), "buy": ("4.1.2", "Figure 4.6")}[evolve]
    rises = evolve == "place"
    pictures = (f"best-evolve-{evolve}",)
    return (
        Claim(
            place=f"{section}, {figure}",
            thesis=f"Best {name} program of each generation: "
            + ("a very slight upward trend." if rises else "no positive slope, rather flat."),
            quantity="rise of the best fitness over the run",
            measure=measures.rise(evolve, "best"),
            rule=mean_above(0) if rises else mean_within(-FLAT_FITNESS, FLAT_FITNESS),
            criterion="it is above 0" if rises else f"it is within +-{FLAT_FITNESS}",
            chance=measures.rise(evolve, "best_by_luck"),
            luck="the luckiest of equal players",
            form="+.4f",
            remark="The best is measured against its own generation, so a change of its fitness shows how the players differ, not how strong they are.",
            figures=pictures,
        ),
        Claim(
            place=f"{section}, {scatter}",
            thesis="The cloud of all runs is stable: no run is an outlier.",
            quantity="largest distance of a run's mean best fitness from that of all runs, in deviations",
            measure=measures.level(evolve, "best"),
            rule=no_outlier,
            criterion="it is within the bound of Grubbs' test at 5 %",
            chance=None,
            luck="equal runs are within the interval in 95 of 100 cases",
            form=".2f",
            figures=pictures,
        ),
    )


def _best_of_run(evolve: str, generation: int, nodes: int) -> tuple[Claim, Claim]:
    name = {"place": "Place-Tile", "buy": "Buy-Stock"}[evolve]
    return (
        Claim(
            place="4.1.3",
            thesis=f"The best of a {name} run is of generation {generation}.",
            quantity="generation of the best of the run; range of one more run",
            measure=measures.best_generation(evolve),
            rule=one_more_run(generation),
            criterion=f"{generation} is a number that one more run could give",
            chance=measures.middle_generation(evolve),
            luck="a generation drawn at random",
            form=".1f",
            figures=(f"best-evolve-{evolve}",),
        ),
        Claim(
            place="4.1.3",
            thesis=f"The program of that best has {nodes} nodes.",
            quantity="nodes of the best of the run; range of one more run",
            measure=measures.best_nodes(evolve),
            rule=one_more_run(nodes),
            criterion=f"{nodes} is a number that one more run could give",
            chance=measures.nodes_of_founders(evolve),
            luck="a random program of generation 0",
            form=".1f",
            figures=(f"size-evolve-{evolve}",),
        ),
    )


def _wins_with_best(evolve: str, generation: int) -> Claim:
    name = {"place": "Place-Tile", "buy": "Buy-Stock"}[evolve]
    return Claim(
        place="4.3",
        thesis=f"The {name} best of the run ({generation}) has 8 wins in its best pair.",
        quantity="most wins of a pair with the best of the run; range of one more run",
        measure=measures.wins_with_best(evolve),
        rule=one_more_run(8),
        criterion="8 is a number that one more run could give",
        chance=measures.wins_by_luck(evolve),
        luck="the luckiest of as many equal pairs",
        form=".1f",
        figures=("pairs",),
    )


def _nodes_of_winners(evolve: str, nodes: float) -> Claim:
    name = {"place": "Place-Tile", "buy": "Buy-Stock"}[evolve]
    return Claim(
        place="Appendix B",
        thesis=f"The {name} programs of the four pairs have {nodes:g} nodes on average.",
        quantity="mean nodes in the pairs with the most wins; range of one more run",
        measure=measures.nodes_of_winners(evolve),
        rule=one_more_run(nodes),
        criterion=f"{nodes:g} is a number that one more run could give",
        chance=measures.nodes_of_bests(evolve),
        luck="pairs drawn at random",
        form=".1f",
    )


CLAIMS: Final[Sequence[Claim]] = (
    Claim(
        place="4.1, Figures 4.1 and 4.2",
        thesis="Mean size of programs: the curves differ enough to show that the populations have evolved separately.",
        quantity="nodes by which the last Place-Tile programs are larger than the Buy-Stock programs",
        measure=measures.size_difference(-1),
        rule=negated(mean_within(-FLAT_NODES, FLAT_NODES)),
        criterion=f"it is outside of +-{FLAT_NODES}",
        chance=measures.size_difference(0),
        luck="generation 0, before any selection",
        form="+.2f",
        figures=("size-evolve-place", "size-evolve-buy"),
    ),
    *_trend("place", "Figure 4.3"),
    Claim(
        place="4.1.1, Figure 4.3",
        thesis="The jagged means suggest that the runs behave alike in the same generations.",
        quantity="correlation between two runs' changes of best fitness from generation to generation",
        measure=measures.parallel("place", "best"),
        rule=mean_above(0),
        criterion="it is above 0",
        chance=0.0,
        luck="independent runs",
        form="+.2f",
        remark="The mean of ten independent noisy runs is jagged too.",
        figures=("best-evolve-place",),
    ),
    *_trend("buy", "Figure 4.4"),
    Claim(
        place="4.1.1, Figure 4.7",
        thesis="Mean standardized fitness of Place-Tile programs: a downward trend, less steep.",
        quantity="rise of the mean standardized fitness",
        measure=measures.fall("place", "mean"),
        rule=mean_below(0),
        criterion="it is below 0",
        chance=0.0,
        luck="an identity",
        remark="Both players of a game are credited, so the mean over all games is 1/2 in every generation. "
        "A slope can only come from unequal numbers of games.",
        figures=("mean-evolve-place",),
    ),
    Claim(
        place="4.1.2, Figure 4.8",
        thesis="Mean standardized fitness of Buy-Stock programs: averages out to a level slope.",
        quantity="rise of the mean standardized fitness",
        measure=measures.fall("buy", "mean"),
        rule=mean_within(-FLAT_FITNESS, FLAT_FITNESS),
        criterion=f"it is within +-{FLAT_FITNESS}",
        chance=0.0,
        luck="an identity",
        remark="The identity of Figure 4.7 makes it level, whatever the programs can do.",
        figures=("mean-evolve-buy",),
    ),
    *_best_of_run("place", 37, 15),
    *_best_of_run("buy", 44, 11),
    Claim(
        place="4.2, Figure 4.9",
        thesis="Tournament of bests, Place-Tile: a clear downward trend; the last best wins more often against older bests.",
        quantity="rise of its win rate from the oldest to the youngest opponent",
        measure=measures.ancestors_rise("place", 0, 1),
        rule=mean_below(0),
        criterion="it is below 0",
        chance=0.0,
        luck="equal players",
        figures=("tournament-evolve-place",),
    ),
    Claim(
        place="4.2, Figure 4.9",
        thesis="That trend implies progress of the Place-Tile population as a whole.",
        quantity="gain of a random sample's win rate against random players, first to last generation",
        measure=measures.sample_gain("place"),
        rule=mean_above(0),
        criterion="it is above 0",
        chance=0.0,
        luck="no progress",
        figures=("mean-evolve-place",),
    ),
    Claim(
        place="4.2, Figure 4.10",
        thesis="Tournament of bests, Buy-Stock: the trend is flat at first.",
        quantity="rise of the last best's win rate over the older half of its opponents",
        measure=measures.ancestors_rise("buy", 0, 0.5),
        rule=mean_within(-FLAT_WINS, FLAT_WINS),
        criterion=f"it is within +-{FLAT_WINS}",
        chance=0.0,
        luck="equal players",
        figures=("tournament-evolve-buy",),
    ),
    Claim(
        place="4.2, Figure 4.10",
        thesis="It starts to be negative only toward the end of the runs.",
        quantity="rise of the last best's win rate over the younger half of its opponents",
        measure=measures.ancestors_rise("buy", 0.5, 1),
        rule=mean_below(0),
        criterion="it is below 0",
        chance=0.0,
        luck="equal players",
        figures=("tournament-evolve-buy",),
    ),
    Claim(
        place="4.3",
        thesis="Of 2,500 pairs, four won all 10 games.",
        quantity="pairs with 10 wins; range of one more tournament",
        measure=measures.pairs_with(10),
        rule=one_more_run(4),
        criterion="4 is a number that one more tournament could give",
        chance=measures.pairs_expected(10),
        luck="equal pairs",
        form=".2f",
        figures=("pairs",),
    ),
    Claim(
        place="4.3",
        thesis="182 pairs are tied with 8 wins.",
        quantity="pairs with 8 wins; range of one more tournament",
        measure=measures.pairs_with(8),
        rule=one_more_run(182),
        criterion="182 is a number that one more tournament could give",
        chance=measures.pairs_expected(8),
        luck="equal pairs",
        form=".0f",
        remark="A number above that of equal pairs shows that pairs do differ.",
        figures=("pairs",),
    ),
    Claim(
        place="4.3",
        thesis="The pairs with the most wins are the strongest players.",
        quantity="their win rate in new games against the other top pairs",
        measure=measures.retest_of_winners,
        rule=mean_above(0.5),
        criterion="it is above 1/2",
        chance=0.5,
        luck="equally strong top pairs",
        form=".1%",
    ),
    Claim(
        place="4.3",
        thesis="The bests of the runs are in none of the pairs with the most wins, which is called ironic.",
        quantity="share of tournaments in which they are in none",
        measure=measures.lacks_best_of_run,
        rule=majority_of_runs(bool),
        criterion="they are in none in most tournaments",
        chance=measures.lacks_by_luck,
        luck="as many pairs drawn at random",
        form=".2f",
        remark="The thesis concludes that separate evolution leads to mediocre results; pairs drawn at random lack the bests as well.",
    ),
    _wins_with_best("place", 37),
    _wins_with_best("buy", 44),
    _nodes_of_winners("place", 17.5),
    _nodes_of_winners("buy", 10),
    Claim(
        place="4.3, Appendix B",
        thesis="The programs of the four pairs are of generations 17, 19, 38, 46 and 45, 0, 47, 32: 30.5 on average.",
        quantity="mean generation in the pairs with the most wins; range of one more run",
        measure=measures.generation_of_winners,
        rule=one_more_run(30.5),
        criterion="30.5 is a number that one more run could give",
        chance=measures.middle_generation("place"),
        luck="pairs drawn at random",
        form=".1f",
    ),
    Claim(
        place="4.3, Appendix B",
        thesis="The four printed pairs are the strongest players that the technique has developed.",
        quantity="win rate of the strongest pair of each seed against them",
        measure=measures.strongest(*PRINTED),
        rule=mean_within(*EVEN),
        criterion=f"it is within {EVEN[0]}..{EVEN[1]}",
        chance=0.5,
        luck="equal players",
        form=".1%",
        remark="The strongest pair is chosen by new games among the 20 pairs with the most wins, not by ten wins alone.",
    ),
    Claim(
        place="5.1",
        thesis="The technique evolves novice players.",
        quantity="win rate of the strongest pair of each seed against random players",
        measure=measures.strongest("random"),
        rule=mean_above(0.5),
        criterion="it is above 1/2",
        chance=0.5,
        luck="random players",
        form=".1%",
    ),
    Claim(
        place="5.4",
        thesis="It has a long way to go before it produces players of high competence.",
        quantity="win rate of the strongest pair of each seed against `heuristic`, rules of thumb",
        measure=measures.strongest("heuristic"),
        rule=mean_below(0.5),
        criterion="it is below 1/2",
        chance=0.5,
        luck="equal players",
        form=".1%",
    ),
)


def _money(repeat: Repeat) -> str:
    worths = [each.of_runs[2].worth for each in repeat.pairs]
    return (
        f"the pairs of each tournament end with ${fmean(worths):,.0f}" if worths else "no pairs have played"
    )


def _people_won(repeat: Repeat) -> str:
    agents: Estimate = score(PEOPLE)
    return f"no games; the interval of the thesis's own games is {agents:.1%}"


NOT_REPEATED: Final[Sequence[NotRepeated]] = (
    NotRepeated(
        place="4.3",
        thesis="Four people played five games each against the four pairs, which won 9 of 20: about half.",
        ours=_people_won,
        luck="10 of 20 between equal players",
        reason="it needs people",
    ),
    NotRepeated(
        place="5.2",
        thesis="People under the same rules earned about as much as the evolved players.",
        ours=_money,
        luck="none",
        reason="it needs people",
    ),
)
