"""Libraries of others: each file is the one whose hash is written down, and each has its licence beside it."""

import re
from hashlib import sha256

from protocols.web.site import STATIC

VENDOR = STATIC / "vendor"
README = (VENDOR / "README.md").read_text(encoding="utf-8")


def test_every_file_has_its_hash() -> None:
    written = dict(re.findall(r"^\| (\S+) \| ([0-9a-f]{64}) \|$", README, re.MULTILINE))
    found = {
        path.relative_to(VENDOR).as_posix(): sha256(path.read_bytes()).hexdigest()
        for path in VENDOR.rglob("*")
        if path.is_file() and path.name != "README.md"
    }
    assert written == found


def test_every_library_has_its_licence_and_its_origin() -> None:
    named = set(re.findall(r"^\| (\S+) \| \d+(?:\.\d+)+ \| npm ", README, re.MULTILINE))
    assert named == {path.name for path in VENDOR.iterdir() if path.is_dir()}
    assert all((VENDOR / name / "LICENSE").is_file() for name in named)
