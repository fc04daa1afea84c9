// The player of a recorded round: plays, pauses, steps either way and seeks, by pointer and by keyboard.

import { h, show, svg } from "../../shared/element.js";
import { night, shade } from "./colours.js";
import { Core, DEAD, EXECUTED, NONE, SEEN, WRITTEN } from "./core.js";
import { CoreMap } from "./map.js";
import { Story } from "./story.js";
import { Strip } from "./strip.js";

const RATES = [2, 8, 30, 120, 500, 2000, 6000, 20000, 60000, 200000, 600000, 2000000]; // instructions a second
const LENGTH = 25; // seconds that it lasts at first
const STRIDE = 100; // instructions of a long step
const STILL = 250; // milliseconds of rest before it is asked what is in the cells
const DEEDS = { [SEEN]: "read", [WRITTEN]: "written", [EXECUTED]: "executed", [DEAD]: "death" };
const ICONS = {
  play: "M3 1l11 7-11 7z",
  pause: "M3 2h4v12H3zM9 2h4v12H9z",
  start: "M2 2h2v12H2zM14 2v12L5 8z",
  back: "M9 2v12L1 8zM11 2h2v12h-2z",
  step: "M3 2h2v12H3zM7 2l8 6-8 6z",
  stop: "M2 2l9 6-9 6zM12 2h2v12h-2z",
};
const figure = (value) => Math.round(value).toLocaleString("en");

export class Player {
  /** `look(tick)` gives, in time, what stands in each cell then: a function from address to text. It may be missing. */
  constructor(film, reel, look = null) {
    this.film = film;
    this.reel = reel;
    this.look = look;
    this.core = new Core(reel);
    this.story = new Story(reel);
    this.map = new CoreMap(this.core, (address) => this.#point(address));
    this.strip = new Strip(reel, this.story, (tick) => this.seek(tick));
    this.playing = false;
    this.due = 0; // parts of an instruction
    this.shown = -1;
    this.cells = null;
    this.pointed = null;
    this.cards = film.warriors.map(card);
    this.told = h("p", { class: "told quiet", "aria-live": "polite" });
    this.clock = h("span", { class: "number" });
    this.end = h("strong", { role: "status" });
    this.rate = h("span", { class: "number quiet" });
    this.speed = h("input", { type: "range", min: 0, max: RATES.length - 1, oninput: () => this.#rate() });
    this.speed.value = RATES.findLastIndex((each, index) => !index || each * LENGTH <= reel.ticks);
    this.button = h("button", { class: "main", title: "Play or pause (space)", onclick: () => this.play(!this.playing) });
    this.legend = h("span", { class: "legend" });
    this.element = h("div", { class: "player" },
      h("div", { class: "warriors" }, this.cards.map((each) => each.element)),
      this.map.element, this.told, this.strip.canvas,
      h("div", { class: "controls" },
        h("div", { class: "row" },
          this.#act("start", "To the beginning", "Home", -Infinity), this.#act("back", "An instruction back", "←", -1), this.button,
          this.#act("step", "An instruction on", "→", 1), this.#act("stop", "To the end", "End", Infinity)),
        h("label", { class: "speed" }, "Speed", this.speed), this.rate, this.clock, this.end, this.legend));
  }

  /** Once its element is on the page; it ends when that is taken away. Without motion it waits for who wants to see. */
  begin(tick = null) {
    this.observer = new ResizeObserver(() => this.#fit());
    this.observer.observe(this.map.element);
    this.keys = (event) => this.#press(event);
    document.addEventListener("keydown", this.keys);
    this.recolour = () => this.#dress();
    night.addEventListener("change", this.recolour);
    this.#dress();
    this.#rate();
    if (tick !== null) this.seek(tick);
    this.play(tick === null && !matchMedia("(prefers-reduced-motion: reduce)").matches);
    this.last = performance.now();
    requestAnimationFrame((now) => this.#frame(now));
  }

  play(playing) {
    this.playing = playing;
    if (playing && this.core.tick >= this.reel.ticks) this.#go(0);
    this.button.setAttribute("aria-label", playing ? "Pause" : "Play");
    show(this.button, icon(playing ? "pause" : "play"));
    this.#point(this.pointed);
  }

  seek(tick) {
    this.#go(Math.min(Math.max(Math.round(tick), 0), this.reel.ticks));
  }

  #act(name, title, key, by) {
    return h("button", { title: `${title} (${key})`, "aria-label": title, onclick: () => this.#step(by) }, icon(name));
  }

  #step(by) {
    this.play(false);
    this.seek(this.core.tick + by);
  }

  #go(tick) {
    const { core, map, story, reel } = this;
    if (story.isFar(core.tick, tick)) {
      const trail = Math.min(200, Math.ceil(reel.ticks / 40)); // instructions that glow after a jump in time
      const { touched } = core;
      core.touched = () => {};
      core.become(story.before(tick - trail));
      core.run(Math.max(tick - trail - core.tick, 0));
      core.touched = touched;
      map.cool();
    }
    core.run(tick - core.tick);
  }

  #frame(now) {
    if (!this.element.isConnected) return this.#end();
    const seconds = Math.min((now - this.last) / 1000, 0.1);
    this.last = now;
    if (this.playing) {
      this.due += seconds * RATES[this.speed.value];
      const whole = Math.floor(this.due);
      this.due -= whole;
      this.core.run(whole);
      if (this.core.tick >= this.reel.ticks) this.play(false);
    }
    this.map.draw(this.playing ? seconds : Math.min(seconds, 0.02));
    if (this.shown !== this.core.tick) this.#tell();
    requestAnimationFrame((next) => this.#frame(next));
  }

  #end() {
    this.observer.disconnect();
    clearTimeout(this.rest);
    document.removeEventListener("keydown", this.keys);
    night.removeEventListener("change", this.recolour);
  }

  #fit() {
    this.map.fit();
    this.strip.fit();
    this.strip.draw(this.core.tick);
  }

  #dress() {
    this.cards.forEach((each, seat) => each.element.style.setProperty("--hue", shade(seat, EXECUTED)));
    show(this.legend, Object.entries(DEEDS).map(([mark, word]) => h("span", {}, this.cards.slice(0, 2).map((_, seat) =>
      h("i", { style: { background: shade(seat, Number(mark)) } }, Number(mark) === DEAD ? "×" : "")), word)));
    this.#fit();
  }

  #rate() {
    show(this.rate, `${figure(RATES[this.speed.value])} a second`);
  }

  // -- Words ---------------------------------------------------------------------------------------

  #tell() {
    const { core, film, reel } = this;
    this.shown = core.tick;
    this.strip.draw(core.tick);
    show(this.clock, `${figure(core.tick)} of ${figure(reel.ticks)} instructions`);
    this.cards.forEach((each, seat) => each.tell(core.processes[seat], core.held[seat] / reel.size));
    const names = film.survivors.map((seat) => film.warriors[seat].name);
    const end = !film.is_whole ? "The film ends here."
      : names.length === 1 && film.warriors.length > 1 ? `${names[0]} wins.`
      : names.length ? "Time is over: a tie." : "Nobody is left.";
    show(this.end, core.tick < reel.ticks ? "" : end);
    this.cells = null;
    this.#point(this.pointed);
  }

