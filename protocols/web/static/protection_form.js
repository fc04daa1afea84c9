// The form of a new game of Advanced Protection: the visitor's name, the opponent, the difficulty, and rarer choices.

import { h, select } from "./dom.js";
import { nameInput, recall, remember } from "./memory.js";

const CHOICE = "protection-setup"; // in the browser's memory: {name, chaos, target} of the last game
const CHAOS = { // by the name in the protocol: the name on the page, and how it plays
  "chaos:pilot": ["Pilot", "It draws at random who should win, you as often as the difficulty says, and steers the game there."],
  "chaos:calibrated": ["Calibrated", "It knows which of its strings do well against you, and chooses one for an even game."],
  "chaos:seed": ["Original of 1999", "It plays by the rule of the paper of 1999."],
  "chaos:best": ["Strongest", "It always plays the string that does best against what you have built. The difficulty does not matter."],
  "chaos:random": ["Random", "It plays any of its strings, whatever you build. The easiest one to learn the game."],
};
const AIMS = {
  even: "even: you win about half",
  easy: "easy: you win 7 of 10",
  novice: "novice: you win 6 of 10",
  expert: "expert: you win 4 of 10",
  hard: "hard: you win 3 of 10",
};
const STUDY = {
  "": "as before; for a new name, no",
  yes: "yes, this and the next games under this name",
  no: "no, and no earlier game under this name",
};
const VARIANTS = { improved: "improved (for people)", seed: "seed (as printed in 1999)" };

/** The name of a player on the page: a Chaos, a scripted player of the other side, or a person. */
export function playerName(player) {
  if (player.startsWith("user:")) return `the program ${player.slice(5)}`;
  return CHAOS[player] ? `Chaos (${CHAOS[player][0].toLowerCase()})` : player;
}

/** The form of a new game; begin(wanted, name) is called with the fields of `create` and the player's name, which may be empty. */
export function newGameForm(opponents, known, begin) {
  const last = recall(CHOICE, {});
  const about = h("p", { class: "quiet small about-chaos", "aria-live": "polite" });
  const describe = () => (about.textContent = CHAOS[chaos.value]?.[1] ?? "");
  const titles = opponents.map((each) => [each, CHAOS[each]?.[0] ?? each]);
  const chaos = select(titles, { name: "chaos", onchange: describe }, last.chaos);
  const form = h("form", {
    class: "card new-game",
    onsubmit: (event) => {
      event.preventDefault();
      const data = new FormData(form);
      remember(CHOICE, Object.fromEntries(["name", "chaos", "target"].map((field) => [field, data.get(field)])));
      begin(...wantedOf(data));
    },
  },
    h("h2", {}, "A new game"),
    h("label", {}, "Your name (Chaos remembers it)",
      nameInput(known || last.name || "", { name: "name", placeholder: "anonymous" })),
    h("label", {}, "Opponent", chaos), about,
    h("label", {}, "Difficulty", select(Object.entries(AIMS), { name: "target" }, last.target)),
    h("button", { class: "main" }, "Start"),
    h("details", {}, h("summary", {}, "Rules, map and money"),
      h("div", { class: "more" },
        h("label", {}, "Rules", select(Object.entries(VARIANTS), { name: "variant" })),
        numberField("map", "Number of the map", "random"),
        numberField("seed", "Number of the game; the same number gives the same map and dice", "random"),
        numberField("human", "Your money, in dollars", "2000"),
        numberField("chaos_money", "Chaos's money, in dollars", "2000"))),
    h("details", {}, h("summary", {}, "A study of players"),
      h("div", { class: "more" },
        h("p", {}, h("a", { href: "/help#protection-study/consent" }, "What you would agree to")),
        h("label", {}, "May your games be studied?", select(Object.entries(STUDY), { name: "study" })))));
  describe();
  return form;
}

/** The fields of `create`, and the player's name. */
function wantedOf(data) {
  const value = (name) => data.get(name).trim();
  const amount = (name) => (value(name) === "" ? undefined : Number(value(name)));
  const name = value("name");
  const options = { target: value("target"), detail: "summary" };
  const study = { yes: true, no: false }[value("study")];
  if (name) Object.assign(options, { profile: name, reset: false, study });
  if (amount("map") !== undefined) options.map = { seed: amount("map") };
  options.money = { human: amount("human"), chaos: amount("chaos_money") };
  const seats = ["me", value("chaos")];
  return [{ game: "protection", variant: value("variant"), seats, seed: amount("seed"), options }, name];
}

function numberField(name, words, placeholder) {
  return h("label", {}, words, h("input", { name, type: "number", min: 0, step: 1, placeholder }));
}
