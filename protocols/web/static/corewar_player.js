// The player of a recorded fight: it plays, pauses, steps in both directions and seeks, with the pointer or the keyboard.

import { Core, DEAD, EXECUTED, NONE, READ, Timeline, WRITTEN } from "./corewar_replay.js";
import { h, show, svg } from "./dom.js";
import { formatNumber, percent, plural } from "./format.js";

const RATES = [2, 8, 30, 120, 500, 2000, 6000, 20000, 60000, 200000, 600000, 2000000]; // instructions a second
const LENGTH = 25; // seconds that a fight should take at the first speed
const STRIDE = 100; // instructions of a long step
const STILL = 250; // milliseconds without a movement before the contents of the cells are fetched
const ACTIONS = { [READ]: "read", [WRITTEN]: "written", [EXECUTED]: "executed", [DEAD]: "death" };
const ICONS = {
  play: "M3 1l11 7-11 7z",
  pause: "M3 2h4v12H3zM9 2h4v12H9z",
  start: "M2 2h2v12H2zM14 2v12L5 8z",
  back: "M9 2v12L1 8zM11 2h2v12h-2z",
  step: "M3 2h2v12H3zM7 2l8 6-8 6z",
  stop: "M2 2l9 6-9 6zM12 2h2v12h-2z",
};
const HUES = [214, 27, 152, 325, 268, 188, 47, 0, 90, 240, 300, 120]; // of the warriors
const BY_DAY = [[0, 0], [55, 86], [62, 72], [80, 48], [60, 36]]; // saturation and lightness of the marks
const BY_NIGHT = [[0, 0], [28, 24], [58, 38], [86, 58], [70, 26]];
const HEATS = 8; // shades of a mark, from cold to warm
const WARM = 0.3; // seconds that a touch glows
const COLD = 0.04; // a square with less heat stops glowing
const BROAD = 5; // pixels of a square from which there is a gap to the next
const SHARE = 0.62; // of the height of the timeline that the areas take; the curves have the rest
const night = matchMedia("(prefers-color-scheme: dark)");

