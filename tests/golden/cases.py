"""The cases: each has a name, which is that of its file in tests/golden/expected, and a function that makes its text.

Everything goes through command lines, bytes of protocols and files (tests/golden/programs.py), nothing through modules.
"""

import json
import os
import re
from argparse import Action, ArgumentParser
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final
from unittest import mock

from tests.golden.programs import CHESS, GALAPAGOS, MARS, ROOT, parsers, printed, run, spoken, started

HERE: Final = Path(__file__).parent
EXPECTED: Final = HERE / "expected"
CONFIGS: Final = HERE / "configs"

# What is blanked everywhere: (pattern, what stands there instead).
BLANKS: Final = (
    (r'("(?:[a-z_]*seconds|bookkeeping|[a-z_]*_per_second)": ?)-?[0-9.e+-]+', r"\1SECONDS"),
    (r'("version": ?)"\d+\.\d+[^"]*"', r'\1"VERSION"'),
    (r"[A-Z][a-z]{2} [A-Z][a-z]{2} +\d+ \d\d:\d\d:\d\d UTC \d{4}", "DATE"),
    (r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)?", "DATE"),
)


class Skipped(Exception):
    """A case that cannot be tried here; why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """`make` gets an empty folder; `blanks` are its own, beside BLANKS."""

    name: str
    make: Callable[[Path], str]
    is_slow: bool = False
    needs: tuple[str, ...] = ()  # packages
    blanks: tuple[tuple[str, str], ...] = ()

    @property
    def path(self) -> Path:
        return EXPECTED / self.name

    def text(self, folder: Path) -> str:
        """Skipped if something is not installed."""
        for name in self.needs:
            if find_spec(name) is None:
                raise Skipped(f"{name} is not installed")
        text = self.make(folder)
        for path, name in ((str(folder.resolve()), "TMP"), (str(folder), "TMP"), (str(ROOT), "ROOT")):
            text = text.replace(path, name)
        for pattern, blank in (*self.blanks, *BLANKS):
            text = re.sub(pattern, blank, text)
        return text if text.endswith("\n") else f"{text}\n"


CASES: Final[list[Case]] = []


def case(
    name: str, *, slow: bool = False, needs: tuple[str, ...] = (), blanks: tuple[tuple[str, str], ...] = ()
) -> Callable[[Callable[[Path], str]], Callable[[Path], str]]:
    def added(make: Callable[[Path], str]) -> Callable[[Path], str]:
        CASES.append(Case(name=name, make=make, is_slow=slow, needs=needs, blanks=blanks))
        return make

    return added


def pretty(data: object) -> str:
    return json.dumps(data, indent=1, ensure_ascii=False) + "\n"


def lines_of(text: str) -> list[Any]:
    """Of JSON lines."""
    return [json.loads(line) for line in text.splitlines()]


# -- The signatures of the benchmarks --------------------------------------------------------------------

FAST_BENCHMARKS: Final = ("evaluate", "seed", "soup", "assemble", "expressions", "protection")
SLOW_BENCHMARKS: Final = ("perft", "search", "acquire", "pairs", "fights", "evolution")


def _signatures(name: str) -> dict[str, str]:
    rows = lines_of(printed("bench", name, "--json"))
    return dict(sorted((row["name"], row["signature"]) for row in rows if row["signature"]))


def _benchmark(name: str) -> Callable[[Path], str]:
    def make(folder: Path) -> str:
        """Without the warriors of others, which only some machines have: they are in a case of their own."""
        with mock.patch.dict(os.environ, {"GALAPAGOS_DATA": str(folder)}):
            return pretty(_signatures(name))

    return make


for _name in (*FAST_BENCHMARKS, *SLOW_BENCHMARKS):
    case(f"bench/{_name}.json", slow=_name in SLOW_BENCHMARKS)(_benchmark(_name))


@case("bench/with-data.json", slow=True)
def _with_data(_: Path) -> str:
    """Rows for which warriors of others are needed."""
    data = Path(os.environ.get("GALAPAGOS_DATA", ROOT.parent / "shared" / "data"))
    if not data.is_dir():
        raise Skipped(f"no test data in {data}; set GALAPAGOS_DATA")
    with mock.patch.dict(os.environ, {"GALAPAGOS_DATA": str(data)}):
        return pretty({name: _signatures(name) for name in ("nano", "fights")})


# -- Short evolutions ------------------------------------------------------------------------------------

GENERATIONS: Final = 6
EVOLUTIONS: Final = sorted(path.stem for path in CONFIGS.glob("*.txt"))


def evolve(config: str, folder: Path, generations: int) -> str:
    """The hash of each generation, and the files that the run leaves beside its store."""
    game = config.partition("-")[0]
    words = ("evolve", game, CONFIGS / f"{config}.txt", "--run", folder, "--generations", str(generations))
    return hashes(lines_of(printed(*words, "--workers", "1", "--json")), folder)


def hashes(lines: list[Any], folder: Path) -> str:
    text = [f"{line['number']} {line['hash']}\n" for line in lines if line["event"] == "generation"]
    text += [f"end {lines[-1]['games']} games {lines[-1]['hash']}\n"]
    text += [f"{path.name}\n" for path in sorted(folder.iterdir()) if path.name != "lock"]
    return "".join(text)


def _evolution(config: str) -> Callable[[Path], str]:
    return lambda folder: evolve(config, folder / "run", GENERATIONS)


for _name in EVOLUTIONS:
    case(f"evolve/{_name}.txt")(_evolution(_name))


@case("evolve/json-lines.json")
def _evolve_json(folder: Path) -> str:
    words = ("evolve", "chess", CONFIGS / "chess-pool.txt", "--run", folder / "run", "--generations", "2")
    return pretty(lines_of(printed(*words, "--workers", "1", "--json")))


# -- The schema ------------------------------------------------------------------------------------------


@case("schema.json")
def _schema(_: Path) -> str:
    """Definitions that are called after a module, as their names are there twice, are numbered instead."""
    text = printed("schema")
    names: dict[str, str] = {}
    for full in re.findall(r"#/\$defs/((?:\w+\.)+\w+)", text):
        short = full.rpartition(".")[2]
        names.setdefault(full, f"{short}-{sum(name.startswith(f'{short}-') for name in names.values()) + 1}")
    for full, short in names.items():
        text = text.replace(f'"{full}"', f'"{short}"').replace(f'/{full}"', f'/{short}"')
    schema = json.loads(text)
    return json.dumps(schema, indent=None, ensure_ascii=False, sort_keys=True).replace('{"', '\n{"')


# -- Options ---------------------------------------------------------------------------------------------


def _shape(action: Action) -> dict[str, Any]:
    """What a user can tell of an option; help is prose."""
    shape: dict[str, Any] = {"kind": type(action).__name__.strip("_").removesuffix("Action")}
    if action.nargs != 0 and shape["kind"] != "SubParsers":
        metavar = action.metavar or (action.dest.upper() if action.option_strings else action.dest)
        shape["metavar"] = (
            f"{{{','.join(map(str, action.choices))}}}" if action.choices and not action.metavar else metavar
        )
    for name in ("nargs", "const", "default", "choices", "required"):
        value = getattr(action, name)
        if value not in (None, False, [], "==SUPPRESS==") and not (name == "nargs" and value == 0):
            shape[name] = [str(each) for each in value] if name == "choices" else _value(name, value, action)
    return shape


def _value(name: str, value: Any, action: Action) -> Any:
    if name == "default" and "--workers" in action.option_strings:
        return "CORES"
    return value if isinstance(value, str | int | float | bool | list) else str(value)


def _options(parser: ArgumentParser) -> dict[str, Any]:
    actions = {" ".join(action.option_strings) or action.dest: _shape(action) for action in parser._actions}
    exclusive = [
        [" ".join(action.option_strings) or action.dest for action in group._group_actions]
        for group in parser._mutually_exclusive_groups
    ]
    return actions | ({"one of": exclusive} if exclusive else {})


@case("options/galapagos.json")
def _galapagos(_: Path) -> str:
    """The commands, and what there is before one is named."""
    found = parsers(GALAPAGOS)[GALAPAGOS]
    return pretty(_options(found))


def _commands() -> Iterator[str]:
    for action in parsers(GALAPAGOS)[GALAPAGOS]._actions:
        if isinstance(action.choices, dict):
            yield from action.choices


@case("options/commands.json")
def _every_command(_: Path) -> str:
    found = {
        name: _options(parser) for word in _commands() for name, parser in parsers(GALAPAGOS, word).items()
    }
    return pretty(found)


@case("options/galapagos-chess.json")
def _galapagos_chess(_: Path) -> str:
    return pretty({name: _options(parser) for name, parser in parsers(CHESS).items()})


@case("options/galapagos-mars.txt")
def _galapagos_mars(_: Path) -> str:
    """It reads its command line as pMARS does; the switches of its manual."""
    manual = printed("--help", program=MARS)
    switches = re.findall(r"(?:^|  )(-\S(?: [#$])?|--[a-z]\S*)(?= )", manual, re.MULTILINE)
    return "".join(f"{switch}\n" for switch in sorted(set(switches)))


# -- The --json output of the commands that have it, bench, evolve and hill aside ----------------------------

WARRIORS: Final = ROOT / "engines" / "corewar" / "warriors"
KIWIPETE: Final = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
JSON_CASES: Final[dict[str, str]] = {
    "genome-list": "genome list",
    "genome-show-evolved": "genome show evolved",
    "genome-show-random": "genome show random",
    "genome-show-evolved-three": "genome show evolved-three",
    "genome-show-pair-1": "genome show pair-1",
    "genome-show-net": "genome show evolved-net-three",
    "genome-show-commons": "genome show commons",
    "genome-show-pool-117": "genome show pool:117",
    "genome-score-evolved": f"genome score evolved {KIWIPETE}",
    "genome-score-unevolved": "genome score unevolved startpos",
    "genome-explain-dwarf": "genome explain WARRIORS/dwarf.red",
    "genome-explain-paper-nano": "genome explain WARRIORS/imp.red --rules nano",
    "genome-explain-pair-1": "genome explain pair-1",
    "genome-explain-composed": "genome explain composed",
    "genome-explain-militia": "genome explain militia",
    "genome-compare-warriors": "genome compare WARRIORS/dwarf.red WARRIORS --count 5",
    "genome-compare-programs": "genome compare pair-1 pair-2 pair-3 best-of-run",
    "genome-compare-strings": "genome compare commons quilt pool:3",
    "genome-check-pool-3": "genome check pool:3",
    "genome-normalise-quilt": "genome normalise quilt",
    "perft": f"perft {KIWIPETE} 3 --divide",
    "rank": "rank WARRIORS --rounds 4 --workers 1",
    "rank-against": "rank WARRIORS/dwarf.red --against WARRIORS --rounds 6 --checksum --workers 1",
    "rank-nano-exact": "rank WARRIORS/imp.red WARRIORS/dwarf.red --rules nano --exact --workers 1",
    "rank-tiny": "rank WARRIORS/dwarf.red WARRIORS/clear.red WARRIORS/imp.red --rules tiny --rounds 5 --fights 2 --workers 1",
    "match-chess": "match chess:handset chess:unevolved chess:handset,search=seed --nodes 150 --games 2 --max-moves 20",
    "match-chess-swiss": (
        "match chess:handset chess:unevolved random --depth 1 --games 2 --max-moves 12 --pairing swiss --seed 3"
    ),
    "match-chess-sprt": "match chess:handset random --nodes 100 --games 4 --max-moves 30 --sprt 0,200 --openings start",
    "match-acquire-pairs": (
        "match acquire:heuristic acquire:random acquire:pair-1,tie=first acquire:composed --variant thesis-2002"
        " --games 20 --workers 1"
    ),
    "match-acquire-seats": (
        "match acquire:heuristic acquire:random acquire:evolved-net-four acquire:evolved-four --seats 4 --games 16"
        " --workers 1"
    ),
    "match-acquire-gauntlet": (
        "match acquire:mc-10 acquire:random acquire:heuristic --variant mini --games 6 --pairing gauntlet --workers 1"
    ),
    "match-acquire-ladder": (
        "match acquire:random acquire:pair-4 acquire:heuristic --variant tlstyer --games 10 --pairing ladder --workers 1"
    ),
    "study-protection": (
        "study protection --users drones,switcher --mode pilot,fixed:3 --games 3 --seeds 1 --replicates 1 --workers 1"
    ),
    "study-protection-hybrids": "study protection --hybrids --users novice,drones --games 2 --replicates 1 --workers 1",
}  # fmt: skip


def _json_case(words: str) -> Callable[[Path], str]:
    def make(_: Path) -> str:
        given = [word.replace("WARRIORS", str(WARRIORS)) for word in words.split()]
        return pretty(json.loads(printed(*given, "--json")))

    return make


for _name, _words in JSON_CASES.items():
    case(f"json/{_name}.json")(_json_case(_words))


@case("json/pool-table.json")
def _pool_table(folder: Path) -> str:
    """A pool of two runs against arrangements of a log that scripted users made; log and pool belong to it."""
    config, log = folder / "small.txt", folder / "log.jsonl"
    config.write_text(
        "money = 1\npopulation = 120\ntrials = 120\nsaved = 120\ncandidates = 1\nfresh tests = 2\n"
    )
    users = printed("arrangements", log, "--users", "drones,idle,turtle", "--turns", "2")
    words = ("--config", config, "--runs", "2", "--workers", "1", "--arrangements", log)
    made = printed("pool", folder / "pool", *words)
    table = json.loads(printed("pool", folder / "pool", "--table", "--json"))
    return pretty({"arrangements": log.read_text(), "said": users + made, "table": table})


@case("json/hill.json")
def _hill(folder: Path) -> str:
    """The life of a hill: each line that a command prints."""
    hill, said = folder / "my.hill", dict[str, Any]()

    def tell(name: str, *words: str | Path) -> None:
        said[name] = lines_of(printed("hill", *words, "--json"))

    tell("create", "create", hill, "--preset", "tiny", "--places", "5", "--rounds", "5")
    mouse = folder / "mouse.red"
    mouse.write_text(MOUSE)
    tell("test", "test", hill, mouse)
    dwarf = folder / "dwarf.red"
    dwarf.write_text(";redcode-tiny quiet\n" + (WARRIORS / "dwarf.red").read_text().partition("\n")[2])
    tell("submit", "submit", hill, mouse, dwarf)
    tell("standings", "standings", hill)
    tell("report", "report", hill, "2")
    tell("source", "source", hill, "Mouse")
    tell("replay", "replay", hill, folder / "new.hill", "--rounds", "3")
    tell("remove", "remove", hill, "Mouse")
    broken = folder / "broken.red"
    broken.write_text(";redcode-tiny\n;name Broken\n\tMOV nowhere, 1\n")
    refused = run("hill", "submit", hill, broken, "--json")
    said["refused"] = [refused.status, lines_of(refused.out)]
    return pretty(said)


MOUSE: Final = """\
;redcode-tiny
;name Mouse
;author Someone
;strategy Three processes copy three cells to a far place.
;assert CORESIZE == 800

