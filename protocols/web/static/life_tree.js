// The tree of life of a run: all its individuals on a canvas, their colours and legend, and the one that is chosen.

import { fetchJson } from "./client.js";
import { h, scrollable, select, show, table } from "./dom.js";
import { capitalised, formatNumber, plural } from "./format.js";
import { TreeCanvas } from "./life_tree_canvas.js";
import { LifeTree, NONE } from "./life_tree_data.js";
import { showError } from "./page.js";
import { birthOf } from "./run_birth.js";

const SHADES = 12; // of the colours of fitness
const SCALE = ["--low", "--middle", "--high"]; // between which they lie
const OUTLIERS = 0.02; // the share of the lowest and of the highest fitness that has the colour of the last shade
const HUES = 8; // --curve-0 ... in the style
const REACH = 14; // pixels from a click to an individual
const STILL = 4; // pixels that a click may move
const PAN = 60; // pixels of a key
const GROW_DELAY = 5000; // milliseconds between two requests while a run grows
const LISTED = 60; // individuals of a list
const WHEEL = 0.0016; // zoom steps of a pixel of the wheel
const MODES = { fitness: "fitness", style: "most marked trait", origin: "way of birth" };

/** The section with the tree; open(id) is called for an individual, and watch(number) for a game, that the user opens. */
export class LifeTreeView {
  constructor(run, { open, watch }) {
    this.run = `/api/runs/${encodeURIComponent(run)}`;
    this.path = `${this.run}/tree`;
    this.open = open;
    this.watch = watch;
    this.tree = new LifeTree();
    this.styles = null; // {names, ids, style} of the server
    this.loadedAt = null;
    this.canvas = h("canvas", {
      class: "life", tabindex: 0, role: "application", "aria-label": "Tree of life", "aria-describedby": "tree-help",
      onkeydown: (event) => this.#key(event),
    });
    this.view = new TreeCanvas(this.canvas);
    this.mode = select(Object.entries(MODES), { onchange: () => this.#recolour() });
    this.hides = h("input", { type: "checkbox", onchange: () => this.#draw(() => (this.view.hidesShort = this.hides.checked)) });
    this.about = h("p", {});
    this.facts = h("p", { class: "quiet small" });
    this.pointed = h("p", { class: "quiet small pointed" });
    this.legend = h("div", { class: "row small tree-legend" });
    this.chosen = h("div", { class: "chosen-one", "aria-live": "polite" });
    this.line = h("details", { class: "small" });
    const zoom = (label, text, act) => h("button", { type: "button", "aria-label": label, title: label, onclick: () => this.#draw(act) }, text);
    this.element = h("section", { class: "card tree" },
      this.about,
      h("div", { class: "row" },
        h("label", { class: "row" }, "Colour by", this.mode),
        h("label", { class: "row" }, this.hides, "Hide lineages that died out soon"),
        h("span", { class: "row zoom", role: "group", "aria-label": "Zoom" },
          zoom("Zoom out", "−", () => this.view.grow(-1)), zoom("Zoom in", "+", () => this.view.grow(1)),
          zoom("Show the whole tree", "Whole tree", () => this.view.reset()))),
      this.canvas,
      h("p", { class: "axis quiet small" }, "generation"),
      this.pointed, this.legend, this.chosen, this.facts, this.line,
      h("p", { id: "tree-help", class: "quiet small" },
        "Drag to move; click the tree, then turn the wheel to zoom, or pinch. Click a dot to see who it is. ",
        "Keys: arrows go to parent, child and neighbours, Enter opens the individual, Shift and an arrow moves, + and − zoom, 0 shows all."));
    this.#listen();
    new ResizeObserver(() => this.#fit()).observe(this.canvas);
    new IntersectionObserver((entries) => entries.some((each) => each.isIntersecting) && this.#come(), { rootMargin: "200px" })
      .observe(this.element);
  }

  /** Ask for what was born since, if the tree is shown: at once or a little later, never more often than GROW_DELAY. */
  grow() {
    if (this.loadedAt === null || this.timer) return;
    this.timer = setTimeout(async () => {
      if (this.element.isConnected) await this.#load();
      this.timer = null;
    }, Math.max(this.loadedAt + GROW_DELAY - Date.now(), 0));
  }

  /** Do not ask for more until the run grows again. */
  stop() {
    clearTimeout(this.timer);
    this.timer = null;
  }

  redraw() {
    if (this.tree.count) this.#recolour();
  }

  /** Show a tree from the server's answer. */
  async take(buffer) {
    if (!this.tree.take(buffer)) {
      this.tree = new LifeTree();
      this.view.chosen = this.view.pointed = this.styles = null;
      show(this.chosen);
      return this.#load();
    }
    this.view.tree = this.tree;
    if (!this.tree.head.measure && this.mode.value === "fitness") this.mode.value = "style";
    this.mode.querySelector("[value=fitness]").disabled = !this.tree.head.measure;
    this.#describe();
    return this.#recolour();
  }

  async #come() {
    if (this.loadedAt !== null) return;
    this.loadedAt = Date.now();
    await this.#load();
  }

  async #load() {
    this.loadedAt = Date.now();
    try {
      const response = await fetch(`${this.path}?from=${this.tree.from}`);
      if (!response.ok) throw new Error((await response.json()).error);
      await this.take(await response.arrayBuffer());
    } catch (error) {
      showError(error.message);
    }
  }

  #fit() {
    if (!this.canvas.clientWidth) return;
    this.view.fit();
    this.view.draw();
  }

  /** Change something, and draw before the next frame. */
  #draw(act = () => {}) {
    act();
    if (this.frame) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      this.canvas.style.touchAction = this.view.zoom > 1 ? "none" : "pan-y";
      this.view.draw();
    });
  }

  // -- Words -----------------------------------------------------------------------------------------

  #describe() {
    const { tree } = this;
    const { total, left_out: leftOut, step, is_excerpt: isExcerpt } = tree.head;
    const short = tree.isShort.reduce((sum, each) => sum + each, 0);
    const rest = [
      step > 1 && `Every ${formatNumber(step)}th is drawn, and the line to the champion.`,
      leftOut > 0 && `The first ${formatNumber(leftOut)} are left out.`,
    ].filter(Boolean);
    this.canvas.hidden = !tree.count;
    this.about.textContent = "Each dot is an individual. Time runs from left to right. " + (tree.hasParents
      ? "Each line leads from a parent to its child." : "This kind of run does not record parents, so there are no lines.")
      + (isExcerpt ? " Only a part of this run comes with the program: the champion with its nearest ancestors, and a few individuals from all times. The parents of most dots are not among them, so these dots have no line." : "");
    show(this.facts, tree.count
      ? [`${plural(total, "individual")}, born in the generations ${formatNumber(tree.oldest)} to ${formatNumber(tree.newest)}. `,
        short > 0 && !isExcerpt && `${formatNumber(short)} of those that are drawn had no descendants after two generations. `, rest.join(" ")]
      : "No individual has been born yet.");
    const { mainLine } = tree;
    this.line.hidden = !mainLine.length;
    const listed = mainLine.filter((_, index) => mainLine.length <= LISTED || index % Math.ceil(mainLine.length / LISTED) === 0 || index === mainLine.length - 1);
    show(this.line,
      h("summary", {}, `The line to the champion as a list: ${plural(mainLine.length, "individual")}`),
      h("ol", { class: "main-line" }, listed.map((place) => h("li", {}, this.#button(place), ` ${this.#words(place)}`))));
    if (this.view.chosen !== null) this.#showChosen();
  }

  #button(place) {
    return h("button", { type: "button", class: "small", onclick: () => this.#choose(place, true) }, formatNumber(this.tree.ids[place]));
  }

  /** What is known about an individual, after its number. */
  #words(place) {
    const { tree } = this;
    const { origins, measure } = tree.head;
    const fitness = tree.fitness[place];
    return [
      `born in generation ${formatNumber(tree.generations[place])}`,
      birthOf(origins[tree.origins[place]]),
      measure && !Number.isNaN(fitness) && `fitness ${formatNumber(fitness)}`,
      this.mode.value === "style" && this.styles && tree.count && `most marked trait: ${this.names[this.view.colourOf[place]]}`,
    ].filter(Boolean).join(", ");
  }

  #showChosen() {
    const { tree } = this;
    const place = this.view.chosen;
    const parents = tree.parentsOf(place);
    const children = [...tree.children(place)];
    const last = tree.last[place];
    const fate = tree.isAncestor[place]
      ? place === tree.champion ? "It is the champion." : "The champion descends from it."
      : !tree.hasParents ? "" : children.length ? `The last of its descendants was born in generation ${formatNumber(last)}.` : "It has no descendants.";
    const list = (title, places) => places.length > 0 && h("div", { class: "row" }, h("span", {}, title),
      places.slice(0, LISTED).map((each) => this.#button(each)),
      places.length > LISTED && h("span", { class: "quiet" }, `and ${formatNumber(places.length - LISTED)} more`));
    show(this.chosen,
      h("h3", {}, `Individual ${formatNumber(tree.ids[place])}`),
      h("p", {}, `${capitalised(this.#words(place))}. ${fate}`),
      list(parents.length > 1 ? "Parents" : "Parent", parents),
      list(children.length > 1 ? "Children" : "Child", children),
      h("div", { class: "row" },
        h("button", { type: "button", class: "main", onclick: () => this.open(tree.ids[place]) }, "Genome and ancestors"),
        h("button", { type: "button", onclick: (event) => this.#showGames(place, event.target) }, "Games on record")));
  }

  /** Show the games of an individual instead of the button that asks for them. */
  async #showGames(place, button) {
    button.disabled = true;
    const id = this.tree.ids[place];
    try {
      const games = await fetchJson(`${this.run}/individuals/${id}/games`);
      const list = games.length
        ? scrollable(`Games of individual ${formatNumber(id)}`, table(["Generation", "Against", "Result", "How it ended", ""], games.map((game) => this.#game(id, game))))
        : h("p", { class: "quiet" }, "No game of this individual is on record.");
      if (place === this.view.chosen) button.parentNode.replaceWith(button.parentNode.firstChild, list);
    } catch (error) {
      button.disabled = false;
      showError(error.message);
    }
  }

  /** The cells of a game of an individual. */
  #game(id, { number, generation, players, returns, ending, length, has_moves: hasMoves }) {
    const own = players.indexOf(id);
    const others = players.filter((_, seat) => seat !== own);
    const best = Math.max(...returns.filter((_, seat) => seat !== own));
    const result = others.length !== 1 ? formatNumber(returns[own])
      : `${returns[own] > best ? "won" : returns[own] < best ? "lost" : "drew"}, ${formatNumber(returns[own])} to ${formatNumber(best)}`;
    return [
      formatNumber(generation),
      others.map((other) => this.#relative(other)),
      result,
      [ending, length > 0 && `after ${formatNumber(length)}`].filter(Boolean).join(" "),
      hasMoves && h("button", { type: "button", class: "small", onclick: () => this.watch(number) }, "Watch"),
    ];
  }

  /** An individual as a button, or as its number if it is not drawn. */
  #relative(id) {
    const place = this.tree.placeOf(id);
    return place === undefined ? `${formatNumber(id)} ` : this.#button(place);
  }

  // -- Colours ---------------------------------------------------------------------------------------

  async #recolour() {
    if (this.mode.value === "style") await this.#loadStyles();
    const mode = this.mode.value;
    const style = getComputedStyle(this.canvas);
    const colour = (name) => style.getPropertyValue(name).trim();
    if (mode === "fitness") this.#byFitness(SCALE.map(colour), colour("--quiet"));
    else this.#byName(mode === "style" ? this.#styleOf() : this.#originOf(), colour);
    if (this.view.chosen !== null) this.#showChosen();
    this.view.fit();
    this.view.draw();
  }

  async #loadStyles() {
    if (this.styles?.from === this.tree.count) return;
    try {
      this.styles = { ...await fetchJson(`${this.path}/styles`), from: this.tree.count };
    } catch (error) {
      showError(error.message);
      this.mode.value = "origin";
    }
    if (this.styles && !this.styles.names.length) this.mode.value = "origin"; // the game describes no traits of a genome
  }

  #byFitness(scale, quiet) {
    const { tree, view } = this;
    const { measure } = tree.head;
    const sorted = tree.fitness.filter((value) => !Number.isNaN(value)).sort();
    const at = (share) => sorted[Math.round(share * (sorted.length - 1))] ?? 0;
    const [low, high] = [at(OUTLIERS), at(1 - OUTLIERS)];
    const shade = (value) => {
      const share = high > low ? (value - low) / (high - low) : 0.5;
      return Math.min(Math.max(Math.floor((measure.is_lower_better ? 1 - share : share) * SHADES), 0), SHADES - 1);
    };
    view.colours = [...Array.from({ length: SHADES }, (_, index) => mixed(scale, index / (SHADES - 1))), quiet];
    view.colourOf = Uint8Array.from(tree.fitness, (value) => (Number.isNaN(value) ? SHADES : shade(value)));
    const [worst, best] = measure.is_lower_better ? [high, low] : [low, high];
    const bar = h("span", { class: "scale", "aria-hidden": "true" },
      view.colours.slice(0, SHADES).map((each) => h("span", { style: { background: each } })));
    show(this.legend,
      h("span", {}, `Fitness: ${measure.name}${measure.is_lower_better ? " (lower is better)" : ""}`),
      h("span", { class: "row" }, formatNumber(worst), bar, formatNumber(best)),
      view.colourOf.includes(SHADES) && h("span", { class: "key" }, h("span", { class: "dot", style: { background: quiet } }), "not measured"),
      this.#keys());
  }

  /** Colours by a name for each place: {names, of}. */
  #byName({ names, of, title }, colour) {
    const { view } = this;
    const shown = names.length > HUES ? [...names.slice(0, HUES - 1), "others"] : names;
    this.names = names.map((name, index) => shown[Math.min(index, shown.length - 1)]);
    view.colours = shown.map((_, index) => colour(`--curve-${index % HUES}`));
    if (!shown.length) view.colours = [colour("--quiet")];
    view.colourOf = Uint8Array.from(of, (each) => Math.min(each, Math.max(shown.length - 1, 0)));
    show(this.legend, h("span", {}, title),
      shown.map((name, index) => h("span", { class: "key" }, h("span", { class: "dot", style: { background: view.colours[index] } }), name)),
      this.#keys());
  }

  #keys() {
    const key = (kind, text) => h("span", { class: "key" }, h("span", { class: `stroke ${kind}` }), text);
    return this.tree.hasParents && [
      this.tree.mainLine.length > 0 && key("direct", "line to the champion"),
      key("ancestral", "ancestors of the champion"), key("short", "died out soon"),
    ];
  }

  /** The style of each place: its own if the server has told it, else that of the nearest relative in a line of first parents. */
  #styleOf() {
    const { tree, styles } = this;
    const of = new Int16Array(tree.count).fill(NONE);
    for (const [index, id] of styles.ids.entries()) if (tree.placeOf(id) !== undefined) of[tree.placeOf(id)] = styles.style[index];
    const inherit = () => {
      for (let place = 0; place < tree.count; place++) {
        if (of[place] === NONE && tree.parents[place] !== NONE) of[place] = of[tree.parents[place]];
      }
    };
    inherit();
    for (let place = tree.count - 1; place >= 0; place--) {
      const parent = tree.parents[place];
      if (parent !== NONE && of[parent] === NONE) of[parent] = of[place];
    }
    inherit();
    const isWhole = !of.includes(NONE);
    const few = styles.ids.length < tree.count;
    const note = few ? ` (read from ${formatNumber(styles.ids.length)} genomes; the others have the colour of their nearest relative)` : "";
    return {
      names: isWhole ? styles.names : [...styles.names, "not known"],
      of: of.map((each) => (each === NONE ? styles.names.length : each)),
      title: `What a genome has more of than the others, by ${styles.groups.join(" or ")}${note}:`,
    };
  }

  /** The origin of each place, the most frequent one first. */
  #originOf() {
    const { tree } = this;
    const { origins } = tree.head;
    const counts = origins.map((_, index) => [index, 0]);
    for (const origin of tree.origins) counts[origin][1]++;
    counts.sort((one, other) => other[1] - one[1]);
    const rank = new Map(counts.map(([index], place) => [index, place]));
    return { names: counts.map(([index]) => birthOf(origins[index])), of: Array.from(tree.origins, (each) => rank.get(each)), title: "Born by:" };
  }

  // -- Pointer and keys ------------------------------------------------------------------------------

  #listen() {
    const { canvas, view } = this;
    const fingers = new Map(); // by pointer: the point where it is
    let moved = 0;
    const point = (event) => {
      const box = canvas.getBoundingClientRect();
      return [event.clientX - box.left, event.clientY - box.top];
    };
    canvas.addEventListener("pointerdown", (event) => {
      if (event.button) return;
      canvas.setPointerCapture(event.pointerId);
      if (!fingers.size) moved = 0;
      fingers.set(event.pointerId, point(event));
    });
    canvas.addEventListener("pointermove", (event) => {
      const [x, y] = point(event);
      const before = fingers.get(event.pointerId);
      if (!before) return event.pointerType === "mouse" && this.#point(x, y);
      const others = [...fingers].filter(([id]) => id !== event.pointerId).map(([, each]) => each);
      fingers.set(event.pointerId, [x, y]);
      moved += Math.hypot(x - before[0], y - before[1]);
      if (!others.length) return moved > STILL && this.#draw(() => view.move(x - before[0], y - before[1]));
      const [still] = others;
      const factor = Math.hypot(x - still[0], y - still[1]) / Math.max(Math.hypot(before[0] - still[0], before[1] - still[1]), 1);
      this.#draw(() => view.enlarge(factor, (x + still[0]) / 2, (y + still[1]) / 2));
    });
    canvas.addEventListener("pointerup", (event) => {
      const wasAlone = fingers.size === 1;
      if (fingers.delete(event.pointerId) && wasAlone && moved <= STILL) this.#click(...point(event));
    });
    canvas.addEventListener("pointercancel", (event) => fingers.delete(event.pointerId));
    canvas.addEventListener("pointerleave", () => this.#show(null));
    canvas.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && document.activeElement !== canvas) return; // the page scrolls
      event.preventDefault();
      const pixels = event.deltaMode ? event.deltaY * 30 : event.deltaY;
      this.#draw(() => view.enlarge(Math.exp(-pixels * WHEEL), ...point(event)));
    }, { passive: false });
  }

  #point(x, y) {
    this.#show(this.view.nearest(x, y, REACH));
  }

  /** Describe the individual under the pointer. */
  #show(place) {
    if (place === this.view.pointed) return;
    this.pointed.textContent = place === null ? "" : `Individual ${formatNumber(this.tree.ids[place])}, ${this.#words(place)}`;
    this.canvas.style.cursor = place === null ? "" : "pointer";
    this.#draw(() => (this.view.pointed = place));
  }

