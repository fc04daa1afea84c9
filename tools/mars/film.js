// A page of one file that replays a recorded fight; page.html#5000 starts at instruction 5000.

import { Player } from "./corewar_player.js";
import { readRecording } from "./corewar_replay.js";
import { h, show } from "./dom.js";
import { formatNumber } from "./format.js";

const data = JSON.parse(document.getElementById("film").textContent);
const main = document.getElementById("main");
document.title = `${data.title} – Core War`;
const facts = `Round ${data.round}, a core of ${formatNumber(data.size)} cells, ${formatNumber(data.cycles)} cycles`;
const heading = h("div", { class: "heading" }, h("h1", {}, data.title), h("span", { class: "quiet" }, facts));
if ("DecompressionStream" in window) {
  const player = new Player(data, await readRecording(data));
  show(main, heading, player.element);
  player.begin(location.hash ? Number(location.hash.slice(1)) || 0 : null);
} else {
  show(main, heading, h("p", {}, "This browser cannot decompress the recording. Please use a newer browser."));
}
