// The family of an individual as a drawing: it stands on top, below it the parents, and theirs.

import { h, svg } from "../shared/element.js";
import { figure } from "../shared/words.js";

const ACROSS = 92; // pixels from one to the next
const DOWN = 64;
const RADIUS = 9;

/** Draws `relatives`; chosen(relative) is called for who is clicked or entered. */
export function family(relatives, isWhole, chosen) {
  const places = placed(relatives);
  const widest = Math.max(...[...places.values()].map((place) => place.x));
  const deepest = Math.max(...relatives.map((each) => each.depth));
  const width = widest + ACROSS / 2;
  const height = (deepest + 1) * DOWN + 12;
  const lines = relatives.flatMap((each) =>
    each.parents.map((parent) => {
      const from = places.get(each.id);
      const to = places.get(parent) ?? { x: from.x, y: from.y + DOWN / 2 };
      const middle = (from.y + to.y) / 2;
      const path = `M${from.x} ${from.y}C${from.x} ${middle} ${to.x} ${middle} ${to.x} ${to.y}`;
      return svg("path", { d: path, class: places.has(parent) ? "tie" : "tie beyond" });
    }),
  );
  const nodes = relatives.map((each, index) => node(each, places.get(each.id), index === 0, chosen));
  const drawing = svg(
    "svg",
    { viewBox: `0 0 ${width} ${height}`, width, height, class: "family", role: "group", "aria-label": "Ancestors" },
    ...lines,
    ...nodes,
  );
  drawing.addEventListener("keydown", (event) => walk(event, nodes));
  const key = [["founder", "no parents on record"], ["copy", "one parent"], ["child", "two parents"]].map(([kind, text]) =>
    h("span", { class: `key ${kind}` }, h("span", { class: "dot" }), text),
  );
  const rest = isWhole ? "All ancestors are shown." : "Older ancestors are left out.";
  return h("div", {}, h("div", { class: "scroll" }, drawing), h("p", { class: "quiet row small" }, ...key, rest));
}

/** Those of a depth stand side by side, each near its children. */
function placed(relatives) {
  const levels = [];
  for (const each of relatives) (levels[each.depth] ??= []).push(each);
  const most = Math.max(...levels.map((level) => level.length));
  const places = new Map();
  for (const [depth, level] of levels.entries()) {
    const wish = new Map(level.map((each) => [each.id, mean(childrenOf(each, relatives, places))]));
    level.sort((one, other) => wish.get(one.id) - wish.get(other.id));
    level.forEach((each, index) => {
      const x = ((index + 0.5) * most * ACROSS) / level.length;
      places.set(each.id, { x, y: depth * DOWN + RADIUS + 6 });
    });
  }
  return places;
}

function childrenOf(parent, relatives, places) {
  return relatives
    .filter((each) => each.parents.includes(parent.id) && places.has(each.id))
    .map((each) => places.get(each.id).x);
}

function mean(numbers) {
  return numbers.length ? numbers.reduce((sum, each) => sum + each, 0) / numbers.length : 0;
}

function node(relative, place, isFirst, chosen) {
  const kind = ["founder", "copy"][relative.parents.length] ?? "child";
  const words = `${relative.id}, generation ${relative.generation}, ${relative.origin}`;
  const group = svg(
    "g",
    {
      class: `relative ${kind}`,
      transform: `translate(${place.x} ${place.y})`,
      tabindex: isFirst ? 0 : -1,
      role: "button",
      "aria-label": words,
      onclick: () => choose(),
    },
    svg("title", {}, words),
    svg("circle", { r: RADIUS }),
    svg("text", { y: 26 }, `${relative.id}`),
    svg("text", { y: 38, class: "when" }, `gen ${figure(relative.generation)}`),
  );
  const choose = () => {
    for (const each of group.parentNode.querySelectorAll(".chosen")) each.classList.remove("chosen");
    group.classList.add("chosen");
    chosen(relative);
  };
  return group;
}

function walk(event, nodes) {
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
