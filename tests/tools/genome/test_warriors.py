"""`galapagos genome explain` and `compare`: the description of a warrior is what it does."""

from pathlib import Path

import pytest

from engines.evolution.run_store import RunStore
from tests.engines.corewar.evolution.runs import random_genome
from tests.tools.galapagos import Galapagos
from tools.__main__ import main
from tools.games import best_id
from tools.genome.warriors import changes

STARTERS = Path(__file__).parents[3] / "engines" / "corewar" / "warriors"
RUN = "core size = 80\ncycles = 800\nprocesses = 80\nlength = 5\ndistance = 5\nfounders longest = 5\n" \
    "tribes = 2\ntribe size = 8\npanel = none\nsweeps a generation = 5\n"  # fmt: skip


def test_explain_describes_the_style_code_and_survival_of_a_dwarf(galapagos: Galapagos) -> None:
    text = galapagos.printed("genome", "explain", STARTERS / "dwarf.red")
    for line in (
        "Dwarf by Galapagos",
        "Style: stone",
        "4 instructions: 1 ADD, 1 MOV, 1 JMP, 1 DAT",
        "It starts with number 1: ADD.AB #4, $3",
        "It survives all 80,000 cycles.",
        "Processes: 1 at most, 1 at the end.",
        "Of its 4 instructions, 3 were executed where they were loaded.",
        "MOV.I  $2, @2           4,000 times, steps of +4, leaves DAT",
        "Against the starter warriors, 100 rounds each",
    ):
        assert line in text, line


def test_explain_reads_a_load_file_and_reports_an_early_death(tmp_path: Path, galapagos: Galapagos) -> None:
    path = tmp_path / "soup.red"
    path.write_text(random_genome(1).dumps(), encoding="utf-8")
    assert galapagos.data("genome", "explain", path)["core_size"] == 8000
    path.write_text(";redcode-nano\n;assert 1\nnop 0\ndat 0, 0\n", encoding="ascii")
    text = galapagos.printed("genome", "explain", path)
    assert "It dies after 2 cycles." in text and "Style: dies" in text and "142 rounds" in text


@pytest.mark.parametrize(
    ("start", "line"),
    [
        (0, "It starts with number 1: NOP.F  $0, $0"),
        (1, "It starts with number 2: JMP.B  $0, $0"),
        (7, "It starts with number 8, outside its code: DAT.F  $0, $0"),
        (-1, "It starts with number 80, outside its code: DAT.F  $0, $0"),
    ],
)
def test_explain_names_the_first_instruction_of_a_warrior(
    start: int, line: str, tmp_path: Path, galapagos: Galapagos
) -> None:
    path = tmp_path / "begins.red"
    path.write_text(f";redcode-nano\n;assert 1\norg {start}\nnop 0\njmp 0\n", encoding="ascii")
    assert line in galapagos.printed("genome", "explain", path).splitlines()


def test_json_holds_the_matches(galapagos: Galapagos) -> None:
    read = galapagos.data("genome", "explain", STARTERS / "stone.red")
    assert (read["style"], read["alone"]["survived"], len(read["matches"])) == ("stone", True, 9)
    scores = [each["score"] for each in read["matches"].values()]
    assert read["score"]["value"] == pytest.approx(sum(scores) / 9)
    assert read["alone"]["writers"][0]["leaves"] == "DAT"


def test_explain_shows_an_individual_of_a_run_with_its_ancestors(
    tmp_path: Path, galapagos: Galapagos, capsys: pytest.CaptureFixture[str]
) -> None:
    config, run = tmp_path / "nano.txt", tmp_path / "run"
    config.write_text(RUN, encoding="ascii")
    assert main(["evolve", "corewar", str(config), "--run", str(run), "--generations", "4", "--quiet"]) == 0
    capsys.readouterr()
    with RunStore.open(run) as store:
        youngest, best = list(map(store.individual, store.ids()))[-1], best_id(store)
    id = str(youngest.id)
    text = galapagos.printed("genome", "explain", run, id)
    assert f"ID {id} of {run}, a core of 80 cells" in text and text.startswith(f"run {id} by ")
    assert f";name run {id}\n" in galapagos.printed("genome", "show", run, id)
    assert f"Lineage\n{id}  generation {youngest.generation}" in text
    assert galapagos.data("genome", "explain", run, id)["lineage"]["id"] == youngest.id
    assert (
        galapagos.data("genome", "explain", run)["id"] == galapagos.data("genome", "show", run)["id"] == best
    )
    assert "has no individual with the ID 99999" in galapagos.refused("genome", "explain", run, "99999")


def test_changes_are_numbered_by_instructions() -> None:
    parent, child, other = (
        f";redcode\n;name a\n;author b\n;assert CORESIZE == 80\nORG {start}\n{code}END\n"
        for start, code in (
            (0, "MOV.I  $0, $1\nJMP.B  $-1, $0\n"),
            (1, "MOV.I  $0, $2\nJMP.B  $-1, $0\nSPL.B  $0, $0\n"),
            (0, "SPL.B  $0, $0\n"),
        )
    )
    assert [str(change) for change in changes(parent, child, {7: other})] == [
        "instruction 1 MOV.I  $0, $1 → MOV.I  $0, $2",
        "instruction 3 from 7",
        "start at instruction 1 → 2",
    ]


def test_compare_lists_the_nearest_known_warriors(tmp_path: Path, galapagos: Galapagos) -> None:
    mutant = tmp_path / "mutant.red"
    mutant.write_text(
        (STARTERS / "paper.red")
        .read_text(encoding="ascii")
        .replace("Paper", "Mutant")
        .replace("<last", ">last"),
        encoding="ascii",
    )
    text = galapagos.printed("genome", "compare", mutant, STARTERS, "--count", "2")
    first = text.splitlines()[3]
    assert first.endswith("Paper, Galapagos") and "35/36" in first
    assert "code of the same origin" in text
    read = galapagos.data("genome", "compare", mutant, STARTERS, "--count", "2")
    assert (read["known"], len(read["nearest"]), read["nearest"][0]["positions"]) == (9, 2, 5)
    assert galapagos.data("genome", "compare", STARTERS / "paper.red", STARTERS)["known"] == 8, (
        "not its own file"
    )
    assert "too little with any" in galapagos.printed("genome", "compare", STARTERS / "vampire.red", STARTERS)


def test_unsuitable_sources_are_refused_by_explain_and_compare(tmp_path: Path, galapagos: Galapagos) -> None:
    assert "galapagos genome show evolved" in galapagos.refused("genome", "explain", "evolved")
    assert "cannot read" in galapagos.refused("genome", "explain", tmp_path / "missing")
    wrong = tmp_path / "wrong.red"
    wrong.write_text("nonsense\n", encoding="ascii")
    assert "is not a warrior" in galapagos.refused("genome", "explain", wrong)
    assert "no ID can be given" in galapagos.refused("genome", "explain", STARTERS / "imp.red", "3")
    assert "no other warrior to compare" in galapagos.refused(
        "genome", "compare", STARTERS / "imp.red", STARTERS / "imp.red"
    )
