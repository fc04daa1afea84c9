// The opponents of each game in the lobby, and the card of a player, which the address #card/GAME/PLAYER names.

import { fetchJson } from "./client.js";
import { h, show } from "./dom.js";
import { plural } from "./format.js";
import { markdown } from "./markdown.js";
import { showError } from "./page.js";

const CARD = /^#card\/([^/]+)\/([^/]+)$/; // the address of a player's card

/** The players of each game, closed at first; the evolved ones come first. */
export function playersSection(players, cards) {
  const lists = [...cards].map(([game, card]) => playerList(card, players.filter((player) => player.game === game)));
  return h("section", { "aria-labelledby": "players" },
    h("h2", { id: "players" }, "The players"),
    h("p", { class: "quiet" }, "What each is like, and how strong. The name leads to its description, with what was measured."),
    lists);
}

function playerList({ title, wordsOf }, players) {
  if (!players.length) return null;
  const ordered = players.toSorted((one, other) => other.is_evolved - one.is_evolved);
  const bred = ordered.filter((player) => player.is_evolved).length;
  return h("details", { class: "card" },
    h("summary", {}, h("b", {}, title), h("span", { class: "quiet" }, ` ${plural(players.length, "player")}, ${bred ? `${bred} of them bred` : "none of them bred"}`)),
    h("ul", { class: "players" }, ordered.map((player) => playerLine(player, wordsOf(player)))));
}

function playerLine({ game, name }, [character, strength]) {
  return h("li", {},
    h("a", { href: `#card/${encodeURIComponent(game)}/${encodeURIComponent(name)}` }, name),
    h("span", {}, character),
    strength && h("span", { class: "strength" }, strength));
}

/** Show the player's card that the address names, now and whenever the address changes. */
export function initPlayerCards(players, cards) {
  const body = h("div", { class: "card-text" });
  const close = h("button", { type: "button", class: "close", onclick: () => dialog.close() }, "Close");
  const dialog = h("dialog", { class: "model-card", "aria-label": "About a player", onclose: leave, onclick: closeOutside }, close, body);
  document.body.append(dialog);
  addEventListener("hashchange", showCard);
  showCard();

  async function showCard() {
    const wanted = CARD.exec(location.hash)?.slice(1).map(decodeURIComponent);
    if (!wanted) return dialog.close();
    const player = players.find(({ game, name }) => game === wanted[0] && name === wanted[1]);
    try {
      if (!player) throw new Error(`This server has no player called ${wanted[1]}.`);
      const card = player.card_url && (await fetchJson(player.card_url));
      show(body, summary(player, cards.get(player.game)), card && cardText(card));
      if (!dialog.open) dialog.showModal();
      dialog.scrollTop = 0;
    } catch (error) {
      showError(error.message);
    }
  }

  function leave() {
    if (CARD.test(location.hash)) history.replaceState(null, "", location.pathname + location.search);
  }

  function closeOutside(event) {
    if (event.target === dialog) dialog.close();
  }
}

/** The player in words, what was measured, and a link to play. */
function summary(player, { title, verb, path, wordsOf }) {
  const [character, strength] = wordsOf(player);
  const isPlayable = verb === "Play" && path(player).includes("?"); // its address names the player
  return [
    h("p", { class: "quiet" }, `${title}, ${player.name}`),
    h("p", {}, character, " ", strength && h("b", {}, strength)),
    player.strength && h("p", { class: "quiet small" }, `Measured: ${player.strength}.${player.strength.includes("[") ? " The brackets hold the 95 % interval." : ""}`),
    isPlayable && h("p", {}, h("a", { class: "enter", href: path(player) }, `Play against ${player.name}`)),
  ];
}

/** The content of a card. The comment at the head of a plain file is Markdown, too. */
function cardText({ form, text }) {
  if (form === "markdown") return markdown(text);
  const lines = text.split("\n");
  const first = Math.max(lines.findIndex((line) => !line.startsWith("#")), 0);
  const comment = lines.slice(0, first).map((line) => line.replace(/^# ?/, ""));
  return [markdown(comment.join("\n")), h("pre", { tabindex: 0 }, lines.slice(first).join("\n").trim())];
}
