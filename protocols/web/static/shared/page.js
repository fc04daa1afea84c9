// What every page begins with: the way to the other rooms, and the place where troubles are told.

import { h } from "./element.js";

const ROOMS = [
  ["/", "Lobby"],
  ["/chess", "Chess"],
  ["/acquire", "Acquire"],
  ["/protection", "Protection"],
  ["/corewar", "Core War"],
  ["/hills", "Hills"],
  ["/matches", "Matches"],
  ["/runs", "Runs"],
];

/** Put the header before everything else on the page, and say something to who cannot see. */
export function furnish() {
  const links = ROOMS.map(([path, name]) =>
    h("a", { href: path, "aria-current": path === location.pathname ? "page" : null }, name),
  );
  document.body.prepend(
    h("a", { href: "#main", class: "skip" }, "Skip to the room"),
    h("header", {}, h("a", { href: "/", class: "mark" }, "Galapagos"), h("nav", { "aria-label": "Rooms" }, links)),
  );
  document.body.append(h("div", { id: "trouble", role: "alert", hidden: true }));
}

/** Tell a trouble for a while. */
export function complain(text) {
  const place = document.getElementById("trouble");
  place.textContent = text;
  place.hidden = false;
  clearTimeout(place.timer);
  place.timer = setTimeout(() => (place.hidden = true), 6000);
}

/** An answer of the house as data. Error with its own words if it refuses. */
export async function fetched(path, options = {}) {
  const response = await fetch(path, options);
  const text = await response.text();
  if (response.ok) return JSON.parse(text);
  let words = text;
  try {
    words = JSON.parse(text).error ?? text;
  } catch {
    // it is plain text
  }
  throw new Error(words.trim() || response.statusText);
}
