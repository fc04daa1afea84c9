// The family tree of an individual: a drawing with its ancestors.

import { h, svg } from "./dom.js";
import { formatNumber } from "./format.js";
import { birthOf } from "./run_birth.js";

const ACROSS = 92; // pixels between two neighbours
const CLOSEST = 50; // the same where many are side by side
const NARROW = 420; // pixels beside the genome, at most
const MARGINS = 68; // pixels beside the drawing on a phone
const WIDE = 860; // pixels in a row of its own
const DOWN = 64;
const RADIUS = 9;

/** A drawing with an individual on top and its ancestors below; choose(relative) is called for a selected one. */
export function familyTree(relatives, isWhole, choose) {
  const counts = relatives.reduce((sums, { depth }) => sums.set(depth, (sums.get(depth) ?? 0) + 1), new Map());
  const most = Math.max(...counts.values());
  const isWide = most * CLOSEST > NARROW;
  const room = Math.min(isWide ? WIDE : NARROW, innerWidth - MARGINS);
  const across = Math.min(Math.max(room / most, CLOSEST), ACROSS);
  const places = placed(relatives, most, across);
  const width = most * across;
  const height = (Math.max(...relatives.map((each) => each.depth)) + 1) * DOWN + 12;
  const lines = relatives.flatMap((each) => each.parents.map((parent) => {
    const from = places.get(each.id);
    const to = places.get(parent) ?? { x: from.x, y: from.y + DOWN / 2 };
    const middle = (from.y + to.y) / 2;
    const path = `M${from.x} ${from.y}C${from.x} ${middle} ${to.x} ${middle} ${to.x} ${to.y}`;
    return svg("path", { d: path, class: places.has(parent) ? "tie" : "tie beyond" });
  }));
  const nodes = relatives.map((each, index) => node(each, places.get(each.id), index === 0, choose));
  const box = { viewBox: `0 0 ${width} ${height}`, width, height, class: "family", role: "group", "aria-label": "Ancestors" };
  const drawing = svg("svg", { ...box, onkeydown: (event) => moveFocus(event, nodes) }, lines, nodes);
  const kinds = [["founder", "no recorded parents"], ["copy", "one parent"], ["child", "two parents"]];
  const keys = kinds.map(([kind, text]) => h("span", { class: `key ${kind}` }, h("span", { class: "dot" }), text));
  const rest = isWhole ? "All ancestors are shown." : "Older ancestors are not shown.";
  const hint = h("p", { class: "quiet small", hidden: true }, "Scroll sideways to see all of them.");
  const place = h("div", { class: "scroll" }, drawing);
  requestAnimationFrame(() => { // once it is on the page
    hint.hidden = place.scrollWidth <= place.clientWidth;
    place.scrollLeft = (place.scrollWidth - place.clientWidth) / 2; // the individual itself is in the middle
  });
  return h("div", { class: isWide ? "wide-family" : null }, place, hint, h("p", { class: "quiet row small" }, keys, rest));
}

/** Coordinates by ID: individuals of the same depth are side by side, each near its children. */
function placed(relatives, most, across) {
  const levels = [];
  for (const each of relatives) (levels[each.depth] ??= []).push(each);
  const places = new Map();
  for (const [depth, level] of levels.entries()) {
    const wish = new Map(level.map((each) => [each.id, meanOfChildren(each, relatives, places)]));
    level.sort((one, other) => wish.get(one.id) - wish.get(other.id));
    level.forEach((each, index) => {
      const x = ((index + 0.5) * most * across) / level.length;
      places.set(each.id, { x, y: depth * DOWN + RADIUS + 6 });
    });
  }
  return places;
}

function meanOfChildren(parent, relatives, places) {
  const children = relatives.filter((each) => each.parents.includes(parent.id) && places.has(each.id));
  return children.reduce((sum, each) => sum + places.get(each.id).x, 0) / Math.max(children.length, 1);
}

/** An individual in the family tree, a button. */
function node(relative, place, isFirst, choose) {
  const kind = ["founder", "copy"][relative.parents.length] ?? "child";
  const words = `${relative.id}, born in generation ${formatNumber(relative.generation)}: ${birthOf(relative.origin)}`;
  const attributes = {
    class: `relative ${kind}`,
    transform: `translate(${place.x} ${place.y})`,
    tabindex: isFirst ? 0 : -1,
    role: "button",
    "aria-label": words,
    onclick: () => {
      for (const each of group.parentNode.querySelectorAll(".chosen")) each.classList.remove("chosen");
      group.classList.add("chosen");
      choose(relative);
    },
  };
  const group = svg("g", attributes,
    svg("title", {}, words),
    svg("circle", { r: RADIUS }),
    svg("text", { y: 26 }, `${relative.id}`),
    svg("text", { y: 38, class: "when" }, `gen ${formatNumber(relative.generation)}`));
  return group;
}

/** The arrow keys move between individuals; Enter and Space select one. */
function moveFocus(event, nodes) {
  const here = nodes.indexOf(document.activeElement);
  if (here < 0) return;
  if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    nodes[here].dispatchEvent(new MouseEvent("click"));
    return;
  }
  const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
  const next = nodes[here + (step ?? 0)];
  if (!step || !next) return;
  event.preventDefault();
  nodes[here].setAttribute("tabindex", -1);
  next.setAttribute("tabindex", 0);
  next.focus();
}
