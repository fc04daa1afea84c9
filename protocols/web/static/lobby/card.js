// The card of a player, in a dialog; its address is #card/GAME/NAME, so that one can point at it.

import { h, show } from "../shared/element.js";
import { markdown } from "../shared/markdown.js";
import { complain, fetched } from "../shared/page.js";

const ADDRESS = /^#card\/([^/]+)\/([^/]+)$/;

/** Where the card of a player is found. */
export function cardAddress({ game, name }) {
  return `#card/${encodeURIComponent(game)}/${encodeURIComponent(name)}`;
}

/** Show the card that the address names, now and whenever it names another. */
export function attendCards() {
  const body = h("div", { class: "card-text" });
  const close = h("button", { type: "button", class: "close", onclick: () => dialog.close() }, "Close");
  const dialog = h(
    "dialog",
    { class: "model-card", "aria-label": "Card", onclose: leave, onclick: outside },
    close,
    body,
  );
  document.body.append(dialog);
  addEventListener("hashchange", turn);
  turn();

  async function turn() {
    const wanted = ADDRESS.exec(location.hash);
    if (!wanted) {
      dialog.close();
      return;
    }
    try {
      const card = await fetched(`/api/cards/${wanted[1]}/${wanted[2]}`);
      show(body, h("p", { class: "quiet" }, `${card.game}, ${card.name}`), text(card));
      if (!dialog.open) dialog.showModal();
      dialog.scrollTop = 0;
    } catch (error) {
      complain(error.message);
    }
  }

  function leave() {
    if (ADDRESS.test(location.hash)) history.replaceState(null, "", location.pathname + location.search);
  }

  function outside(event) {
    if (event.target === dialog) dialog.close();
  }
}

/** Of a plain file the comment that it begins with is written as Markdown, too. */
function text({ form, text }) {
  if (form === "markdown") return markdown(text);
  const lines = text.split("\n");
  const first = lines.findIndex((line) => !line.startsWith("#"));
  const told = lines.slice(0, Math.max(first, 0)).map((line) => line.replace(/^# ?/, ""));
  return [markdown(told.join("\n")), h("pre", { tabindex: 0 }, lines.slice(Math.max(first, 0)).join("\n").trim())];
}