export class Player {
  /** `look(tick)`, if given, resolves to the contents of the cells at that time, a function from address to text. */
  constructor(facts, recording, look = null) {
    this.facts = facts;
    this.recording = recording;
    this.look = look;
    this.core = new Core(recording);
    this.timeline = new Timeline(recording);
    this.map = new CoreMap(this.core, (address) => this.#point(address));
    this.view = new TimelineView(recording, this.timeline, (tick) => this.seek(tick));
    this.playing = false;
    this.due = 0; // the fraction of an instruction that is still to be executed
    this.shown = -1;
    this.cells = null;
    this.pointed = null;
    this.cards = facts.warriors.map(warriorCard);
    this.about = h("p", { class: "about-cell quiet", "aria-live": "polite" });
    this.clock = h("span", { class: "number" });
    this.end = h("strong", { role: "status" });
    this.rate = h("span", { class: "number quiet" });
    this.isWaiting = false; // for the rest of the recording
    this.reason = "The recording ends here."; // in words, if that is not the end of the fight
    this.wasSet = false; // the speed, by the user
    this.speed = h("input", { type: "range", min: 0, max: RATES.length - 1, oninput: () => this.setSpeed(this.speed.value) });
    this.speed.value = fittingSpeed(recording);
    this.button = h("button", { class: "main", title: "Play or pause (space)", onclick: () => this.play(!this.playing) });
    this.legend = h("span", { class: "legend" });
    this.element = h("div", { class: "player" },
      h("div", { class: "warriors" }, this.cards.map((each) => each.element)),
      this.map.element, this.about, this.view.canvas,
      h("div", { class: "controls" },
        h("div", { class: "row" },
          this.#act("start", "To the start", "Home", -Infinity), this.#act("back", "One instruction back", "←", -1),
          this.button,
          this.#act("step", "One instruction forward", "→", 1), this.#act("stop", "To the end", "End", Infinity)),
        h("label", { class: "speed" }, "Speed", this.speed), this.rate, this.clock, this.end, this.legend));
  }

  /** Start once the element is on the page; removing it ends the player. With reduced motion playback starts paused. */
  begin(tick = null) {
    this.observer = new ResizeObserver(() => this.#fit());
    this.observer.observe(this.map.element);
    this.keys = (event) => this.#press(event);
    document.addEventListener("keydown", this.keys);
    this.onNight = () => this.#recolour();
    night.addEventListener("change", this.onNight);
    this.#recolour();
    this.#rate();
    if (tick !== null) this.seek(tick);
    this.play(tick === null && !matchMedia("(prefers-reduced-motion: reduce)").matches);
    this.last = performance.now();
    requestAnimationFrame((now) => this.#frame(now));
  }

  /** Set the speed, by its number. */
  setSpeed(number) {
    this.wasSet = true;
    this.speed.value = number;
    this.#rate();
  }

  /** Wait at the end of the recording, which is the beginning of a fight, until extend() or stopAt() is called. */
  expectMore() {
    this.isWaiting = true;
  }

  /** Continue with a longer recording of the same fight. */
  extend(facts, recording) {
    this.facts = facts;
    this.recording = recording;
    this.timeline = new Timeline(recording);
    this.core.recording = recording;
    this.view.use(recording, this.timeline);
    if (!this.wasSet) this.speed.value = fittingSpeed(recording);
    this.stopAt(this.reason);
    this.#rate();
    this.view.fit();
  }

  /** Let the recording end here, for a reason in words if it is not the end of the fight. */
  stopAt(reason) {
    this.isWaiting = false;
    this.reason = reason;
    this.shown = -1; // the state is shown again
  }

  play(playing) {
    this.playing = playing;
    if (playing && this.core.tick >= this.recording.ticks) this.#go(0);
    this.button.setAttribute("aria-label", playing ? "Pause" : "Play");
    this.about.setAttribute("aria-live", playing ? "off" : "polite"); // while playing, the text changes with every frame
    show(this.button, icon(playing ? "pause" : "play"));
    this.#point(this.pointed);
  }

  seek(tick) {
    this.#go(Math.min(Math.max(Math.round(tick), 0), this.recording.ticks));
  }

  #act(name, title, key, by) {
    return h("button", { title: `${title} (${key})`, "aria-label": title, onclick: () => this.#step(by) }, icon(name));
  }

  #step(by) {
    this.play(false);
    this.seek(this.core.tick + by);
  }

  #go(tick) {
    const { core, map, timeline, recording } = this;
    if (timeline.isFar(core.tick, tick)) {
      const trail = Math.min(200, Math.ceil(recording.ticks / 40)); // instructions that glow after a jump in time
      const { touched } = core;
      core.touched = () => {};
      core.become(timeline.before(tick - trail));
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
      if (this.core.tick >= this.recording.ticks && !this.isWaiting) this.play(false);
    }
    this.map.draw(this.playing ? seconds : Math.min(seconds, 0.02));
    if (this.shown !== this.core.tick) this.#showState();
    requestAnimationFrame((next) => this.#frame(next));
  }

  #end() {
    this.observer.disconnect();
    clearTimeout(this.rest);
    document.removeEventListener("keydown", this.keys);
    night.removeEventListener("change", this.onNight);
  }

  #fit() {
    this.map.fit();
    this.view.fit();
    this.view.draw(this.core.tick);
  }

  #recolour() {
    this.cards.forEach((each, seat) => each.element.style.setProperty("--hue", shade(seat, EXECUTED)));
    show(this.legend, Object.entries(ACTIONS).map(([mark, word]) => h("span", {}, this.cards.slice(0, 2).map((_, seat) =>
      h("i", { style: { background: shade(seat, Number(mark)) } }, Number(mark) === DEAD ? "×" : "")), word)));
    this.#fit();
  }

  #rate() {
    show(this.rate, `${formatNumber(RATES[this.speed.value])} per second`);
  }

