// What somebody won, tied and lost, as a bar that can be read aloud.

import { h } from "../shared/element.js";
import { figure } from "../shared/words.js";

/** Numbers of any kind; `unit` follows them in the text. */
export function bar(wins, ties, losses, unit = "") {
  const total = wins + ties + losses || 1;
  const rounded = (number) => figure(Number(number.toFixed(1)));
  const text = `${rounded(wins)}${unit} won, ${rounded(ties)}${unit} tied, ${rounded(losses)}${unit} lost`;
  const part = (number, kind) => h("span", { class: kind, style: { width: `${(100 * number) / total}%` } });
  return h(
    "span",
    { class: "bar", role: "img", "aria-label": text, title: text },
    part(wins, "won"),
    part(ties, "tied"),
    part(losses, "lost"),
  );
}
