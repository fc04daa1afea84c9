"""The matches: one is begun, and its table comes to its end."""

import re

import pytest
from playwright.async_api import Browser, Page, expect

from tests.browser.conftest import Serve


async def open_form(page: Page, address: str, game: str) -> None:
    """Open the page, and choose a game in the form."""
    await page.goto(f"{address}matches")
    choice = page.get_by_role("combobox", name="Game", exact=True)
    await expect(choice.get_by_role("option")).not_to_have_count(0)
    await choice.select_option(game)


@pytest.mark.parametrize("page", ["wide", "phone"], indirect=True)
async def test_a_match_can_be_started_and_ends_with_a_table(serve: Serve, page: Page) -> None:
    await open_form(page, await serve(is_alone=True), "Acquire")
    await page.get_by_label("Games per pairing").fill("40")
    await page.get_by_text("More options", exact=True).click()
    await page.get_by_label("Seed (empty: random)").fill("7")
    await page.get_by_role("button", name="Start the match").click()
    match = page.locator(".match")
    await expect(match.get_by_role("heading", name="Acquire: 2 players, classic")).to_be_visible()
    await expect(match.get_by_role("status")).to_have_text("Ended after 40 games")
    rows = match.locator(".ranks tbody tr")
    await expect(rows).to_have_count(2)
    await expect(rows.first).to_contain_text("evolved-net-seven")
    await expect(rows.first).to_contain_text(re.compile(r"\d\.\d % \[\d+\.\d, \d+\.\d\]"))
    await match.get_by_text("Cross table").click()
    await expect(match.locator(".cross")).to_be_visible()
    await expect(match.locator(".cross")).to_contain_text("%")
    assert await page.evaluate("document.documentElement.scrollWidth") <= await page.evaluate("innerWidth")


async def test_a_chess_match_can_be_played_from_openings(serve: Serve, page: Page) -> None:
    """From drawn openings, so that no two games of a pairing are the same."""
    await open_form(page, await serve(is_alone=True), "Chess")
    await expect(page.get_by_label("Rules")).to_have_value("openings")
    for name in ("evolved", "evolved-1"):
        await page.get_by_label(name, exact=True).uncheck()
    for name in ("handset", "unevolved"):
        await page.get_by_label(name, exact=True).check()
    await page.get_by_label("Games per pairing").fill("2")
    await page.get_by_role("button", name="Start the match").click()
    match = page.locator(".match")
    await expect(match.get_by_role("status")).to_have_text("Ended after 2 games")
    await expect(match.locator(".ranks tbody tr").first).to_contain_text("handset")


async def test_a_protection_match_pairs_users_with_chaos_strategies(serve: Serve, page: Page) -> None:
    """Users against ways to play Chaos: each of one side meets all of the other."""
    await open_form(page, await serve(is_alone=True), "Advanced Protection")
    await expect(page.get_by_label("chaos:pilot", exact=True)).to_be_checked()
    await page.get_by_label("user:drones", exact=True).uncheck()
    await page.get_by_label("user:greedy", exact=True).check()
    await page.get_by_label("user:mines", exact=True).check()
    await page.get_by_label("Games per pairing").fill("1")
    await page.get_by_role("button", name="Start the match").click()
    match = page.locator(".match")
    await expect(match.get_by_role("status")).to_have_text("Ended after 2 games")
    await expect(match.locator(".ranks tbody tr")).to_have_count(3)


async def test_a_core_war_match_counts_rounds_as_games(serve: Serve, page: Page) -> None:
    """A round in the core is a game."""
    await open_form(page, await serve(is_alone=True), "Core War")
    await page.get_by_label("clear", exact=True).uncheck()
    for name in ("paper", "dwarf"):
        await page.get_by_label(name, exact=True).check()
    await expect(page.get_by_label("Rules")).to_have_value("94nop")
    await page.get_by_label("Games per pairing").fill("20")
    await page.get_by_role("button", name="Start the match").click()
    match = page.locator(".match")
    await expect(match.get_by_role("status")).to_have_text("Ended after 60 games")
    await expect(match.locator(".ranks tbody tr").last).to_contain_text("dwarf")


@pytest.mark.parametrize("page", ["phone"], indirect=True)
async def test_all_links_and_players_are_visible_on_a_phone(serve: Serve, page: Page) -> None:
    """On a phone too: every link to a page, and in the form every player, with nothing to be scrolled but the page."""
    await open_form(page, await serve(), "Acquire")
    await page.get_by_role("button", name="Menu").click()
    await expect(page.get_by_label("evolved-net-seven", exact=True)).to_be_visible()
    hidden = """() => [...document.querySelectorAll("header nav a, .players label")].filter((each) => {
        const box = each.getBoundingClientRect(), place = each.closest("nav, .players").getBoundingClientRect();
        return box.left < 0 || box.right > innerWidth || box.bottom > place.bottom + 1;
    }).map((each) => each.textContent)"""
    assert await page.evaluate(hidden) == []


@pytest.mark.slow
async def test_a_match_can_be_ended_early(serve: Serve, page: Page) -> None:
    await open_form(page, await serve(is_alone=True), "Acquire")
    await page.get_by_label("evolved-three", exact=True).check()
    await page.get_by_label("Games per pairing").fill("50000")
    await page.get_by_role("button", name="Start the match").click()
    match = page.locator(".match")
    await expect(match.get_by_role("status")).to_contain_text("of 150,000 games")
    await match.get_by_role("button", name="Stop the match").click()
    await expect(match.get_by_role("status")).to_contain_text("Ended after")


@pytest.mark.slow
async def test_a_match_of_one_player_is_refused_with_an_error(serve: Serve, page: Page) -> None:
    await open_form(page, await serve(is_alone=True), "Acquire")
    await page.get_by_label("heuristic", exact=True).uncheck()
    await page.get_by_role("button", name="Start the match").click()
    await expect(page.get_by_role("alert")).to_contain_text("at least two players")


async def test_a_link_leads_others_to_a_match(serve: Serve, page: Page, browser: Browser) -> None:
    """The lobby lists a running match; its heading is its address, and an address that is not kept says so."""
    address = await serve(is_alone=True)
    await open_form(page, address, "Acquire")
    await page.get_by_label("Games per pairing").fill("50000")
    await page.get_by_role("button", name="Start the match").click()
    link = page.locator(".match h2").get_by_role("link")
    target = await link.get_attribute("href")
    assert target and target.startswith("#match-")
    context = await browser.new_context()
    other = await context.new_page()
    await other.goto(address)
    await other.get_by_role("link", name=re.compile("Follow: Match, heuristic, evolved-net-seven")).click()
    await expect(other).to_have_url(f"{address}matches{target}")
    await expect(other.locator(".match .ranks tbody tr")).to_have_count(2)
    await page.get_by_role("button", name="Stop the match").click()
    await expect(page.get_by_role("status")).to_contain_text("Ended after")
    await other.goto("about:blank")
    await other.goto(f"{address}matches#match-m-nothing")
    await expect(other.locator(".match")).to_have_count(1)
    await context.close()