  #showState() {
    const { core, facts, recording } = this;
    this.shown = core.tick;
    this.view.draw(core.tick);
    const all = this.isWaiting ? "" : ` of ${formatNumber(recording.ticks)}`;
    show(this.clock, `${formatNumber(core.tick)}${all} instructions`);
    this.cards.forEach((each, seat) => each.update(core.processes[seat], core.held[seat] / recording.size));
    const names = facts.survivors.map((seat) => facts.warriors[seat].name);
    const end = this.isWaiting ? "Simulating the rest …"
      : !facts.is_whole ? this.reason
      : facts.warriors.length === 1 && names.length ? `${names[0]} still runs after all its cycles.`
      : names.length === 1 && facts.warriors.length > 1 ? `${names[0]} wins.`
      : names.length ? "A tie: all cycles have been used." : "No warrior is left.";
    show(this.end, core.tick < recording.ticks ? "" : end);
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
    const { core, facts, about, recording } = this;
    this.pointed = address;
    clearTimeout(this.rest);
    if (address === null && !this.playing && core.tick) address = recording.executed[core.tick - 1]; // the last instruction
    if (this.look && !this.cells && address !== null) this.rest = setTimeout(() => this.#look(), STILL);
    if (address === null) return show(about, "Point at a cell, or select it with the arrow keys, to see its contents.");
    const { name } = facts.warriors[core.owner[address]];
    const mark = core.mark[address];
    const action = mark === NONE ? "untouched" : mark === DEAD ? `a process of ${name} died here` : `${ACTIONS[mark]} by ${name}`;
    const tick = core.when[address] + 1;
    const when = mark === NONE ? "" : tick ? `, instruction ${formatNumber(tick)}` : ", as it was loaded";
    const text = this.cells?.(address);
    show(about, `Cell ${address}: ${action}${when}. `, text ? h("code", {}, text) : "");
  }

  #press(event) {
    const { target, shiftKey } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || target.closest("textarea, select, input:not([type=range])")) return;
    if (target.type === "range" && event.key !== " ") return;
    if (event.key === " " && target.closest("button, summary, a")) return;
    const faster = (by) => this.setSpeed(Number(this.speed.value) + by);
    const action = {
      " ": () => this.play(!this.playing),
      ArrowRight: () => this.#step(shiftKey ? STRIDE : 1),
      ArrowLeft: () => this.#step(shiftKey ? -STRIDE : -1),
      Home: () => this.#step(-Infinity),
      End: () => this.#step(Infinity),
      "+": () => faster(1),
      "=": () => faster(1),
      "-": () => faster(-1),
    }[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }
}

/** An empty core in the place of a fight that is still to come. */
export class Waiting {
  /** `size` is that of the core, 0 if it is unknown; `warriors` is their number. */
  constructor(size, warriors) {
    this.map = size ? new CoreMap(new Core({ size, warriors: [] }), () => {}) : { element: h("div", { class: "box" }), fit() {} };
    const line = (kind) => h("span", { class: kind }, "\u00a0");
    this.element = h("div", { class: "player waiting" },
      h("div", { class: "warriors", "aria-hidden": "true" }, Array.from({ length: warriors }, () =>
        h("div", { class: "warrior" }, h("b", {}, "…"), line("by"), line("facts"), h("div", { class: "share" })))),
      this.map.element, h("p", { class: "about-cell quiet", role: "status" }, "Simulating the fight …"), h("div", { class: "strip" }));
  }

  /** Draw once the element is on the page. */
  begin() {
    const fit = () => this.element.isConnected && this.map.fit();
    new ResizeObserver(fit).observe(this.map.element);
    night.addEventListener("change", fit, { once: true });
  }
}

/** The number of the speed at which a recording takes LENGTH seconds, or the next lower one. */
function fittingSpeed(recording) {
  return RATES.findLastIndex((each, index) => !index || each * LENGTH <= recording.ticks);
}

/** The card of a warrior, with its processes and its share of the core. */
function warriorCard(warrior) {
  const processes = h("span", {});
  const held = h("span", {});
  const bar = h("i", {});
  const title = `${warrior.name} by ${warrior.author}, ${warrior.length} instructions, loaded at ${warrior.position}`;
  const element = h("div", { class: "warrior", title },
    h("b", {}, warrior.name), h("span", { class: "by quiet" }, `by ${warrior.author}`),
    h("div", { class: "facts number" }, processes, held), h("div", { class: "share" }, bar));
  const update = (count, share) => {
    element.classList.toggle("dead", !count);
    show(processes, count ? plural(count, "process", "processes") : "dead");
    show(held, `holds ${percent(share)}`);
    bar.style.width = `${100 * share}%`;
  };
  return { element, update };
}

