"""The fixtures of tests/golden/disk: what commit 530be50 left on the disk. How they were made, and the cases on them."""

import io
import json
import tarfile
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from socket import create_connection
from typing import IO, Any, Final

from engines.evolution.run_store import RunStore
from tests.golden.cases import CONFIGS, HERE, MOUSE, WARRIORS, case, hashes, lines_of, pretty
from tests.golden.programs import GALAPAGOS, command, environment, printed, run, started
from tests.servers import served_sync

DISK: Final = HERE / "disk"
RUNS: Final = sorted(path.stem for path in CONFIGS.glob("*.txt"))
WRITTEN: Final = 4  # generations of a run
HELLO: Final = {"type": "hello", "versions": [1], "name": "golden", "observe": "full", "legal": "list"}
BAG_SEED: Final = 11
PROGRAM: Final[dict[str, Any]] = {"program": command(GALAPAGOS), "env": environment()}


def write_fixtures() -> None:
    DISK.mkdir(exist_ok=True)
    for config in RUNS:
        with tempfile.TemporaryDirectory() as name:
            run = Path(name) / "run"
            words = (config.partition("-")[0], CONFIGS / f"{config}.txt", "--run", run, "--workers", "1")
            printed("evolve", *words, "--generations", str(WRITTEN), "--quiet")
            pack(run, f"run-{config}")
    with tempfile.TemporaryDirectory() as name:
        hill = Path(name) / "hill" / "my.hill"
        hill.parent.mkdir()
        printed("hill", "create", hill, "--preset", "tiny", "--places", "6", "--rounds", "10")
        mouse = Path(name) / "mouse.red"
        mouse.write_text(MOUSE)
        printed("hill", "submit", hill, mouse)
        pack(hill.parent, "hill")
    with tempfile.TemporaryDirectory() as name:
        home = Path(name) / "home"
        (home / "hills").mkdir(parents=True)
        printed(
            "hill",
            "create",
            home / "hills" / "tiny.hill",
            "--preset",
            "tiny",
            "--places",
            "3",
            "--rounds",
            "5",
        )
        with served_sync("--home", home, **PROGRAM) as server:
            (home / "token.json").write_text(json.dumps(begin_games(server.port)))
        pack(home, "home")


def pack(folder: Path, name: str) -> None:
    with tarfile.open(DISK / f"{name}.tar.gz", "w:gz") as archive:
        archive.add(folder, name, filter=lambda each: None if each.name.endswith("/lock") else each)


def unpacked(name: str, folder: Path) -> Path:
    with tarfile.open(fileobj=io.BytesIO((DISK / f"{name}.tar.gz").read_bytes())) as archive:
        if hasattr(tarfile, "data_filter"):  # Python 3.11.2 has none, 3.12 warns without one
            archive.extraction_filter = tarfile.data_filter
        archive.extractall(folder)
    return folder / name


# -- Runs ----------------------------------------------------------------------------------------------------


def _run(config: str) -> Callable[[Path], str]:
    game = config.partition("-")[0]

    def make(folder: Path) -> str:
        """Its newest is shown with its ancestors; the run goes on for one generation; what plays from it plays."""
        run = unpacked(f"run-{config}", folder)
        words = ("--run", run, "--resume", "--workers", "1", "--generations", str(WRITTEN + 1), "--json")
        before = _newest(run)
        lineage = printed("genome", "lineage", run, before, "--depth", "6", "--json")
        told = lines_of(printed("evolve", game, *words))
        shown = _shown(game, run)
        return hashes(told, run) + pretty({"newest": before, "lineage": json.loads(lineage), "shown": shown})

    return make


def _newest(run: Path) -> str:
    """The ID of the individual that was born last."""
    with RunStore.open(run) as store:
        return str(store.newest)


def _shown(game: str, run: Path) -> Any:
    if game == "corewar":
        return (
            (run / "champions.red").read_text(encoding="latin-1")
            if (run / "champions.red").exists()
            else None
        )
    name = run / "pool.txt" if game == "chess" else run
    return json.loads(printed("genome", "show", name, "--json"))


def _plotted(config: str) -> Callable[[Path], str]:
    def make(folder: Path) -> str:
        """The names of the figures, or why there are none."""
        answer = run("plot", unpacked(f"run-{config}", folder))
        if answer.status:
            return str(answer)
        files = [Path(line) for line in answer.out.splitlines()]
        assert all(path.stat().st_size > 1000 for path in files)
        return "".join(f"{path.name}\n" for path in files)

    return make