mouse   SPL     1
        MOV.I   -1, 0           ; now there are three
run     SPL     @run, 127
        MOV.I   }run, >run
        JMP     run, <267
        END     mouse
"""


# -- Files that commands write or print for other programs ----------------------------------------------------


@case(
    "files/export.txt",
    blanks=((r'[^\s"\']*galapagos-chess', "COMMAND"), (r'dir: "[^"]*"', 'dir: "FOLDER"')),
)
def _export(_: Path) -> str:
    programs = ("cutechess", "xboard", "lichess-bot", "fastchess")
    return "".join(f"=== {name}\n{printed('export', name)}" for name in programs)


@case("files/genome-random.txt")
def _genome_random(_: Path) -> str:
    return printed("genome", "random", "--seed", "7")


@case("files/arrangements.jsonl")
def _arrangements(folder: Path) -> str:
    log = folder / "log.jsonl"
    printed(
        "arrangements", log, "--users", "mines,novice,reactive", "--games", "2", "--turns", "2", "--seed", "3"
    )
    return log.read_text(encoding="utf-8")


@case("files/acquire-records.txt")
def _acquire_records(folder: Path) -> str:
    """Games of a match, which are replayed as they were."""
    words = ("--variant", "thesis-7", "--games", "2", "--workers", "1", "--records", folder / "games")
    printed("match", "acquire:heuristic", "acquire:evolved-seven", *words)
    files = sorted((folder / "games").iterdir())
    return "".join(f"=== {path.name}\n{path.read_text()}" for path in files) + printed("replay", *files)


# -- galapagos-mars ------------------------------------------------------------------------------------------

FIGHTS_OF_MARS: Final = (  # beside tests/tools/mars/golden.jsonl
    "-br 20 -f paper.red stone.red", "-br 10 -F 1234 clear.red vampire.red", "-r 1 -f scanner.red dwarf.red",
    "-bkr 5 -F 4000 imp.red paper.red", "-bor 5 -f dwarf.red paper.red stone.red scanner.red clear.red",
    "-bP -s 80 -p 80 -c 800 -l 5 -d 5 imp.red stone.red", "-bP -r 50 -f -s 80 -p 80 -c 800 -l 5 -d 5 imp.red stone.red",
    "-br 3 -f -p 1 -c 500 -d 200 paper.red imp.red", "-br 4 -f -= (W*W-1)*S dwarf.red imp.red", "-Vr 0 paper.red",
    "-br 5 -f -Q 2 paper.red imp.red", "-br 5 -f -Q 101 paper.red imp.red", "-Q 1000", "-Q 1003",
    "-8r 0 dwarf.red", "-8r 0 scanner.red", "--pmars 0.9.4 -A dwarf.red imp.red",
    "--pmars 0.9.4 -br 4 -f -R 400 -W 200 paper.red dwarf.red", "--json -b -f -r 3 paper.red scanner.red",
    "--json -r 0 pebble.red", "-br 2 -f nowhere.red imp.red", "-z imp.red", "-r", "-r x imp.red", "-s 0 imp.red",
    "-d 9000 imp.red dwarf.red", "-F 5 imp.red dwarf.red", "",
)  # fmt: skip
BROKEN: Final[dict[str, str]] = {
    "unknown label": "\tMOV nowhere, 1\n",
    "unknown operation": "\tMOVE 0, 1\n",
    "bad expression": "\tDAT 1+, (2\n",
    "division by zero": "\tDAT 1/0\n",
    "too long": "\tDAT 0, 0\n" * 101,
    "too few": ";name Nothing\n",
    "assertion": ";assert CORESIZE==17\n\tJMP 0\n",
    "label twice": "a\tDAT 0\na\tDAT 1\n\tJMP a\n",
    "no end of FOR": "n\tFOR 3\n\tDAT n\n",
    "endless EQU": "a\tEQU b\nb\tEQU a\n\tDAT a\n",
    "huge number": "\tDAT 123456789012345678901234567890\n",
    "bad mode": "\tMOV &1, ?2\n",
    "missing operand": "\tMOV.I 1\n\tJMP\n\tSPL.X ,2\n",
    "start outside": "\tDAT 0\n\tEND 7\n",
    "all at once": "x\tMOV nowhere\n\tFOO 1\n\tDAT 1/0,\ny\tDAT (1\n\tEND z\n",
    "fine: EQU, FOR, PIN, ORG": (
        ";name Fine\n;author A\nstep EQU 4\nn FOR 3\nl&n\tMOV.AB #n*step, {l1\n ROF\n\tPIN 7\n\tORG l02\nl02\tJMZ.F l1, >-1\n\tEND\n"
    ),
}


@case("mars/fights.txt")
def _mars_fights(_: Path) -> str:
    return "".join(
        f"$ {words}\n{run(*words.split(), program=MARS, folder=WARRIORS)}" for words in FIGHTS_OF_MARS
    )


@case("mars/broken.txt")
def _mars_broken(folder: Path) -> str:
    said = []
    for name, text in BROKEN.items():
        (folder / "w.red").write_text(f";redcode\n{text}")
        for words in (("-r", "0"), ("-8", "-b", "-r", "0"), ("--json", "-r", "0")):
            said.append(f"=== {name} {' '.join(words)}\n{run(*words, 'w.red', program=MARS, folder=folder)}")
    return "".join(said)


@case("mars/debugger.txt")
def _mars_debugger(_: Path) -> str:
    """A session with cdb: every kind of command, then step by step to the end of a round."""
    commands = (
        "help", "registers", "list 0,4", "step", "s", "", "trace 1", "progress", "go", "untrace 1", "wqueue", "pqueue",
        "execute ADD.AB #4, 1", "edit 100", "MOV 0, 1", "list 99,101", "fill 200,202 DAT 1, 2", "list 199,203",
        "search ,MOV $0,$1", "calc 17*4, 3-5", "macro", "moveable", "thread", "reset", "skip 20", "reg", "nonsense",
        "~!40~step~registers~!", "quit",
    )  # fmt: skip
    text = "".join(f"{command}\n" for command in commands)
    answers = [
        run(
            "-b",
            "-e",
            "-F",
            "4000",
            "-c",
            "200",
            "dwarf.red",
            "imp.red",
            program=MARS,
            folder=WARRIORS,
            stdin=text,
        ),
        run(
            "-b",
            "-e",
            "-f",
            "-r",
            "2",
            "-c",
            "30",
            "paper.red",
            "clear.red",
            program=MARS,
            folder=WARRIORS,
            stdin="step\n" * 70,
        ),
    ]
    return "".join(map(str, answers))


# -- Dialogues -----------------------------------------------------------------------------------------------

CHESS_BLANKS: Final = (
    (r"^(id name Galapagos|feature .*myname=\"Galapagos).*", r"\1"),
    (r" time \d+", " time T"),
    (r" nps \d+", " nps N"),
    (r"^(\d+ -?\d+) \d+ (\d+\t)", r"\1 T \2"),
)
UCI_TALK: Final = (  # line and what to wait for; nothing: it has no answer
    ("uci", "uciok"), ("setoption name Hash value 4", ""), ("setoption name Genome value handset", ""),
    ("setoption name Seed value 5", ""), ("isready", "readyok"), ("ucinewgame", ""),
    ("position startpos moves e2e4 e7e5", ""), ("go nodes 3000", "bestmove"), ("go depth 5", "bestmove"),
    (f"position fen {KIWIPETE}", ""), ("go nodes 3000", "bestmove"), ("go depth 4 searchmoves e1g1 e1c1", "bestmove"),
    ("setoption name Genome value evolved", ""), ("position startpos", ""), ("go nodes 4000", "bestmove"),
    ("setoption name Search value seed", ""), ("go nodes 1000", "bestmove"),
    ("setoption name Strength value 20", ""), ("setoption name Search value strong", ""), ("go depth 4", "bestmove"),
    ("position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", ""), ("go depth 3", "bestmove"),
    ("setoption name Nothing value 1", ""), ("position fen nonsense", ""), ("isready", "readyok"), ("quit", ""),
)  # fmt: skip
CECP_TALK: Final = (
    ("xboard", ""), ("protover 2", "feature done=1"), ("memory 4", ""), ("option Genome=handset", ""), ("new", ""),
    ("post", ""), ("sd 5", ""), ("usermove e2e4", "move"), ("usermove d2d4", "move"), ("ping 1", "pong"),
    ("undo", ""), ("force", ""), (f"setboard {KIWIPETE}", ""), ("sd 3", ""), ("go", "move"), ("hint", ""),
    ("usermove a1a8", ""), ("nonsense", ""), ("force", ""), ("setboard 7k/5Q2/5K2/8/8/8/8/8 w - - 0 1", ""),
    ("usermove f7g7", ""), ("ping 2", "pong"), ("quit", ""),
)  # fmt: skip


def talk(program: str, script: tuple[tuple[str, str], ...], *words: str) -> str:
    """Lines sent (>) and received."""
    said = []
    with started(program, *words) as process:
        assert process.stdin is not None and process.stdout is not None
        for line, awaited in script:
            said.append(f"> {line}\n")
            process.stdin.write(f"{line}\n")
            process.stdin.flush()
            while awaited:
                received = process.stdout.readline()
                if not received:
                    raise EOFError("".join(said[-5:]))
                said.append(received)
                if received.startswith(awaited):
                    break
        said += process.stdout.readlines()
    return "".join(said)


def _lines_blanked(text: str, blanks: tuple[tuple[str, str], ...]) -> str:
    """Of an engine's thoughts only the last one before each move stays: which others are told depends on time."""
    text = re.sub(r"^(info depth .*\n)+(?=info depth)", "", text, flags=re.MULTILINE)
    text = re.sub(r"^(\d+ -?\d+ \d+ \d+\t.*\n)+(?=\d+ -?\d+ \d+ \d+\t)", "", text, flags=re.MULTILINE)
    for pattern, blank in blanks:
        text = re.sub(pattern, blank, text, flags=re.MULTILINE)
    return text