function icon(name) {
  return svg("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" }, svg("path", { d: ICONS[name] }));
}

// -- The core ----------------------------------------------------------------------------------------

/** The core: a square for each cell, in the colour of the warrior that last used it; a change glows for a moment. */
class CoreMap {
  /** `choose(address)` is called for the cell under the pointer or the cursor, null for none. */
  constructor(core, choose) {
    const size = core.recording.size;
    this.core = core;
    this.size = size;
    this.choose = choose;
    this.heat = new Float32Array(size);
    this.isDirty = new Uint8Array(size);
    this.dirty = [];
    this.cursor = null;
    this.canvas = h("canvas", {
      class: "core", tabindex: 0, role: "img", "aria-label": "The core, a square for each cell; the arrow keys move between cells",
      onpointermove: (event) => this.#point(event), onpointerleave: () => choose(this.cursor),
      onkeydown: (event) => this.#go(event),
    });
    this.frame = h("div", { class: "cursor", hidden: true });
    this.element = h("div", { class: "box" }, this.canvas, this.frame);
    this.pen = this.canvas.getContext("2d");
    this.shape = { columns: 1, cell: 1, left: 0, head: 0, gap: 0 };
    core.touched = (address, glow) => this.touch(address, glow);
  }

  touch(address, glow) {
    if (this.heat[address] < glow) this.heat[address] = glow;
    if (this.isDirty[address]) return;
    this.isDirty[address] = 1;
    this.dirty.push(address);
  }

  /** Remove all glow, and draw all cells again. */
  cool() {
    this.heat.fill(0);
    for (let address = 0; address < this.size; address++) this.touch(address, 0);
  }

  /** Fill the box with the largest possible squares; a layout with full rows is slightly preferred. */
  fit() {
    const scale = devicePixelRatio || 1;
    const box = this.element.getBoundingClientRect();
    const width = Math.max(Math.floor((box.width - 22) * scale), 1);
    const height = Math.max(Math.floor((box.height - 22) * scale), 1);
    Object.assign(this.canvas, { width, height });
    this.canvas.style.width = `${width / scale}px`;
    this.canvas.style.height = `${height / scale}px`;
    let best = { worth: 0 };
    for (let columns = 1; columns <= this.size; columns++) {
      const cell = Math.min(width / columns, height / Math.ceil(this.size / columns));
      const worth = this.size % columns ? cell * 0.94 : cell;
      if (worth > best.worth) best = { worth, columns, cell };
    }
    const { columns, cell } = best;
    this.shape = {
      columns,
      cell,
      left: Math.max((width - columns * cell) / 2, 0),
      head: Math.max((height - Math.ceil(this.size / columns) * cell) / 2, 0),
      gap: cell >= BROAD ? Math.min(Math.max(1, Math.round(cell / 9)), 4 * scale) : 0,
    };
    this.paint();
  }

  /** Draw all cells again, in the colours of the current colour scheme. */
  paint() {
    this.palette = new Palette(this.core.recording.warriors.length);
    this.empty = pageColour("--empty");
    this.ink = pageColour("--raised");
    this.pen.clearRect(0, 0, this.canvas.width, this.canvas.height);
    for (let address = 0; address < this.size; address++) this.touch(address, 0);
    this.draw(0);
    this.#frame();
  }

  /** Draw the changed cells, `seconds` after the last time. */
  draw(seconds) {
    const cooling = Math.exp(-seconds / WARM);
    const before = this.dirty;
    this.dirty = [];
    for (const address of before) {
      const warm = this.heat[address];
      this.#square(address, warm);
      this.heat[address] = warm * cooling > COLD ? warm * cooling : 0;
      if (warm > 0) this.dirty.push(address);
      else this.isDirty[address] = 0;
    }
  }

