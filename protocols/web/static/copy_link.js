// Buttons that copy a text, such as the address of the page, and say what they did.

import { h } from "./dom.js";

const TOLD = 2000; // milliseconds for which the button says what it did

/** A button that copies the address of the page, to share it. */
export function copyLink() {
  return copyButton("Copy the link", () => location.href, "Copy it from the address bar");
}

/** A button that copies the text that `text()` returns; `otherwise` is shown where the browser does not allow it. */
export function copyButton(name, text, otherwise) {
  const button = h("button", { type: "button", "aria-live": "polite", onclick: () => copy() }, name);

  async function copy() {
    try {
      await navigator.clipboard.writeText(text());
      button.textContent = "Copied";
    } catch {
      button.textContent = otherwise; // browsers allow it over https and on their own machine only
    }
    setTimeout(() => (button.textContent = name), TOLD);
  }

  return button;
}
