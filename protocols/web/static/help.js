// The help page: what visitors can do, and the documents of the program, one at a time.

import { fetchJson } from "./client.js";
import { h, show } from "./dom.js";
import { markdown } from "./markdown.js";
import { gameCards } from "./game_cards.js";
import { GAMES, SOURCE, initPage, showError } from "./page.js";

const START = "start"; // the first page, which is no document
// The documents that a server may offer, by name: [title, path in the source].
const DOCUMENTS = {
  ...ofGames("", (title) => title, "README.md"),
  ...ofGames("-engine", (title) => `${title}: options and faults of the engine`, "ENGINE.md"),
  ...ofGames("-study", (title) => `${title}: a study of players`, "STUDY.md"),
  ...ofGames("-hills", (title) => `${title}: hills`, "HILLS.md"),
  commands: ["Commands", "tools/README.md"],
  configurations: ["Configuration keys", "engines/CONFIGURATIONS.md"],
  protocols: ["Protocols", "protocols/README.md"],
  messages: ["JSON lines, message by message", "protocols/jsonl/MESSAGES.md"],
  scripts: ["Scripts", "protocols/SCRIPTS.md"],
  mqtt: ["MQTT", "protocols/MQTT.md"],
  python: ["Python API", "protocols/adapters/API.md"],
  operating: ["Set up a public server", "protocols/OPERATING.md"],
  server: ["Server reference", "protocols/SERVER.md"],
  ...ofGames("-results", (title) => `Measurements: ${title}`, "RESULTS.md"),
  "protocols-results": ["Measurements: protocols", "protocols/RESULTS.md"],
};

class App {
  constructor(main) {
    this.list = h("nav", { class: "documents", "aria-label": "Documents" });
    this.text = h("article", { class: "document" });
    this.shown = null; // the name of the document
    main.append(h("div", { class: "list-and-text" }, this.list, this.text));
  }

  async start() {
    const [names, cards] = await Promise.all([fetchJson("/api/documents"), gameCards()]);
    this.names = [START, ...names];
    this.cards = cards;
    addEventListener("hashchange", () => this.#show());
    await this.#show();
  }

  /** Show the document and the heading of the address, #NAME/HEADING; #HEADING is a heading of the first page. */
  async #show() {
    const parts = location.hash.slice(1).split("/");
    const name = this.names.includes(parts[0]) ? parts[0] : START;
    const heading = decodeURIComponent(parts[name === parts[0] ? 1 : 0] ?? "");
    try {
      if (name !== this.shown) show(this.text, await this.#content(name));
    } catch (error) {
      return showError(error.message);
    }
    this.shown = name;
    show(this.list, this.names.map((each) =>
      h("a", { href: `#${each}`, "aria-current": each === name ? "true" : null }, each === START ? "What you can do" : titleOf(each))));
    const target = [...this.text.querySelectorAll("h2, h3, h4, h5, h6")].find((each) => anchorOf(each) === heading);
    if (target) target.scrollIntoView();
    else scrollTo(0, 0);
  }

  async #content(name) {
    if (name === START) return firstPage(this.names, this.cards);
    const { text } = await fetchJson(`/api/documents/${name}`);
    return markdown(text, 2, (link) => this.#addressOf(link, name));
  }

  /** The address of a document's link on this page; null for a file that the server does not offer. */
  #addressOf(link, from) {
    const [path, heading] = link.split("#");
    const file = path ? resolved(path, DOCUMENTS[from]?.[1] ?? "") : "";
    const name = path ? this.names.find((each) => DOCUMENTS[each]?.[1] === file) : from;
    return name ? `#${name}${heading ? `/${heading}` : ""}` : null;
  }
}

/** What visitors can do, with links to pages and documents; how to play; then the licence and the place of the source. */
function firstPage(names, cards) {
  const page = (path, words) => h("a", { href: path }, words);
  const guide = (name, words = titleOf(name)) => (names.includes(name) ? h("a", { href: `#${name}` }, words) : words);
  const games = GAMES.filter((game) => game.has_page);
  const tasks = [
    ["Play or watch a game", "Choose a game and a player: ", listed(games.map(({ name, title }) => page(`/${name}`, title))),
      ". The ", page("/", "lobby"), " lists open games to join and running games to watch. ", h("a", { href: "#how-to-play" }, "How to play"),
      " has the rules in short, and there are guides to the players: ", listed(games.map(({ name }) => guide(name))), "."],
    ["Show a game to others", "Send the address of its page: for a game the link “Watch” in the ", page("/", "lobby"), ", for a match its heading on ",
      page("/matches", "Matches"), ", for an evolution its name on ", page("/runs", "Runs"), "."],
    ["Compare players", "Start a match on the page ", page("/matches", "Matches"), ", and read its table."],
    ["Test or submit a warrior", "Paste it into the form on the page ", page("/hills", "Hills"),
      ". A test shows its score and leaves the hill unchanged."],
    ["Follow an evolution", "The page ", page("/runs", "Runs"), " shows its curves, its champion and the ancestors. ",
      "On the server’s own machine you can also start one there. The command is ", h("code", {}, "galapagos evolve"), ": see ",
      guide("commands"), " and ", guide("configurations"), "."],
    ["Connect a program", "Start with ", guide("protocols"), ". The reference of the messages is ", guide("messages"),
      ". For Python there is the ", guide("python"), ", for a broker ", guide("mqtt"), "."],
    ["Run a server", guide("operating"), " leads from a bare machine to a server with TLS and backups. The ", guide("server"),
      " explains folders, limits and tokens."],
  ];
  return [
    h("h2", {}, "What do you want to do?"),
    h("dl", { class: "tasks" }, tasks.map(([title, ...words]) => [h("dt", {}, title), h("dd", {}, words)])),
    h("h2", {}, "How to play"),
    h("p", {}, "The rules in short. Each game’s page has more."),
    [...cards.values()].filter((card) => card.rules).map(({ title, rules }) => [
      h("h3", {}, title),
      h("ul", {}, rules.map((rule) => h("li", {}, rule))),
    ]),
    h("h2", {}, "Source and licence"),
    h("p", {}, "Galapagos is free software under the GNU General Public License, version 3 or later, without any warranty. ",
      "You may use, study, share and change it."),
    h("p", {}, page(SOURCE, "Download the source"), " of the program that this server runs, or read the files of these pages in your browser, for example ",
      page("/static/help.js", "help.js"), "."),
  ];
}

/** The entries of DOCUMENTS for a file that each game may have. */
function ofGames(ending, titled, file) {
  return Object.fromEntries(GAMES.map(({ name, title }) => [`${name}${ending}`, [titled(title), `engines/${name}/${file}`]]));
}

function titleOf(name) {
  return DOCUMENTS[name]?.[0] ?? name;
}

/** Elements with commas between them. */
function listed(elements) {
  return elements.flatMap((each, index) => (index ? [", ", each] : [each]));
}

/** The path in the source of a link in the document at `from`. */
function resolved(link, from) {
  return new URL(link, `file:///${from}`).pathname.slice(1);
}

/** The anchor of a heading in links to it: its words in small letters, joined by hyphens. */
function anchorOf(heading) {
  return heading.textContent.toLowerCase().replaceAll(" ", "-");
}

new App(initPage()).start();
