// What the browser remembers of chess, in localStorage: the running game, the form, the board's settings, finished games.

const NAMES = { game: "galapagos-chess", form: "galapagos-chess-form", board: "galapagos-chess-board", games: "galapagos-chess-games" };

/** What was remembered under a name, or null if there is nothing that can be read. */
export function recall(name) {
  try {
    return JSON.parse(localStorage.getItem(NAMES[name]));
  } catch {
    return null; // it is no JSON, or the browser keeps nothing
  }
}

/** Remember data as JSON; false if the browser keeps nothing, or no more. */
export function remember(name, data) {
  try {
    localStorage.setItem(NAMES[name], JSON.stringify(data));
    return true;
  } catch {
    return false;
  }
}
