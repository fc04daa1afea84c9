// The card of Acquire in the lobby: what the game is, its players in words, and a picture.

import { squares } from "./picture.js";

export const verb = "Play";
export const about = "A board game about hotel chains: found them, merge them, and be the richest at the end.";
export const task = "Play against up to five players that were bred, or against friends who follow your link.";
export const rules = [
  "In a turn you place one of your six tiles on its square, buy up to three shares, and draw a new tile.",
  "Tiles that touch form a hotel chain. Whoever founds a chain gets one of its shares free. Shares cost more as the chain grows.",
  "When a tile joins two chains, the larger one takes over the smaller. The two largest holders of the smaller one are paid a bonus, and all holders sell its shares, trade two for one of the larger chain, or keep them.",
  "The game may be ended when a chain has 41 tiles, or when no chain can be taken over any more. Then all bonuses are paid and all shares sold, and whoever has most money wins.",
];

/** What each player is like, and how strong, in words. */
export const players = {
  "evolved-net-seven": ["A small neural net that makes every decision, bred on the full game.", "Strong: wins three of four games against rules of thumb."],
  "evolved-net-four": ["The same kind of net, bred at tables of four.", "Strong at full tables: wins more than three players with rules of thumb together."],
  "evolved-net-three": ["A net that was bred on a shorter game with three chains.", "Good: wins two of three games against rules of thumb."],
  "evolved-net-duel": ["The first net, bred further against itself; for games of two.", "Strong: beats the net it comes from in three of five games."],
  "evolved-rules": ["Rules of thumb whose weights were bred.", "Good: wins nearly two of three games against the same rules with weights set by hand."],
  "evolved-four": ["Small programs, bred at tables of four.", "Fair: wins four of ten games at a table with three others."],
  "evolved-seven": ["Small programs for each decision, bred on the full game.", "Good: wins seven of ten games against rules of thumb."],
  "evolved-three": ["Small programs, bred on a shorter game with three chains.", "Good: wins two of three games against rules of thumb."],
  random: ["Does everything at random.", "Very easy: a first opponent."],
  heuristic: ["Follows rules of thumb: found chains, grow those it leads, merge where it pays.", "A fair opponent for beginners."],
  expert: ["Plays by the printed advice of experienced players.", "About as strong as rules of thumb."],
  search: ["Looks ahead: before each decision it plays 2,000 games in its mind.", "The strongest here: wins seven of eight games against the best net."],
  "mc-10": ["Tries each tile in ten games that it plays in its mind.", "A little stronger than rules of thumb."],
  "mc-40": ["Tries each tile in forty games that it plays in its mind.", ""],
  composed: ["Small programs written by hand, with which evolution started.", "Good: those bred from it win only four of ten games against it."],
  "pair-1": ["A program bred in 2002 for a thesis, with its partner.", "For comparison."],
  "pair-2": ["A program bred in 2002 for a thesis, with its partner.", "For comparison."],
  "pair-3": ["A program bred in 2002 for a thesis, with its partner.", "For comparison."],
  "pair-4": ["A program bred in 2002 for a thesis, with its partner.", "For comparison."],
  "best-of-run": ["The two best programs of a single run, from the thesis of 2002.", "For comparison."],
};

/** The address of its page, for a game with a player. */
export const path = (player) => `/acquire?play=${encodeURIComponent(player.name)}`;

/** A picture of 96 times 48 units. */
export const picture = () => {
  const rows = ["...aaa......", "..aa....bb..", "..a....bbb..", "...w....b...", ".cc.......w.", "cccc........"];
  return squares(12, 6, (x, y) => rows[y][x]);
};
