// The Core War page: the user chooses or writes warriors; the server simulates one fight, and the page replays it. The
// address #learn/3 is the third step of the primer; other addresses are fights (corewar_link.js).

import { fetchJson } from "./client.js";
import { copyLink } from "./copy_link.js";
import { fightFromStart } from "./corewar_fight.js";
import { FightForm } from "./corewar_form.js";
import { addressOf, fightOfAddress } from "./corewar_link.js";
import { Waiting } from "./corewar_player.js";
import { h, show } from "./dom.js";
import { capitalised, formatNumber } from "./format.js";
import { initPage, showError } from "./page.js";

const DEFAULTS = { rules: "94nop", warriors: [{ ours: "large.red" }, { ours: "paper.red" }] };
const DEFAULT_SIZE = 8000; // of the core under the default rules
const SKIP = "#main"; // "Skip to content"
const LESSON = /^#learn(?:\/(\d+))?$/;

/** The fights, or the primer, as the address says. */
class App {
  constructor(main) {
    this.main = main;
    this.first = [...main.children]; // of corewar.html
    this.fights = null;
    addEventListener("hashchange", () => location.hash !== SKIP && this.#choose());
    this.#choose();
  }

  async #choose() {
    const lesson = LESSON.exec(location.hash);
    if (lesson) {
      const { Primer } = await import("./corewar_primer.js");
      this.primer ??= new Primer();
      show(this.main, this.primer.element);
      return this.primer.open(Number(lesson[1] ?? 1));
    }
    document.title = "Core War · Galapagos";
    const isNew = !this.fights;
    this.fights ??= new Fights(...this.first);
    show(this.main, this.fights.element);
    if (isNew || location.hash) this.fights.open();
    else this.fights.begin();
  }
}

class Fights {
  /** `title` and `facts` are elements that say what is shown. */
  constructor(title, facts) {
    this.form = new FightForm({ fight: (request) => this.#fight(request), changeRules: (rules) => this.#offer(rules) });
    this.viewer = h("section", { class: "viewer", "aria-label": "Fight" });
    this.title = title;
    this.facts = facts;
    this.element = h("div", {}, title, facts,
      h("p", { class: "lead row" }, copyLink(), h("a", { href: "#learn" }, "Learn Redcode in ten small steps")),
      h("div", { class: "columns corewar" }, this.viewer, this.form.element));
  }

  /** Show the fight of the address. */
  async open() {
    try {
      this.request = await fightOfAddress(DEFAULTS);
    } catch {
      showError("The fight in this address is damaged. Copy the whole address, or start a new fight.");
      this.request = DEFAULTS;
    }
    this.begin();
    if (await this.#offer(this.request.rules)) this.form.set(this.request);
  }

  /** Show the last fight again. */
  begin() {
    this.#fight(this.request);
  }

  async #offer(rules) {
    try {
      this.form.offer(await fetchJson(`/api/warriors?rules=${encodeURIComponent(rules)}`), rules);
      return true;
    } catch (error) {
      showError(error.message);
      return false;
    }
  }

  async #fight(request) {
    this.form.isBusy = true;
    this.request = request;
    const size = this.form.sizeOf(request.rules) ?? (request.rules === DEFAULTS.rules ? DEFAULT_SIZE : 0);
    const waiting = new Waiting(size, request.warriors.length);
    show(this.viewer, waiting.element);
    waiting.begin();
    try {
      const { answer, player } = await fightFromStart(request);
      if (request !== this.request) return; // another fight has been started since
      if (player) return await this.#show(request, answer, player);
      this.#refuse(request, answer);
    } catch (error) {
      if (request === this.request) this.#refuse(request, { refused: error.message });
    } finally {
      if (request === this.request) this.form.isBusy = false;
    }
  }

  /** Clear what is left of the fight before, and say at the form what is wrong with which warrior, and what to do. */
  #refuse({ warriors }, { refused, warrior = null, messages = [] }) {
    document.title = "Core War · Galapagos";
    show(this.title, "Core War");
    show(this.facts, "There is no fight: see the form.");
    show(this.viewer);
    const isOwn = Boolean(warriors[warrior]?.text);
    const advice = isOwn ? " The messages below its text say where. Correct it, and press “Fight” again."
      : warrior === null ? "" : " Choose another warrior or other rules.";
    this.form.refuse(`${capitalised(refused).replace(/\.$/, "")}.${advice}`, warrior, messages);
  }

  async #show(request, answer, player) {
    const title = answer.warriors.map((each) => each.name).join(" v ");
    document.title = `${title} · Core War · Galapagos`;
    show(this.title, title);
    const [size, cycles] = [answer.size, answer.cycles].map(formatNumber);
    show(this.facts, `Round ${answer.round}, a core of ${size} cells, ${cycles} cycles for each`);
    show(this.viewer, player.element);
    player.begin();
    const address = await addressOf(request);
    if (request === this.request && this.element.isConnected) history.replaceState(null, "", address);
  }
}

new App(initPage());
