// The parts of every page: its links to the other pages, and its error messages. Their HTML is in ../page.html, so that a
// browser shows them before it has any script.

import { h } from "./dom.js";
import { ago } from "./format.js";

/** The games of the server: name, title, has_page, follows, first_run, first_run_about. */
export const GAMES = JSON.parse(document.documentElement.dataset.games);

/** The pages: [path, name, what can be done there]; the last is missing for the lobby and the games. */
export const PAGES = [...document.querySelectorAll("#pages a")].map((link) =>
  [link.getAttribute("href"), link.textContent, link.dataset.about]);
export const SOURCE = "/source.tar.gz"; // an archive, or a redirection to the operator's own address
const ERROR_SECONDS = 6; // how long a message is shown
const AGO_SECONDS = 5; // between two updates of the times

/** Make the parts of every page work; return the element for the content, which has the first content of the page already. */
export function initPage() {
  initMenu(document.querySelector("header .menu"));
  addEventListener("unhandledrejection", ({ reason }) => showError(`${reason?.message ?? reason}`)); // a page cannot load, or has a defect
  setInterval(() => document.querySelectorAll("time[data-since]").forEach(updateTime), 1000 * AGO_SECONDS);
  return document.getElementById("main");
}

/** The button that shows the links to the pages where they have no room, on phones; elsewhere it is hidden. */
function initMenu(button) {
  button.addEventListener("click", toggle);
  function toggle() {
    const isOpen = button.getAttribute("aria-expanded") !== "true";
    button.setAttribute("aria-expanded", isOpen);
  }
  addEventListener("keydown", ({ key }) => {
    if (key !== "Escape" || button.getAttribute("aria-expanded") !== "true") return;
    toggle();
    button.focus();
  });
}

/**
 * The address where a game is played, joined or watched, with these fields in its query; "" if the game has no such page.
 * The plain page shows a game whose own page cannot (`follows`).
 */
export function playedAt(game, fields = {}) {
  const { has_page: hasPage, follows } = GAMES.find(({ name }) => name === game) ?? { follows: true };
  const path = follows ? (hasPage ? `/${game}` : "/game") : fields.watch ? "/game" : "";
  return path && `${path}?${new URLSearchParams(path === "/game" ? { game, ...fields } : fields)}`;
}

/** An element with the time since a moment (in seconds since 1970), such as "2 minutes ago"; it is kept up to date. */
export function timeAgo(moment) {
  return updateTime(h("time", { "data-since": moment }));
}

function updateTime(element) {
  element.textContent = ago(Number(element.dataset.since));
  return element;
}

/** Show a message for ERROR_SECONDS. */
export function showError(text) {
  const place = document.getElementById("error");
  place.textContent = text;
  place.hidden = false;
  clearTimeout(place.timer);
  place.timer = setTimeout(() => (place.hidden = true), 1000 * ERROR_SECONDS);
}

/** Hide the error that is shown, because it does not matter any more. */
export function hideError() {
  document.getElementById("error").hidden = true;
}

/** Show a message when a JsonClient loses its connection, or when the server cannot save its game. */
export function showTroubles(client) {
  client.addEventListener("lost", () => showError("The connection to the server is lost. Reconnecting …"));
  client.addEventListener("bye", ({ detail }) => {
    if (detail.reason === "taken_over") showError("This game continues in another tab.");
  });
  client.addEventListener("kept", ({ detail }) => showError(detail.kept
    ? "The server can save games again. This game is saved."
    : "The server cannot save games at present. You can play on, but a crash of the server would lose this game."));
}
