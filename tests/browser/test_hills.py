"""The hills: a warrior is submitted, its report read, and names of others stay text."""

import re
from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from engines.corewar.hill_store import HillStore
from engines.corewar.presets import PRESETS
from protocols.hill.service import HillService
from protocols.hill.submission import Submission
from protocols.redcode.library import bundled_text
from tests.browser.conftest import Serve
from tests.toy import InlinePool

HOSTILE = "<img src=x onerror=alert(1)>"
BOMBER = ";redcode-nano\n;name Bomber\n;author Ann\n;assert 1\nstart MOV bomb, @bomb\nADD #7, bomb\nJMP start\nbomb DAT #0, #9\n"
WAITER = ";redcode-nano\n;name Waiter\n;author Bob\n;assert 1\nJMP 0\n"
IMP = ";redcode-nano\n;name {name}\n;author {author}\n;assert 1\nMOV.I $0, ${step}\n"


@pytest.fixture
def hill(tmp_path: Path) -> str:
    """An empty hill's file."""
    path = tmp_path / "nano.hill"
    HillStore.create(path, PRESETS["nano"])
    return str(path)


async def submit(page: Page, text: str, button: str = "Challenge the hill") -> None:
    await page.get_by_label("Redcode").fill(text)
    await page.get_by_role("button", name=button).click()


async def test_a_warrior_is_submitted_and_its_report_read(serve: Serve, page: Page, hill: str) -> None:
    await page.goto(f"{await serve('--hill', hill)}hills")
    await expect(page.get_by_text("No warrior yet")).to_be_visible()
    await page.get_by_role("button", name="Challenge the hill").click()  # the example
    await expect(page.get_by_role("heading", name="My first warrior takes place 1 of 50")).to_be_visible()
    table = page.locator("table.standings")
    await expect(table).to_contain_text("My first warrior by Anonymous")

    await submit(page, IMP.format(name="Gnat", author="Ann", step=1))
    report = page.locator(".report")
    await expect(report.get_by_role("heading")).to_contain_text("Gnat takes place")
    await expect(report).to_contain_text("My first warrior by Anonymous")
    token = (await report.locator("code").inner_text()).removeprefix(";token ")
    await report.get_by_text("Full report").click()
    await expect(report.locator("pre")).to_contain_text("Gnat by Ann challenges the Nano hill.")
    await expect(table.locator("tbody tr")).to_have_count(2)
    await expect(page.locator(".recent li").first).to_contain_text("Gnat by Ann")

    await table.get_by_role("link", name="Gnat").press("Enter")
    await expect(page.locator(".warrior-page")).to_contain_text("Challenge 2")
    await page.get_by_role("link", name="The Nano hill").click()
    await submit(page, f";redcode-nano\n;author Ann\n;kill Gnat\n;token {token}\n")
    await expect(report.get_by_role("heading", name="Removed")).to_be_visible()
    await expect(report).to_contain_text("Gnat has been removed from the Nano hill.")


async def test_lost_rounds_are_watched(serve: Serve, page: Page, hill: str) -> None:
    await page.goto(f"{await serve('--hill', hill)}hills")
    await page.get_by_role("button", name="Challenge the hill").click()  # the example, which bombs
    await expect(page.get_by_role("heading", name="My first warrior takes place 1")).to_be_visible()
    await submit(page, ";redcode-nano\n;name Waiter\n;author Ann\n;assert 1\nJMP 0\n", "Test only")
    await page.get_by_role("button", name="Watch the rounds lost to My first warrior").click()
    film = page.get_by_role("dialog", name="Lost rounds")
    await expect(film).to_contain_text("Lost round 1 of")
    await expect(film.locator(".player")).to_contain_text("My first warrior")
    await film.get_by_role("button", name="Next lost round").click()
    await expect(film).to_contain_text("Lost round 2 of")
    await page.keyboard.press("Escape")
    await expect(film).not_to_be_visible()


@pytest.mark.slow
async def test_a_refusal_shows_its_reason_and_line(serve: Serve, page: Page, hill: str) -> None:
    await page.goto(f"{await serve('--hill', hill)}hills")
    await submit(page, ";name Broken\n MOV.I 0, nowhere\n")
    report = page.locator(".report")
    await expect(report.get_by_role("heading", name="Refused")).to_be_visible()
    await expect(report).to_contain_text(
        "The warrior could not be assembled. Correct the errors, and send it again."
    )
    await expect(report.get_by_role("listitem")).to_have_text([
        "Error in line 3, MOV.I 0, nowhere: Undefined label or symbol: 'nowhere'. "
        "Put this label before an instruction, or correct its name.",
        re.compile("^Warning: Missing ';assert'.*Add the line “;assert CORESIZE == 8000” with the size of your core"),
    ])  # fmt: skip
    await report.get_by_role("button", name="line 3").first.click()  # the server adds a first line
    selected = "(box) => box.value.slice(box.selectionStart, box.selectionEnd)"
    assert await page.get_by_label("Redcode").evaluate(selected) == " MOV.I 0, nowhere"
    await submit(page, ";redcode-94nop\nMOV 0, 1\n")
    await expect(report).to_contain_text("This hill takes ;redcode-nano, not ;redcode-94nop")


@pytest.mark.slow
async def test_a_warrior_can_be_loaded_from_a_file(
    serve: Serve, page: Page, hill: str, tmp_path: Path
) -> None:
    file = tmp_path / "gnat.red"
    file.write_text(IMP.format(name="Filed", author="Ann", step=1))
    await page.goto(f"{await serve('--hill', hill)}hills")
    await page.get_by_label("Or choose a file").set_input_files(file)
    await expect(page.get_by_label("Redcode")).to_have_value(file.read_text())


