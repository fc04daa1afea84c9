// Elements of a page. Texts of remote clients, such as names, become text nodes here and never markup.

/** h("button", {class: "quiet", onclick: f, disabled: true}, "Undo", child): an element. */
export function h(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** The same for an SVG element. */
export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

/** Replace all children of an element. */
export function show(element, ...children) {
  element.replaceChildren(...children.flat(Infinity).filter((child) => child != null && child !== false));
}

const drawn = new WeakMap(); // the data that each element shows, as JSON

/** Replace all children unless the element shows these data already, so that a link that has the focus keeps it. */
export function showData(element, data, draw) {
  const text = JSON.stringify(data);
  if (drawn.get(element) === text) return;
  drawn.set(element, text);
  show(element, draw(data));
}

/**
 * A table. A column is [head, class of its cells], or the head alone; the class "head" makes headers of rows, and a
 * head that is null or empty an empty cell. A row is a list of cells, or {class, cells}.
 */
export function table(columns, rows, attributes = {}) {
  const kinds = columns.map((column) => (Array.isArray(column) ? column : [column]));
  const head = ([content, kind]) =>
    content === null || content.length === 0 ? h("td") : h("th", { scope: "col", class: kind === "head" ? null : kind }, content);
  const cell = (content, index) =>
    kinds[index]?.[1] === "head" ? h("th", { scope: "row" }, content) : h("td", { class: kinds[index]?.[1] }, content);
  const line = (row) => (Array.isArray(row) ? h("tr", {}, row.map(cell)) : h("tr", { class: row.class }, row.cells.map(cell)));
  return h("table", attributes, h("thead", {}, h("tr", {}, kinds.map(head))), h("tbody", {}, rows.map(line)));
}

/** A region that can be scrolled sideways, with the keyboard too. */
export function scrollable(label, ...children) {
  return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": label }, children);
}

/** A list to choose from: [value, text] or texts alone. */
export function select(choices, attributes = {}, chosen = null) {
  return h("select", attributes, choices.map((choice) => {
    const [value, text] = Array.isArray(choice) ? choice : [choice, choice];
    return h("option", { value, selected: value === chosen }, text);
  }));
}

/** Attributes, among them listeners (onclick, ...) and an object of styles, and children; null and false are left out. */
function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value == null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "style") for (const [key, each] of Object.entries(value)) element.style.setProperty(key, each);
    else element.setAttribute(name, value === true ? "" : value);
  }
  show(element, ...children);
  return element;
}
