// The documents of the program, one at a time.

import { fetchJson } from "./client.js";
import { h, show } from "./dom.js";
import { markdown } from "./markdown.js";
import { GAMES, initPage, showError } from "./page.js";

const TITLES = {
  commands: "Commands",
  ...Object.fromEntries(GAMES.map(({ name, title }) => [name, title])),
  protocols: "Protocols and servers",
  messages: "JSON lines, message by message",
  configurations: "Keys of configurations",
  python: "Python API",
};
// What a link in a document leads to: the end of its path, and the document of that name.
const FILES = [
  ["tools/README.md", "commands"],
  ...GAMES.map(({ name }) => [`${name}/README.md`, name]),
  ["protocols/README.md", "protocols"],
  ["MESSAGES.md", "messages"],
  ["CONFIGURATIONS.md", "configurations"],
  ["API.md", "python"],
  ["../README.md", "protocols"],
];

class App {
  constructor(main) {
    this.list = h("nav", { class: "documents", "aria-label": "Documents" });
    this.text = h("article", { class: "document" });
    show(main,
      h("h1", {}, "Help"),
      h("p", { class: "quiet" }, "Galapagos is free software under the GNU General Public License, version 3 or later, without any warranty. ",
        "It is written in Python: its source is where the server is installed, in the packages core, engines, protocols and tools."),
      h("div", { class: "list-and-text" }, this.list, this.text));
  }

  async start() {
    this.names = await fetchJson("/api/documents");
    addEventListener("hashchange", () => this.#show());
    await this.#show();
  }

  /** The document that the address names, or the first. */
  async #show() {
    const wanted = location.hash.slice(1);
    const name = this.names.includes(wanted) ? wanted : this.names[0];
    show(this.list, this.names.map((each) =>
      h("a", { href: `#${each}`, "aria-current": each === name ? "true" : null }, TITLES[each] ?? each)));
    try {
      const { text } = await fetchJson(`/api/documents/${name}`);
      show(this.text, markdown(text, 2, addressOf));
      scrollTo(0, 0);
    } catch (error) {
      showError(error.message);
    }
  }
}

/** Where a link of a document leads on this page; null for what is not here. */
function addressOf(link) {
  const path = link.split("#")[0];
  const found = FILES.find(([end]) => path.endsWith(end));
  return found ? `#${found[1]}` : null;
}

new App(initPage()).start();
