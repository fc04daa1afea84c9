// What a page that is loaded again has to know: the name of who plays, and the game under way.

const GAME = "galapagos-acquire-game"; // of this tab
const NAME = "galapagos-name"; // of this browser
const LONGEST = 40; // characters of a name

export function keptName() {
  return localStorage.getItem(NAME) ?? "Visitor";
}

/** Keep a name as the house takes it, and answer with that. */
export function keepName(wanted) {
  const name =
    wanted
      .replace(/[\p{Cc}/\\\u2028\u2029]/gu, "")
      .trim()
      .slice(0, LONGEST) || "Visitor";
  localStorage.setItem(NAME, name);
  return name;
}

/** {id, promise} of the game, or null. */
export function keptGame() {
  return JSON.parse(sessionStorage.getItem(GAME) ?? "null");
}

export function keepGame(id, promise) {
  sessionStorage.setItem(GAME, JSON.stringify({ id, promise }));
}

export function forgetGame() {
  sessionStorage.removeItem(GAME);
}
