"""What the page of a run tells: how it began, what has appeared, its figures in words and as files, other runs beside it."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from playwright.async_api import Page, expect

from core.random import Random
from engines.corewar.evolution.config import TribesConfig
from engines.corewar.evolution.genome import WarriorGenome
from engines.corewar.evolution.variation import RandomCode
from engines.evolution.population import Generation, Individual
from engines.evolution.run_store import RunStore
from tests.browser.conftest import Serve
from tests.browser.evolutions import made_up

SVG = "{http://www.w3.org/2000/svg}"
BOTH_SIZES = pytest.mark.parametrize("page", ["wide", "phone"], indirect=True)
CONFIG = "core size = 800\ncycles = 8000\nprocesses = 800\nlength = 20\ndistance = 20\nfounders longest = 12\n"  # tiny


def random_warrior(seed: int) -> WarriorGenome:
    """Return five random instructions for the core of CONFIG."""
    return WarriorGenome(cells=RandomCode.of(TribesConfig.loads(CONFIG)).cells(5, Random(seed)), size=800)


def begun(folder: Path, panels: int = 0) -> None:
    """Write a run of Core War with four random founders, and a child in each generation with a panel."""
    with RunStore.create(folder, game="corewar", config=CONFIG, seed=1, version="1") as store:
        founders = tuple(Individual(id=id, genome=random_warrior(id), origin="random") for id in range(4))
        tribe = {"length": 4.0, "genotypes": 4, "codes": 4, "best": 0, "best_record": [0, 0, 0]}
        facts = {"tribes": [tribe], "tries": 0, "viable": 0}
        store.write(Generation(number=0, born=founders, statistics=facts), "", "", 0.5)
    for number in range(1, panels + 1):
        grown(folder, number)


def grown(folder: Path, number: int) -> None:
    """Add a generation to the run: the first one loses against Imp, the others win."""
    with RunStore.open(folder, writing=True) as store:
        id = number + 3
        child = Individual(
            id=id, genome=random_warrior(id), parents=(0, 1), generation=number, origin="crossover"
        )
        wins = 60 if number > 1 else 20
        tribe = {"grade": 10.0 + number, "length": 4.0, "genotypes": 4, "codes": 4, "best": id}
        facts = {
            "tribes": [tribe],
            "tries": 4,
            "viable": 2,
            "panel": {"Imp": [80 - wins, 20, wins]},
            "champions": [[id, 50.0 + number]],
        }
        store.write(Generation(number=number, born=(child,), statistics=facts), "", "", 0.5)


async def fits(page: Page) -> bool:
    return bool(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


@BOTH_SIZES
async def test_a_run_tells_how_it_began_and_milestones_appear_as_they_are_reached(
    serve: Serve, page: Page, tmp_path: Path
) -> None:
    begun(tmp_path / "young")
    await page.goto(f"{await serve('--runs', str(tmp_path))}runs#young")
    beginning = page.locator("section", has=page.get_by_role("heading", name="How it began")).last
    await expect(beginning).to_contain_text("Generation 0 has 4 programs of random instructions.")
    await expect(page.get_by_text("Nothing new has appeared yet.")).to_be_visible()
    await expect(page.get_by_text("There is no champion yet. The first champion is named in")).to_be_visible()
    await expect(page.get_by_role("heading", name=re.compile("^Champion:"))).to_have_count(0)

    await beginning.get_by_text("One of them: individual").click()
    await expect(beginning.locator("pre")).to_contain_text(re.compile(r";name young \d"))

    grown(tmp_path / "young", 1)
    await expect(page.get_by_role("heading", name="Champion: young 4")).to_be_visible()
    await expect(page.get_by_text("There is no champion yet.")).to_be_hidden()
    grown(tmp_path / "young", 2)
    milestone = page.get_by_role("listitem").filter(has_text="against Imp, a fixed opponent")
    await expect(milestone).to_contain_text("Generation 2")
    await expect(page.locator(".genome").last).to_contain_text(";name young 5")
    assert await fits(page)


async def test_a_founder_can_be_watched_as_it_fails(serve: Serve, page: Page, tmp_path: Path) -> None:
    begun(tmp_path / "young")
    await page.goto(f"{await serve('--runs', str(tmp_path))}runs#young")
    await page.get_by_role("button", name="Watch it run alone").click()
    await expect(page.locator(".player .warrior")).to_have_count(1)
    await expect(page.locator(".player .warrior")).to_contain_text("young")


@BOTH_SIZES
async def test_the_first_figure_is_strength_and_every_figure_has_words(
    serve: Serve, page: Page, tmp_path: Path
) -> None:
    begun(tmp_path / "run", panels=3)
    await page.goto(f"{await serve('--runs', str(tmp_path))}runs#run")
    figures = page.locator("figure.chart")
    await expect(figures.first.get_by_role("heading")).to_have_text("Strength against fixed opponents")
    await expect(figures.first).to_contain_text("Unit: share of the points")
    await expect(figures.first).to_contain_text("Rising means that they have become stronger.")
    await expect(page.get_by_role("heading", name="Niches: a map that fills")).to_be_visible()
    for figure in await figures.all():
        title = await figure.get_by_role("heading").text_content()
        assert title, "a title"
        assert await figure.locator(".unit").text_content(), title
        assert (await figure.locator(".meaning").text_content() or "").endswith("."), title
    assert await fits(page)


async def test_figures_are_saved_as_svg_and_csv(serve: Serve, page: Page, tmp_path: Path) -> None:
    begun(tmp_path / "run", panels=3)
    await page.goto(f"{await serve('--runs', str(tmp_path))}runs#run")
    title = "Strength against fixed opponents"
    async with page.expect_download() as download:
        await page.get_by_role("button", name=f"Save the values as CSV: {title}").click()
    file = await download.value
    assert file.suggested_filename == "run-strength-against-fixed-opponents.csv"
    head, *rows = (await file.path()).read_text().splitlines()
    assert head == "generation,best,mean,worst"
    assert [row.split(",")[0] for row in rows] == ["0", "1", "2", "3"]
    assert rows[0] == "0,,,"

    for name in (title, "Operations of the newborn"):
        async with page.expect_download() as download:
            await page.get_by_role("button", name=f"Save the drawing as SVG: {name}").click()
        drawing = ElementTree.fromstring((await (await download.value).path()).read_text())
        assert drawing.tag == f"{SVG}svg" and drawing.findtext(f"{SVG}title") == f"{name}, run"
    await expect(page.get_by_role("heading", name="Niches: a map that fills")).to_be_visible()
    niches = page.locator("figure", has_text="Niches: a map that fills")
    async with page.expect_download() as download:
        await niches.get_by_role("button", name="Save as SVG").click()
    assert ElementTree.fromstring((await (await download.value).path()).read_text()).tag == f"{SVG}svg"


@BOTH_SIZES
async def test_other_runs_are_laid_over_the_first_figure(serve: Serve, page: Page, tmp_path: Path) -> None:
    begun(tmp_path / "one", panels=3)
    begun(tmp_path / "two", panels=5)
    await page.goto(f"{await serve('--runs', str(tmp_path))}runs#one")
    await page.get_by_text("Compare with other runs").click()
    await page.get_by_label("two").check()
    keys = page.locator("figure.chart").first.locator(".legend button")
    await expect(keys.filter(has_text="two: best")).to_be_visible()
    await expect(keys.filter(has_text="one: best")).to_be_visible()
    await expect(page.locator("figure.chart").first.locator("figcaption")).to_contain_text("generation 5")
    await page.get_by_label("two").uncheck()
    await expect(keys.filter(has_text="two")).to_have_count(0)
    await expect(keys.first).to_contain_text("best")
    assert await fits(page)


async def test_a_run_without_a_yardstick_can_be_measured(serve: Serve, page: Page, tmp_path: Path) -> None:
    made_up(tmp_path / "own", generations=4)
    await page.goto(f"{await serve('--runs', str(tmp_path))}runs#own")
    await page.get_by_role("button", name="Measure the champions").click()
    first = page.locator("figure.chart").first
    await expect(first.get_by_role("heading")).to_have_text("Strength against the reference of the game")
    await expect(page.get_by_role("status").filter(has_text="Done.")).to_be_visible()
    await expect(first.locator("figcaption")).to_contain_text("generation 3")
    await page.reload()
    await expect(first.get_by_role("heading")).to_have_text("Strength against the reference of the game")


async def test_the_slider_of_the_niches_shows_what_was_reached_by_then(
    serve: Serve, page: Page, tmp_path: Path
) -> None:
    begun(tmp_path / "run", panels=3)
    await page.goto(f"{await serve('--runs', str(tmp_path))}runs#run")
    niches = page.locator("figure", has_text="Niches: a map that fills")
    slider = niches.get_by_role("slider")
    await expect(niches.get_by_role("status")).to_contain_text("Generation 3:")
    await slider.press("Home")
    await expect(niches.get_by_role("status")).to_contain_text("Generation 0:")


@pytest.mark.parametrize("page", ["dark"], indirect=True)
async def test_a_run_that_has_ended_shows_the_same_as_after_a_reload(
    serve: Serve, page: Page, tmp_path: Path
) -> None:
    """While a process holds the run, generations come faster than the page loads the rest."""
    begun(tmp_path / "run", panels=1)
    await page.goto(f"{await serve('--runs', str(tmp_path))}runs#run")
    await expect(page.get_by_role("heading", name="Champion: run 4")).to_be_visible()
    with RunStore.open(tmp_path / "run", writing=True):
        await expect(page.locator("p.facts")).to_contain_text("evolving")
    for number in range(2, 6):
        grown(tmp_path / "run", number)
    await expect(page.locator("p.facts")).not_to_contain_text("evolving")
    await expect(page.get_by_role("heading", name="Champion: run 8")).to_be_visible()
    shown = await page.locator("article figure.chart").first.inner_text()
    await page.reload()
    await expect(page.get_by_role("heading", name="Champion: run 8")).to_be_visible()
    await expect(page.locator("article figure.chart").first).to_have_text(
        re.compile(re.escape(shown.split("\n")[0]))
    )


async def test_an_empty_page_names_the_folder_of_this_server(
    serve: Serve, page: Page, tmp_path: Path
) -> None:
    await page.goto(f"{await serve('--home', str(tmp_path))}runs")
    await expect(page.get_by_role("heading", name="No runs yet")).to_be_visible()
    await expect(page.locator("main pre")).to_contain_text(
        f"galapagos evolve corewar tiny --run {tmp_path}/runs/tiny"
    )