for _config in RUNS:
    case(f"disk/run-{_config}.txt")(_run(_config))
    # tests/tools/test_plot.py draws the figures of chess.
    _is_slow = _config not in ("corewar-elite", "acquire-league", "protection-strings")
    case(f"disk/plot-{_config}.txt", slow=_is_slow, needs=("matplotlib",))(_plotted(_config))


# -- A hill --------------------------------------------------------------------------------------------------


@case("disk/hill.json")
def _hill(folder: Path) -> str:
    hill = unpacked("hill", folder) / "my.hill"
    dwarf = folder / "dwarf.red"
    dwarf.write_text(";redcode-tiny\n" + (WARRIORS / "dwarf.red").read_text().partition("\n")[2])
    said = [lines_of(printed("hill", word, hill, "--json")) for word in ("standings", "report")]
    said += [lines_of(printed("hill", "submit", hill, dwarf, "--json"))]
    return pretty(said) + printed("hill", "standings", hill) + printed("hill", "report", hill)


# -- A home --------------------------------------------------------------------------------------------------


class Client:
    """A client of the JSON lines; `said` has what both sides said."""

    def __init__(self, stream: IO[str], output: IO[str] | None = None) -> None:
        self._input, self._output = stream, output or stream
        self.said: list[str] = []

    def say(self, **message: object) -> None:
        line = json.dumps(message)
        self.said.append(f"> {line}\n")
        print(line, file=self._output, flush=True)

    def hear(self, *kinds: str) -> dict[str, Any]:
        """The next message of one of these types."""
        while line := self._input.readline():
            self.said.append(line)
            message: dict[str, Any] = json.loads(line)
            assert message["type"] != "error", line
            if message["type"] in kinds:
                return message
        raise EOFError("".join(self.said[-3:]))

    def act(self, decide: dict[str, Any]) -> None:
        """The legal action whose number is that of the event; a settler or two in Advanced Protection."""
        self.say(
            type="action",
            re=decide["id"],
            game_id=decide["game_id"],
            action=chosen(decide["legal"], decide["seq"]),
        )


