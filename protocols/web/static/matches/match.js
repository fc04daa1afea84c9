// One match: how far it is, its table with intervals, and who did how well against whom.

import { h, show } from "../shared/element.js";
import { counted, figure } from "../shared/words.js";
import { interval } from "./interval.js";

export class Match {
  /** cancel() ends it early; null if that is not ours to do. */
  constructor(id, cancel) {
    this.title = h("h2", {}, "A match");
    this.state = h("p", { class: "quiet", role: "status" });
    this.progress = h("progress", { "aria-label": "Games played" });
    this.table = h("div", {});
    this.met = h("div", {});
    this.more = h("details", { hidden: true }, h("summary", {}, "Against each other"), this.met);
    this.cancel = cancel && h("button", { type: "button", onclick: cancel }, "End it now");
    this.element = h(
      "section",
      { class: "card match", id: `match-${id}` },
      h("div", { class: "row head" }, this.title, this.cancel),
      this.state,
      this.progress,
      this.table,
      this.more,
    );
    this.isOver = false;
  }

  /** It has been asked for. */
  begin({ game, variant, players }) {
    show(this.title, `${game}: ${counted(players.length, "player")}, ${variant}`);
    show(this.state, "It begins…");
  }

  /** How it stands in a listing. */
  list({ game, done, of }) {
    if (this.title.textContent === "A match") show(this.title, game);
    if (!this.table.firstChild) this.#tell(done, of, done >= of);
  }

  /** A match_event or its match_end. */
  hear(line) {
    const isOver = line.type === "match_end";
    if (this.isOver && !isOver) return;
    this.isOver = isOver;
    this.#tell(line.done ?? line.games, line.of ?? line.games, isOver);
    show(this.table, standings(line.table));
    show(this.met, crossTable(line.table), h("p", { class: "quiet" }, notes(line.table)));
    this.more.hidden = false;
    if (isOver) this.cancel?.remove();
  }

  #tell(done, of, isOver) {
    this.progress.max = of || 1;
    this.progress.value = done;
    this.progress.hidden = isOver;
    show(this.state, isOver ? `Over, ${counted(done, "game")}` : `${figure(done)} of ${counted(of, "game")}`);
  }
}

function standings(table) {
  const rows = table.toSorted((one, other) => other.share - one.share).map((row, index) =>
    h(
      "tr",
      {},
      h("td", { class: "number" }, index + 1),
      h("th", { scope: "row" }, row.player),
      h("td", { class: "share" }, interval(row)),
      h("td", { class: "number" }, `${figure(row.wins)} – ${figure(row.shared)} – ${figure(row.losses)}`),
      h("td", { class: "number" }, rating(row)),
      h("td", { class: "number" }, figure(Math.round(row.mean_result))),
    ),
  );
  const heads = [["#", 1], ["Player"], ["Points (95 % interval)"], ["Won – shared – lost", 1], ["Rating", 1], ["Result", 1]];
  const head = h("tr", {}, ...heads.map(([text, isNumber]) => h("th", { scope: "col", class: isNumber ? "number" : null }, text)));
  return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Table" }, h("table", { class: "ranks" }, h("thead", {}, head), h("tbody", {}, rows)));
}

function rating(row) {
  return row.games ? `${row.rating > 0 ? "+" : ""}${Math.round(row.rating)} ± ${Math.round(row.rating_error)}` : "–";
}

/** Points of each row's player against the column's, in percent. */
function crossTable(table) {
  const heads = table.map((row, index) => h("th", { scope: "col", class: "number", title: row.player }, index + 1));
  const rows = table.map((row, index) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, `${index + 1} ${row.player}`),
      ...row.against.map((met, other) => h("td", { class: "number" }, other === index ? "·" : points(met))),
    ),
  );
  const head = h("thead", {}, h("tr", {}, h("td", {}), ...heads));
  return h(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": "Cross table, percent of the points" },
    h("table", { class: "cross" }, head, h("tbody", {}, rows)),
  );
}

/** What else is worth knowing: how long they think, and who had decisions taken for it. */
function notes(table) {
  const times = table.filter((row) => row.games).map((row) => `${row.player} ${figure((1000 * row.seconds) / row.games)} ms`);
  const forced = table.filter((row) => row.forced).map((row) => `${row.player} ${figure(row.forced)}`);
  return [
    times.length ? `Time a game: ${times.join(", ")}.` : "",
    forced.length ? `Failed decisions, for which the default was played: ${forced.join(", ")}.` : "",
  ].join(" ");
}

function points([losses, shared, wins]) {
  const games = losses + shared + wins;
  return games ? `${Math.round((100 * (wins + shared / 2)) / games)} %` : "–";
}
