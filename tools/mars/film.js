// The one page of a filmed fight. page.html#5000 stands at that instruction.

import { h, show } from "../shared/element.js";
import { Player } from "../corewar/player/player.js";
import { unrolled } from "../corewar/player/reel.js";

const film = JSON.parse(document.getElementById("film").textContent);
const main = document.getElementById("main");
document.title = `${film.title} – Core War`;
const facts = `Round ${film.round}, a core of ${film.size.toLocaleString("en")} cells, ${film.cycles.toLocaleString("en")} cycles`;
const heading = h("div", { class: "heading" }, h("h1", {}, film.title), h("span", { class: "quiet" }, facts));
if ("DecompressionStream" in window) {
  const player = new Player(film, await unrolled(film));
  show(main, heading, player.element);
  player.begin(location.hash ? Number(location.hash.slice(1)) || 0 : null);
} else {
  show(main, heading, h("p", {}, "This browser is too old to unpack the film."));
}
