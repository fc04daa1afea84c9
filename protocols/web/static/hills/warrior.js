// One warrior: how it came, and its battles against those who are on the hill now.

import { h, show } from "../shared/element.js";
import { complain, fetched } from "../shared/page.js";
import { ago, figure } from "../shared/words.js";
import { meetings } from "./report.js";

export class Warrior {
  constructor(path) {
    this.path = path;
    this.body = h("div", {});
    const close = h("button", { type: "button", class: "close", onclick: () => this.element.close() }, "Close");
    this.element = h("dialog", { "aria-label": "A warrior" }, this.body, close);
  }

  async show(id) {
    try {
      const warrior = await fetched(`${this.path}/warriors/${id}`);
      const { name, author, place, score, seconds, pushed_off: pushed } = warrior;
      const came = place ? `came to place ${place}` : "did not get on the hill";
      const battles = warrior.is_on_hill && warrior.battles.length ? warrior.battles : warrior.meetings;
      show(
        this.body,
        h("h2", {}, name, h("span", { class: "quiet" }, ` by ${author}`)),
        h(
          "p",
          {},
          `Challenge ${warrior.number}, ${ago(seconds)}: ${came} with a score of ${figure(score)}`,
          pushed.length ? `, and pushed off ${pushed.join(", ")}.` : ".",
        ),
        battles.length
          ? [h("h3", {}, warrior.is_on_hill ? "Against those on the hill" : "In its challenge"), meetings(battles)]
          : h("p", { class: "quiet" }, "It has fought nobody in pairs."),
      );
      this.element.showModal();
    } catch (error) {
      complain(error.message);
    }
  }
}
