"""The documents: links lead somewhere, options exist, and every command and program runs as it stands there.

The mark behind ``` says how a block is run:

    sh             its commands run one after the other, in one empty folder for each document
    sh slow        likewise, but they take minutes
    sh endless     each command is started and ends in order when Ctrl-C is pressed
    sh elsewhere   it needs another machine, root, or hours: its options must exist
    output         what the block before it prints on standard output: "..." is any lines, "…" any part of a line
    python         a program that ends; text, json: to read

By default the first block of each document is run; with -m slow all of them.
"""

import contextlib
import fcntl
import io
import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from tempfile import gettempdir

import pytest

from tests.conftest import ROOT
from tests.servers import served_sync
from tests.waiting import PATIENCE_SECONDS
from tools.__main__ import all_commands, main

DOCUMENTS = [
    ROOT / "README.md",
    *sorted(ROOT.glob("[a-z]*/*.md")),
    *sorted(ROOT.glob("engines/*/*.md")),
]
MARKS = ("sh", "sh slow", "sh endless", "sh elsewhere", "output", "python", "text", "json")
BLOCK = re.compile(r"^```([^\n]*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\]\(([^)#]*)(#[^)]*)?\)")
CODE = re.compile(r"`(galapagos [^`]*)`")
OPTION = re.compile(r"(?<=\s)--[a-z][a-z-]*")
QUOTED = re.compile(r'"[^"]*"')  # of another program
PACKAGES = {  # of programs in commands: how a document names what has to be installed for them
    "nc": "netcat-openbsd",
    "curl": "curl",
    "make": "make",
    "pipx": "pipx",
    "certbot": "certbot",
    "openssl": "openssl",
    "mosquitto_sub": "mosquitto-clients",
    "mosquitto_pub": "mosquitto-clients",
}
PLACEHOLDERS = {
    "ID": "1",
    "PAGE": "messages",
    "SHELL": "bash",
    "PROGRAM": "xboard",
}  # for words of which not every text is valid
BIN = Path(sys.executable).parent
ENDLESS_SECONDS = 8.0


@dataclass(frozen=True, slots=True)
class Block:
    mark: str
    text: str

    def commands(self) -> Iterator[str]:
        """Without the lines that they give to `cat`."""
        text = re.sub(r"<<'?(\w+)'?.*?^\1$", "", self.text, flags=re.DOTALL | re.MULTILINE)
        for line in text.replace("\\\n", " ").splitlines():
            if command := re.sub(r"(^|\s)#.*", "", line).strip():
                yield command


def blocks(path: Path) -> list[Block]:
    return [Block(*found) for found in BLOCK.findall(path.read_text(encoding="utf-8"))]


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.fixture(params=DOCUMENTS, ids=name_of)
def path(request: pytest.FixtureRequest) -> Path:
    document: Path = request.param
    return document


def test_every_block_has_a_known_mark(path: Path) -> None:
    assert [block for block in blocks(path) if block.mark not in MARKS] == []


def test_links_lead_to_existing_files_and_headings(path: Path) -> None:
    for file, heading in LINK.findall(path.read_text(encoding="utf-8")):
        if file.startswith("http"):
            continue
        target = (path.parent / file) if file else path
        assert target.exists(), file
        if heading:
            titles = re.findall(r"^#+ (.*)$", target.read_text(encoding="utf-8"), re.MULTILINE)
            assert heading[1:] in [title.lower().replace(" ", "-") for title in titles], heading


# -- Commands --------------------------------------------------------------------------------------


@cache
def help_text(words: tuple[str, ...]) -> str:
    """What `galapagos WORDS --help` prints."""
    with contextlib.redirect_stdout(io.StringIO()) as out, pytest.raises(SystemExit) as ended:
        main([*words, "--help"])
    assert ended.value.code == 0, words
    return out.getvalue()


