"""What serves the program elsewhere: the image, the unit and the workflows name what there is."""

import json
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path

import pytest

from protocols.limits import Limits
from tests.waiting import PATIENCE_SECONDS
from tools.serve import DEFAULT_PAGE, DEFAULT_PORT, END_SECONDS, add_arguments

ROOT = Path(__file__).parents[3]
FOLDER = ROOT / "tools" / "deployment"
DOCKERFILE = FOLDER / "Dockerfile"
UNIT = FOLDER / "galapagos.service"
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
MOST_EXPOSURE = 2.0  # of 10, as systemd-analyze counts


def served(words: list[str]) -> dict[str, object]:
    """What `galapagos serve` makes of options. SystemExit if it has none such."""
    assert words[0] == "serve"
    parser = ArgumentParser(exit_on_error=False)
    add_arguments(parser)
    return vars(parser.parse_args(words[1:]))


# -- The unit --------------------------------------------------------------------------------------


def settings(text: str) -> dict[str, list[str]]:
    """The unit's settings, each with all its values."""
    found: dict[str, list[str]] = {}
    for line in text.splitlines():
        if "=" in line and not line.startswith("#"):
            name, _, value = line.partition("=")
            found.setdefault(name, []).append(value)
    return found


def test_the_unit_starts_an_existing_command_with_default_ports() -> None:
    (line,) = settings(UNIT.read_text())["ExecStart"]
    program, *words = shlex.split(line)
    assert Path(program).name == "galapagos"
    options = served(words)
    assert (options["port"], options["page"], options["host"]) == (DEFAULT_PORT, DEFAULT_PAGE, "127.0.0.1")


def test_the_unit_writes_to_its_own_folder_only() -> None:
    unit = settings(UNIT.read_text())
    assert unit["DynamicUser"] == ["yes"] and unit["ProtectSystem"] == ["strict"]
    assert unit["WorkingDirectory"] == [f"%S/{unit['StateDirectory'][0]}"]
    options = served(shlex.split(unit["ExecStart"][0])[1:])
    assert isinstance(options["home"], Path) and not options["home"].is_absolute()


def test_systemd_waits_longer_than_a_server_takes_to_stop() -> None:
    (seconds,) = settings(UNIT.read_text())["TimeoutStopSec"]
    assert int(seconds) > END_SECONDS


@pytest.fixture
def analyze() -> str:
    """systemd's own judge."""
    program = shutil.which("systemd-analyze")
    if program is None:
        pytest.skip("systemd-analyze is missing: apt-get install systemd")
    return program


@pytest.mark.external
def test_systemd_understands_the_unit(analyze: str, tmp_path: Path) -> None:
    copy = tmp_path / UNIT.name
    copy.write_text(UNIT.read_text().replace("/opt/galapagos/bin/galapagos", sys.executable))
    done = subprocess.run([analyze, "verify", copy], capture_output=True, text=True, timeout=PATIENCE_SECONDS)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.external
def test_systemd_rates_the_unit_as_hardened(analyze: str) -> None:
    command = [analyze, "security", "--offline=true", "--no-pager", str(UNIT)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_SECONDS)
    if "unrecognized option" in done.stderr:
        pytest.skip("this systemd-analyze cannot judge a file: it takes version 250")
    exposure = re.search(r"Overall exposure level for galapagos\.service: ([\d.]+)", done.stdout)
    assert exposure is not None and float(exposure[1]) <= MOST_EXPOSURE


# -- The image -------------------------------------------------------------------------------------


def instructions() -> Iterator[tuple[str, str]]:
    """Those of the Dockerfile, continued lines as one."""
    text = re.sub(r"^#.*\n", "", DOCKERFILE.read_text(), flags=re.MULTILINE).replace("\\\n", " ")
    for line in filter(None, map(str.strip, text.splitlines())):
        word, _, rest = line.partition(" ")
        yield word, rest.strip()


def only(instruction: str) -> str:
    (found,) = (rest for word, rest in instructions() if word == instruction)
    return found


def test_the_image_copies_existing_files_that_dockerignore_admits() -> None:
    """And .dockerignore, which shuts everything else out, lets it through."""
    let = (FOLDER / "Dockerfile.dockerignore").read_text().splitlines()
    copied = [
        source
        for word, rest in instructions()
        if word == "COPY" and not rest.startswith("--from")
        for source in rest.split()[:-1]
    ]
    assert "*" in let and {"core", "pyproject.toml"} <= set(copied)
    for source in copied:
        assert (ROOT / source).exists() and f"!{source}" in let, source
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    packages = {name.rstrip("*") for name in project["tool"]["setuptools"]["packages"]["find"]["include"]}
    assert packages <= set(copied) and project["project"]["name"] in DOCKERFILE.read_text()


def test_the_image_runs_an_existing_command_with_default_ports() -> None:
    (program,) = json.loads(only("ENTRYPOINT"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert program in project["scripts"]
    options = served(json.loads(only("CMD")))
    assert (options["port"], options["page"], options["host"]) == (DEFAULT_PORT, DEFAULT_PAGE, "0.0.0.0")
    limits = re.findall(r"--limit (\w+)=", DOCKERFILE.read_text())
    assert limits and all(hasattr(Limits(), name) for name in limits)
    assert only("EXPOSE") == f"{DEFAULT_PORT} {DEFAULT_PAGE}"
    assert f"http://127.0.0.1:{DEFAULT_PAGE}/healthz" in only("HEALTHCHECK")
    assert only("VOLUME") == [rest for word, rest in instructions() if word == "WORKDIR"][-1]


def test_the_image_runs_as_an_unprivileged_user() -> None:
    """A user by number is set last, and owns the volume."""
    words = [word for word, _ in instructions()]
    assert words.index("USER") < words.index("ENTRYPOINT") and only("USER").isdigit() and only("USER") != "0"
    assert f"--owner {only('USER')}" in DOCKERFILE.read_text()


# -- The workflows and the wheel -------------------------------------------------------------------


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_workflows_run_existing_make_targets(path: Path) -> None:
    targets = re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), flags=re.MULTILINE)
    text = path.read_text()
    assert set(re.findall(r"run: make ([a-z]+)", text)) <= set(targets)
    yaml = pytest.importorskip("yaml", reason="PyYAML is missing; distributed brings it along")
    read = yaml.safe_load(text)
    assert read["permissions"] == {"contents": "read"}
    assert all("timeout-minutes" in job and job["steps"] for job in read["jobs"].values())


def test_the_check_workflow_runs_the_oldest_supported_python() -> None:
    text = (ROOT / ".github" / "workflows" / "check.yml").read_text()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert "run: make check" in text and f'"{project["requires-python"].removeprefix(">=")}"' in text


def test_every_file_of_data_is_packaged() -> None:
    """What stands beside the modules is read at run time, from wheels too."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    packaged = {
        path
        for package, patterns in project["tool"]["setuptools"]["package-data"].items()
        for pattern in patterns
        for path in ROOT.joinpath(*package.split(".")).glob(pattern)
    }
    code = {".py", ".pyc", ".so"}
    data = {
        path
        for name in ("core", "engines", "protocols", "tools")
        for path in (ROOT / name).rglob("*")
        if path.is_file() and path.suffix not in code and not path.is_relative_to(FOLDER)
    }
    assert sorted(map(str, data - packaged)) == []
