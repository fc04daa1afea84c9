// The Markdown of the cards: headings, paragraphs, tables, lists, code. Everything else stays text.

import { h, scrollable, table } from "./dom.js";

const RULE = /^\|[\s:|-]+\|$/; // below the heads of a table

/** Elements for a text. Headings begin at the level `top`. */
export function markdown(text, top = 2) {
  const blocks = text.replace(/\r/g, "").split(/\n{2,}/);
  return blocks.filter((block) => block.trim()).flatMap((block) => rendered(block.replace(/^\n+|\s+$/g, ""), top));
}

/** `code` and **strong**; the rest is text. */
export function inline(text) {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).filter(Boolean).map((part) => {
    if (part.startsWith("`") && part.length > 2) return h("code", {}, part.slice(1, -1));
    if (part.startsWith("**") && part.length > 4) return h("strong", {}, part.slice(2, -2));
    return part;
  });
}

/** Elements for what stands between two empty lines. */
function rendered(block, top) {
  const lines = block.split("\n");
  const heading = /^(#{1,6}) +(.*)$/.exec(lines[0]);
  if (heading) {
    const title = h(`h${Math.min(top + heading[1].length - 1, 6)}`, {}, inline(heading[2]));
    return lines.length > 1 ? [title, ...rendered(lines.slice(1).join("\n"), top)] : [title];
  }
  if (lines.every((line) => line.startsWith("    ")))
    return [h("pre", { tabindex: 0 }, lines.map((line) => line.slice(4)).join("\n"))];
  if (lines.length > 1 && RULE.test(lines[1].trim())) {
    const [heads, , ...rows] = lines.map(cells);
    return [scrollable("Table", table(heads.map((head) => [head]), rows))];
  }
  if (lines.every((line) => /^[-*] /.test(line))) return [h("ul", {}, lines.map((line) => h("li", {}, inline(line.slice(2)))))];
  return [h("p", {}, inline(lines.join(" ")))];
}

/** The cells of a line such as `| a | b |`. */
function cells(line) {
  return line.trim().replace(/^\||\|$/g, "").split("|").map((cell) => inline(cell.trim()));
}