def chosen(legal: dict[str, Any], number: int) -> Any:
    if "actions" in legal:
        return legal["actions"][number % len(legal["actions"])]
    rules = legal["rules"]
    free = f"{int(rules['free'], 16):0576b}"
    squares = [square for square, bit in enumerate(free) if bit == "1"]
    wanted = squares[7 :: len(squares) // 5 or 1][: min(4, rules["treasury"] // 150)]
    return {"kind": "setup", "place": [{"unit": "settler", "at": [at % 24, at // 24]} for at in wanted]}


GAMES: Final[dict[str, dict[str, Any]]] = {
    "acquire": {"game": "acquire", "variant": "thesis-7", "seats": ["me", "heuristic"], "seed": BAG_SEED},
    "protection": {
        "game": "protection", "seats": ["me", "chaos:fixed:3"], "seed": BAG_SEED, "options": {"profile": "golden"},
    },
}  # fmt: skip


def begin_games(port: int) -> dict[str, Any]:
    """Three decisions in each game; how to come back."""
    with create_connection(("127.0.0.1", port)) as line, line.makefile("rw") as stream:
        client = Client(stream)
        client.say(**HELLO)
        back: dict[str, Any] = {"token": client.hear("welcome")["resume"], "games": {}}
        client.say(type="create", **GAMES["protection"] | {"seats": ["me", "chaos:calibrated"]})
        ended = client.hear("created")["game_id"]  # a game that is over: the profile is written then
        for _ in range(2):
            client.act(client.hear("decide"))
        client.hear("decide")
        client.say(type="resign", game_id=ended)
        client.hear("end")
        for name, terms in GAMES.items():
            client.say(type="create", **terms)
            back["games"][name] = client.hear("created")["game_id"]
            for _ in range(3):
                client.act(client.hear("decide"))
            client.hear("decide")
    return back


HOME_BLANKS: Final = (
    (
        r'"(session|resume|token|seed_commit|rules_hash|server|salt|game_id|id|re|commit)": ?"[^"]*"',
        r'"\1":"BLANK"',
    ),
    (r'"(heartbeat_ms|at|uptime|left_ms|ms)": ?\d+', r'"\1":0'),
    (r"g-[0-9a-f]{8}-\d+", "GAME"),
    (r";token [\w-]{22}", ";token TOKEN"),
)


@case("disk/home.txt", blanks=HOME_BLANKS)
def _home(folder: Path) -> str:
    """Both games go on after the server was ended; a warrior is sent; the profile is what was learnt."""
    home = unpacked("home", folder)
    back = json.loads((home / "token.json").read_text())
    said = [f"{path.name}\n{path.read_text()}" for path in sorted((home / "profiles").glob("*.apu"))]
    with served_sync("--home", home, **PROGRAM) as server:
        for game_id in back["games"].values():
            with create_connection(("127.0.0.1", server.port)) as line, line.makefile("rw") as stream:
                client = Client(stream)
                client.say(**HELLO)
                client.hear("welcome")
                client.say(
                    type="resume", id=1, token=back["token"], games=[{"game_id": game_id, "from_seq": 1}]
                )
                client.act(client.hear("decide"))
                client.hear("decide")
                said += [f"{text}" for text in client.said if '"welcome"' not in text]
        with (
            create_connection(("127.0.0.1", server.port)) as line,
            line.makefile("rw", encoding="latin-1") as stream,
        ):
            stream.write(f"{MOUSE}.\n")
            stream.flush()
            said += _until_stop(stream)
    return "".join(said)


def _until_stop(stream: IO[str]) -> Iterator[str]:
    while (text := stream.readline()) and text != ".\n":
        yield text


# -- Dialogues in JSON lines, and whole games --------------------------------------------------------------------


def _dialogue(name: str, decisions: int) -> Callable[[Path], str]:
    def make(_: Path) -> str:
        with started(GALAPAGOS, "jsonl") as process:
            assert process.stdin is not None and process.stdout is not None
            client = Client(process.stdout, process.stdin)
            client.say(**HELLO)
            client.hear("welcome")
            client.say(type="create", **GAMES[name])
            for _turn in range(decisions):
                client.act(client.hear("decide"))
            client.hear("decide")
        return "".join(client.said)

    return make


def _playthrough(name: str, terms: dict[str, Any], most: int) -> Callable[[Path], str]:
    def make(_: Path) -> str:
        """A line for each decision: its phase, how many actions are legal, and what the seat sees."""
        lines: list[str] = []
        with started(GALAPAGOS, "jsonl") as process:
            assert process.stdin is not None and process.stdout is not None
            client = Client(process.stdout, process.stdin)
            client.say(**HELLO)
            client.say(type="create", **terms)
            while (message := client.hear("decide", "end"))["type"] == "decide" and len(lines) < most:
                legal = message["legal"]
                count = (
                    len(legal["actions"])
                    if "actions" in legal
                    else sum(map(int, f"{int(legal['rules']['free'], 16):b}"))
                )
                seen = json.dumps(message.get("observation"))
                lines.append(f"{message['seq']} {message['phase']} {count} {seen}\n")
                client.act(message)
            lines.append(json.dumps(message.get("result")) + "\n")
        return "".join(lines)

    return make


for _name in GAMES:
    case(f"talks/{_name}.txt", blanks=HOME_BLANKS)(_dialogue(_name, 4))
case("playthroughs/acquire.txt")(
    _playthrough(
        "acquire",
        {"game": "acquire", "variant": "classic", "seats": ["me", "heuristic", "random"], "seed": 5},
        500,
    )
)
case("playthroughs/protection.txt")(
    _playthrough("protection", {"game": "protection", "seats": ["me", "chaos:random"], "seed": 5}, 8)
)


# -- Studies of runs -----------------------------------------------------------------------------------------


@case("disk/study-acquire.txt", needs=("matplotlib",))
def _study(folder: Path) -> str:
    """Report, tables and the names of the figures of one run; and the champions of three kinds."""
    runs = [unpacked(f"run-acquire-{kind}", folder) for kind in ("pair", "league", "net")]
    words = ("--games", "20", "--workers", "1")
    said = [printed("study", runs[0], *words, "--out", folder / "out")]
    for path in sorted((folder / "out").iterdir()):
        said.append(f"=== {path.name}\n" + (path.read_text() if path.suffix == ".csv" else ""))
    return "".join(said) + printed("study", *runs, *words, "--champions")