def test_options_of_documented_commands_exist(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    commands = CODE.findall(BLOCK.sub("", text))
    commands += [command for block in blocks(path) if block.mark[:2] == "sh" for command in block.commands()]
    for command in commands:
        for part in re.split(r"[|;(]|&&", command):
            _, galapagos, rest = f" {QUOTED.sub('', part)} ".partition(" galapagos ")
            if not galapagos:
                continue
            words = re.match(r"[a-z ]*(?![^ ])", rest)
            assert words, command
            known = help_text(tuple(words[0].split()))
            assert set(OPTION.findall(f" {rest}")) - set(re.findall(r"--[a-z-]+", known)) == set(), command


def galapagos_words(path: Path) -> Iterator[list[str]]:
    """Yield the words behind `galapagos` of each command in a document that has more than names of commands."""
    text = path.read_text(encoding="utf-8")
    commands = CODE.findall(BLOCK.sub("", text))
    commands += [command for block in blocks(path) if block.mark[:2] == "sh" for command in block.commands()]
    for command in commands:
        for words in parts_of(command):
            if words[0] == "galapagos" and any(re.search(r"[^a-z]", word) for word in words[1:]):
                yield [PLACEHOLDERS.get(word, word) for word in words[1:] if word != "..."]


def parts_of(command: str) -> list[list[str]]:
    """Split a line for the shell into its commands, each a list of words without redirections."""
    lexer = shlex.shlex(command, posix=True, punctuation_chars="|;&()<>")
    lexer.whitespace_split = True
    parts: list[list[str]] = [[]]
    is_file = False
    for word in lexer:
        if set(word) <= set("|;&()"):
            parts.append([])
        elif set(word) <= set("<>"):
            is_file = True
        elif is_file:
            is_file = False
        elif parts[-1] or not re.fullmatch(r"\w+=.*|\$", word):
            parts[-1].append(word)
    return [part for part in parts if part]


def test_commands_have_all_arguments_that_they_need(
    path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A command within a sentence is parsed as well, since a reader copies it like one of a block."""
    for words in galapagos_words(path):
        if words[0].startswith("-") or words[-1] == "--help":
            continue
        with monkeypatch.context() as patched:
            patched.setattr(import_module(all_commands()[words[0]][0]), "run", lambda _: 0)
            try:
                status = main(words)
            except SystemExit as ended:
                status = int(ended.code or 0)
        assert status == 0, f"galapagos {shlex.join(words)}\n{capsys.readouterr().err}"


def test_the_packages_of_other_programs_are_named(path: Path) -> None:
    """Whatever a command needs that neither Debian's base system nor a plain installation has."""
    text = path.read_text(encoding="utf-8")
    commands = [command for block in blocks(path) if block.mark[:2] == "sh" for command in block.commands()]
    commands += re.findall(r"`([^`\n]+)`", BLOCK.sub("", text))
    for command in commands:
        needed = (
            [PACKAGES[words[0]] for words in parts_of(command) if words[0] in PACKAGES]
            if _is_shell(command)
            else []
        )
        if re.search(r"galapagos plot\b|galapagos film .*\.gif", command):
            needed.append("[plot]")
        named = [line for line in text.splitlines() if re.search(r"install|package|need", line)]
        assert [package for package in needed if not any(package in line for line in named)] == [], command


def _is_shell(command: str) -> bool:
    """Return whether text in back quotes is a command with arguments."""
    try:
        return any(len(words) > 1 for words in parts_of(command))
    except ValueError:  # a single quotation mark
        return False


def run_blocks(chosen: list[Block], folder: Path) -> None:
    if not (BIN / "galapagos").exists():
        pytest.skip("galapagos is not installed beside this Python")
    environment = os.environ | {"PATH": f"{BIN}:{os.environ['PATH']}", "HOME": str(folder)}
    printed = ""
    for block in chosen:
        if block.mark == "output":
            assert re.fullmatch(pattern_of(block.text), printed), f"{block.text}\nis not\n{printed}"
            continue
        if block.mark == "sh endless":
            for command in block.commands():
                interrupt(command, folder, environment)
            continue
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", block.text],
            cwd=folder, env=environment, check=False, capture_output=True, text=True,
        )  # fmt: skip
        assert done.returncode == 0 and "Traceback" not in done.stderr, f"{block.text}\n{done.stderr}"
        printed = done.stdout


def pattern_of(output: str) -> str:
    """Return the pattern of the lines in a block `output`."""
    return "".join(
        r"(?:.*\n)*?" if line == "..." else re.escape(line).replace("…", ".*?") + r"\n"
        for line in output.splitlines()
    )


def test_output_patterns_match_whole_lines_with_ellipses() -> None:
    pattern = pattern_of("...\n 1…five\nend\n")
    assert re.fullmatch(pattern, "title\n\n 1 75 five\nend\n") and re.fullmatch(pattern, " 1five\nend\n")
    for other in (" 1 75 five\n", " 1 75 five\nend\nmore\n", " 1\nfive\nend\n", " 1 75 five \nend\n"):
        assert not re.fullmatch(pattern, other), other


def interrupt(command: str, folder: Path, environment: dict[str, str]) -> None:
    """Press Ctrl-C some seconds after a command has begun. One at a time: servers use their usual ports."""
    with (Path(gettempdir()) / "galapagos-documents.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        _interrupt(command, folder, environment)


def _interrupt(command: str, folder: Path, environment: dict[str, str]) -> None:
    with subprocess.Popen(
        ["bash", "-c", f"exec {command}"],
        cwd=folder, env=environment, start_new_session=True,
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(ENDLESS_SECONDS)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGINT)
        assert process.stderr is not None
        errors = process.stderr.read()
    assert process.returncode in (0, 130) and "Traceback" not in errors, f"{command}\n{errors}"


def test_the_first_commands_of_a_document_run(path: Path, tmp_path: Path) -> None:
    chosen = [block for block in blocks(path) if block.mark in ("sh", "output")]
    if not chosen:
        pytest.skip(f"{name_of(path)} has no command that is run by default")
    run_blocks(chosen[: 2 if len(chosen) > 1 and chosen[1].mark == "output" else 1], tmp_path)


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_all_commands_of_a_document_run(path: Path, tmp_path: Path) -> None:
    marks = ("sh", "sh slow", "sh endless", "output")
    run_blocks([block for block in blocks(path) if block.mark in marks], tmp_path)


# -- Programs --------------------------------------------------------------------------------------

PROGRAMS = [block.text for path in DOCUMENTS for block in blocks(path) if block.mark == "python"]


@pytest.mark.parametrize("number", range(len(PROGRAMS)))
def test_python_programs_of_documents_run(number: int, tmp_path: Path) -> None:
    """Each ends and prints something."""
    program = PROGRAMS[number]
    for library in set(re.findall(r"\b(chess|pettingzoo|gymnasium)\b(?: import|\n)", program)):
        pytest.importorskip(library, reason=f"{library} is missing: pip install '.[{library}]'")
    if "galapagos" in program and not (BIN / "galapagos").exists():
        pytest.skip("galapagos is not installed beside this Python")
    program = program.replace(".venv/bin/galapagos", str(BIN / "galapagos"))
    with served_sync() if "1835" in program else contextlib.nullcontext() as server:
        if server is not None:
            program = program.replace("1835", str(server.port))
        done = subprocess.run(
            [sys.executable, "-c", program], check=False, capture_output=True, text=True, timeout=PATIENCE_SECONDS,
            cwd=tmp_path, env=os.environ | {"PATH": f"{BIN}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT)},
        )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "") and done.stdout.strip()


def test_the_scripted_client_is_short() -> None:
    (client,) = [text for text in PROGRAMS if "socket" in text]
    assert client.count("\n") <= 30
