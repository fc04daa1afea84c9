"""The catalogues of players: whoever is shown can be played or read, and has its strength from its card."""

from pathlib import Path

import pytest

from engines.acquire.registry import PLAYERS as ACQUIRE_PLAYERS
from engines.acquire.registry import create_player
from engines.catalogue import PlayerInfo, first_sentence, measured
from engines.chess.genome_file import bundled
from tests.conftest import ROOT
from tools.games import GAMES, catalogues, game_adapters

CATALOGUES = catalogues()
PLAYERS = [(game, player) for game, players in CATALOGUES.items() for player in players]


def test_an_evolved_player_leads_every_catalogue() -> None:
    assert set(CATALOGUES) == set(GAMES)
    for players in CATALOGUES.values():
        assert players[0].is_evolved and players[0].strength and players[0].card


@pytest.mark.parametrize(("game", "player"), PLAYERS, ids=lambda value: getattr(value, "name", value))
def test_every_player_has_a_title_and_rated_players_have_a_card(game: str, player: PlayerInfo) -> None:
    assert player.title
    if player.is_evolved or player.strength:
        assert player.card and player.card.read_text(encoding="utf-8")


def test_every_player_in_a_catalogue_can_be_created() -> None:
    names = {game: {player.name for player in players} for game, players in CATALOGUES.items()}
    assert all(create_player(name) for name in names["acquire"])
    assert names["acquire"] == set(ACQUIRE_PLAYERS)
    assert names["chess"] == set(bundled())
    protection = game_adapters()["protection"]
    assert all(protection.has_agent(name, 1) for name in names["protection"])


def test_strength_is_read_from_the_card(tmp_path: Path) -> None:
    card = tmp_path / "card.md"
    card.write_text("# A\n\n| against | score |\n|---|---|\n| old | 1 % |\n| new one | 2 % [1, 3] |\n")
    assert measured(card, "new", "score") == "2 % [1, 3]"
    card.write_text("# | against | score |\n# |---|---|\n# | new | 3 % |\nGENE\n")
    assert measured(card, "new", "score") == "3 %"
    with pytest.raises(ValueError, match=r"card\.md has no row 'other'"):
        measured(card, "other", "score")


def test_first_sentence_reads_the_leading_comment() -> None:
    assert first_sentence("# One line\n# and more. The rest.\nText.\n") == "One line and more"
    assert first_sentence("no comment") == ""


@pytest.mark.parametrize("name", ["three", "seven", "four", "net-three", "net-seven", "net-four"])
def test_the_strength_on_a_card_matches_the_results_document(name: str) -> None:
    """The lobby shows the card's."""
    player = next(each for each in CATALOGUES["acquire"] if each.name == f"evolved-{name}")
    number = player.strength.partition(" against ")[0].replace(" %", "")
    document = (ROOT / "engines" / "acquire" / "RESULTS.md").read_text(encoding="utf-8")
    rows = [line.split(" | ") for line in document.splitlines() if line.startswith(f"| `evolved-{name}`, ")]
    assert number in [row[1] for row in rows]
