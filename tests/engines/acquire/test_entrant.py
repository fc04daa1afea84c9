"""Players as they are named: of the panel, of the thesis, of files, with settings; and what is told of them."""

import pickle
from pathlib import Path

import pytest

from core.acquire.players import ALWAYS, SELL_ALL, Heuristic, Player
from core.acquire.playout import MonteCarlo
from core.acquire.ranked_player import RankedPlayer
from engines.acquire.entrant import Entrant
from engines.acquire.genome import thesis_players

PAIR = thesis_players()["pair-2"]


def test_who_is_who() -> None:
    assert type(Entrant.read("random").player()) is Player
    assert type(Entrant.read("heuristic").player()) is Heuristic
    assert type(Entrant.read("mc-3").player()) is MonteCarlo
    assert type(Entrant.read("pair-2").player()) is RankedPlayer
    assert Entrant.read("pair-2").genome == PAIR


def test_settings_are_the_players() -> None:
    chance = Entrant.read("random,disposing=sell-all,ending=always")
    player = chance.player()
    assert (player.disposing, player.ending) == (SELL_ALL, ALWAYS)
    assert chance.customs() == "purchases number first, disposing sell all, ending always"
    pair = Entrant.read("pair-2,tie=last")
    assert pair.name == "pair-2,tie=last" and pair.customs().startswith("tie last, ")
    assert "tie random" in Entrant.read("pair-2").customs()
    assert "ties of tiles random" in Entrant.read("heuristic").customs()


def test_programs_of_files_and_runs(tmp_path: Path) -> None:
    """A worker elsewhere needs no file."""
    path = tmp_path / "champion.lisp"
    path.write_text(PAIR.dumps(), encoding="utf-8")
    for name in (str(path), str(tmp_path)):
        entrant = Entrant.read(f"{name},tie=first")
        assert entrant.genome == PAIR and entrant.conduct.tie == 1
        assert pickle.loads(pickle.dumps(entrant)) == entrant


@pytest.mark.parametrize(
    ("description", "complaint"),
    [
        ("nobody", "no player is called 'nobody'"),
        ("mc-0", "no player is called"),
        ("heuristic,tie=last", "heuristic has no settings"),
        ("random,tie=last", "'tie=last' is no setting; there are disposing, ending, buying"),
        ("pair-1,ending", "'ending' is no setting"),
        ("pair-1,ending=soon", "ending is one of coin, always, never, not 'soon'"),
    ],
)
def test_who_is_nobody(description: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        Entrant.read(description)


def test_a_file_without_programs(tmp_path: Path) -> None:
    (tmp_path / "x.lisp").write_text("(define place (+ 1", encoding="utf-8")
    with pytest.raises(ValueError, match=r"x\.lisp: "):
        Entrant.read(str(tmp_path / "x.lisp"))
