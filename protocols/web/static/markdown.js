// The Markdown of cards and documents: headings, paragraphs, tables, lists, code, links. Everything else stays text.

import { h, scrollable, table } from "./dom.js";

const FENCE = /^```[^\n]*\n([^]*?)^```$/m; // around code; split() keeps the text between them
const INLINE = /(`[^`]+`|\*\*[^*]+\*\*|\*[^*\s][^*]*\*|!?\[[^\]]*\]\([^)\s]*\))/;
const LINK = /^(!?)\[([^\]]*)\]\(([^)\s]*)\)$/;
const RULE = /^\|[\s:|-]+\|$/; // below the header of a table

/**
 * Elements for a text. The highest headings have the level `top`. `addressOf(link)` returns the address that a link leads
 * to; if it returns none, the link becomes plain text.
 */
export function markdown(text, top = 2, addressOf = () => null) {
  const parts = text.replace(/\r/g, "").split(FENCE); // text, code, text, ...
  const style = { top, addressOf, tables: 0 };
  return parts.flatMap((part, index) => {
    if (index % 2) return [h("pre", { tabindex: 0 }, part)];
    const blocks = part.split(/\n{2,}/).filter((block) => block.trim());
    return blocks.flatMap((block) => rendered(block.replace(/^\n+|\s+$/g, ""), style));
  });
}

/** `code`, **strong**, *emphasis* and links; the rest is text. */
export function inline(text, addressOf = () => null) {
  return text.split(INLINE).filter(Boolean).map((part) => {
    if (part.startsWith("`") && part.length > 2) return h("code", {}, part.slice(1, -1));
    if (part.startsWith("**") && part.length > 4) return h("strong", {}, inline(part.slice(2, -2), addressOf));
    if (part.startsWith("*") && part.length > 2) return h("em", {}, inline(part.slice(1, -1), addressOf));
    const link = LINK.exec(part);
    if (!link) return part;
    const [, isImage, words, target] = link;
    const address = isImage ? null : addressOf(target);
    return address ? h("a", { href: address }, inline(words)) : isImage ? "" : words;
  });
}

/** Elements for the text between two empty lines. `style.tables` counts the tables, each of which needs a name of its own. */
function rendered(block, style) {
  const { top, addressOf } = style;
  const lines = block.split("\n");
  const heading = /^(#{1,6}) +(.*)$/.exec(lines[0]);
  if (heading) {
    const title = h(`h${Math.min(top + heading[1].length - 1, 6)}`, {}, inline(heading[2], addressOf));
    return lines.length > 1 ? [title, ...rendered(lines.slice(1).join("\n"), style)] : [title];
  }
  if (lines.every((line) => line.startsWith("    ")))
    return [h("pre", { tabindex: 0 }, lines.map((line) => line.slice(4)).join("\n"))];
  if (lines.length > 1 && RULE.test(lines[1].trim())) {
    const [heads, , ...rows] = lines.map((line) => cells(line, addressOf));
    return [scrollable(`Table ${++style.tables}`, table(heads.map((head) => [head]), rows))];
  }
  if (lines.every((line) => /^[-*] /.test(line))) return [h("ul", {}, lines.map((line) => h("li", {}, inline(line.slice(2), addressOf))))];
  return [h("p", {}, inline(lines.join(" "), addressOf))];
}

/** The cells of a line such as `| a | b |`. */
function cells(line, addressOf) {
  return line.trim().replace(/^\||\|$/g, "").split("|").map((cell) => inline(cell.trim(), addressOf));
}
