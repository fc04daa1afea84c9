// The strip of time: who holds how much of the core, under it how many processes each has; a click goes there.

import { h } from "../../shared/element.js";
import { ofPage, shade } from "./colours.js";
import { EXECUTED } from "./core.js";

const SHARE = 0.62; // of its height that the areas take; the curves have the rest

export class Strip {
  /** `sought(tick)` hears where to go. */
  constructor(reel, story, sought) {
    this.reel = reel;
    this.story = story;
    this.canvas = h("canvas", {
      class: "strip", tabindex: 0, role: "slider", "aria-label": "Time", "aria-valuemin": 0, "aria-valuemax": reel.ticks,
      title: "Above, who holds how much of the core; below, processes. Click to go there",
    });
    this.still = h("canvas"); // all but the hand of the clock
    this.pencil = this.still.getContext("2d");
    this.pen = this.canvas.getContext("2d");
    const seek = (event) => sought(((event.clientX - this.canvas.getBoundingClientRect().left) / this.canvas.clientWidth) * reel.ticks);
    this.canvas.addEventListener("pointerdown", (event) => {
      this.canvas.setPointerCapture(event.pointerId);
      seek(event);
      this.canvas.onpointermove = seek;
    });
    for (const end of ["pointerup", "pointercancel"]) this.canvas.addEventListener(end, () => (this.canvas.onpointermove = null));
  }

  fit() {
    this.scale = devicePixelRatio || 1;
    const { still, canvas, scale } = this;
    still.width = canvas.width = Math.max(Math.floor(canvas.clientWidth * scale), 1);
    still.height = canvas.height = Math.max(Math.floor(canvas.clientHeight * scale), 1);
    this.#areas(still.height * SHARE);
    this.#curves(still.height * SHARE + 3 * scale, still.height - 2 * scale);
    this.#deaths((still.height * SHARE) / 2);
  }

  draw(tick) {
    const { canvas, pen, scale } = this;
    pen.clearRect(0, 0, canvas.width, canvas.height);
    pen.drawImage(this.still, 0, 0);
    pen.fillStyle = ofPage("--text");
    pen.fillRect(Math.min(this.#x(tick), canvas.width - 2 * scale), 0, 2 * scale, canvas.height);
    canvas.setAttribute("aria-valuenow", tick);
  }

  #x(tick) {
    return this.reel.ticks ? (tick / this.reel.ticks) * this.canvas.width : 0;
  }

  #areas(height) {
    const { pencil, reel } = this;
    const { samples } = this.story;
    const below = new Float64Array(samples.length);
    reel.warriors.forEach((_, seat) => {
      const hangs = seat === 1 && reel.warriors.length === 2; // two grow towards each other
      const share = (sample) => (sample.held[seat] / reel.size) * height;
      pencil.beginPath();
      samples.forEach((sample, index) => pencil.lineTo(this.#x(sample.tick), hangs ? share(sample) : height - (below[index] += share(sample))));
      for (let index = samples.length - 1; index >= 0; index--) {
        pencil.lineTo(this.#x(samples[index].tick), hangs ? 0 : height - (below[index] - share(samples[index])));
      }
      pencil.closePath();
      pencil.globalAlpha = 0.85;
      pencil.fillStyle = shade(seat, EXECUTED);
      pencil.fill();
      pencil.globalAlpha = 1;
    });
  }

  #curves(top, bottom) {
    const { pencil, reel, scale } = this;
    const { samples } = this.story;
    const most = Math.max(...samples.flatMap((sample) => sample.processes), 1);
    pencil.fillStyle = ofPage("--line");
    pencil.fillRect(0, top - 2 * scale, this.canvas.width, scale);
    reel.warriors.forEach((_, seat) => {
      pencil.beginPath();
      for (const sample of samples) pencil.lineTo(this.#x(sample.tick), bottom - (sample.processes[seat] / most) * (bottom - top));
      pencil.strokeStyle = shade(seat, EXECUTED);
      pencil.lineWidth = 1.5 * scale;
      pencil.stroke();
    });
  }

  #deaths(middle) {
    const { pencil, scale } = this;
    const arm = 4 * scale;
    pencil.strokeStyle = ofPage("--text");
    pencil.lineWidth = 1.5 * scale;
    for (const { tick } of this.story.deaths) {
      const at = Math.min(Math.max(this.#x(tick), 6 * scale), this.canvas.width - 6 * scale);
      pencil.beginPath();
      pencil.moveTo(at - arm, middle - arm);
      pencil.lineTo(at + arm, middle + arm);
      pencil.moveTo(at + arm, middle - arm);
      pencil.lineTo(at - arm, middle + arm);
      pencil.stroke();
    }
  }
}
