"""The players for visitors: the listing, the cards, and the genomes of chess."""

from pathlib import Path

from engines.catalogue import PlayerInfo
from engines.chess.genome_file import bundled, load_bundled
from protocols.web.chess_genomes import genome_routes
from protocols.web.players import player_routes
from tests.protocols.web.support import served


async def test_players_are_listed_and_their_cards_are_served(tmp_path: Path) -> None:
    path = tmp_path / "ann.md"
    path.write_text("# Ann\n", encoding="utf-8")
    catalogue = [
        PlayerInfo(name="a:nn", title="clever", strength="9 of 10", is_evolved=True, card=path),
        PlayerInfo(name="bob", title="chance"),
    ]
    async with served(player_routes({"go": catalogue})) as api:
        _, (ann, bob) = await api.get("/api/players")
        assert bob == {"game": "go", "name": "bob", "title": "chance"}
        _, card = await api.get(ann["card_url"])
        assert card == {
            "game": "go",
            "name": "a:nn",
            "title": "clever",
            "form": "markdown",
            "text": "# Ann\n",
        }
        for name in ("go/bob", "go/x", "x/bob", "go/..%2fann.md"):
            status, answer = await api.get(f"/api/cards/{name}")
            assert status == 404 and "error" in answer


async def test_bundled_genomes_are_served_with_their_genes_and_notes() -> None:
    async with served(genome_routes()) as api:
        assert await api.get("/api/genomes/chess") == (200, list(bundled()))
        for name in bundled():
            _, shown = await api.get(f"/api/genomes/chess/{name}")
            genome = load_bundled(name)
            genes = [(gene["name"], gene["active"]) for gene in shown["genes"]]
            assert genes == [(gene.name, gene.active) for gene in genome.genes]
            values = [each["value"] for gene in shown["genes"] for each in gene["values"]]
            assert values == [value for gene in genome.genes for value in gene.values]
            assert shown["notes"] and not any("#" in note for note in shown["notes"])
        status, answer = await api.get("/api/genomes/chess/..%2Fevolved")
        assert status == 404 and "did you mean evolved" in answer["error"]
