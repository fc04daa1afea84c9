// The primer of Redcode: ten steps, each with a text, a program that can be changed, and its run or fight in a small core.

import { fetchJson } from "./client.js";
import { fightFromStart } from "./corewar_fight.js";
import { Waiting } from "./corewar_player.js";
import { STEPS } from "./corewar_steps.js";
import { h, show } from "./dom.js";
import { showError } from "./page.js";
import { RedcodeEditor } from "./redcode_editor.js";

const RULES = "nano"; // of a step that names none
const SIZES = { nano: 80, tiny: 800 }; // of the cores

export class Primer {
  constructor() {
    this.steps = h("ol", { class: "steps" });
    this.heading = h("h2", { tabindex: -1 });
    this.text = h("div", { class: "text" });
    this.editor = new RedcodeEditor(() => this.rules, "", { "aria-label": "Redcode" });
    this.button = h("button", { class: "main", type: "button", onclick: () => this.#run(true) }, "Run");
    this.ends = h("div", { class: "row ends" });
    this.viewer = h("section", { class: "viewer", "aria-label": "The core" });
    const restore = h("button", { type: "button", onclick: () => this.#restore() }, "Original text");
    this.element = h("div", { class: "primer" },
      h("h1", {}, "Redcode in ten steps"),
      h("p", { class: "lead" }, h("a", { href: "#" }, "To the fights")),
      h("nav", { "aria-label": "Steps" }, this.steps),
      h("div", { class: "columns primer" }, this.viewer,
        h("section", { class: "card lesson" }, this.heading, this.text, this.editor.element, h("div", { class: "row" }, this.button, restore), this.ends)));
  }

  /** Open a step, counted from 1. */
  async open(number) {
    const isFirst = !this.step;
    this.number = Math.min(Math.max(number, 1), STEPS.length);
    this.step = STEPS[this.number - 1];
    const { title, text, attempt } = this.step;
    document.title = `${title} · Redcode in ten steps · Galapagos`;
    show(this.steps, STEPS.map((each, index) => h("li", {}, h("a", {
      href: `#learn/${index + 1}`, title: each.title, "aria-label": `Step ${index + 1}: ${each.title}`,
      "aria-current": each === this.step ? "step" : null,
    }, `${index + 1}`))));
    show(this.heading, `${this.number}. ${title}`);
    show(this.text, text.map((each) => h("p", {}, withCode(each))), h("p", {}, h("strong", {}, "Try it: "), withCode(attempt)));
    show(this.ends, this.#links());
    this.#wait();
    if (!isFirst) this.heading.focus(); // the link to this step may be far below it
    try {
      await this.#restore();
    } catch (error) {
      showError(error.message);
    }
  }

  /** Show an empty core instead of the last run. */
  #wait() {
    const waiting = new Waiting(SIZES[this.rules], this.step.opponent ? 2 : 1);
    show(this.viewer, waiting.element);
    waiting.begin();
  }

  get rules() {
    return this.step?.rules ?? RULES;
  }

  #links() {
    const { number } = this;
    return [
      number > 1 ? h("a", { href: `#learn/${number - 1}` }, "← Previous step") : h("span"),
      number < STEPS.length ? h("a", { href: `#learn/${number + 1}` }, `Next: ${STEPS[number].title} →`)
        : h("span", {}, h("a", { href: "#" }, "Fight with warriors of your own"), ", or ", h("a", { href: "/hills" }, "submit one to a hill")),
    ];
  }

  /** Show the step's own program, and run it. */
  async #restore() {
    const { step } = this;
    const original = step.program.text ?? (await textOf(this.rules, step.program.ours));
    if (step !== this.step) return; // another step has been opened since
    this.original = original;
    this.editor.value = original;
    this.editor.area.rows = Math.max(original.split("\n").length, 7);
    await this.#run();
  }

  async #run(isAsked = false) {
    const { step, editor } = this;
    const { opponent, place = null, seed = 1, speed } = step;
    const program = step.program.ours && editor.value === this.original ? step.program : { text: editor.value };
    this.button.disabled = true;
    try {
      const { answer, player } = await fightFromStart({ rules: this.rules, warriors: opponent ? [program, opponent] : [program], place, seed });
      if (step !== this.step) return;
      if (!player) {
        editor.showMessages(answer.messages);
        return editor.focusError(answer.messages);
      }
      player.setSpeed(speed);
      show(this.viewer, player.element);
      player.begin();
      if (isAsked) this.viewer.scrollIntoView({ block: "nearest" });
    } catch (error) {
      showError(error.message);
    } finally {
      this.button.disabled = false;
    }
  }
}

/** The text of a bundled warrior. */
async function textOf(rules, ours) {
  const { warriors } = await fetchJson(`/api/warriors?rules=${rules}`);
  return warriors.find((each) => each.ours === ours).text;
}

/** A text whose parts between backquotes are code. */
function withCode(text) {
  return text.split("`").map((part, index) => (index % 2 ? h("code", {}, part) : part));
}
