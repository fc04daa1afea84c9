"""Names with a mistake: each command says what is near, and where the names are listed."""

from pathlib import Path

import pytest

from protocols.jsonl.local import Refused, local_clients
from tests.tools.play.casual_games import standard_input
from tools.__main__ import main
from tools.games import game_adapters

MISTYPED = {
    "plya": "did you mean play",
    "play aquire": "did you mean acquire?",
    "play acquire hueristic": "did you mean heuristic?",
    "play acquire --variant clasic": "did you mean classic?",
    "play acquire --varaint classic": "did you mean --variant?",
    "play protection --chaos pilto": "did you mean chaos:pilot",
    "play protection --variant improoved": "did you mean improved?",
    "play chess chess:evovled": "did you mean evolved or unevolved or evolved-2? `galapagos players chess` lists all",
    "play ches": "did you mean chess?",
    "match acquire:pair-1 acquire:heurstic": "did you mean heuristic? `galapagos players acquire` lists all",
    "match acquire:pair-1,endng=coin acquire:random": "did you mean ending?",
    "match acquire:pair-1,ending=alwyas acquire:random": "did you mean always?",
    "match acquire:pair-1 acquire:random --variant thesis-2020": "did you mean thesis-2002",
    "match chess:evovled chess:handset": "did you mean evolved or unevolved or evolved-2? `galapagos players chess` lists all",
    "match chess:evolved,strenght=40 chess:handset": "did you mean Strength?",
    "match ches:evolved chess:handset": "did you mean chess:evolved or",
    "match --game acquir a b": "did you mean acquire?",
    "match a b --pairing round-robin": "did you mean round_robin?",
    "evolve ches example --run new": "did you mean chess?",
    "evolve chess exampel --run new": "did you mean example? `galapagos configs` lists all",
    "configs ches": "did you mean chess?",
    "configs chess exampel": "did you mean example? `galapagos configs chess` lists all",
    "players aquire": "did you mean acquire?",
    "sweep acquire thesis-plaec --out new": "did you mean thesis-place",
    "sweep acquire thesis-place --out new --vary slection=x": "did you mean selection or reproduction? `galapagos reference configs` lists all",
    "serve --limit searchseconds=3": "did you mean search_seconds",
    "serve --limts": "did you mean --limits",
    "genome show evovled": "did you mean evolved or unevolved or evolved-2? `galapagos players chess` lists all",
    "genome shwo evolved": "did you mean show?",
    "film dwraf imp --out new.html": "did you mean dwarf?",
    "film dwarf imp --out new.html --rules 94npo": "did you mean 94nop?",
    "hill sumbit a b": "did you mean submit?",
    "hill standings tinny.hill": "did you mean tiny.hill?",
    "rank mien.red": "did you mean mine.red?",
    "plot my-rnu": "did you mean my-run?",
    "export cutchess": "did you mean cutechess",
    "arrangements new --users mnies": "did you mean mines",
    "bench perf": "did you mean perft",
    "reference mesages": "did you mean messages?",
}  # fmt: skip


@pytest.mark.parametrize("words", MISTYPED)
def test_a_mistyped_name_is_answered_with_similar_names(
    words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("tiny.hill", "mine.red"):
        (tmp_path / name).touch()
    (tmp_path / "my-run").mkdir()
    with (tmp_path / "mine.red").open() as file, standard_input(file.fileno()):
        try:
            status = main(words.split())
        except SystemExit as ended:
            status = int(ended.code or 0)
    said = capsys.readouterr().err
    assert status in (1, 2) and MISTYPED[words] in " ".join(said.split()), said
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(
    ("game", "seats", "advice"),
    [
        ("acquire", ["me", "hueristic"], "there is no agent 'hueristic'; did you mean heuristic?"),
        ("protection", ["me", "chaos:pilto"], "did you mean chaos:pilot"),
        ("chess", ["me", "nope"], "there is no agent 'nope'; there are evolved"),
        ("aquire", ["me"], "there is no game called 'aquire'; did you mean acquire?"),
    ],
)
def test_a_json_lines_client_receives_similar_names(game: str, seats: list[str], advice: str) -> None:
    (client,) = local_clients(game_adapters(None))
    client.say(type="hello", versions=[1])
    with pytest.raises(Refused) as refused:
        client.say(type="create", game=game, seats=seats)
    assert advice in str(refused.value)
