"""`galapagos genome lineage`: all ancestors, each once, with their shares and what changed."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from core.random import Random
from engines.chess.genome import Genome
from engines.chess.genome_file import load_bundled
from engines.evolution.population import Generation, Individual
from engines.evolution.run_store import RunStore
from tests.fifth_game.tictactoe import SquareWeights
from tests.tools.galapagos import Galapagos
from tools.genome.lineage import Change

HANDSET, UNEVOLVED = load_bundled("handset"), load_bundled("unevolved")


def recorded(folder: Path, game: str, *individuals: Individual[Any]) -> Path:
    """A run in which somebody is born in each generation, without any games."""
    with RunStore.create(folder, game=game, config="", seed=1, version="0") as store:
        for number, individual in enumerate(individuals):
            born = (replace(individual, id=number, generation=number),)
            store.write(Generation(number=number, born=born), "{}", "", 1.0)
    return folder


def child(genome: Any, *parents: int, origin: str = "mating") -> Individual[Any]:
    return Individual(id=0, genome=genome, parents=parents, origin=origin)


def with_gene(genome: Genome, giver: Genome, name: str, **changes: Any) -> Genome:
    """A genome with the gene of another one, perhaps changed."""
    gene = replace(giver[name], **changes)
    return replace(genome, genes=tuple(gene if each.name == name else each for each in genome.genes))


@dataclass(frozen=True)
class Text:
    """A genome that is any text."""

    text: str

    @classmethod
    def loads(cls, text: str) -> "Text":
        return cls(text)

    def dumps(self) -> str:
        return self.text


def changed(before: str, after: str) -> str:
    return str(Change(part="", inherited_from=None, values=(("", before, after),))).strip()


@pytest.fixture
def chess_run(tmp_path: Path) -> Path:
    """0 and 1 found; 2 is their child; 3 one of 2 and a newcomer; 4 of 3 and 2; 5 is in no family."""
    second = with_gene(UNEVOLVED, HANDSET, "Piece Strength Gene")
    third = with_gene(second, second, "Freedom to Move Gene", active=False)
    fourth = with_gene(third, third, "Total Force Gene", values=(12.5,))
    return recorded(
        tmp_path / "run",
        "chess",
        child(UNEVOLVED, origin="random"),
        child(HANDSET, origin="random"),
        child(second, 0, 1),
        child(third, 2, origin="draw"),
        child(fourth, 3, 2),
        child(HANDSET, origin="random"),
    )


def test_lineage_lists_ancestors_changes_and_founders_of_a_chess_player(
    chess_run: Path, galapagos: Galapagos
) -> None:
    force = UNEVOLVED["Total Force Gene"]["Priority"]
    assert galapagos.printed("genome", "lineage", chess_run, "4").splitlines() == [
        "4  generation 4, mating of 3 and 2",
        f"│    like 3, but Total Force Priority {force:g} → 12.5",
        "├─ 3  generation 3, draw of 2",
        "│  │    like 2, but Freedom to Move switch on → off",
        "│  └─ 2 (see elsewhere in this tree)",
        "└─ 2  generation 2, mating of 0 and 1",
        "   │    like 0, but Piece Strength from 1",
        "   ├─ 0  generation 0, random",
        "   └─ 1  generation 1, random",
        "",
        "Ancestors: 4, the earliest 4 generations before it.",
        "Founders: 2, with these shares in it: 0 37.5%, 1 37.5%, new genomes without an ID 25.0%.",
    ]


def test_a_table_of_numbers_is_one_change(tmp_path: Path, galapagos: Galapagos) -> None:
    first = HANDSET.extended()
    values = first["Squares Gene"].values
    second = with_gene(first, first, "Squares Gene", values=tuple(n / 1000 for n in range(len(values))))
    run = recorded(tmp_path / "run", "chess", child(first, origin="founder"), child(second, 0))
    line = galapagos.printed("genome", "lineage", run, "1").splitlines()[1]
    differ = sum(value != n / 1000 for n, value in enumerate(values))
    assert (
        line.startswith(f"│    like 0, but Squares {differ} numbers, most of all King 8 d")
        and len(line) < 100
    )
    (change,) = galapagos.data("genome", "lineage", run, "1")["tree"][0]["changes"]
    assert len(change["values"]) == differ


def test_depth_cuts_the_tree_and_nothing_else(chess_run: Path, galapagos: Galapagos) -> None:
    whole, cut = (
        galapagos.printed("genome", "lineage", chess_run, "4", "--depth", depth).splitlines()
        for depth in ("9", "1")
    )
    assert [line for line in cut if "…" in line] == ["   ├─ 0 …", "   └─ 1 …"]
    assert cut[-2:] == whole[-2:]
    assert galapagos.printed("genome", "lineage", chess_run, "4", "--depth", "0").splitlines()[2:4] == [
        "├─ 3 …",
        "└─ 2 …",
    ]


def test_json_has_the_ancestors_founders_and_changes(chess_run: Path, galapagos: Galapagos) -> None:
    data = galapagos.data("genome", "lineage", chess_run, "4")
    assert (data["id"], data["ancestors"], data["generations"]) == (4, 4, 4)
    assert data["founders"] == {"0": 0.375, "1": 0.375} and data["newcomers"] == 0.25
    assert sum(data["founders"].values()) + data["newcomers"] == 1
    assert [(each["id"], each["depth"]) for each in data["tree"]] == [(4, 0), (3, 1), (2, 1), (0, 2), (1, 2)]
    second = data["tree"][2]
    assert (second["nearer_parent"], second["origin"], second["parents"]) == (0, "mating", [0, 1])
    (change,) = second["changes"]
    assert (change["part"], change["inherited_from"]) == ("Piece Strength", 1)
    assert ["Q", "1", f"{HANDSET['Piece Strength Gene']['Q']:g}"] in change["values"]


def test_a_copy_has_no_changes_and_a_founder_has_no_ancestors(tmp_path: Path, galapagos: Galapagos) -> None:
    run = recorded(
        tmp_path / "run", "chess", child(HANDSET, origin="founder"), child(HANDSET, 0, origin="mirror")
    )
    assert galapagos.printed("genome", "lineage", run, "1").splitlines() == [
        "1  generation 1, mirror of 0",
        "│    equal to 0",
        "└─ 0  generation 0, founder",
        "",
        "Ancestors: 1, the earliest 1 generation before it.",
        "Founders: 1, with these shares in it: 0 100.0%.",
    ]
    assert (
        galapagos.printed("genome", "lineage", run, "0")
        == "0  generation 0, founder\n\n0 has no ancestors on record.\n"
    )


def test_genomes_of_other_games_are_compared_by_lines(tmp_path: Path, galapagos: Galapagos) -> None:
    first, second = SquareWeights.loads("1 2 3 4 5 6 7 8 9"), SquareWeights.loads("1 2 3 4 5 7 7 8 9")
    run = recorded(tmp_path / "run", "tic-tac-toe", child(first), child(second, 0))
    assert "like 0, but line 2 4.0 5.0 6.0 → 4.0 5.0 7.0" in galapagos.printed("genome", "lineage", run, "1")


def test_a_lineage_of_500_generations_is_counted_in_full(tmp_path: Path, galapagos: Galapagos) -> None:
    """Five hundred mutants, one of the other: no recursion is too deep, and shares stay a whole."""
    genome, individuals = SquareWeights.random(Random(1)), []
    for number in range(500):
        individuals.append(child(genome, *([number - 1] if number else [])))
        genome = genome.mutate(Random(number))
    run = recorded(tmp_path / "run", "tic-tac-toe", *individuals)
    out = galapagos.printed("genome", "lineage", run, "499", "--depth", "100000")
    assert "Ancestors: 499, the earliest 499 generations before" in out and "0 100.0%" in out


def test_long_lines_are_quoted_from_their_first_difference(tmp_path: Path, galapagos: Galapagos) -> None:
    before = "(define place (+ shares (* 2 dollars)))"
    run = recorded(
        tmp_path / "run", "tic-tac-toe", child(Text(before)), child(Text(before.replace("2", "3")), 0)
    )
    line = galapagos.printed("genome", "lineage", run, "1").splitlines()[1]
    assert line == "│    like 0, but line 1 …res (* 2 dollars))) → …res (* 3 dollars)))"
    assert changed(f"{'a' * 90}b{'c' * 90}", f"{'a' * 90}d{'c' * 90}") == (
        f"…{'a' * 7}b{'c' * 20}… → …{'a' * 7}d{'c' * 20}…"
    )
    assert changed("a" * 90, "none") == f"{'a' * 29}… → none"


def test_without_an_id_the_lineage_is_that_of_the_best(tmp_path: Path, galapagos: Galapagos) -> None:
    run = tmp_path / "run"
    with RunStore.create(run, game="protection", config="", seed=1, version="0") as store:
        born = tuple(Individual(id=id, genome=Text("x"), generation=1, origin="trial") for id in range(3))
        best = {"best_ever": {"id": 1, "performance": 20}}
        store.write(Generation(number=0, born=born, statistics=best), "{}", "", 1.0)
    assert galapagos.printed("genome", "lineage", run).splitlines() == [
        "1  generation 1, trial",
        "",
        "1 has no ancestors on record: no individual of this run has its parents on record.",
    ]


def test_an_unknown_id_is_refused(chess_run: Path, galapagos: Galapagos) -> None:
    assert "has no individual with the ID 6; it has 6 individuals" in galapagos.refused(
        "genome", "lineage", chess_run, "6"
    )


def test_a_folder_without_a_run_is_refused(tmp_path: Path, galapagos: Galapagos) -> None:
    assert "holds no run" in galapagos.refused("genome", "lineage", tmp_path, "1")
