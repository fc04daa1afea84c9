"""Behaviour: fixed states are the same for all, with several options; who chooses alike is at no distance."""

import pytest

from core.acquire.actions import DECLARE_END
from core.acquire.rules import PRESETS
from engines.acquire.behaviour import PHASE_OF, behaviour_distance, choices, fixed_states, sensitivities
from engines.acquire.net_genome import NetGenome, Shape
from engines.acquire.registry import create_player

RULES = PRESETS["thesis-2002"]


@pytest.mark.parametrize("decision", PHASE_OF)
def test_states_have_several_options(decision: str) -> None:
    states = fixed_states(RULES, decision, 30)
    assert len(states) == 30
    for state in states:
        assert state.phase() == PHASE_OF[decision]
        assert (
            len({action & DECLARE_END if decision == "end" else action for action in state.legal_actions()})
            > 1
        )


def test_players_that_choose_alike_have_behaviour_distance_zero() -> None:
    one, again, other = (
        choices(create_player(name), RULES, ["place", "buy"], 40) for name in ("pair-1", "pair-1", "pair-4")
    )
    assert len(one) == 80 and behaviour_distance(one, again) == 0
    assert 0 < behaviour_distance(one, other) == behaviour_distance(other, one) < 1


def test_a_net_is_sensitive_only_to_inputs_with_weights() -> None:
    shape = Shape(chain_units=1, table_units=1, chain_inputs=("held",), facts=("my-worth", "cash"))
    text = NetGenome(shape=shape, weights=(0.0,) * shape.size).dumps()
    greedy = text.replace("(table my-worth 0)", "(table my-worth 1)").replace("(result 0)", "(result 2)")
    first, *others = sensitivities(NetGenome.loads(greedy), RULES)
    assert first.name == "my-worth" and first.changed > 0.1 and first.pull
    assert all(each.changed == 0 and not each.pull for each in others)


def test_equal_weights_pull_equally_whatever_the_scale_of_the_input() -> None:
    shape = Shape(chain_units=1, table_units=1, chain_inputs=(), facts=("my-worth", "cash"))
    text = NetGenome(shape=shape, weights=(0.0,) * shape.size).dumps()
    for row in ("my-worth", "cash"):
        text = text.replace(f"(table {row} 0)", f"(table {row} 1)")
    one, other = sensitivities(NetGenome.loads(text.replace("(result 0)", "(result 2)")), RULES)
    assert one.pull and one.pull == pytest.approx(other.pull)
