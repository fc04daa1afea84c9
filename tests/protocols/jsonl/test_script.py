"""Scripted conversations: with a server of this process, over TCP and standard input, and `galapagos script`."""

import asyncio
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

import pytest

from protocols.jsonl.script import (
    Difference,
    ProcessTarget,
    ScriptError,
    ScriptTarget,
    TcpTarget,
    parse,
    run_script,
)  # fmt: skip
from protocols.limits import Limits
from protocols.server import Server
from tests.protocols.jsonl import fakes
from tests.servers import game_server, no_engine
from tests.waiting import PATIENCE_SECONDS
from tools.cli import CommandError
from tools.script import EPILOG, add_arguments, run

FOLDER = Path(__file__).parent / "scripts"
SCRIPTS = {path.stem: path.read_text(encoding="utf-8") for path in sorted(FOLDER.glob("*.jsonl"))}
HELLO = '{"type":"hello","versions":[1]}'
ECHO = 'import sys\nfor line in sys.stdin: print(\'{"type":"pong","re":1}\', flush=True)'


class LocalTarget(ScriptTarget):
    """A server in this process."""

    def __init__(self) -> None:
        self._server = fakes.FakeServer()
        self._client = self._server.client()
        self._lines: list[str] = []

    async def send(self, line: bytes) -> None:
        self._client.send(line.rstrip(b"\n"))

    async def receive(self) -> bytes:
        self._lines += self._client.lines()
        if not self._lines and not self._client.connection.is_closing:
            await asyncio.Event().wait()
        return self._lines.pop(0).encode() + b"\n" if self._lines else b""

    async def close(self) -> None:
        self._client.leave()
        self._client = self._server.client()


@pytest.mark.parametrize("name", SCRIPTS)
async def test_scripts_run_over_tcp(name: str) -> None:
    async with game_server() as games:
        server = Server(no_engine, Limits(), None, games)
        target = TcpTarget(*await server.start("127.0.0.1", 0))
        await run_script(parse(SCRIPTS[name]), target, PATIENCE_SECONDS)
        await target.close()
        await server.stop()


async def test_scripts_run_over_standard_input() -> None:
    target = ProcessTarget([sys.executable, "-m", "tools", "jsonl"])
    await run_script(parse(SCRIPTS["acquire_mini"]), target, PATIENCE_SECONDS)
    await target.close()


MATCHING = [
    '{"expect":{"type":"welcome","version":1,"games":{"tic-tac-toe":["plain"]}}}',
    '{"expect":{"server":"galapagos...","token":null,"resume":"..."}}',
    '# a comment\n{"comment":"and another"}\n\n{"find":{"session":"$name"}}\n{"type":"ping","id":"$name"}\n'
    '{"expect":{"re":"$name"}}',
    '{"expect":{"type":"welcome"}}\n{"reconnect":true}\n{"raw":"nonsense"}\n{"expect":{"code":"parse"}}',
    '{"type":"ping","id":1}\n{"find":{"re":1}}',
]
DIFFERENT = [
    ('{"expect":{"type":"welcome","version":2}}', "line 2: .*version is 1, but 2 is expected; received {"),
    ('{"expect":{"version":true}}', "version is 1, but True is expected"),
    ('{"expect":{"games":{"tic-tac-toe":["plain","x"]}}}', "an array of length 2 is expected"),
    ('{"expect":{"type":{"a":1}}}', "an object is expected"),
    ('{"expect":{"server":"galapagos 2..."}}', "'galapagos 2...' is expected"),
    ('{"expect":{"session":"$a","resume":"$a"}}', "\\$a stands for 's-1'"),
    ('{"expect":{"type":"welcome"}}\n{"type":"ping","id":"$x"}', "line 3: the name 'x' has no value yet"),
    ('{"type":"bye"}\n{"find":{"type":"nonsense"}}', "line 3: the server has closed"),
    (
        '{"expect":{"type":"welcome"}}\n{"expect":{"type":"welcome"}}',
        'line 3: no line was received within 0.05 s; expected {"type":"welcome"}$',
    ),
    (
        '{"type":"ping","id":7}\n{"find":{"type":"decide"}}',
        "line 3: no further line was received within 0.05 s; no line has matched; "
        """expected {"type":"decide"}; in the last line \\$.type is 'pong', but 'decide' is expected; """
        'received {"type":"pong","re":7',
    ),
    (
        '{"type":"bye"}\n{"find":{"type":"nonsense"}}',
        "line 3: the server has closed the connection; no line has matched; expected .* in the last line",
    ),
]


