// The fields for the values of a configuration's main keys, for the seed, and for the time after which a run is paused.

import { postJson } from "./client.js";
import { h, select, show } from "./dom.js";
import { capitalised } from "./format.js";

const HOURS = [["0.5", "30 minutes"], ["2", "2 hours"], ["12", "12 hours"], ["168", "a week"]];

/** Fields for the keys of a configuration, each with what it means and which values it may have. */
export class SettingsFields {
  constructor() {
    this.inputs = new Map(); // by the name of the key
    this.fields = h("div", { class: "settings" });
    this.seed = h("input", { name: "seed", inputmode: "numeric", pattern: "[0-9]{1,20}", maxlength: 20, placeholder: "chosen at random" });
    this.hours = select(HOURS, {}, "0.5");
    this.element = h("div", { class: "stack" }, this.fields,
      h("div", { class: "settings" },
        field("Seed", this.seed, "The number from which everything random follows. The same seed and settings give the same run again."),
        field("Pause after", this.hours, "A paused run keeps everything, and can be resumed at any time.")));
  }

  /** Show the fields of these keys: [{name, value, may_be, note}]. */
  show(keys) {
    this.inputs = new Map(keys.map((key) => [key.name, h("input", { value: key.value, "data-value": key.value, autocomplete: "off", spellcheck: "false" })]));
    show(this.fields, keys.map((key) => field(capitalised(key.name), this.inputs.get(key.name), `${key.note} Allowed: ${key.may_be}.`)));
  }

  /** The part of a request that these fields decide. */
  values() {
    const changed = [...this.inputs].filter(([, input]) => input.value.trim() !== input.dataset.value);
    return {
      settings: Object.fromEntries(changed.map(([name, input]) => [name, input.value.trim()])),
      seed: this.seed.value.trim(),
      hours: Number(this.hours.value),
    };
  }

  /** Mark the field that an error of the server names first, and move the focus there. */
  mark(message) {
    for (const [name, input] of this.inputs) {
      const isNamed = message.startsWith(`${name} `);
      input.setAttribute("aria-invalid", isNamed);
      if (isNamed) input.focus();
    }
  }
}

/**
 * Ask the server for a run: POST `request` with the values of the settings of a form {button, fault, settings}. Return
 * its name; or null if it is refused, and then the form shows why.
 */
export async function requestRun({ button, fault, settings }, path, request) {
  button.disabled = true;
  fault.hidden = true;
  try {
    const { run } = await postJson(path, { ...request, ...settings.values() });
    return run;
  } catch (error) {
    fault.textContent = `${error.message}.`;
    fault.hidden = false;
    settings.mark(error.message);
    return null;
  } finally {
    button.disabled = false;
  }
}

let fields = 0; // made so far, for their IDs

/** A label, its input, and a note that describes it. */
function field(name, input, note) {
  const id = `setting-${++fields}`;
  input.id = id;
  input.setAttribute("aria-describedby", `${id}-note`);
  return h("div", {}, h("label", { for: id }, name), input, h("p", { id: `${id}-note`, class: "quiet small" }, note));
}
