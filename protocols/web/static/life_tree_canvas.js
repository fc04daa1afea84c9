// The drawing of a tree of life on a canvas: time to the right, lanes downwards; it can be moved and enlarged.

const EDGE = 12; // pixels around the tree
const AXIS = 26; // pixels below it, for the generations
const STEP = 1.5; // of a zoom by a key or a button
const LARGEST_NODE = 6; // pixels: a radius
const SMALLEST_NODE = 0.7;
const SQUARE_BELOW = 1.6; // a smaller node is drawn as a square
const BATCH = 400; // lines or nodes of a path
const WIDEST_LANE = 60; // pixels of a lane, at most
const FEW = 3000; // visible individuals, up to which the second parents are drawn
const KINDS = { short: 0, other: 1, ancestor: 2 }; // of lines
const TICK = 90; // pixels between two marks of the axis, at least

/** A view of a LifeTree. Its window has a zoom from 1, at which the whole tree fits, and an offset in pixels. */
export class TreeCanvas {
  constructor(canvas) {
    this.canvas = canvas;
    this.pen = canvas.getContext("2d");
    this.tree = null;
    this.colours = ["#888"]; // by number
    this.colourOf = new Uint8Array(0); // by place
    this.hidesShort = false;
    this.chosen = null;
    this.pointed = null;
    this.reset();
  }

  reset() {
    this.zoom = 1;
    this.left = this.top = 0; // pixels of the enlarged tree outside of the window
  }

  /** Take the size of the element. */
  fit() {
    const { canvas } = this;
    this.width = canvas.clientWidth;
    this.height = canvas.clientHeight;
    const scale = devicePixelRatio;
    canvas.width = Math.round(this.width * scale);
    canvas.height = Math.round(this.height * scale);
    this.pen.setTransform(scale, 0, 0, scale, 0, 0);
    this.#limit();
  }

  x(time) {
    const { oldest, newest } = this.tree;
    return EDGE + ((time - oldest) / Math.max(newest - oldest + 0.8, 1)) * (this.width - 2 * EDGE) * this.zoom - this.left;
  }

  y(lane) {
    return EDGE + lane * (this.height - 2 * EDGE - AXIS) * this.zoom - this.top;
  }

  /** Enlarge by a factor; the point (x, y) stays where it is. */
  enlarge(factor, x = this.width / 2, y = (this.height - AXIS) / 2) {
    const zoom = Math.min(Math.max(this.zoom * factor, 1), this.#largest());
    this.left = (this.left + x - EDGE) * (zoom / this.zoom) - x + EDGE;
    this.top = (this.top + y - EDGE) * (zoom / this.zoom) - y + EDGE;
    this.zoom = zoom;
    this.#limit();
  }

  grow(steps) {
    this.enlarge(STEP ** steps);
  }

  move(x, y) {
    this.left -= x;
    this.top -= y;
    this.#limit();
  }

  /** Bring a place into the window. */
  reveal(place) {
    const [x, y] = this.at(place);
    const [right, bottom] = [this.width - 4 * EDGE, this.height - AXIS - 4 * EDGE];
    this.move(Math.min(Math.max(x, 4 * EDGE), right) - x, Math.min(Math.max(y, 4 * EDGE), bottom) - y);
  }

  at(place) {
    return [this.x(this.tree.times[place]), this.y(this.tree.lanes[place])];
  }

  /** The place nearest to a point, within `radius` pixels; null if there is none. */
  nearest(x, y, radius) {
    const { tree } = this;
    let [best, found] = [radius ** 2, null];
    for (let place = 0; place < (tree?.count ?? 0); place++) {
      if (this.hidesShort && tree.isShort[place]) continue;
      const distance = (this.x(tree.times[place]) - x) ** 2 + (this.y(tree.lanes[place]) - y) ** 2;
      if (distance < best || (distance === best && tree.isAncestor[place])) [best, found] = [distance, place];
    }
    return found;
  }

  draw() {
    const { pen, tree, width, height } = this;
    if (!width || !tree) return;
    pen.clearRect(0, 0, width, height);
    const style = getComputedStyle(this.canvas);
    const colour = (name) => style.getPropertyValue(name).trim();
    this.xs = Float32Array.from(tree.times, (time) => this.x(time));
    this.ys = Float32Array.from(tree.lanes, (lane) => this.y(lane));
    pen.save();
    pen.beginPath();
    pen.rect(0, 0, width, height - AXIS);
    pen.clip();
    const visible = this.#visible();
    this.#lines(visible, KINDS.short, colour("--line"), 0.6);
    this.#lines(visible, KINDS.other, colour("--quiet"), 0.35);
    this.#lines(visible, KINDS.ancestor, colour("--accent"), 0.6);
    this.#nodes(visible, colour("--line"));
    this.#mainLine(colour("--warm"), colour("--raised"));
    this.#marks(colour("--text"));
    pen.restore();
    this.#axis(colour("--quiet"), colour("--line"));
  }

  #largest() {
    const { tree } = this;
    if (!tree?.count) return 1;
    const widest = tree.count / Math.max(tree.newest - tree.oldest + 1, 1); // individuals of a generation, on average
    return Math.max((WIDEST_LANE * 4 * widest) / Math.max(this.height, 1), (WIDEST_LANE * (tree.newest + 1 - tree.oldest)) / Math.max(this.width, 1), 4);
  }

