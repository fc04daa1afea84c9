// The report of a turn: what was bought, what was made and lost, and every fight with its odds.

import { h, show } from "../../shared/element.js";
import { told } from "../film/words.js";
import { icon } from "../board/pieces.js";
import { change, dollars } from "./money.js";

const ALIKE = ["amphibious", "armored", "infantry", "armor", "artillery"]; // many of them are called so, too
const MOST_FIGHTS = 200; // that are listed

/** What both sides have now: a table. */
export function accounts(turn, game) {
  const { human, chaos } = turn.end;
  const [humanBefore, chaosBefore] = turn.before;
  const lost = counted(human.lost.map((each) => each.unit));
  const rows = [
    ["worth before", dollars(humanBefore), dollars(chaosBefore)],
    ["farms made", dollars(human.produced), ""],
    ["plundered", dollars(-human.plundered), ""],
    ["carried home", "", dollars(chaos.carried)],
    ["lost", pictures(lost), pictures(chaos.lost)],
    ["worth after", dollars(human.value), dollars(chaos.value)],
    ["change", change(turn.end.change[0]), change(turn.end.change[1])],
  ];
  if (turn.grant) rows.push(["granted", "", change(turn.grant.amount)]);
  return h("table", { class: "accounts" },
    h("thead", {}, h("tr", {}, h("td", {}),
      ["you", game.chaos].map((side) => h("th", { scope: "col", class: "number" }, side)))),
    h("tbody", {}, rows.map(([name, ...cells]) =>
      h("tr", {}, h("th", { scope: "row" }, name), cells.map((cell) => h("td", { class: "number" }, cell))))));
}

/** What Chaos sent. */
export function army(turn) {
  const { bought, kept, left_off: leftOff } = turn.start;
  const rest = [kept ? `${dollars(kept)} kept` : "", leftOff ? `${leftOff} without a free square` : ""].filter(Boolean);
  return h("p", { class: "army" }, h("span", {}, "Chaos sends "), Object.keys(bought).length ? pictures(bought) : "nothing",
    rest.length ? h("span", { class: "quiet" }, ` (${rest.join(", ")})`) : null);
}

/** The fights of a film up to a frame, the latest first. */
export class Chronicle {
  constructor() {
    this.list = h("ol", { class: "log fights", "aria-label": "Fights", tabindex: 0 });
    this.element = h("div", {}, h("h3", {}, "Fights"), this.list);
  }

  show({ frames, kinds }, index, units) {
    const lines = [];
    for (let phase = index; phase > 0 && lines.length < MOST_FIGHTS; phase--) {
      for (const fight of frames[phase].fights.toReversed()) {
        const unit = units.get(frames[phase - 1].units.get(fight.at));
        const isGood = ["counter", "mine", "bomb"].includes(fight.kind) === fight.win;
        lines.push(h("li", { class: isGood ? "good" : "bad" },
          h("span", { class: "quiet" }, `phase ${phase} `), told(fight, kinds.get(fight.by), unit)));
      }
    }
    show(this.list, lines.length ? lines : h("li", { class: "quiet" }, "nobody has fought yet"));
  }
}

function pictures(counts) {
  const names = Object.entries(counts);
  if (!names.length) return "none";
  return h("span", { class: "pictures" }, names.map(([name, count]) =>
    h("span", { class: "counted" }, icon(name), `${count.toLocaleString("en")} ${count === 1 ? name : plural(name)}`)));
}

function plural(name) {
  return ALIKE.includes(name) ? name : `${name}s`;
}

function counted(names) {
  const counts = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