@case("talks/uci.txt")
def _uci(_: Path) -> str:
    return _lines_blanked(talk(CHESS, UCI_TALK), CHESS_BLANKS)


@case("talks/cecp.txt")
def _cecp(_: Path) -> str:
    return _lines_blanked(talk(CHESS, CECP_TALK, "--hash", "8"), CHESS_BLANKS)


# -- At the terminal -----------------------------------------------------------------------------------------

PLAYED: Final[dict[str, tuple[str, str]]] = {  # options, and what is typed; by game
    "acquire": (
        "heuristic --variant mini --seed 8 --name Ann",
        "help,rules,moves,,3z,1a,blah,2b,board,imperial,iii,1c,4b,ll end,l l,3c,sell 9,s 4,-",
    ),
    "protection": (
        "--seed 7 --name Ann",
        "help,rules,map,log,film,cursor,drone 12 0 13 0,place settler 5 5,salvage 12 0,undo,undo,undo,drone 1 2 x,ar 5 5,"
        "place,place nothing 3 3,salvage 30 30,sell 9 9,drone 12 0 13 0 12 1 13 1,mine 14 0 11 0,artillery 12 2,go,log,"
        "film,settler 12 4,go,log,resign,1,2,log 1,film 1,x,",
    ),
}


def _terminal(game: str) -> Callable[[Path], str]:
    def make(_: Path) -> str:
        options, lines = PLAYED[game]
        typed = "".join(f"{line}\n" for line in lines.split(","))
        return str(spoken(GALAPAGOS, "play", game, *options.split(), stdin=typed))

    return make


for _name in PLAYED:
    case(f"talks/play-{_name}.txt")(_terminal(_name))
