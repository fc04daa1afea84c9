// A recorded fight as data: the effects of every instruction, and the core after any of them.

const READS = 1; // kinds of effects; 2 to 4 write in some way
const SPLITS = 5;
const DIES = 6;
export const NONE = 0; // marks of a cell
export const READ = 1;
export const WRITTEN = 2;
export const EXECUTED = 3;
export const DEAD = 4;
const GLOWS = [0, 0.35, 0.8, 1, 1]; // of the marks
const COLUMNS = ["mark", "owner", "when", "held", "processes"]; // of the core
const GAP = 8192; // instructions between two snapshots
const SAMPLES = 800; // of the whole fight

/** The Recording of the server's data: its facts, and in `film` its columns, compressed and as base64. */
export async function readRecording(data) {
  const bytes = Uint8Array.from(atob(data.film), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  const all = new Uint8Array(await new Response(stream).arrayBuffer());
  const view = new DataView(all.buffer);
  const columns = [];
  for (let at = 0; at < all.length; ) {
    const length = view.getUint32(at, true);
    columns.push(all.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return new Recording(data, columns);
}

/** The columns of a recording: the warrior of each instruction, its address, and the cells that it touches. */
class Recording {
  constructor(data, [seats, counts, kinds, executed, places]) {
    const { size, instructions: ticks } = data;
    this.size = size;
    this.ticks = ticks;
    this.warriors = data.warriors;
    this.seats = seats;
    this.kinds = kinds;
    this.first = new Uint32Array(ticks + 1); // of each instruction's effects
    this.executed = differences(executed, ticks);
    this.places = differences(places, kinds.length);
    const last = data.warriors.map((each) => each.position);
    for (let tick = 0; tick < ticks; tick++) {
      const seat = seats[tick];
      const address = (last[seat] = this.executed[tick] = (last[seat] + this.executed[tick] + size) % size);
      const end = (this.first[tick + 1] = this.first[tick] + counts[tick]);
      for (let at = this.first[tick]; at < end; at++) this.places[at] = (address + this.places[at] + size) % size;
    }
  }
}

/** Numbers folded to 0, -1, 1, -2, ... in seven bits a byte, the lowest first. */
function differences(column, count) {
  const values = new Int32Array(count);
  for (let at = 0, index = 0; index < count; index++) {
    let value = 0;
    let shift = 0;
    let byte;
    do {
      byte = column[at++];
      value |= (byte & 127) << shift;
      shift += 7;
    } while (byte & 128);
    values[index] = value & 1 ? -(value + 1) / 2 : value / 2;
  }
  return values;
}

/** The core after `tick` instructions: the warrior that last used each cell, and what it did there. */
export class Core {
  /** `touched(address, glow)` is called for every cell that is read, written or executed. */
  constructor(recording) {
    const { size, warriors } = recording;
    this.recording = recording;
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
    const { recording } = this;
    const end = Math.min(this.tick + ticks, recording.ticks);
    for (let tick = this.tick; tick < end; tick++) {
      const seat = recording.seats[tick];
      this.#put(recording.executed[tick], EXECUTED, seat, tick);
      for (let at = recording.first[tick]; at < recording.first[tick + 1]; at++) {
        const kind = recording.kinds[at];
        if (kind === SPLITS) {
          this.processes[seat]++;
        } else if (kind === DIES) {
          this.processes[seat]--;
          this.#put(recording.places[at], DEAD, seat, tick);
        } else {
          this.#put(recording.places[at], kind === READS ? READ : WRITTEN, seat, tick);
        }
      }
    }
    this.tick = end;
  }

  #put(address, mark, seat, tick) {
    if (mark === READ && this.mark[address] > READ) return this.touched(address, GLOWS[READ]);
    if (this.mark[address] > READ) this.held[this.owner[address]]--;
    if (mark > READ) this.held[seat]++;
    this.mark[address] = mark;
    this.owner[address] = seat;
    this.when[address] = tick;
    this.touched(address, GLOWS[mark]);
  }
}

/** A summary of the whole fight: samples for the curves, the deaths, and snapshots to reach any tick quickly. */
export class Timeline {
  constructor(recording) {
    const core = new Core(recording);
    const every = Math.max(Math.floor(recording.ticks / SAMPLES), 1);
    const alive = recording.warriors.map(() => true);
    this.snapshots = [core.copy()];
    this.samples = [];
    this.deaths = []; // {seat, tick}
    this.#sample(core);
    while (core.tick < recording.ticks) {
      const next = Math.min((Math.floor(core.tick / every) + 1) * every, (Math.floor(core.tick / GAP) + 1) * GAP);
      core.run(next - core.tick);
      if (core.tick % every === 0 || core.tick === recording.ticks) this.#sample(core);
      if (core.tick % GAP === 0) this.snapshots.push(core.copy());
      alive.forEach((lives, seat) => {
        if (!lives || core.processes[seat]) return;
        alive[seat] = false;
        this.deaths.push({ seat, tick: core.tick });
      });
    }
  }

  /** Whether starting from a snapshot is faster than running from one tick to another. */
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
