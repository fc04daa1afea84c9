"""Automata: normal forms play the same, sentences say what automata do, lint and differences find what is there."""

from itertools import chain, cycle, islice

from hypothesis import given
from hypothesis import strategies as st

from core.protection.policy import INPUTS, STATES
from engines.protection.automata import (
    ActionTrace,
    Difference,
    describe_minion,
    explain_string,
    habits,
    lint,
    normalised,
    reachable,
)
from engines.protection.genome import AUTOMATON, MINIONS, PREFERENCES, Genome
from tests.engines.protection.strings import COMMONS, COUNTING, GENOMES

KINDS = range(len(MINIONS))


def with_minion(genome: Genome, minion: int, states: str, preference: int = 5) -> Genome:
    """Another automaton for one minion, its four states as in `.aps`, without the inputs."""
    nibbles = genome.nibbles
    steps = [int(word[0]) << 2 | "FRLS".index(word[1]) for word in states.split()]
    nibbles[minion * AUTOMATON : (minion + 1) * AUTOMATON] = steps
    nibbles[PREFERENCES + minion] = preference
    return Genome.of(nibbles)


def walk(genome: Genome, minion: int, inputs: list[int]) -> list[int]:
    state, actions = 0, []
    for input in inputs:
        state, action = genome.step(minion, state, input)
        actions.append(action)
    return actions


@given(GENOMES, st.lists(st.integers(0, 7), max_size=60))
def test_a_normal_form_plays_the_same(genome: Genome, inputs: list[int]) -> None:
    normal = normalised(genome)
    assert normalised(normal) == normal
    assert normal.preferences == genome.preferences
    assert all(walk(normal, minion, inputs) == walk(genome, minion, inputs) for minion in KINDS)


def test_unreachable_states_are_zero_in_the_normal_form() -> None:
    genome = with_minion(Genome.loads(COUNTING), 2, "0F 1S 0F 0F 0F 0F 0F 0F " * 2 + "3R " * 16)
    assert reachable(genome, 2) == [0, 1]
    assert normalised(genome).nibbles[2 * AUTOMATON + 16 : 3 * AUTOMATON] == [0] * 16
    assert reachable(genome, 0) == list(range(STATES))


@given(GENOMES)
def test_habits_cover_every_reachable_state_and_input(genome: Genome) -> None:
    for minion in KINDS:
        told = {
            (state, input): action
            for habit in habits(genome, minion)
            for input in habit.inputs
            for state, action in habit.actions.items()
        }
        assert told == {
            (state, input): genome.step(minion, state, input)[1]
            for state in reachable(genome, minion)
            for input in range(INPUTS)
        }


@given(GENOMES, st.integers(0, 7), st.integers(0, 7))
def test_a_trace_contains_the_actions_on_a_constant_input(genome: Genome, minion: int, input: int) -> None:
    trace = ActionTrace.of(genome, minion, input)
    actions = chain(trace.beginning, cycle(trace.cycle))
    assert list(islice(actions, 60)) == walk(genome, minion, [input] * 60)
    assert len(trace.beginning) + len(trace.cycle) <= STATES


@given(GENOMES)
def test_any_string_can_be_explained(genome: Genome) -> None:
    text = explain_string(genome)
    assert all(name in text for name in MINIONS) or not any(genome.preferences)
    assert all(describe_minion(genome, minion) for minion in KINDS)


def test_a_searching_minion_is_described_in_words() -> None:
    straight = "1F 0R 0F 0F 0S 0S 0S 0S 2F 1R 1F 1F 1S 1S 1S 1S 3F 2R 2F 2F 2S 2S 2S 2S"
    genome = with_minion(Genome.of([0] * 264), 2, f"{straight} 0R 3R 3F 3F 3S 3S 3S 3L")
    assert describe_minion(genome, 2) == [
        "With nothing to sense it walks, and turns right every fourth step.",
        "Before impassable terrain it turns right.",
        "Hearing a scout and facing a scout that it hears it walks.",
        "Facing a drone or farmer, facing infantry or a settler and facing armor it attacks.",
        "Facing a jammer or artillery it turns left in state 3 and attacks in states 0, 1 and 2.",
    ]
    assert explain_string(genome).startswith(
        "Chaos buys nothing but one kind of minion: common.\n\ncommon (preference 5)\n  With"
    )
    assert "Never bought: scout, scavenger, amphibious" in explain_string(genome)


def test_a_description_gives_the_first_actions_before_the_cycle() -> None:
    genome = with_minion(Genome.of([0] * 264), 0, "1R " * 8 + "2F " * 8 + "1S " * 8 + "0F " * 8)
    sentences = describe_minion(genome, 0)
    assert sentences[0] == (
        "With nothing to sense it first turns right; then walks, and broadcasts every second step."
    )
    assert sentences[1].endswith("it walks in state 1, turns right in state 0 and broadcasts in state 2.")


def test_the_string_of_commons_is_described_in_words() -> None:
    genome = Genome.loads(COMMONS)
    assert describe_minion(genome, 2) == [
        "With nothing to sense it walks.",
        "Facing a scout that it hears it walks.",
        "Before impassable terrain and hearing a scout it turns right.",
        "Facing anything that it can attack it attacks.",
    ]
    assert lint(genome) == []


def test_lint_reports_wasted_preferences() -> None:
    nothing = Genome.of([0] * 264)
    assert lint(nothing) == ["all preferences are 0: Chaos buys nothing"]
    walkers = with_minion(with_minion(nothing, 2, "0F " * 32), 1, "0F " * 32, 3)
    assert lint(walkers) == [
        "scavenger never farms: preference 3 is wasted",
        "common never attacks: preference 5 is wasted",
    ]
    still = with_minion(nothing, 7, "0S " * 32)
    assert lint(still) == ["armored never walks"]
    mute = with_minion(still, 0, "0F " * 32)
    assert lint(mute)[1:] == ["scout never broadcasts: preference 5 is wasted"]
    silent = with_minion(still, 0, "0F 0S " * 16)
    assert lint(silent)[1:] == ["no minion reacts to the scouts: preference 5 is wasted"]
    answered = with_minion(silent, 7, "0S 0S 0S 0F 0S 0S 0S 0S " * 4)
    assert lint(answered) == []


def test_differences_list_changed_steps_and_preferences() -> None:
    here = with_minion(Genome.loads(COMMONS), 2, "0F " * 32)
    there = with_minion(here, 2, "0F 0F 0F 0L 0F 0F 0F 0F " + "3S " * 24, 7)
    difference = Difference.of(here, there)
    assert (difference.bits, difference.used_bits) == (1 + 24 * 4 + 1, 2)
    assert difference.text().splitlines()[1:] == ["common pref 5 is 7", "common state 0: 3>0F is 3>0L"]
    further = with_minion(here, 2, "1F " + "0F " * 7 + "1S " * 24, 5)
    (change,) = Difference.of(further, here).changes
    assert str(change) == "common state 0: 0>1F is 0>0F", "state 1 is reached in one of them alone"
    assert Difference.of(here, here).text() == "0 bits differ, 0 without states that are never reached"