@pytest.mark.slow
async def test_a_test_only_submission_does_not_change_the_hill(serve: Serve, page: Page, hill: str) -> None:
    await page.goto(f"{await serve('--hill', hill)}hills")
    await submit(page, IMP.format(name="Gnat", author="Ann", step=1), "Test only")
    await expect(page.get_by_role("heading", name="Gnat would take place 1 of 50")).to_be_visible()
    await expect(page.get_by_text("No warrior yet")).to_be_visible()


@pytest.mark.slow
async def test_challengers_from_other_programs_appear_without_polling(
    serve: Serve, page: Page, hill: str
) -> None:
    """Through the server or past it; and nothing is asked while nothing happens."""
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "/api/" in request.url else None)
    address = await serve("--hill", hill)
    await page.goto(f"{address}hills")
    await expect(page.get_by_text("No warrior yet")).to_be_visible()
    await page.wait_for_timeout(1500)  # milliseconds; what is asked when the page opens is asked by now
    before = len(asked)
    await page.wait_for_timeout(5500)
    assert len(asked) == before
    answer = await page.request.post(
        f"{address}api/hills/nano/submissions", data=IMP.format(name="Late", author="Bob", step=1)
    )
    assert answer.ok
    table = page.locator("table.standings")
    await expect(table).to_contain_text("Late by Bob")
    service = HillService([HillStore.open(Path(hill))], InlinePool())
    await service.submit(Submission.read(IMP.format(name="Later", author="Bob", step=2)))
    await expect(table).to_contain_text("Later by Bob")


@pytest.mark.parametrize("page", ["phone"], indirect=True)
async def test_hostile_names_are_shown_as_plain_text_on_a_phone(serve: Serve, page: Page, hill: str) -> None:
    await page.goto(f"{await serve('--hill', hill)}hills")
    for step in (1, 2):
        await submit(page, IMP.format(name=f"{HOSTILE}{step}", author=HOSTILE, step=step))
        await expect(page.locator(".report h2")).to_contain_text(f"{HOSTILE}{step} takes place")
    row = page.locator("table.standings tbody tr").first
    await expect(row).to_contain_text(f"by {HOSTILE}")
    await expect(row.locator(".shares")).to_have_text(re.compile(r"^[\d.]+ / [\d.]+ / [\d.]+$"))
    await row.get_by_role("link").tap()
    await expect(page.locator(".warrior-page").get_by_role("heading").first).to_contain_text(HOSTILE)
    assert await page.locator("img").count() == 0
    assert await page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.slow
async def test_the_page_of_a_server_without_hills_reports_no_open_hill(serve: Serve, page: Page) -> None:
    await page.goto(f"{await serve()}hills")
    await expect(page.get_by_role("heading", name="No hill is open")).to_be_visible()


@pytest.mark.parametrize("page", ["wide", "phone", "dark"], indirect=True)
async def test_a_warrior_has_a_page_with_results_history_and_films(
    serve: Serve, page: Page, hill: str
) -> None:
    address = await serve("--hill", hill)
    for text in (BOMBER, WAITER, IMP.format(name="Gnat", author="Ann", step=1)):
        answer = await page.request.post(f"{address}api/hills/nano/submissions", data=text)
        assert answer.ok
    await page.goto(f"{address}hills#nano/2")  # the address that is shared
    warrior = page.locator(".warrior-page")
    await expect(warrior.get_by_role("heading", level=2)).to_have_text("Waiter by Bob")
    await expect(warrior).to_contain_text(re.compile("Place [1-3] of 50, score "))
    await expect(warrior).to_contain_text("Its Redcode belongs to its author, and is not shown.")
    await expect(warrior.get_by_role("img", name="Its score was")).to_be_visible()
    await warrior.get_by_text("All figures").click()
    await expect(warrior.get_by_role("region", name="History").locator("tbody tr")).to_have_count(2)
    battles = warrior.locator("table.battles")
    await expect(battles.locator("tbody tr")).to_have_count(2)
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    await battles.get_by_role("button", name="Watch the rounds lost to Bomber").click()
    film = page.get_by_role("dialog", name="Lost rounds")
    await expect(film).to_contain_text("Lost round 1 of")
    await expect(film.locator(".player")).to_contain_text("Waiter")
    await expect(film).to_contain_text("The code of warriors belongs to their authors")
    await film.get_by_role("button", name="Next lost round").click()
    await expect(film).to_contain_text("Lost round 2 of")
    await page.keyboard.press("Escape")
    await battles.get_by_role("link", name="Bomber").click()
    await expect(warrior.get_by_role("heading", level=2)).to_have_text("Bomber by Ann")
    await expect(warrior.get_by_role("heading", level=2)).to_be_focused()
    await warrior.get_by_role("link", name="The Nano hill").click()
    await expect(page.locator("table.standings").get_by_role("link", name="Bomber")).to_be_visible()


async def test_a_bundled_warrior_on_a_hill_leads_to_its_code(serve: Serve, page: Page, hill: str) -> None:
    address = await serve("--hill", hill)
    text = bundled_text("clear.red").replace(";redcode", ";redcode-nano", 1)
    assert (await page.request.post(f"{address}api/hills/nano/submissions", data=text)).ok
    await page.goto(f"{address}hills#nano/1")
    await page.get_by_role("link", name="watch it and read its Redcode").click()
    await expect(page.get_by_label("Warrior 1")).to_have_value("clear.red")
    await expect(page.get_by_role("heading", level=1)).to_have_text("Clear")
