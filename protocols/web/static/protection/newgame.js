// The terms of a new game: who plays, against which Chaos, by which rules and on which map.

import { h } from "../shared/element.js";

const MODES = {
  "chaos:pilot": "settles who is due to win, and leads the game there",
  "chaos:calibrated": "aims at even games by its ratings",
  "chaos:seed": "the paper's rule of 1999",
  "chaos:best": "always the string that hurts you most",
  "chaos:random": "any string",
};
const AIMS = { intermediate: "you win about half", novice: "you win 60 of 100", expert: "you win 40 of 100" };
const RULES = { improved: "improved (for people)", seed: "seed (as printed in 1999)" };

/** A form; begin(wish, name) is called with what `create` needs and the player's name, which may be empty as `known`. */
export function newGame(opponents, known, begin) {
  const form = h("form", {
    class: "card door",
    onsubmit: (event) => {
      event.preventDefault();
      begin(...wished(new FormData(form)));
    },
  },
    h("h2", {}, "A new game"),
    h("label", {}, "Your name (Chaos remembers it)",
      h("input", { name: "name", value: known, maxlength: 40, autocomplete: "nickname", placeholder: "nobody it knows" })),
    h("label", {}, "Opponent", choice("chaos", Object.fromEntries(opponents.map((each) => [each, presented(each)])))),
    h("label", {}, "It aims at", choice("target", AIMS)),
    h("button", { class: "main" }, "Start"),
    h("details", {}, h("summary", {}, "Rules, map and money"),
      h("div", { class: "more" },
        h("label", {}, "Rules", choice("variant", RULES)),
        number("map", "Number of the map", "by chance"),
        number("seed", "Number of the game, for the same map and dice again", "by chance"),
        number("human", "Your money, in dollars", "2000"),
        number("chaos_money", "Chaos's money, in dollars", "2000"))));
  return form;
}

function wished(data) {
  const value = (name) => data.get(name).trim();
  const amount = (name) => (value(name) === "" ? undefined : Number(value(name)));
  const name = value("name");
  const options = { target: value("target"), detail: "summary" };
  if (name) Object.assign(options, { profile: name, reset: false });
  if (amount("map") !== undefined) options.map = { seed: amount("map") };
  options.money = { human: amount("human"), chaos: amount("chaos_money") };
  const seats = ["me", value("chaos")];
  return [{ game: "protection", variant: value("variant"), seats, seed: amount("seed"), options }, name];
}

function presented(opponent) {
  return MODES[opponent] ? `${opponent.slice(6)}: ${MODES[opponent]}` : opponent;
}

function choice(name, words) {
  return h("select", { name }, Object.entries(words).map(([value, text]) => h("option", { value }, text)));
}

function number(name, words, placeholder) {
  return h("label", {}, words, h("input", { name, type: "number", min: 0, step: 1, placeholder }));
}
