"""Genomes: text and players; the pairs of the thesis play as strongly as they are known to."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.acquire.players import Player
from core.acquire.playout import GameRunner
from core.acquire.rules import PRESETS, GameSpec
from engines.acquire.genome import Genome, PlayerOptions
from engines.acquire.gp.sexpr import TreeError
from engines.acquire.registry import thesis_players
from tests.engines.acquire.genomes import TREES, composed

GENOMES = st.one_of(
    st.builds(lambda place, buy: Genome(place=place, buy=buy), TREES, TREES),
    st.builds(lambda place: Genome(place=place), TREES),
    st.builds(lambda buy: Genome(buy=buy), TREES),
    st.builds(composed, st.integers(0, 2**32), st.integers(0, 9), st.integers(0, 4)),
)


@given(GENOMES)
def test_a_genome_reads_back(genome: Genome) -> None:
    assert Genome.loads(genome.dumps()) == genome


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no program"),
        ("(define sell 1)", "no decision is called sell; there are place, buy"),
        ("(define place (size-of-chain-9))", "line 1, column 16: unknown name"),
        ("(define remember-1 1)", "no program: .define place"),
        (
            "(define place 1) (define remember-5 1)",
            "no decision is called remember-5; did you mean remember-",
        ),
        (
            "(define place 1) (define (rate-1 it) 1) (define (rate-1 it) 1)",
            "column 50: rate-1 is defined already",
        ),
    ],
)
def test_invalid_genomes_are_refused(text: str, reason: str) -> None:
    with pytest.raises(TreeError, match=reason):
        Genome.loads(text)


def test_changes_with_undefined_calls_or_excessive_size_are_ignored() -> None:
    """Where it would not, or would be too large when expanded, it is unchanged."""
    plain = Genome.loads("(define place (cash))")
    calling = Genome.loads("(define place (rate-1 (largest))) (define (rate-1 it) (size it))")
    call = calling["place"]
    assert call and plain.changed("place", call) is plain
    assert calling.changed("place", ("cash",)).place == ("cash",)
    four = ("+", "+", *call, *call, "+", *call, *call)
    large = ("sum",) * 5 + ("size", "it")
    assert calling.changed("place", four).place == four
    assert calling.changed("place", four).changed("rate-1", large)["rate-1"] == ("size", "it")


def test_functions_and_registers_are_evaluated_in_play() -> None:
    """The same player with and without functions; one that buys only what it has not remembered."""
    plain = Genome.loads("(define buy (* 2 (left (bought))))")
    calling = Genome.loads("(define (rate-1 it) (* 2 (left it))) (define buy (rate-1 (bought)))")
    forgetful = Genome.loads("(define buy (* (memory-1) (price (bought)))) (define remember-1 (- 0 1))")
    tables = GameRunner(GameSpec(PRESETS["thesis-7"], 2))

    def worths(genome: Genome) -> list[list[int]]:
        player, other = genome.express(), Player()
        return [tables.play([player, other], game % 2, game) for game in range(20)]

    assert worths(plain) == worths(calling)
    assert worths(forgetful) != worths(Genome.loads("(define buy (* -1 (price (bought))))"))


@pytest.mark.parametrize(
    ("name", "tie", "won"),
    [
        ("pair-1", 0, 0.63),
        ("pair-2", 0, 0.63),
        ("pair-3", 0, 0.31),
        ("pair-4", 0, 0.55),
        ("pair-1", 1, 0.00),
        ("pair-4", 1, 0.05),
        ("pair-2", 2, 0.42),
        ("pair-3", 2, 0.25),
    ],
)
def test_printed_pairs_win_their_known_share_against_the_random_player(
    name: str, tie: int, won: float
) -> None:
    """Share of 800 games with three chains; within four standard errors of what longer matches give."""
    tables = GameRunner(GameSpec(PRESETS["thesis-2002"], 2))
    player, opponent = thesis_players()[name].express(PlayerOptions(tie=tie)), Player()
    wins = 0.0
    for game in range(800):
        own, others = tables.play([player, opponent], game % 2, 77_000 + game // 2)
        wins += 0.5 + ((own > others) - (own < others)) / 2
    assert wins / 800 == pytest.approx(won, abs=max(4 * (won * (1 - won) / 800) ** 0.5, 0.01))
