// The room of Core War: warriors are chosen or written, fight once, and the fight is watched as often as one likes.

import { h, show } from "../shared/element.js";
import { complain, fetched, furnish } from "../shared/page.js";
import { OrderForm } from "./order.js";
import { Player } from "./player/player.js";
import { unrolled } from "./player/reel.js";

const USUAL = { rules: "94nop", warriors: [{ ours: "large.red" }, { ours: "paper.red" }] };

class Room {
  constructor(order) {
    this.form = new OrderForm({ wished: (wish) => this.#fight(wish), ruled: (rules) => this.#offer(rules) });
    this.stage = h("section", { class: "stage", "aria-label": "The fight" });
    this.title = h("h1", {}, "Core War");
    this.facts = h("p", { class: "quiet lead" }, "Programs that share one memory, each trying to be the last to run.");
    show(document.getElementById("main"), this.title, this.facts, h("div", { class: "columns corewar" }, this.stage, this.form.element));
    this.#begin(order);
  }

  async #begin(order) {
    if (!(await this.#offer(order.rules))) return;
    this.form.set(order);
    this.#fight(this.form.order);
  }

  async #offer(rules) {
    try {
      this.form.offer(await fetched(`/api/warriors?rules=${encodeURIComponent(rules)}`), rules);
      return true;
    } catch (error) {
      complain(error.message);
      return false;
    }
  }

  async #fight(order) {
    this.form.isBusy = true;
    try {
      const answer = await asked("/api/fights", order);
      this.form.complain(answer.warrior, answer.messages);
      if (answer.refused) complain(answer.refused);
      else await this.#show(order, answer);
    } catch (error) {
      complain(error.message);
    } finally {
      this.form.isBusy = false;
    }
  }

  async #show(order, film) {
    const title = film.warriors.map((each) => each.name).join(" v ");
    document.title = `${title} · Core War · Galapagos`;
    show(this.title, title);
    show(this.facts, `Round ${film.round}, a core of ${film.size.toLocaleString("en")} cells, ${film.cycles.toLocaleString("en")} cycles for each`);
    history.replaceState(null, "", address(order));
    const player = new Player(film, await unrolled(film), (tick) => looked(order, tick));
    show(this.stage, player.element);
    player.begin();
  }
}

/** What stands in the cells of a fight after so many instructions. Nothing, where it cannot be had. */
async function looked(order, tick) {
  try {
    const { texts, cells } = await asked(`/api/fights/cells?tick=${tick}`, order);
    return (cell) => texts[cells[cell]];
  } catch {
    return null;
  }
}

function asked(path, order) {
  return fetched(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(order) });
}

/** A fight among warriors of ours has an address of its own, to be passed on. */
function address({ rules, warriors, seed, place, round }) {
  if (warriors.some((each) => !each.ours)) return location.pathname;
  const words = new URLSearchParams({ rules, seed, round });
  if (place !== null) words.set("place", place);
  for (const { ours } of warriors) words.append("warrior", ours);
  return `${location.pathname}?${words}`;
}

function wanted() {
  const words = new URLSearchParams(location.search);
  const number = (name, usual) => (/^\d{1,9}$/.test(words.get(name) ?? "") ? Number(words.get(name)) : usual);
  const warriors = words.getAll("warrior").map((ours) => ({ ours }));
  return {
    rules: words.get("rules") ?? USUAL.rules,
    warriors: warriors.length ? warriors : USUAL.warriors,
    seed: number("seed", 1),
    place: number("place", null),
    round: number("round", 1),
  };
}

furnish();
new Room(wanted());
