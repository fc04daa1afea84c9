// The doors: one for each game, straight to a game against the strongest evolved player.

import { h, svg } from "../shared/element.js";

const DOORS = {
  chess: {
    title: "Chess",
    verb: "Play",
    about: "Its genes say what a position is worth; nobody told it what a queen is.",
    path: (player) => `/chess?genome=${encodeURIComponent(player.name)}`,
  },
  acquire: {
    title: "Acquire",
    verb: "Play",
    about: "Found hotel chains, merge them, and be the richest at the end.",
    path: (player) => `/acquire?play=${encodeURIComponent(player.name)}`,
  },
  protection: {
    title: "Protection",
    verb: "Play",
    about: "Defend an island against barbarians who learn how you play.",
    path: () => "/protection",
  },
  corewar: {
    title: "Core War",
    verb: "Watch",
    about: "Programs in one memory, each trying to end the other.",
    path: () => "/corewar",
  },
};

/** For the games that there are; the first of the players of each is the strongest. */
export function doors(players) {
  return h(
    "div",
    { class: "doors" },
    Object.entries(DOORS).map(([game, door]) => {
      const player = players.find((each) => each.game === game);
      return (
        player &&
        h(
          "a",
          { class: "door card", href: door.path(player) },
          picture(game),
          h("h2", {}, door.title),
          h("p", {}, door.about),
          h("p", { class: "quiet" }, player.name, player.strength && h("small", {}, player.strength)),
          h("span", { class: "enter" }, door.verb),
        )
      );
    }),
  );
}

function picture(game) {
  return svg(
    "svg",
    { viewBox: "0 0 96 48", preserveAspectRatio: "xMidYMid slice", class: "picture", "aria-hidden": "true" },
    PICTURES[game](),
  );
}

const PICTURES = {
  chess: () => [
    squares(12, 6, (x, y) => ((x + y) % 2 ? "shade" : "pale")),
    man("warm", 20, 20),
    man("warm", 44, 28),
    man("a", 68, 12),
    man("a", 76, 28),
  ],
  acquire: () =>
    squares(
      12,
      6,
      (x, y) => ["...aaa......", "..aa....bb..", "..a....bbb..", "...w....b...", ".cc.......w.", "cccc........"][y][x],
    ),
  protection: () => [
    svg("path", { class: "sea", d: "M0 0h96v48H0z" }),
    svg("path", { class: "land", d: "M14 30C10 14 34 6 50 10S86 12 82 28 58 44 40 42 16 40 14 30Z" }),
    [
      [34, 22],
      [48, 18],
      [62, 26],
    ].map(([x, y]) => svg("rect", { class: "warm", x, y, width: 6, height: 6, rx: 1 })),
    [
      [6, 8],
      [88, 14],
      [10, 42],
    ].map(([cx, cy]) => svg("circle", { class: "bad", cx, cy, r: 3 })),
  ],
  corewar: () =>
    squares(24, 12, (x, y) => ((x * 7 + y * 11) % 13 < 3 ? "a" : (x * 5 + y * 3) % 17 < 3 ? "b" : "pale"), 4),
};

function man(kind, x, y) {
  return [
    svg("circle", { class: kind, cx: x, cy: y - 2.6, r: 2 }),
    svg("path", { class: kind, d: `M${x - 3} ${y + 3.6}h6c0-2-1.5-2.2-1.7-4.8h-2.6c-.2 2.6-1.7 2.8-1.7 4.8z` }),
  ];
}

function squares(across, down, kind, size = 8) {
  return Array.from({ length: across * down }, (_, index) => {
    const [x, y] = [index % across, Math.floor(index / across)];
    return svg("rect", {
      class: `cell ${kind(x, y)}`,
      x: x * size + 0.5,
      y: y * size + 0.5,
      width: size - 1,
      height: size - 1,
      rx: 1,
    });
  });
}