@pytest.mark.parametrize("script", MATCHING)
async def test_matching_expectations_pass(script: str) -> None:
    await run_script(parse(f"{HELLO}\n{script}"), LocalTarget(), PATIENCE_SECONDS)


@pytest.mark.usefixtures("virtual_time")
@pytest.mark.parametrize(("script", "difference"), DIFFERENT)
async def test_differences_are_reported_with_their_line(script: str, difference: str) -> None:
    with pytest.raises(Difference, match=difference):
        await run_script(parse(f"{HELLO}\n{script}"), LocalTarget(), 0.05)


@pytest.mark.parametrize("script", ["", "# a comment", '{"comment":"and another"}\n\n'])
def test_a_script_without_steps_is_refused(script: str) -> None:
    with pytest.raises(ScriptError, match="the script has no step"):
        parse(script)


@pytest.mark.parametrize("script", ["{", "[]", '{"expect":1}', '{"x":1}', "[" * 9000])
def test_malformed_scripts_are_refused_with_their_line(script: str) -> None:
    with pytest.raises(ScriptError, match="line 2"):
        parse(f"# one\n{script}")


async def test_the_start_of_a_program_does_not_count(tmp_path: Path) -> None:
    program = tmp_path / "slow.py"
    program.write_text(f"import time\ntime.sleep(1)\n{ECHO}")
    steps = parse('{"type":"ping","id":1}\n{"expect":{"type":"pong"}}')
    target = ProcessTarget([sys.executable, "-IS", str(program)], b"{}\n")
    await run_script(steps, target, 0.8)
    await target.close()


class PingingTarget(ScriptTarget):
    """A server that sends nothing but a ping every 15 seconds, and an end after some of them."""

    def __init__(self, pings: int) -> None:
        self.sent: list[bytes] = []
        self._pings = pings

    async def send(self, line: bytes) -> None:
        self.sent.append(line)

    async def receive(self) -> bytes:
        await asyncio.sleep(15)
        self._pings -= 1
        return b'{"type":"ping","id":"ping"}\n' if self._pings >= 0 else b'{"type":"end"}\n'

    async def close(self) -> None:
        pass


@pytest.mark.usefixtures("virtual_time")
async def test_a_find_answers_pings_which_do_not_prolong_its_wait() -> None:
    steps = parse('{"find":{"type":"end"}}')
    target = PingingTarget(5)
    await run_script(steps, target, 100)
    assert target.sent == [b'{"type":"pong","re":"ping"}\n'] * 5
    with pytest.raises(Difference, match="line 1: no line was received within 100 s"):
        await run_script(steps, PingingTarget(50), 100)


def test_the_example_of_the_help_goes_as_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = [line.strip() for line in EPILOG.partition("For example")[2].splitlines()[1:]]
    (tmp_path / "move").write_text("\n".join(lines))
    assert run(arguments(tmp_path / "move", "--seconds", PATIENCE_SECONDS)) == 0, capsys.readouterr().out


def arguments(*words: object) -> Namespace:
    parser = ArgumentParser()
    add_arguments(parser)
    return parser.parse_args([str(word) for word in words])


def test_the_script_command_returns_whether_all_scripts_pass(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good, bad, none = tmp_path / "good", tmp_path / "bad", tmp_path / "none"
    good.write_text('{"type":"ping","id":1}\n{"expect":{"type":"pong"}}\n{"reconnect":true}\n{"type":"bye"}')
    bad.write_text('{"type":"ping","id":1}\n{"expect":{"type":"pong","re":2}}')
    none.write_text("what?")
    (tmp_path / "echo.py").write_text(ECHO)
    command = ("--command", f"{sys.executable} -IS {tmp_path / 'echo.py'}")
    assert run(arguments(good, *command)) == 0
    assert run(arguments(good, bad, *command)) == 1
    assert "$.re is 1, but 2 is expected" in capsys.readouterr().out
    for words in ((none,), (good, "--tcp", "nowhere")):
        with pytest.raises(CommandError):
            run(arguments(*words))
    assert run(arguments(good, "--tcp", "127.0.0.1:1", "--seconds", 1)) == 1
    out = capsys.readouterr().out
    assert out == f"{good}: no server listens at 127.0.0.1:1; `galapagos serve --port 1` starts one\n"
    assert run(arguments(good, "--ws", "ws://127.0.0.1:1/ws")) == 1
    assert "no server listens at ws://127.0.0.1:1/ws; `galapagos serve` starts one" in capsys.readouterr().out
