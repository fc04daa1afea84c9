"""The tree of life: whoever is drawn can be found, opened and followed, with the pointer, the fingers and the keyboard."""

import re
import shutil
from pathlib import Path

import pytest
from playwright.async_api import Locator, Page, Position, expect

from tests.browser.conftest import Serve
from tests.browser.evolutions import populous

DRAWN = """async (count) => {
  const { LifeTree } = await import("/static/life_tree_data.js");
  const { TreeCanvas } = await import("/static/life_tree_canvas.js");
  const head = { count, from: 0, step: 1, total: count, left_out: 0, origins: ["x"], measure: null, champion: count - 1 };
  const text = new TextEncoder().encode(JSON.stringify(head).padEnd(252));
  const buffer = new ArrayBuffer(256 + 29 * count);
  new DataView(buffer).setUint32(0, text.length, true);
  new Uint8Array(buffer).set(text, 4);
  let at = 256;
  const column = (Kind) => new Kind(buffer, (at += count * Kind.BYTES_PER_ELEMENT) - count * Kind.BYTES_PER_ELEMENT, count);
  const [ids, generations, parents, others, fitness, lanes] = [Float64Array, Int32Array, Int32Array, Int32Array, Float32Array, Float32Array].map(column);
  let seed = 1;
  const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
  for (let place = 0; place < count; place++) {
    const [generation, slot] = [Math.floor(place / 100), place % 100];
    [ids[place], generations[place], fitness[place], lanes[place]] = [place, generation, random(), (slot + 0.5) / 100];
    parents[place] = generation ? 100 * (generation - 1) + Math.floor(slot / 2 + random() * 50) : -1;
    others[place] = generation && random() < 0.5 ? 100 * (generation - 1) + Math.floor(random() * 100) : -1;
  }
  const canvas = document.querySelector("canvas.life");
  canvas.hidden = false;
  const began = performance.now();
  const tree = new LifeTree();
  tree.take(buffer);
  const view = new TreeCanvas(canvas);
  view.tree = tree;
  view.colours = ["#0b6e6e", "#b4541f"];
  view.colourOf = Uint8Array.from(fitness, (value) => Math.round(value));
  view.fit();
  view.draw();
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  return [performance.now() - began, data.reduce((sum, value, index) => sum + (index % 4 === 3 && value > 0), 0) / (data.length / 4)];
}"""
ALL = ["wide", "phone", "dark"]
PINCH = """canvas => {
  const box = canvas.getBoundingClientRect();
  const finger = (type, pointerId, x, y) => canvas.dispatchEvent(new PointerEvent(type, {
    pointerId, pointerType: "touch", button: 0, clientX: box.left + x, clientY: box.top + y, bubbles: true }));
  canvas.setPointerCapture = () => {};
  finger("pointerdown", 11, 100, 100);
  finger("pointerdown", 12, 140, 100);
  finger("pointermove", 12, 260, 100);
  finger("pointerup", 12, 260, 100);
  finger("pointerup", 11, 100, 100);
}"""


async def shown(serve: Serve, page: Page, folder: Path, generations: int = 12, size: int = 16) -> Locator:
    """Open the page of a run, and return the section of its tree once it is drawn."""
    populous(folder / "run", generations, size)
    await page.goto(f"{await serve('--runs', str(folder))}runs#run")
    tree = page.locator("section.tree")
    await tree.scroll_into_view_if_needed()
    await expect(tree).to_contain_text(
        f"{generations * size} individuals, born in the generations 0 to {generations - 1}."
    )
    return tree


async def picture(tree: Locator) -> str:
    """Return what the canvas shows, after the next frame."""
    drawn: str = await tree.locator("canvas").evaluate(
        "canvas => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(canvas.toDataURL()))))"
    )
    return drawn


async def individual_under(page: Page, tree: Locator) -> tuple[str, Position]:
    """Return the number of an individual that is drawn, and the point of the canvas where it is."""
    canvas = tree.locator("canvas")
    await picture(tree)  # it is drawn
    box = await canvas.bounding_box()
    assert box
    for x in range(40, int(box["width"]), 7):
        point: Position = {"x": x, "y": box["height"] / 2}
        await canvas.hover(position=point)  # which waits until the page above has its height
        text = await tree.locator(".pointed").text_content()
        if found := re.match(r"Individual ([\d,]+), born in generation", text or ""):
            return found[1], point
    raise AssertionError("no individual is drawn in the middle")


@pytest.mark.parametrize("page", ALL, indirect=True)
async def test_an_individual_that_is_clicked_shows_its_relatives_and_its_genome(
    serve: Serve, page: Page, tmp_path: Path
) -> None:
    tree = await shown(serve, page, tmp_path)
    number, point = await individual_under(page, tree)
    await tree.locator("canvas").click(position=point)
    chosen = tree.locator(".chosen-one")
    await expect(chosen.get_by_role("heading")).to_have_text(f"Individual {number}")
    await expect(chosen).to_contain_text(re.compile(r"Born in generation \d+, \w+, fitness \d+"))
    await chosen.get_by_role("button", name="Games on record").click()
    await expect(chosen).to_contain_text("No game of this individual is on record.")
    await chosen.get_by_role("button", name="Genome and ancestors").click()
    await expect(page.get_by_role("heading", name=f"Individual {number}", exact=True).last).to_be_visible()
    await expect(page.get_by_label("The genome", exact=True)).to_be_focused()
    await expect(page.get_by_label("The genome", exact=True)).to_contain_text(";redcode")
    width = await page.evaluate("innerWidth")
    assert await page.evaluate("document.documentElement.scrollWidth") <= width


