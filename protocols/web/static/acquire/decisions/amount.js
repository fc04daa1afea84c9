// An amount that is counted up and down, within bounds that may change.

import { h } from "../../shared/element.js";

/** `changed()` is called when it is another; most() says how far it may go. */
export class Amount {
  constructor(label, step, most, changed) {
    this.value = 0;
    this.step = step;
    this.most = most;
    this.changed = changed;
    this.less = h(
      "button",
      { type: "button", "aria-label": `${label}: less`, onclick: () => this.set(this.value - step) },
      "−",
    );
    this.more = h(
      "button",
      { type: "button", "aria-label": `${label}: more`, onclick: () => this.set(this.value + step) },
      "+",
    );
    this.shown = h("output", { "aria-label": label }, "0");
    this.element = h("span", { class: "amount" }, this.less, this.shown, this.more);
  }

  set(value) {
    this.value = Math.max(0, Math.min(value, this.most()));
    this.changed();
  }

  show() {
    this.shown.textContent = this.value;
    this.less.disabled = this.value === 0;
    this.more.disabled = this.value + this.step > this.most();
  }
}