  async #look() {
    const { tick } = this.core;
    if (this.playing) return;
    const cells = await this.look(tick);
    if (tick !== this.core.tick || !cells) return;
    this.cells = cells;
    this.#point(this.pointed);
  }

  #point(address) {
    const { core, film, told } = this;
    this.pointed = address;
    clearTimeout(this.rest);
    if (this.look && !this.cells && address !== null) this.rest = setTimeout(() => this.#look(), STILL);
    if (address === null) return show(told, "Point at a cell, or go there with the arrow keys, to see what is in it.");
    const { name } = film.warriors[core.owner[address]];
    const mark = core.mark[address];
    const deed = mark === NONE ? "untouched" : mark === DEAD ? `a process of ${name} died here` : `${DEEDS[mark]} by ${name}`;
    const when = mark === NONE ? "" : core.when[address] < 0 ? ", as it was loaded" : `, instruction ${figure(core.when[address] + 1)}`;
    const text = this.cells?.(address);
    show(told, `Cell ${address}: ${deed}${when}. `, text ? h("code", {}, text) : "");
  }

  // -- Keys ----------------------------------------------------------------------------------------

  #press(event) {
    const { target, shiftKey } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || target.closest("textarea, select, input:not([type=range])")) return;
    if (target.type === "range" && event.key !== " ") return;
    if (event.key === " " && target.closest("button, summary, a")) return;
    const faster = (by) => {
      this.speed.value = Number(this.speed.value) + by;
      this.#rate();
    };
    const deed = {
      " ": () => this.play(!this.playing),
      ArrowRight: () => this.#step(shiftKey ? STRIDE : 1),
      ArrowLeft: () => this.#step(shiftKey ? -STRIDE : -1),
      Home: () => this.#step(-Infinity),
      End: () => this.#step(Infinity),
      "+": () => faster(1),
      "=": () => faster(1),
      "-": () => faster(-1),
    }[event.key];
    if (!deed) return;
    event.preventDefault();
    deed();
  }
}

/** What is shown of a warrior. */
function card(warrior) {
  const processes = h("span", {});
  const held = h("span", {});
  const bar = h("i", {});
  const title = `${warrior.name} by ${warrior.author}, ${warrior.length} instructions, loaded at ${warrior.position}`;
  const element = h("div", { class: "warrior", title }, h("b", {}, warrior.name), h("span", { class: "by quiet" }, `by ${warrior.author}`),
    h("div", { class: "facts number" }, processes, held), h("div", { class: "share" }, bar));
  const tell = (count, share) => {
    element.classList.toggle("dead", !count);
    show(processes, count ? `${figure(count)} process${count === 1 ? "" : "es"}` : "dead");
    show(held, `holds ${(100 * share).toFixed(1)} %`);
    bar.style.width = `${100 * share}%`;
  };
  return { element, tell };
}

function icon(name) {
  return svg("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" }, svg("path", { d: ICONS[name] }));
}