  #square(address, warm) {
    const { pen, core } = this;
    const { x, y, wide, high } = this.#place(address);
    const mark = core.mark[address];
    pen.fillStyle = mark === NONE ? this.empty : this.palette.of(core.owner[address], mark, warm);
    pen.fillRect(x, y, wide, high);
    if (mark !== DEAD || wide <= 4) return;
    pen.strokeStyle = this.ink;
    pen.lineWidth = Math.min(Math.max(1, wide / 6), 5);
    pen.beginPath();
    pen.moveTo(x + wide * 0.25, y + high * 0.25);
    pen.lineTo(x + wide * 0.75, y + high * 0.75);
    pen.moveTo(x + wide * 0.75, y + high * 0.25);
    pen.lineTo(x + wide * 0.25, y + high * 0.75);
    pen.stroke();
  }

  #place(address) {
    const { columns, cell, left, head, gap } = this.shape;
    const column = address % columns;
    const row = Math.floor(address / columns);
    const x = Math.round(left + column * cell);
    const y = Math.round(head + row * cell);
    return {
      x,
      y,
      wide: Math.max(Math.round(left + (column + 1) * cell) - x - gap, 1),
      high: Math.max(Math.round(head + (row + 1) * cell) - y - gap, 1),
    };
  }

  #point(event) {
    const box = this.canvas.getBoundingClientRect();
    const scale = this.canvas.width / box.width;
    const { columns, cell, left, head } = this.shape;
    const column = Math.floor(((event.clientX - box.left) * scale - left) / cell);
    const row = Math.floor(((event.clientY - box.top) * scale - head) / cell);
    const address = row * columns + column;
    this.choose(column < 0 || column >= columns || row < 0 || address >= this.size ? this.cursor : address);
  }

  #go(event) {
    const { columns } = this.shape;
    const way = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns }[event.key];
    if (!way || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    this.cursor = this.cursor === null ? 0 : (this.cursor + way + this.size) % this.size;
    this.#frame();
    this.choose(this.cursor);
  }

  #frame() {
    this.frame.hidden = this.cursor === null;
    if (this.cursor === null) return;
    const { x, y, wide, high } = this.#place(this.cursor);
    const scale = this.canvas.width / this.canvas.clientWidth || 1;
    const [left, top] = [this.canvas.offsetLeft + x / scale, this.canvas.offsetTop + y / scale];
    const box = { left, top, width: wide / scale, height: high / scale };
    for (const [name, pixels] of Object.entries(box)) this.frame.style[name] = `${pixels}px`;
  }
}

// -- The timeline ------------------------------------------------------------------------------------

/** The timeline: each warrior's share of the core, and below it the number of its processes; a click seeks. */
class TimelineView {
  /** `seek(tick)` is called for a click. */
  constructor(recording, timeline, seek) {
    this.recording = recording;
    this.timeline = timeline;
    this.canvas = h("canvas", {
      class: "strip", tabindex: 0, role: "slider", "aria-label": "Time", "aria-valuemin": 0, "aria-valuemax": recording.ticks,
      title: "Top: the share of the core that each warrior holds. Bottom: its processes. Click to go to a time",
    });
    this.still = h("canvas"); // everything except the marker of the current tick
    this.pencil = this.still.getContext("2d");
    this.pen = this.canvas.getContext("2d");
    const seekTo = (event) => {
      const { left } = this.canvas.getBoundingClientRect();
      seek(((event.clientX - left) / this.canvas.clientWidth) * this.recording.ticks);
    };
    this.canvas.addEventListener("pointerdown", (event) => {
      this.canvas.setPointerCapture(event.pointerId);
      seekTo(event);
      this.canvas.onpointermove = seekTo;
    });
    for (const end of ["pointerup", "pointercancel"]) this.canvas.addEventListener(end, () => (this.canvas.onpointermove = null));
  }

  /** Take another recording, which fit() draws. */
  use(recording, timeline) {
    this.recording = recording;
    this.timeline = timeline;
    this.canvas.setAttribute("aria-valuemax", recording.ticks);
  }

  fit() {
    this.scale = devicePixelRatio || 1;
    const { still, canvas, scale } = this;
    still.width = canvas.width = Math.max(Math.floor(canvas.clientWidth * scale), 1);
    still.height = canvas.height = Math.max(Math.floor(canvas.clientHeight * scale), 1);
    this.#areas(still.height * SHARE);
    this.#curves(still.height * SHARE + 3 * scale, still.height - 2 * scale);
    this.#deaths((still.height * SHARE) / 2);
  }

