"""The fifth game as a package that is installed beside ours: it is played, matched and evolved, and no file of ours changes.

What the tests start is the program as anybody starts it; of the game they know its name.
"""

import csv
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from engines.evolution.run_store import RunStore, StoreError
from tests.fifth_game.tictactoe import SquareWeights
from tests.waiting import PATIENCE_SECONDS

ROOT = Path(__file__).parents[2]
GAME = "tic-tac-toe"


def digest() -> str:
    """Return a hash of all modules of ours."""
    sources = [
        path for part in ("core", "engines", "protocols", "tools") for path in (ROOT / part).rglob("*.py")
    ]
    return sha256(b"".join(path.read_bytes() for path in sorted(sources))).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A Python and its environment, in which the program and the game are installed."""

    python: str
    environment: dict[str, str]


@pytest.fixture(
    scope="module",
    params=["beside", pytest.param("wheels", marks=[pytest.mark.slow, pytest.mark.timeout(1200)])],
)
def place(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    """The game beside this checkout; or two wheels in a fresh environment. No module of ours is changed by the tests."""
    before = digest()
    folder = tmp_path_factory.mktemp("site")
    if request.param == "beside":
        environment = os.environ | {"PYTHONPATH": f"{installed(folder)}:{ROOT}"}
        yield Place(python=sys.executable, environment=environment)
    else:
        yield Place(python=from_wheels(folder), environment=without(os.environ, "PYTHONPATH"))
    assert digest() == before


def without(environment: Mapping[str, str], name: str) -> dict[str, str]:
    return {key: value for key, value in environment.items() if key != name}


def from_wheels(folder: Path) -> str:
    """Build both wheels, and install them in a new environment; return its Python."""
    sources, wheels, python = folder / "sources", folder / "wheels", folder / "venv" / "bin" / "python"
    ours = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout.split()
    sources.mkdir()
    subprocess.run(["cp", "--parents", *ours, sources], cwd=ROOT, check=True)
    pip: list[str | Path] = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--quiet",
        "--no-deps",
        "--no-build-isolation",
        "--wheel-dir",
        wheels,
    ]
    for each in (sources, sources / "tests" / "fifth_game"):
        subprocess.run([*pip, each], check=True, env=without(os.environ, "PYTHONPATH"))
    subprocess.run([sys.executable, "-m", "venv", folder / "venv"], check=True)
    subprocess.run([python, "-m", "pip", "install", "--quiet", *sorted(wheels.glob("*.whl"))], check=True)
    return str(python)


def installed(folder: Path) -> Path:
    """Install the distribution in a folder, from a copy of its sources."""
    copy = folder / "sources"
    copy.mkdir()
    subprocess.run(["cp", "-R", "pyproject.toml", "tictactoe", copy], cwd=Path(__file__).parent, check=True)
    command = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-deps",
        "--no-build-isolation",
        "--no-index",
    ]
    done = subprocess.run([*command, "--target", folder, copy], check=False, capture_output=True, text=True)
    if "setuptools" in done.stderr and done.returncode:
        pytest.skip("setuptools, which builds the wheel of the game, is not installed")
    assert done.returncode == 0, done.stderr
    return folder


def galapagos(place: Place, folder: Path, *words: object, typed: str = "") -> str:
    """Return standard output; the exit status is 0."""
    done = subprocess.run(
        [place.python, "-m", "tools", *map(str, words)], check=False, capture_output=True, text=True, cwd=folder,
        env=place.environment, input=typed, timeout=PATIENCE_SECONDS,
    )  # fmt: skip
    assert done.returncode == 0, (words, done.stderr)
    return done.stdout


def test_the_installed_game_is_listed_by_the_commands(place: Place, tmp_path: Path) -> None:
    said = galapagos(place, tmp_path, "players", GAME)
    assert "careful" in said and "what cannot lose" in said
    assert "squares" in galapagos(place, tmp_path, "configs", GAME)
    assert "three in a row" in galapagos(place, tmp_path, "play", "--help")
    assert "a human against tic-tac-toe:careful" in " ".join(
        galapagos(place, tmp_path, "play", GAME, "--help").split()
    )
    schema = json.loads(galapagos(place, tmp_path, "schema"))
    assert schema["games"][GAME]["actions"].keys() == {"move"}


def test_the_installed_game_is_played_at_the_terminal(place: Place, tmp_path: Path) -> None:
    """The person asks for the moves, mistypes one, takes one back, and does not win against a player that cannot lose."""
    typed = "help\nmoves\nz9\nb2\nundo\na3\nboard\nposition\nhint\n" + "".join(
        f"{a}{b}\n" for b in "123" for a in "abc"
    )
    said = galapagos(place, tmp_path, "play", GAME, "human", f"{GAME}:careful", typed=f"{typed}resign\n")
    assert "a move as `moves` lists them" in said and "illegal action: 'z9'" in said
    assert "Player 1> " in said and "\nx.." in said and "Player 2 plays " in said and "Hint: " in said
    assert "a draw." in said or "Player 2 wins." in said


def test_the_installed_game_is_played_over_the_json_lines(place: Place, tmp_path: Path) -> None:
    """A whole game against each player, those that think in another process too; the record is replayed."""
    with subprocess.Popen(
        [place.python, "-m", "tools", "jsonl"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        cwd=tmp_path, env=place.environment,
    ) as process:  # fmt: skip
        assert process.stdin and process.stdout
        source, sink = process.stdout, process.stdin

        def say(**message: Any) -> None:
            sink.write(json.dumps(message) + "\n")
            sink.flush()

        def until(*kinds: str) -> dict[str, Any]:
            while True:
                message: dict[str, Any] = json.loads(source.readline())
                if message["type"] in kinds:
                    return message
                assert message["type"] != "error", message

        say(type="hello", versions=[1], say=True)
        assert GAME in until("welcome")["games"]
        say(type="describe", game=GAME)
        assert until("description")["rules"]["about"] == "three in a row"
        for agent in ("first", "random", "careful"):
            say(type="create", game=GAME, seats=["me", agent], seed=4)
            while (message := until("decide", "end"))["type"] == "decide":
                assert message["observation"]["text"].count("\n") == 2
                action = message["legal"]["actions"][-1]
                say(type="action", re=message["id"], game_id=message["game_id"], action=action)
            assert sorted(message["result"]["score"]) in ([-1.0, 1.0], [0.0, 0.0])
            say(type="record", game_id=message["game_id"])
            lines = until("recorded")["lines"]
            assert lines[0]["seats"][1]["about"].startswith(f"{agent}, galapagos-tictactoe 1.0: ")
            path = tmp_path / f"{agent}.jsonl"
            path.write_text("".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines))
        say(type="bye")
    for agent in ("first", "random", "careful"):
        assert f"{agent}.jsonl: " in galapagos(place, tmp_path, "replay", tmp_path / f"{agent}.jsonl")


def test_players_of_the_installed_game_play_matches(place: Place, tmp_path: Path) -> None:
    words = ("match", f"{GAME}:careful", f"{GAME}:first", "random", "--games", "10", "--json", "--seed", "3")
    outcome = json.loads(galapagos(place, tmp_path, *words))
    assert outcome["games"] == 30 and outcome == json.loads(galapagos(place, tmp_path, *words))
    assert all(each["losses"] == 0 for each in outcome["against"] if each["first"] == "careful")
    ratings = {row["player"]: row["rating"]["value"] for row in outcome["players"]}
    assert ratings["careful"] > ratings["Random"]


def test_evolution_of_the_installed_game_survives_a_kill(place: Place, tmp_path: Path) -> None:
    words = ("evolve", GAME, "squares", "--generations", "60", "--quiet")
    galapagos(place, tmp_path, *words, "--run", "whole")
    with subprocess.Popen(
        [place.python, "-m", "tools", "evolve", GAME, "squares", "--run", "killed", "--quiet"], cwd=tmp_path,
        env=place.environment,
    ) as process:  # fmt: skip
        deadline = time.monotonic() + PATIENCE_SECONDS
        while count(tmp_path / "killed") < 5 and time.monotonic() < deadline:
            time.sleep(0.05)
        process.send_signal(signal.SIGKILL)
    before = count(tmp_path / "killed")
    assert before >= 5
    goal = str(max(before, 60))
    galapagos(
        place, tmp_path, "evolve", GAME, "--run", "killed", "--resume", "--generations", goal, "--quiet"
    )
    galapagos(place, tmp_path, "evolve", GAME, "--run", "whole", "--resume", "--generations", goal, "--quiet")
    with RunStore.open(tmp_path / "whole") as whole, RunStore.open(tmp_path / "killed") as killed:
        assert whole.hash == killed.hash
    shown = galapagos(place, tmp_path, "genome", "show", "whole", "3")
    assert SquareWeights.loads(shown)
    assert json.loads(galapagos(place, tmp_path, "genome", "show", "whole", "3", "--json"))["genome"] == shown
    (tmp_path / "three.txt").write_text(shown)
    match = ("match", f"{GAME}:whole", f"{GAME}:three.txt", "random", "--games", "4", "--json")
    assert json.loads(galapagos(place, tmp_path, *match))["games"] == 12
    galapagos(place, tmp_path, "runs", "export", "whole", "--csv")
    with (tmp_path / "whole" / "tables" / "generations.csv").open(newline="") as file:
        assert [row["generation"] for row in csv.DictReader(file)][:3] == ["0", "1", "2"]
    if place.python == sys.executable and find_spec("matplotlib"):
        assert ".svg" in galapagos(place, tmp_path, "plot", "whole")


def count(run: Path) -> int:
    """Return the generations on record, 0 before there is a record."""
    try:
        with RunStore.open(run) as store:
            return store.count("generation")
    except (StoreError, OSError):
        return 0


def package(folder: Path, games: str) -> Path:
    """A folder for PYTHONPATH, with a distribution that has these entry points for games."""
    facts = folder / "broken" / "broken-1.0.dist-info"
    facts.mkdir(parents=True)
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: broken\nVersion: 1.0\n")
    (facts / "entry_points.txt").write_text(f"[galapagos.games]\n{games}\n")
    return facts.parent


def test_a_game_that_cannot_be_loaded_is_left_out(place: Place, tmp_path: Path) -> None:
    broken = package(
        tmp_path,
        "nothing = nowhere:GAME\nanother = tictactoe.game:TicTacToe\nagain = tictactoe.game:GAME",
    )
    done = subprocess.run(
        [place.python, "-m", "tools", "players", GAME], capture_output=True, text=True, check=True, cwd=tmp_path,
        env=place.environment | {"PYTHONPATH": f"{broken}:{place.environment.get('PYTHONPATH', '')}"},
    )  # fmt: skip
    assert "the game nothing is left out: No module named 'nowhere'" in done.stderr
    assert "the game another is left out: tictactoe.game:TicTacToe is not a GameInfo" in done.stderr
    assert "another game is called tic-tac-toe" in done.stderr and "careful" in done.stdout


def test_a_game_with_an_incomplete_player_is_left_out(place: Place, tmp_path: Path) -> None:
    broken = package(tmp_path, "broken = brokengame:GAME")
    (broken / "brokengame.py").write_text(
        "from tictactoe.game import *\n\n\nclass Mute:\n    def choose(self, state, rng):\n        return 0\n\n\n"
        "GAME = GameInfo(name='broken', about='x', rules=TicTacToe, players={'mute': Mute})\n"
    )
    environment = place.environment | {"PYTHONPATH": f"{broken}:{place.environment.get('PYTHONPATH', '')}"}

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [place.python, "-m", "tools", *words], capture_output=True, text=True, check=False, cwd=tmp_path,
            env=environment,
        )  # fmt: skip

    left_out = "the game broken is left out: its player mute has no `about`"
    done = run("players")
    assert done.returncode == 0 and left_out in done.stderr and "careful" in done.stdout
    done = run("schema")
    assert done.returncode == 0 and left_out in done.stderr and GAME in done.stdout
    assert "its player mute has no `about`" in run("match", "broken:mute", "broken:mute").stderr
    assert f"did you mean uci:{GAME}" in run("match", f"{GAME}:first", f"uc:{GAME}").stderr