async def test_the_tree_can_be_walked_with_the_keyboard(serve: Serve, page: Page, tmp_path: Path) -> None:
    tree = await shown(serve, page, tmp_path)
    await tree.locator("canvas").focus()
    await page.keyboard.press("Enter")
    head = tree.locator(".chosen-one h3")
    await expect(head).to_have_text("Individual 176")  # the champion
    await expect(tree.locator(".chosen-one")).to_contain_text("It is the champion.")
    await page.keyboard.press("ArrowLeft")
    parent = await head.text_content()
    assert parent != "Individual 176"
    await expect(tree.locator(".chosen-one")).to_contain_text("The champion descends from it.")
    await page.keyboard.press("ArrowRight")
    await expect(head).to_have_text("Individual 176")
    await page.keyboard.press("ArrowUp")
    await page.keyboard.press("ArrowDown")
    await expect(head).to_have_text("Individual 176")
    await page.keyboard.press("ArrowLeft")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("heading", name=f"{parent}", exact=True).last).to_be_visible()
    await expect(page.get_by_label("The genome", exact=True)).to_be_focused()

    await tree.get_by_text("The line to the champion as a list").click()
    line = tree.locator("ol.main-line li")
    await expect(line).to_have_count(12)
    await expect(line.first).to_contain_text("born in generation 0")
    await line.first.get_by_role("button").press("Enter")
    await expect(tree.locator(".chosen-one")).to_contain_text("Born in generation 0")


async def test_the_tree_is_enlarged_moved_and_shown_whole_again(
    serve: Serve, page: Page, tmp_path: Path
) -> None:
    tree = await shown(serve, page, tmp_path)
    canvas = tree.locator("canvas")
    whole = await picture(tree)
    pictures = {whole}

    async def changed() -> None:
        now = await picture(tree)
        assert now not in pictures
        pictures.add(now)

    await tree.get_by_role("button", name="Zoom in").click()
    await changed()
    await tree.get_by_role("button", name="Show the whole tree").click()
    assert await picture(tree) == whole

    await canvas.focus()
    await canvas.hover()
    await page.mouse.wheel(0, -400)
    await changed()
    box = await canvas.bounding_box()
    assert box
    await page.mouse.move(box["x"] + 300, box["y"] + 200)
    await page.mouse.down()
    await page.mouse.move(box["x"] + 360, box["y"] + 240, steps=3)
    await page.mouse.up()
    await page.mouse.move(0, 0)
    await changed()
    await canvas.press("Shift+ArrowRight")
    await changed()
    await canvas.press("0")
    assert await picture(tree) == whole
    await canvas.press("+")
    await canvas.press("-")
    assert await picture(tree) == whole


@pytest.mark.parametrize("page", ["phone"], indirect=True)
async def test_two_fingers_enlarge_the_tree(serve: Serve, page: Page, tmp_path: Path) -> None:
    tree = await shown(serve, page, tmp_path)
    whole = await picture(tree)
    await tree.locator("canvas").evaluate(PINCH)
    assert await picture(tree) != whole
    await expect(tree.locator(".chosen-one")).to_be_empty()
    await tree.get_by_role("button", name="Show the whole tree").click()
    assert await picture(tree) == whole


async def test_colours_have_a_legend_in_words(serve: Serve, page: Page, tmp_path: Path) -> None:
    tree = await shown(serve, page, tmp_path)
    legend = tree.locator(".tree-legend")
    await expect(legend).to_contain_text("Fitness: grade")
    await expect(legend).to_contain_text("line to the champion")
    pictures = {await picture(tree)}
    await tree.get_by_label("Colour by").select_option("way of birth")
    await expect(legend).to_contain_text("Born by:")
    await expect(legend).to_contain_text("crossover")
    pictures.add(await picture(tree))
    await tree.get_by_label("Colour by").select_option("most marked trait")
    await expect(legend).to_contain_text(
        "What a genome has more of than the others, by share of an operation"
    )
    await expect(legend.locator(".key", has_text=re.compile("^[A-Z]{3}$")).first).to_be_visible()
    pictures.add(await picture(tree))
    await tree.get_by_label("Hide lineages that died out soon").check()
    pictures.add(await picture(tree))
    assert len(pictures) == 4


async def test_a_growing_run_gets_its_new_individuals(serve: Serve, page: Page, tmp_path: Path) -> None:
    tree = await shown(serve, page, tmp_path)
    populous(tmp_path / "run", generations=2, size=16, first=12)
    await expect(tree).to_contain_text("224 individuals, born in the generations 0 to 13.")
    await tree.locator("canvas").press("Enter")
    await expect(tree.locator(".chosen-one h3")).to_have_text("Individual 208")


@pytest.mark.slow
async def test_another_run_in_the_same_folder_replaces_the_tree(
    serve: Serve, page: Page, tmp_path: Path
) -> None:
    tree = await shown(serve, page, tmp_path)
    await tree.locator("canvas").press("Enter")
    populous(tmp_path / "new", generations=20, size=4, seed=2)
    shutil.rmtree(tmp_path / "run")
    (tmp_path / "new").rename(tmp_path / "run")
    await expect(tree).to_contain_text("80 individuals, born in the generations 0 to 19.")
    await expect(tree.locator(".chosen-one")).to_be_empty()


@pytest.mark.parametrize("page", ["wide", "phone"], indirect=True)
async def test_fifty_thousand_individuals_are_drawn(serve: Serve, page: Page, tmp_path: Path) -> None:
    """The time, which protocols/RESULTS.md has for an idle machine, is printed (pytest -s)."""
    await shown(serve, page, tmp_path, generations=2)
    milliseconds, share = await page.evaluate(DRAWN, 50_000)
    print(f"50,000 individuals drawn in {milliseconds:.0f} ms")
    assert share > 0.5, "of the canvas is covered"