  draw(tick) {
    const { canvas, pen, scale } = this;
    pen.clearRect(0, 0, canvas.width, canvas.height);
    pen.drawImage(this.still, 0, 0);
    pen.fillStyle = pageColour("--text");
    pen.fillRect(Math.min(this.#x(tick), canvas.width - 2 * scale), 0, 2 * scale, canvas.height);
    canvas.setAttribute("aria-valuenow", tick);
  }

  #x(tick) {
    return this.recording.ticks ? (tick / this.recording.ticks) * this.canvas.width : 0;
  }

  #areas(height) {
    const { pencil, recording } = this;
    const { samples } = this.timeline;
    const below = new Float64Array(samples.length);
    recording.warriors.forEach((_, seat) => {
      const hangs = seat === 1 && recording.warriors.length === 2; // two grow towards each other
      const share = (sample) => (sample.held[seat] / recording.size) * height;
      pencil.beginPath();
      samples.forEach((sample, index) =>
        pencil.lineTo(this.#x(sample.tick), hangs ? share(sample) : height - (below[index] += share(sample))));
      for (let index = samples.length - 1; index >= 0; index--) {
        pencil.lineTo(this.#x(samples[index].tick), hangs ? 0 : height - (below[index] - share(samples[index])));
      }
      pencil.closePath();
      pencil.globalAlpha = 0.85;
      pencil.fillStyle = shade(seat, EXECUTED);
      pencil.fill();
      pencil.globalAlpha = 1;
    });
  }

  #curves(top, bottom) {
    const { pencil, recording, scale } = this;
    const { samples } = this.timeline;
    const most = Math.max(...samples.flatMap((sample) => sample.processes), 1);
    pencil.fillStyle = pageColour("--line");
    pencil.fillRect(0, top - 2 * scale, this.canvas.width, scale);
    recording.warriors.forEach((_, seat) => {
      pencil.beginPath();
      for (const sample of samples) pencil.lineTo(this.#x(sample.tick), bottom - (sample.processes[seat] / most) * (bottom - top));
      pencil.strokeStyle = shade(seat, EXECUTED);
      pencil.lineWidth = 1.5 * scale;
      pencil.stroke();
    });
  }

  #deaths(middle) {
    const { pencil, scale } = this;
    const arm = 4 * scale;
    pencil.strokeStyle = pageColour("--text");
    pencil.lineWidth = 1.5 * scale;
    for (const { tick } of this.timeline.deaths) {
      const at = Math.min(Math.max(this.#x(tick), 6 * scale), this.canvas.width - 6 * scale);
      pencil.beginPath();
      pencil.moveTo(at - arm, middle - arm);
      pencil.lineTo(at + arm, middle + arm);
      pencil.moveTo(at + arm, middle - arm);
      pencil.lineTo(at - arm, middle + arm);
      pencil.stroke();
    }
  }
}

// -- Colours -----------------------------------------------------------------------------------------

/** The colour of a warrior for a mark: more heat makes it lighter in the dark scheme and darker in the light one. */
function shade(seat, mark, heat = 0) {
  const [saturation, lightness] = (night.matches ? BY_NIGHT : BY_DAY)[mark];
  const warmest = night.matches ? 97 : 16;
  const light = lightness + (warmest - lightness) * heat * (mark === READ ? 0.45 : 0.8);
  return `hsl(${HUES[seat % HUES.length]} ${saturation}% ${light}%)`;
}

/** A colour of the page. */
function pageColour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/** All shades of `count` warriors, computed once. */
class Palette {
  constructor(count) {
    this.shades = [];
    for (let seat = 0; seat < count; seat++)
      for (let mark = 0; mark <= DEAD; mark++)
        for (let heat = 0; heat < HEATS; heat++) this.shades.push(shade(seat, mark, heat / (HEATS - 1)));
  }

  of(seat, mark, heat) {
    return this.shades[(seat * (DEAD + 1) + mark) * HEATS + Math.min(Math.floor(heat * HEATS), HEATS - 1)];
  }
}
