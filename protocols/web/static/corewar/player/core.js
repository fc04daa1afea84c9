// The core as a recording leaves it after so many instructions: who was last in each cell, and what he did there.

import { DIE, READ, SPLIT } from "./reel.js";

export const NONE = 0; // marks of a cell
export const SEEN = 1;
export const WRITTEN = 2;
export const EXECUTED = 3;
export const DEAD = 4;
const GLOWS = [0, 0.35, 0.8, 1, 1]; // of the marks
const COLUMNS = ["mark", "owner", "when", "held", "processes"];

export class Core {
  /** `touched(address, glow)` hears of every cell that something happens to. */
  constructor(reel) {
    const { size, warriors } = reel;
    this.reel = reel;
    this.mark = new Uint8Array(size);
    this.owner = new Uint8Array(size);
    this.when = new Int32Array(size);
    this.held = new Int32Array(warriors.length); // cells that each wrote or executed last
    this.processes = new Int32Array(warriors.length).fill(1);
    this.tick = 0;
    this.touched = () => {};
    warriors.forEach((each, seat) => {
      for (let index = 0; index < each.length; index++) this.#put((each.position + index) % size, WRITTEN, seat, -1);
    });
  }

  copy() {
    const copy = Object.create(Core.prototype);
    for (const name of COLUMNS) copy[name] = this[name].slice();
    copy.tick = this.tick;
    return copy;
  }

  become(other) {
    for (const name of COLUMNS) this[name].set(other[name]);
    this.tick = other.tick;
  }

  run(ticks) {
    const { reel } = this;
    const end = Math.min(this.tick + ticks, reel.ticks);
    for (let tick = this.tick; tick < end; tick++) {
      const seat = reel.seats[tick];
      this.#put(reel.executed[tick], EXECUTED, seat, tick);
      for (let at = reel.first[tick]; at < reel.first[tick + 1]; at++) {
        const kind = reel.kinds[at];
        if (kind === SPLIT) {
          this.processes[seat]++;
        } else if (kind === DIE) {
          this.processes[seat]--;
          this.#put(reel.places[at], DEAD, seat, tick);
        } else {
          this.#put(reel.places[at], kind === READ ? SEEN : WRITTEN, seat, tick);
        }
      }
    }
    this.tick = end;
  }

  #put(address, mark, seat, tick) {
    if (mark === SEEN && this.mark[address] > SEEN) return this.touched(address, GLOWS[SEEN]);
    if (this.mark[address] > SEEN) this.held[this.owner[address]]--;
    if (mark > SEEN) this.held[seat]++;
    this.mark[address] = mark;
    this.owner[address] = seat;
    this.when[address] = tick;
    this.touched(address, GLOWS[mark]);
  }
}
