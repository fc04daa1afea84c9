"""The rules as data: presets, prices, text and back, and what is refused."""

import pickle

import pytest

from core.acquire.rules import PRESETS, Chain, GameSpec, Rules, rules_from_text

PRICES = {  # sizes: cheap, medium, expensive (the table on every player's card)
    (0, 1): (0, 0, 0),
    (2,): (200, 300, 400),
    (3,): (300, 400, 500),
    (4,): (400, 500, 600),
    (5,): (500, 600, 700),
    (6, 10): (600, 700, 800),
    (11, 20): (700, 800, 900),
    (21, 30): (800, 900, 1000),
    (31, 40): (900, 1000, 1100),
    (41, 108): (1000, 1100, 1200),
}


def test_prices_depend_on_chain_size_and_tier() -> None:
    rules = PRESETS["classic"]
    for sizes, prices in PRICES.items():
        for size in sizes:
            assert (rules.price(0, size), rules.price(2, size), rules.price(6, size)) == prices


def test_the_presets_have_their_chains_and_tiers() -> None:
    assert list(PRESETS) == ["classic", "tlstyer", "thesis-2002", "thesis-7", "mini"]
    assert [len(rules.chains) for rules in PRESETS.values()] == [7, 7, 3, 7, 2]
    assert [chain.tier for chain in PRESETS["classic"].chains] == [0, 0, 1, 1, 1, 2, 2]
    assert len({rules.text() for rules in PRESETS.values()}) == 5


@pytest.mark.parametrize("rules", PRESETS.values(), ids=lambda rules: rules.name)
def test_rules_survive_text_and_pickling(rules: Rules) -> None:
    again = rules_from_text(rules.name, rules.text())
    assert again == rules and again.text() == rules.text() and hash(again) == hash(rules)
    assert pickle.loads(pickle.dumps(rules)) == rules
    assert GameSpec(again, rules.seats[0]) == GameSpec(rules, rules.seats[0])


def test_settled_rules_stay_in_the_text() -> None:
    """Records have the hash of the text."""
    text = PRESETS["classic"].text()
    assert text.split("steps", 1)[1].splitlines()[1:] == [
        "start_order row_first", "position_tiles stay", "merge_pay chain_by_chain", "end_check any_time",
        "dead_replace once", "hand_out_end all", "stuck_round on", "holdings open",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("columns 12", "columns"), "line 1: a name and its value"),
        (("columns 12", "columns 40"), "too large"),
        (("rows 9", "rows 27"), "1 to 26 rows"),
        (("rows 9\n", ""), "the line 'rows' is missing"),
        (("cash 6000", "cash 6000\ncredit 7"), "no rule is named 'credit'"),
        (("cash 6000", "cash 6050"), "multiple"),
        (("hand 6", "hand six"), "invalid literal"),
        (("hand 6", "hand 9"), "1 to 8 tiles"),
        (("end 41", "end 1"), "at least 2 tiles"),
        (("steps 2 3", "steps 3 2"), "start with 2 and increase"),
        (("seats 2 6", "seats 1 6"), "2 to 6 players"),
        (("max_buy 3", "max_buy 4"), "0 to 3 shares"),
        (("Tower:T:0", "Tower:L:0"), "different letters"),
        (("Tower:T:0", "Tower:t:0"), "one of A to Z"),
        (("Tower:T:0", "Tower:T:12"), "a tier"),
        (("dead_replace once", "dead_replace twice"), "dead_replace is one of once"),
        (("holdings open", "holdings open\nphantom none"), "no rule is named 'phantom'"),
        (("hand_out_end all", "hand_out_end first"), "hand_out_end is all, not 'first'"),
    ],
)
def test_invalid_rules_texts_are_refused(change: tuple[str, str], message: str) -> None:
    text = PRESETS["classic"].text()
    assert change[0] in text
    with pytest.raises(ValueError, match=message):
        rules_from_text("wrong", text.replace(*change))


def test_chain_names_of_two_words_are_refused() -> None:
    with pytest.raises(ValueError, match="one word"):
        Chain("Best Western", "B", 1)


@pytest.mark.parametrize("seats", [1, 7])
def test_games_for_too_few_or_too_many_players_are_refused(seats: int) -> None:
    with pytest.raises(ValueError, match="2 to 6 players"):
        GameSpec(PRESETS["classic"], seats)
