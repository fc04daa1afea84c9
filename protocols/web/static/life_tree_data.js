// The individuals of a run as columns: their parents, fitness and lanes from the server, and what follows from these.

const SHORT_LIVED = 2; // generations: a lineage that ended as soon as this is drawn in a quiet colour
const HEAD_BYTES = 4;
const COLUMNS = [
  ["ids", Float64Array], ["generations", Int32Array], ["parents", Int32Array], ["others", Int32Array],
  ["fitness", Float32Array], ["lanes", Float32Array], ["origins", Uint8Array],
];
export const NONE = -1; // instead of a parent

/** The tree of a run; an individual is a place in the columns. */
export class LifeTree {
  constructor() {
    this.count = 0;
    this.head = { origins: [], step: 1, total: 0, left_out: 0, measure: null, champion: null };
    for (const [name, Kind] of COLUMNS) this[name] = new Kind(0);
    this.places = new Map(); // by ID
  }

  /** The place from which the server should send the tree again: the last two generations, whose fitness may change. */
  get from() {
    if (this.head.step > 1 || !this.count) return 0;
    const first = this.generations[this.count - 1] - 1;
    let place = this.count;
    while (place > 0 && this.generations[place - 1] >= first) place--;
    return place;
  }

  /**
   * Take the server's answer, an ArrayBuffer: a whole tree, or what follows after a place. Returns false, and takes nothing,
   * if it does not continue this tree, because the folder of the run holds another run now.
   */
  take(buffer) {
    const length = new DataView(buffer).getUint32(0, true);
    const head = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, HEAD_BYTES, length)));
    let at = HEAD_BYTES + length;
    const { from, count } = head;
    if (from > 0 && (from > this.count || head.run !== this.head.run)) return false;
    for (const [name, Kind] of COLUMNS) {
      const column = new Kind(from + count);
      column.set(this[name].subarray(0, from));
      column.set(new Kind(buffer, at, count), from);
      this[name] = column;
      at += count * Kind.BYTES_PER_ELEMENT;
    }
    this.head = head;
    this.count = from + count;
    this.#derive(from);
    return true;
  }

  /** The place of an ID; undefined if it is not shown. */
  placeOf(id) {
    return this.places.get(id);
  }

  /** The places of an individual's children. */
  children(place) {
    return this.childPlaces.subarray(this.firstChild[place], this.firstChild[place + 1]);
  }

  parentsOf(place) {
    return [this.parents[place], this.others[place]].filter((parent) => parent !== NONE);
  }

  /** The places from the founder of a line of first parents to an individual. */
  line(place) {
    const found = [];
    for (let at = place ?? NONE; at !== NONE; at = this.parents[at]) found.push(at);
    return found.reverse();
  }

  #derive(from) {
    const { count, generations, parents, others } = this;
    for (const [id, place] of this.places) if (place >= from) this.places.delete(id);
    for (let place = from; place < count; place++) this.places.set(this.ids[place], place);
    this.newest = 0;
    this.oldest = count ? Infinity : 0;
    for (const generation of generations) {
      this.newest = Math.max(this.newest, generation);
      this.oldest = Math.min(this.oldest, generation);
    }
    this.last = generations.slice(); // generation in which a descendant was born
    this.firstChild = new Uint32Array(count + 2);
    for (let place = count - 1; place >= 0; place--) {
      for (const parent of [parents[place], others[place]]) {
        if (parent === NONE) continue;
        this.last[parent] = Math.max(this.last[parent], this.last[place]);
        this.firstChild[parent + 2]++;
      }
    }
    for (let place = 0; place < count; place++) this.firstChild[place + 2] += this.firstChild[place + 1];
    this.childPlaces = new Uint32Array(this.firstChild[count + 1]);
    for (let place = 0; place < count; place++) {
      for (const parent of [parents[place], others[place]]) {
        if (parent !== NONE) this.childPlaces[this.firstChild[parent + 1]++] = place;
      }
    }
    this.#deriveLines();
    this.#deriveTimes();
  }

  /** Which lineages ended soon, and which individuals are ancestors of the champion. */
  #deriveLines() {
    const { count, generations, last, newest, parents, others } = this;
    this.hasParents = parents.some((parent) => parent !== NONE);
    this.isShort = Uint8Array.from(generations, (generation, place) =>
      this.hasParents && last[place] < newest - 1 && last[place] - generation <= SHORT_LIVED);
    this.isAncestor = new Uint8Array(count); // of the champion, which counts, too
    this.champion = this.placeOf(this.head.champion);
    if (this.champion !== undefined) this.isAncestor[this.champion] = 1;
    for (let place = count - 1; place >= 0; place--) {
      if (!this.isAncestor[place]) continue;
      for (const parent of [parents[place], others[place]]) if (parent !== NONE) this.isAncestor[parent] = 1;
    }
    this.mainLine = this.line(this.champion);
  }

  /** The time of each birth: its generation, and a part of the next one if children have children in a generation. */
  #deriveTimes() {
    const { count, generations, parents } = this;
    this.times = Float32Array.from(generations);
    for (let first = 0, end; first < count; first = end) {
      let isNested = false;
      for (end = first; end < count && generations[end] === generations[first]; end++) isNested ||= parents[end] >= first;
      if (!isNested) continue;
      for (let place = first; place < end; place++) this.times[place] += (0.8 * (place - first)) / (end - first);
    }
  }
}
