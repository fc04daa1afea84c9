"""A warrior on a hill is its sender's: whoever only writes its author's name neither kills nor replaces it."""

import json
import re
from pathlib import Path

from tests.servers import Served, served

STARTERS = ("Clear", "Dwarf", "Imp", "Imp-Gate", "Mice", "Paper", "Pebble", "Scanner")


async def answer(server: Served, *lines: str) -> list[str]:
    """That of a remote client, over a connection of its own."""
    talk = await server.connect()
    talk.say(*lines, ".")
    report = [await talk.line()]
    while report[-1] != ".":
        report.append(await talk.line())
    talk.writer.close()
    return report


def warrior(name: str, step: int, *lines: str) -> tuple[str, ...]:
    return (
        ";redcode-nano",
        f";name {name}",
        ";author Alice",
        *lines,
        f"ADD.AB #{step}, 1",
        "MOV.I 2, @0",
        "END",
    )


async def names(server: Served, author: str) -> set[str]:
    """Those of an author's warriors on the hill."""
    line, _ = await answer(server, ";redcode-nano json standings")
    rows = json.loads(line)["table"]
    return {row["name"] for row in rows if row["author"] == author and row["fate"] == "on the hill"}


async def test_an_author_name_without_a_token_kills_no_warrior(tmp_path: Path) -> None:
    async with served("--proxied", "--home", tmp_path / "home") as server:
        report = await answer(server, *warrior("Victim", 3))
        starters = await names(server, "Galapagos")
        assert await names(server, "Alice") == {"Victim"} and len(starters) == 5

        thief = (";kill Victim", ";token AAAAAAAAAAAAAAAAAAAAAA")
        for lines in (warrior("Thief", 5, ";kill Victim"), warrior("Thief", 7, *thief)):
            assert (await answer(server, *lines))[0].startswith(
                "Your warrior was refused: to kill Victim by Alice"
            )
        await answer(server, ";redcode-nano", ";author Alice", *thief)
        assert await names(server, "Alice") == {"Victim"}

        kills = (f";kill {name}" for name in STARTERS)
        await answer(server, ";redcode-nano", ";name Thief", ";author Galapagos", *kills, "MOV.I 0, 2", "END")
        assert await names(server, "Galapagos") >= starters

        found = re.search(r";token ([\w-]{22,})", "\n".join(report))
        assert found
        report = await answer(server, *warrior("Better", 9, ";kill Victim", f";token {found[1]}"))
        assert "Victim has been killed and removed from the Nano hill." in report
        assert await names(server, "Alice") == {"Better"}
        found = re.search(r";token ([\w-]{22,})", "\n".join(report))
        assert found
        await answer(server, ";redcode-nano", ";author Alice", ";kill Better", f";token {found[1]}")
        assert await names(server, "Alice") == set()


async def test_trust_authors_lets_an_author_name_kill_a_warrior(tmp_path: Path) -> None:
    async with served("--proxied", "--home", tmp_path / "home", "--trust-authors") as server:
        await answer(server, *warrior("Victim", 3))
        report = await answer(server, *warrior("Thief", 5, ";kill Victim"))
        assert "Victim has been killed and removed from the Nano hill." in report
        assert await names(server, "Alice") == {"Thief"}
