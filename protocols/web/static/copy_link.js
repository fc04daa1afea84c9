// A button that copies the address of the page, to share it.

import { h } from "./dom.js";

const TOLD = 2000; // milliseconds for which the button says what it did

export function copyLink() {
  const button = h("button", { type: "button", onclick: () => copy(button) }, "Copy the link");
  return button;
}

async function copy(button) {
  try {
    await navigator.clipboard.writeText(location.href);
    button.textContent = "Copied";
  } catch {
    button.textContent = "Copy it from the address bar"; // browsers allow it over https and on their own machine only
  }
  setTimeout(() => (button.textContent = "Copy the link"), TOLD);
}