  #limit() {
    const [across, down] = [this.width - 2 * EDGE, this.height - 2 * EDGE - AXIS];
    this.left = Math.min(Math.max(this.left, 0), across * (this.zoom - 1)) || 0;
    this.top = Math.min(Math.max(this.top, 0), down * (this.zoom - 1)) || 0;
  }

  /** The places inside the window, or just beside it. */
  #visible() {
    const { tree, xs, ys, width, height } = this;
    const found = new Uint32Array(tree.count);
    let count = 0;
    for (let place = 0; place < tree.count; place++) {
      if (this.hidesShort && tree.isShort[place]) continue;
      if (xs[place] > -EDGE && xs[place] < width + EDGE && ys[place] > -EDGE && ys[place] < height + EDGE) found[count++] = place;
    }
    return found.subarray(0, count);
  }

  /** The lines from individuals of a kind to their first parents, and to the second ones if there is room. */
  #lines(visible, kind, colour, strength) {
    const { pen, tree } = this;
    pen.strokeStyle = colour;
    pen.globalAlpha = strength;
    pen.lineWidth = kind === KINDS.ancestor ? 1.4 : 1;
    const columns = visible.length < FEW ? [tree.parents, tree.others] : [tree.parents];
    for (const [index, column] of columns.entries()) {
      pen.setLineDash(index ? [3, 3] : []);
      let batch = 0;
      pen.beginPath();
      for (const place of visible) {
        const parent = column[place];
        if (parent < 0 || this.#kind(place) !== kind) continue;
        pen.moveTo(this.xs[parent], this.ys[parent]);
        pen.lineTo(this.xs[place], this.ys[place]);
        if (++batch % BATCH) continue;
        pen.stroke();
        pen.beginPath();
      }
      pen.stroke();
    }
    pen.setLineDash([]);
    pen.globalAlpha = 1;
  }

  #kind(place) {
    const { isShort, isAncestor } = this.tree;
    return isAncestor[place] ? KINDS.ancestor : isShort[place] ? KINDS.short : KINDS.other;
  }

  #nodes(visible, quiet) {
    const { pen, tree } = this;
    const area = ((this.width - 2 * EDGE) * (this.height - 2 * EDGE - AXIS) * this.zoom ** 2) / Math.max(tree.count, 1);
    const radius = (this.radius = Math.min(Math.max(Math.sqrt(area) / 4, SMALLEST_NODE), LARGEST_NODE));
    const groups = this.colours.map(() => []);
    const short = [];
    for (const place of visible) (tree.isShort[place] ? short : groups[this.colourOf[place]]).push(place);
    for (const [number, places] of [[null, short], ...groups.entries()]) {
      pen.fillStyle = number === null ? quiet : this.colours[number];
      pen.beginPath();
      for (const [index, place] of places.entries()) {
        const [x, y] = [this.xs[place], this.ys[place]];
        if (radius < SQUARE_BELOW) {
          pen.fillRect(x - radius, y - radius, 2 * radius, 2 * radius);
          continue;
        }
        pen.moveTo(x + radius, y);
        pen.arc(x, y, radius, 0, 2 * Math.PI);
        if ((index + 1) % BATCH) continue;
        pen.fill();
        pen.beginPath();
      }
      pen.fill();
    }
  }

  /** The line from the first ancestor to the champion, with a light seam. */
  #mainLine(colour, seam) {
    const { pen, tree, xs, ys } = this;
    const line = tree.mainLine;
    if (!line.length) return;
    pen.lineJoin = "round";
    for (const [style, thick] of [[seam, 5], [colour, 2.5]]) {
      pen.strokeStyle = style;
      pen.lineWidth = thick;
      pen.beginPath();
      for (const place of line) pen.lineTo(xs[place], ys[place]);
      pen.stroke();
    }
    pen.fillStyle = colour;
    const end = line.at(-1);
    pen.beginPath();
    pen.arc(xs[end], ys[end], Math.max(this.radius + 1, 5), 0, 2 * Math.PI);
    pen.fill();
  }

  /** Rings around the individual that is chosen, and the one under the pointer. */
  #marks(colour) {
    const { pen, xs, ys } = this;
    pen.strokeStyle = colour;
    for (const [place, thick] of [[this.pointed, 1.5], [this.chosen, 3]]) {
      if (place === null || place >= this.tree.count) continue;
      pen.lineWidth = thick;
      pen.beginPath();
      pen.arc(xs[place], ys[place], this.radius + 4, 0, 2 * Math.PI);
      pen.stroke();
    }
  }

  #axis(text, line) {
    const { pen, tree, width, height } = this;
    const span = tree.newest - tree.oldest + 1;
    const wanted = (span * TICK) / ((width - 2 * EDGE) * this.zoom);
    const power = 10 ** Math.floor(Math.log10(Math.max(wanted, 1)));
    const step = [1, 2, 5, 10].map((each) => each * power).find((each) => each >= wanted) ?? 1;
    pen.fillStyle = text;
    pen.strokeStyle = line;
    pen.lineWidth = 1;
    pen.font = "12px system-ui";
    pen.textBaseline = "middle";
    pen.beginPath();
    pen.moveTo(0, height - AXIS + 0.5);
    pen.lineTo(width, height - AXIS + 0.5);
    for (let number = Math.ceil(tree.oldest / step) * step; number <= tree.newest; number += step) {
      const x = this.x(number);
      if (x < 0 || x > width) continue;
      const words = number.toLocaleString("en");
      const half = pen.measureText(words).width / 2;
      pen.moveTo(x, height - AXIS);
      pen.lineTo(x, height - AXIS + 5);
      pen.fillText(words, Math.min(Math.max(x - half, 1), width - 2 * half - 1), height - AXIS / 2 + 2);
    }
    pen.stroke();
  }
}
