// What is kept of a genome's thought, and written beside the move.

/** Of an engine that moves for `colour`: `score` as text and `pawns` as a number, both from White's view. */
export function noteOf(info, colour) {
  const sign = colour === "w" ? 1 : -1;
  if (info.mate !== null) {
    const mate = sign * info.mate;
    return { score: `${mate > 0 ? "+" : "−"}M${Math.abs(mate)}`, pawns: mate > 0 ? 30 : -30, depth: info.depth };
  }
  const pawns = (sign * info.cents) / 100;
  return { score: `${pawns < 0 ? "−" : "+"}${Math.abs(pawns).toFixed(2)}`, pawns, depth: info.depth };
}
