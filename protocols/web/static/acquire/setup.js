// Before the game: under which name, by which rules, against whom.

import { h, show } from "../shared/element.js";

const VARIANTS = {
  classic: "Classic: seven chains, the rules of 1999",
  tlstyer: "Public server: seven chains",
  "thesis-7": "Thesis, seven chains",
  "thesis-2002": "Thesis of 2002: three chains, shorter",
  mini: "Mini: a board of 4 × 3, for two",
};
const OPEN = "open";

/**
 * The form. `players` are those of /api/players; seats(variant) resolves to the least and most of them; begin(terms)
 * is called with {name, variant, seats, seed, options}.
 */
export function setup({ name, variants, players, seats, begin }) {
  const own = h("input", { value: name, maxlength: 40, required: true, autocomplete: "nickname" });
  const variant = h(
    "select",
    { onchange: () => fit() },
    variants.map((each) => h("option", { value: each }, VARIANTS[each] ?? each)),
  );
  const seed = h("input", {
    inputmode: "numeric",
    pattern: "[0-9]{1,15}",
    placeholder: "drawn by the house",
    title: "digits, or nothing",
  });
  const hidden = h("input", { type: "checkbox" });
  const opponents = h("div", { class: "opponents" });
  const more = h("button", { type: "button", onclick: () => add() }, "One more player");
  const list = [];
  let most = 6;
  let least = 2;

  function add() {
    const about = h("small", { class: "quiet" });
    const select = h("select", { onchange: tell, "aria-label": `Opponent ${list.length + 1}` }, groups(players));
    const less = h(
      "button",
      { type: "button", class: "quick", "aria-label": "Without this one", onclick: () => remove(entry) },
      "×",
    );
    const entry = { select, less, element: h("div", { class: "opponent" }, select, less, about) };

    function tell() {
      const chosen = players.find((player) => player.name === select.value);
      about.textContent = chosen
        ? [chosen.title, chosen.strength].filter(Boolean).join("; ")
        : "a seat for another person: you get a link to pass on";
    }

    tell();
    list.push(entry);
    refresh();
  }

  function remove(entry) {
    list.splice(list.indexOf(entry), 1);
    refresh();
  }

  function refresh() {
    show(
      opponents,
      list.map((entry) => entry.element),
    );
    for (const { less } of list) less.hidden = list.length < least;
    more.hidden = list.length + 1 >= most;
  }

  async function fit() {
    [least, most] = await seats(variant.value);
    list.splice(most - 1);
    while (list.length + 1 < least) add();
    refresh();
  }

  function submit(event) {
    event.preventDefault();
    begin({
      name: own.value,
      variant: variant.value,
      seats: ["me", ...list.map((entry) => entry.select.value)],
      seed: seed.value ? Number(seed.value) : undefined,
      options: hidden.checked ? { holdings: "hidden" } : undefined,
    });
  }

  add();
  fit();
  return h(
    "form",
    { class: "card setup", onsubmit: submit },
    h("h1", {}, "Acquire"),
    h(
      "p",
      {},
      "Found hotel chains, merge them, and end with the most money. The others at the table were bred, not written.",
    ),
    h("label", {}, "Your name", own),
    h("label", {}, "Rules", variant),
    h("fieldset", {}, h("legend", {}, "Against"), opponents, more),
    h(
      "details",
      {},
      h("summary", {}, "More"),
      h("label", {}, "Seed, for the same tiles again", seed),
      h("label", { class: "check" }, h("span", {}, hidden, " Cash and shares of the others are hidden")),
    ),
    h("button", { class: "main" }, "Play"),
  );
}

/** For a seat that somebody keeps open. */
export function joining({ name, game, begin }) {
  const own = h("input", { value: name, maxlength: 40, required: true, autocomplete: "nickname" });
  return h(
    "form",
    { class: "card setup", onsubmit: (event) => (event.preventDefault(), begin(own.value)) },
    h("h1", {}, "Acquire"),
    h("p", {}, `A seat is open in game ${game}.`),
    h("label", {}, "Your name", own),
    h("button", { class: "main" }, "Take it"),
  );
}

/** Until all seats of a game are taken. */
export function waiting({ game, leave }) {
  const link = `${location.origin}/acquire?join=${encodeURIComponent(game)}`;
  return h(
    "section",
    { class: "card setup" },
    h("h1", {}, "Acquire"),
    h("p", { role: "status" }, "Waiting until all seats are taken."),
    h("p", {}, "Whoever opens this page may sit down: ", h("a", { href: link }, link)),
    h("button", { type: "button", onclick: leave }, "Give the seat back"),
  );
}

/** What cannot be shown, and why. */
export function notice(text) {
  return h(
    "section",
    { class: "card setup" },
    h("h1", {}, "Acquire"),
    h("p", {}, text),
    h("a", { href: "/" }, "Back to the lobby"),
  );
}

function groups(players) {
  const option = (player) => h("option", { value: player.name }, player.name);
  return [
    h("optgroup", { label: "Evolved" }, players.filter((player) => player.is_evolved).map(option)),
    h("optgroup", { label: "Others of the house" }, players.filter((player) => !player.is_evolved).map(option)),
    h("optgroup", { label: "People" }, h("option", { value: OPEN }, "open to anybody")),
  ];
}