  #click(x, y) {
    const place = this.view.nearest(x, y, REACH);
    if (place !== null) this.#choose(place);
  }

  /** Choose an individual, and bring it into the window if it is not there, or if `isFar`. */
  #choose(place, isFar = false) {
    this.#draw(() => {
      this.view.chosen = place;
      if (isFar) this.view.reveal(place);
    });
    this.#showChosen();
  }

  #key(event) {
    const act = this.#actOf(event);
    if (!act || event.ctrlKey || event.metaKey || event.altKey || !this.tree.count) return;
    event.preventDefault();
    event.stopPropagation(); // a film on the same page takes keys of the whole page
    act();
  }

  #actOf({ key, shiftKey }) {
    const { view } = this;
    const pans = { ArrowLeft: [PAN, 0], ArrowRight: [-PAN, 0], ArrowUp: [0, PAN], ArrowDown: [0, -PAN] };
    if (pans[key]) return shiftKey ? () => this.#draw(() => view.move(...pans[key])) : () => this.#walk(key);
    return {
      "+": () => this.#draw(() => view.grow(1)),
      "=": () => this.#draw(() => view.grow(1)),
      "-": () => this.#draw(() => view.grow(-1)),
      0: () => this.#draw(() => view.reset()),
      Enter: () => (view.chosen === null ? this.#walk("") : this.open(this.tree.ids[view.chosen])),
    }[key];
  }

  /** Go to a relative or a neighbour; at first to the champion, or to the last that was born. */
  #walk(key) {
    const { tree, view } = this;
    const here = view.chosen;
    if (here === null) return this.#choose(tree.champion ?? tree.count - 1, true);
    const children = [...tree.children(here)];
    const next = {
      ArrowLeft: () => tree.parentsOf(here)[0],
      ArrowRight: () => children.find((place) => tree.isAncestor[place]) ?? children.sort((one, other) => tree.last[other] - tree.last[one])[0],
      ArrowUp: () => this.#neighbour(here, -1),
      ArrowDown: () => this.#neighbour(here, 1),
    }[key]?.();
    if (next !== undefined) this.#choose(next, true);
  }

  /** The nearest individual of the same generation above (-1) or below (1). */
  #neighbour(here, side) {
    const { tree } = this;
    let found;
    for (let place = 0; place < tree.count; place++) {
      const distance = side * (tree.lanes[place] - tree.lanes[here]);
      if (tree.generations[place] !== tree.generations[here] || distance <= 0) continue;
      if (found === undefined || distance < side * (tree.lanes[found] - tree.lanes[here])) found = place;
    }
    return found;
  }
}

/** The colour at a share between colours of six hexadecimal digits. */
function mixed(colours, share) {
  const at = Math.min(Math.floor(share * (colours.length - 1)), Math.max(colours.length - 2, 0));
  const rest = share * (colours.length - 1) - at;
  const [from, to] = [colours[at], colours[at + 1] ?? colours[at]].map((text) => [1, 3, 5].map((index) => Number.parseInt(text.slice(index, index + 2), 16)));
  return `rgb(${from.map((each, index) => Math.round(each + (to[index] - each) * rest)).join(" ")})`;
}
