// Profiles of players of Advanced Protection: their tokens, which this browser keeps, and their figures.

import { recall, remember } from "./memory.js";

const TOKENS = "protection-profiles"; // in the browser's memory: the token of each profile, by name

/** The token of this browser for the profile of a name; undefined if it has none. */
export function tokenOf(name) {
  return name ? recall(TOKENS, {})[name] : undefined;
}

/** Store the token of the profile of a name. */
export function keepToken(name, token) {
  remember(TOKENS, { ...recall(TOKENS, {}), [name]: token });
}

/** The figures of a profile's file, whose first line has wins, losses and 250 ratings. */
export function profileOf([first]) {
  const [wins, losses, ...ratings] = first.split("\t").map(Number);
  const sum = ratings.reduce((total, each) => total + each, 0);
  return {
    wins,
    losses,
    best: Math.min(...ratings),
    mean: Math.trunc(sum / ratings.length),
    negative: ratings.filter((each) => each < 0).length,
  };
}
