// The whole round at a glance: samples for its curves, the deaths, and snapshots from which any moment is near.

import { Core } from "./core.js";

const GAP = 8192; // instructions between two snapshots
const SAMPLES = 800;

export class Story {
  constructor(reel) {
    const scout = new Core(reel);
    const every = Math.max(Math.floor(reel.ticks / SAMPLES), 1);
    const alive = reel.warriors.map(() => true);
    this.snapshots = [scout.copy()];
    this.samples = [];
    this.deaths = []; // {seat, tick}
    this.#sample(scout);
    while (scout.tick < reel.ticks) {
      const next = Math.min((Math.floor(scout.tick / every) + 1) * every, (Math.floor(scout.tick / GAP) + 1) * GAP);
      scout.run(next - scout.tick);
      if (scout.tick % every === 0 || scout.tick === reel.ticks) this.#sample(scout);
      if (scout.tick % GAP === 0) this.snapshots.push(scout.copy());
      alive.forEach((lives, seat) => {
        if (!lives || scout.processes[seat]) return;
        alive[seat] = false;
        this.deaths.push({ seat, tick: scout.tick });
      });
    }
  }

  /** Whether running on from one tick to another is worse than a snapshot. */
  isFar(tick, other) {
    return other < tick || other > tick + 2 * GAP;
  }

  /** The last snapshot at or before a tick. */
  before(tick) {
    return this.snapshots[Math.floor(Math.max(tick, 0) / GAP)] ?? this.snapshots.at(-1);
  }

  #sample(core) {
    this.samples.push({ tick: core.tick, held: Array.from(core.held), processes: Array.from(core.processes) });
  }
}
