// A recorded round as arrays of numbers: whose each instruction was, where it stood, and what it touched.

export const READ = 1; // kinds of effects; 2 to 4 write in some way
export const SPLIT = 5;
export const DIE = 6;

/** `film` is a recording: its facts, and in `film.film` its columns, compressed and as base64. */
export async function unrolled(film) {
  const bytes = Uint8Array.from(atob(film.film), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  const all = new Uint8Array(await new Response(stream).arrayBuffer());
  const view = new DataView(all.buffer);
  const columns = [];
  for (let at = 0; at < all.length; ) {
    const length = view.getUint32(at, true);
    columns.push(all.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return new Reel(film, columns);
}

export class Reel {
  constructor(film, [seats, counts, kinds, executed, places]) {
    const { size, instructions: ticks } = film;
    this.size = size;
    this.ticks = ticks;
    this.warriors = film.warriors;
    this.seats = seats;
    this.kinds = kinds;
    this.first = new Uint32Array(ticks + 1); // of each instruction's effects
    this.executed = ways(executed, ticks);
    this.places = ways(places, kinds.length);
    const last = film.warriors.map((each) => each.position);
    for (let tick = 0; tick < ticks; tick++) {
      const seat = seats[tick];
      const address = (last[seat] = this.executed[tick] = (last[seat] + this.executed[tick] + size) % size);
      const end = (this.first[tick + 1] = this.first[tick] + counts[tick]);
      for (let at = this.first[tick]; at < end; at++) this.places[at] = (address + this.places[at] + size) % size;
    }
  }
}

/** Numbers folded to 0, -1, 1, -2, ... in seven bits a byte, the lowest first. */
function ways(column, count) {
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
