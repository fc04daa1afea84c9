// What the guide explains in a first game of Acquire, by the kind of decision: [title, sentences].

export const LESSONS = {
  place: ["Place a tile",
    "Your tiles are marked on the board; click one of them. Each says what it would do: next to a lone tile it founds a chain, "
      + "next to a chain it makes the chain grow, and between two chains it merges them. You can undo a tile until you confirm it."],
  found: ["Found a chain",
    "You get one share of the new chain for nothing. In a cheap chain you can buy the most shares for your money; an expensive one pays higher bonuses. "
      + "You win with shares, not with tiles: nobody owns a chain."],
  survivor: ["Choose the chain that survives",
    "The other chain is taken over: its largest and second largest shareholders get a bonus at once. "
      + "It often pays to let the chain survive of which you hold fewer shares."],
  order: ["Choose the chain that is dissolved first",
    "Several chains are taken over at once. Their bonuses are paid one after the other, and the order rarely matters."],
  dispose: ["Trade, sell or hold",
    "Your shares of the chain that is gone have no price any more. Trade two of them for one share of the larger chain, sell them for cash, "
      + "or hold them in the hope that the chain is founded again."],
  buy: ["Buy shares",
    "Shares pay when their chain is taken over: whoever holds the most gets ten times the price of a share, the second gets five times. "
      + "Try to be first or second in small chains that will soon be merged. Do not spend everything: money comes back only at mergers."],
  end: ["You may end the game",
    "A chain is large enough, or all chains are safe. If you are ahead, tick the box to end the game with this turn. If you are behind, play on."],
  over: ["The result",
    "All bonuses have been paid and all shares sold. The summary below shows which chains made the difference."],
};
