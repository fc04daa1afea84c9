// A share with its 95 % interval as a drawing: a line from low to high, a dot where the share is.

import { h } from "../shared/element.js";

export function interval({ share, low, high, games }) {
  const percent = (value) => `${(100 * value).toFixed(1)}%`;
  const text = games ? `${percent(share)} (${percent(low)} to ${percent(high)})` : "no game yet";
  return h(
    "span",
    { class: "interval", title: text },
    h(
      "span",
      { class: "track", "aria-hidden": "true" },
      games ? h("span", { class: "range", style: { left: percent(low), width: percent(high - low) } }) : null,
      games ? h("span", { class: "dot", style: { left: percent(share) } }) : null,
    ),
    h("span", { class: "text" }, text),
  );
}
