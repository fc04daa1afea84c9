// The colours of the warriors: a hue each, a shade for each kind of mark, lighter or darker while it is warm.

import { DEAD, SEEN } from "./core.js";

const HUES = [214, 27, 152, 325, 268, 188, 47, 0, 90, 240, 300, 120];
const BY_DAY = [[0, 0], [55, 86], [62, 72], [80, 48], [60, 36]]; // saturation and lightness of the marks
const BY_NIGHT = [[0, 0], [28, 24], [58, 38], [86, 58], [70, 26]];
const HEATS = 8;

export const night = matchMedia("(prefers-color-scheme: dark)");

export function shade(seat, mark, heat = 0) {
  const [saturation, lightness] = (night.matches ? BY_NIGHT : BY_DAY)[mark];
  const warmest = night.matches ? 97 : 16;
  const light = lightness + (warmest - lightness) * heat * (mark === SEEN ? 0.45 : 0.8);
  return `hsl(${HUES[seat % HUES.length]} ${saturation}% ${light}%)`;
}

/** A colour of the page. */
export function ofPage(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/** All shades of so many warriors, mixed once. */
export class Palette {
  constructor(count) {
    this.shades = [];
    for (let seat = 0; seat < count; seat++)
      for (let mark = 0; mark <= DEAD; mark++)
        for (let heat = 0; heat < HEATS; heat++) this.shades.push(shade(seat, mark, heat / (HEATS - 1)));
  }

  of(seat, mark, heat) {
    return this.shades[(seat * (DEAD + 1) + mark) * HEATS + Math.min(Math.floor(heat * HEATS), HEATS - 1)];
  }
}
