"""THIRD_PARTY.md: every package that an installation brings along and every library of the page, with its licence."""

import re
from importlib.metadata import Distribution, PackageNotFoundError, distribution

from packaging.requirements import Requirement

from tests.conftest import ROOT

VENDOR = ROOT / "protocols" / "web" / "static" / "vendor"
ROW = re.compile(r"^\| ([\w.-]+) \| (.+) \|$", re.MULTILINE)


def tables() -> tuple[dict[str, str], dict[str, str]]:
    """Return the licences of the packages and of the page's libraries, by name."""
    packages, libraries = (
        (ROOT / "THIRD_PARTY.md").read_text(encoding="utf-8").split("\n## Libraries of the page\n")
    )
    return _rows(packages, "package"), _rows(libraries, "library")


def _rows(text: str, head: str) -> dict[str, str]:
    return {name: licence for name, licence in ROW.findall(text) if name != head}


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def installed() -> dict[str, Distribution]:
    """Return the packages that galapagos-engines needs without extras, and those that they need, by name."""
    found: dict[str, Distribution] = {}
    waiting = ["galapagos-engines"]
    while waiting:
        name = normal(waiting.pop())
        if name in found:
            continue
        try:
            found[name] = distribution(name)
        except PackageNotFoundError:  # for another Python or system
            continue
        for line in found[name].requires or []:
            requirement = Requirement(line)
            if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
                waiting.append(requirement.name)
    return {name: package for name, package in found.items() if name != "galapagos-engines"}


def test_every_package_of_an_installation_is_listed_with_its_licence() -> None:
    listed, _ = tables()
    packages = installed()
    assert len(packages) > 15
    assert set(packages) <= set(listed)
    for name, package in packages.items():
        # What others write in free text, no program can compare.
        expression = package.metadata.json.get("license_expression")
        assert expression in (None, listed[name]), name


def test_no_package_is_listed_that_is_not_needed() -> None:
    listed, _ = tables()
    for name in set(listed) - set(installed()):
        assert name == "typing-extensions"  # only an older Python needs it


def test_every_library_of_the_page_is_listed_with_its_licence() -> None:
    _, listed = tables()
    assert set(listed) == {path.name for path in VENDOR.iterdir() if path.is_dir()}
    readme = (VENDOR / "README.md").read_text(encoding="utf-8")
    for name, licence in listed.items():
        assert (VENDOR / name / "LICENSE").is_file()
        assert re.search(rf"^\| {re.escape(name)} \|.*\| {re.escape(licence)} \|", readme, re.MULTILINE), name
