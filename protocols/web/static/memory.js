// What this browser remembers of its visitor: the name, choices and own games, as JSON in localStorage.

import { h } from "./dom.js";

const PREFIX = "galapagos-";
const NAME = `${PREFIX}name`; // plain text, not JSON
const LONGEST_NAME = 40; // characters
const DEFAULT_NAME = "Visitor";

/** The value that is stored under a key; `otherwise` if there is none or it cannot be read. */
export function recall(key, otherwise = null) {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + key)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

/** Store a value under a key. Return whether it is stored: the browser's storage can be full, or switched off. */
export function remember(key, value) {
  try {
    localStorage.setItem(PREFIX + key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

/** The name of this browser's visitor. */
export function visitorName() {
  return localStorage.getItem(NAME) ?? DEFAULT_NAME;
}

/** Store a name in the form that the server accepts, and return it. */
export function storeName(wanted) {
  const name = wanted.replace(/[\p{Cc}/\\\u2028\u2029]/gu, "").trim().slice(0, LONGEST_NAME) || DEFAULT_NAME;
  localStorage.setItem(NAME, name);
  return name;
}

/** A field for the visitor's name. */
export function nameInput(value, attributes = {}) {
  return h("input", { value, maxlength: LONGEST_NAME, autocomplete: "nickname", ...attributes });
}
