// The room of the runs: evolution as it happens.

import { h, show } from "../shared/element.js";
import { Events } from "../shared/events.js";
import { complain, fetched, furnish } from "../shared/page.js";
import { Detail } from "./detail.js";
import { List } from "./list.js";

const LOOK = 5000; // milliseconds between two looks at the list

const list = new List();
const place = h("div", {});
const said = h("p", { class: "skip-sight", role: "status" });
let runs = [];
let detail = null;

furnish();
show(
  document.getElementById("main"),
  h("h1", {}, "Runs"),
  h("p", { class: "quiet" }, "Evolutions of this house, generation by generation. What is under way grows as you look."),
  said,
  h("div", { class: "room" }, list.element, place),
);
addEventListener("hashchange", choose);
await look();
choose();
setInterval(() => document.hidden || look(), LOOK);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => detail?.redraw());
const events = new Events("run");
events.addEventListener("generation", ({ detail: news }) => hear(news));
events.addEventListener("gap", () => detail?.load());

async function look() {
  try {
    ({ runs } = await fetched("/api/runs"));
  } catch (error) {
    complain(error.message);
    return;
  }
  list.show(runs, detail?.name);
  const run = runs.find((each) => each.name === detail?.name);
  if (run) detail.tell(run);
  if (!detail && runs.length) choose();
}

/** Show the run that the address names, or the one that lived last. */
function choose() {
  const newest = runs.toSorted((one, other) => other.changed - one.changed)[0];
  const run = runs.find((each) => location.hash === `#${encodeURIComponent(each.name)}`) ?? newest;
  if (!run) {
    show(
      place,
      h("section", { class: "card" },
        h("h2", {}, "No runs yet"),
        h("p", {}, "Begin one, and show it here:"),
        h("pre", {}, "galapagos evolve corewar nano --run runs/nano\ngalapagos serve --runs runs"),
      ),
    );
    return;
  }
  if (run.name === detail?.name) return;
  detail = new Detail(run.name);
  list.show(runs, run.name);
  show(place, detail.element);
  detail.load();
}

function hear(news) {
  const run = runs.find((each) => each.name === news.run);
  if (!run) {
    look();
    return;
  }
  const isNews = news.generation > run.generation;
  Object.assign(run, { generation: news.generation, changed: isNews ? Date.now() / 1000 : run.changed });
  list.show(runs, detail?.name);
  if (news.run === detail?.name) {
    detail.hear(news);
    if (isNews) show(said, `Generation ${news.generation} of ${news.run}`);
  }
}
