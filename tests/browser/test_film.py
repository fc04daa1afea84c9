"""The page of a recorded fight: one file from the disk that plays without a server or a network."""

import re
from pathlib import Path

from playwright.async_api import Page, expect

from core.corewar.rules import Rules
from engines.corewar.recording import record
from tests.tools.mars.fights import CODES, battle
from tools.mars.html import page as film_page


async def test_a_recorded_fight_plays_without_a_server(page: Page, tmp_path: Path) -> None:
    path = tmp_path / "fight.html"
    recording = record(battle(CODES[0], CODES[1], rules=Rules(size=800, cycles=800, length=20, distance=20)))
    path.write_text(film_page(recording, "<b>Imp</b> v Dwarf"), encoding="utf-8")
    await page.goto(path.as_uri())
    await expect(page.get_by_role("heading", level=1)).to_have_text("<b>Imp</b> v Dwarf")
    await page.get_by_label("Speed").fill("11")
    await expect(page.get_by_role("status")).to_have_text(re.compile("wins|tie|left"))
    await page.goto(f"{path.as_uri()}#7")
    await page.reload()
    await expect(page.get_by_text(re.compile("^7 of "))).to_be_visible()
    await page.keyboard.press("ArrowLeft")
    await expect(page.get_by_text(re.compile("^6 of "))).to_be_visible()
