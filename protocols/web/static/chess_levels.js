// The levels of the engine: each with a name, what it may look at, and its Elo as measured against Stockfish.

/**
 * The figures are those of "Strength by nodes" in engines/chess/RESULTS.md: `elo` is on Stockfish's scale, `margin` half of
 * the 95 % interval; without a margin the Elo lies on the line between two measurements. `options` are UCI's.
 */
export const LEVELS = {
  first: { name: "First steps", elo: 680, about: "It looks at 11 positions before a move and gives pieces away. For a first game.", options: { Strength: 1 } },
  beginner: { name: "Beginner", elo: 800, about: "It looks at 16 positions before a move. It sees simple captures and not much more.", options: limited(800) },
  casual: { name: "Casual player", elo: 1000, about: "It looks at some 30 positions before a move. It punishes pieces that are left hanging.", options: limited(1000) },
  hobby: { name: "Keen amateur", elo: 1240, margin: 85, about: "It looks at 60 positions before a move.", options: limited(1240) },
  club: { name: "Club player", elo: 1660, margin: 85, about: "It looks at 300 positions before a move.", options: limited(1660) },
  strong: { name: "Strong club player", elo: 1910, margin: 85, about: "It looks at 3,000 positions before a move.", options: limited(1910) },
  expert: { name: "Expert", elo: 2080, margin: 90, about: "It looks at 30,000 positions before a move.", options: limited(2080) },
  master: { name: "Master", elo: 2340, margin: 145, about: "It looks at 300,000 positions before a move.", options: limited(2340) },
  full: { name: "Full strength", about: "It uses all the time that it has. With 5 seconds for a game and 0.05 seconds more a move it scored 37 % against Stockfish limited to 2400 Elo.", options: {} },
};
export const EASIEST = "beginner"; // the level of a first visit

/** UCI's options for a level. */
export function optionsOf(level) {
  return LEVELS[level].options;
}

/** The level for a list: `Club player, about 1580 Elo`. */
export function labelOf(level) {
  const { name, elo } = LEVELS[level];
  return elo ? `${name}, about ${elo} Elo` : name;
}

/** What is known about the strength of a genome at a level, in sentences. */
export function aboutLevel(level, genome) {
  const { about: words, elo, margin } = LEVELS[level];
  if (!elo) return words;
  const about = `${words} Then it moves, even if it has more time; a shorter time lets it look at fewer.`;
  const certain = margin
    ? `Measured against Stockfish: ${elo} Elo, give or take ${margin}.`
    : "Its Elo is a rough estimate between two measurements.";
  return genome === "evolved" ? `${about} ${certain}` : `${about} The Elo was measured for the player “evolved”; this one is weaker.`;
}

function limited(elo) {
  return { UCI_LimitStrength: "true", UCI_Elo: elo };
}
