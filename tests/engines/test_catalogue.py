"""The shelves: whoever stands there can be played or read, and its strength comes from its card."""

from pathlib import Path

import pytest

from engines.acquire.panel import MEMBERS, member
from engines.catalogue import PlayerInfo, first_sentence, measured
from engines.chess.genome_file import bundled
from tools.games import GAMES, bindings, catalogues

SHELVES = catalogues()
EXHIBITS = [(game, exhibit) for game, shelf in SHELVES.items() for exhibit in shelf]


def test_every_game_has_a_shelf_that_an_evolved_player_leads() -> None:
    assert set(SHELVES) == set(GAMES)
    for shelf in SHELVES.values():
        assert shelf[0].is_evolved and shelf[0].strength and shelf[0].card


@pytest.mark.parametrize(("game", "exhibit"), EXHIBITS, ids=lambda each: getattr(each, "name", each))
def test_an_exhibit_tells_what_it_is(game: str, exhibit: PlayerInfo) -> None:
    assert exhibit.title
    if exhibit.is_evolved or exhibit.strength:
        assert exhibit.card and exhibit.card.read_text(encoding="utf-8")


def test_who_is_shown_can_be_played() -> None:
    assert [member(exhibit.name) for exhibit in SHELVES["acquire"]]
    assert {exhibit.name for exhibit in SHELVES["acquire"]} == set(MEMBERS)
    assert {exhibit.name for exhibit in SHELVES["chess"]} == set(bundled())
    protection = bindings()["protection"]
    assert all(protection.has_agent(exhibit.name, 1) for exhibit in SHELVES["protection"])


def test_strength_is_read_from_the_card(tmp_path: Path) -> None:
    card = tmp_path / "card.md"
    card.write_text("# A\n\n| against | score |\n|---|---|\n| old | 1 % |\n| new one | 2 % [1, 3] |\n")
    assert measured(card, "new", "score") == "2 % [1, 3]"
    card.write_text("# | against | score |\n# |---|---|\n# | new | 3 % |\nGENE\n")
    assert measured(card, "new", "score") == "3 %"
    with pytest.raises(ValueError, match=r"card\.md has no row 'other'"):
        measured(card, "other", "score")


def test_the_first_sentence_of_a_comment() -> None:
    assert first_sentence("# One line\n# and more. The rest.\nText.\n") == "One line and more"
    assert first_sentence("no comment") == ""
