// Pictures of the lobby that consist of squares.

import { svg } from "./dom.js";

/** A grid for a picture; kind(x, y) is the class of each square. */
export function squares(across, down, kind, size = 8) {
  return Array.from({ length: across * down }, (_, index) => {
    const [x, y] = [index % across, Math.floor(index / across)];
    const box = { x: x * size + 0.5, y: y * size + 0.5, width: size - 1, height: size - 1, rx: 1 };
    return svg("rect", { class: `cell ${kind(x, y)}`, ...box });
  });
}
