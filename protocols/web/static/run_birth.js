// How an individual of a run was born, in words.

// The origins on record that say little by themselves, in words.
const BIRTHS = {
  step: "moved by the search towards what won more games",
  random: "from random values",
  composed: "written by hand",
  challenger: "a changed copy that challenged the champion",
};

/** The way in which an individual was born, in words. */
export function birthOf(origin) {
  return BIRTHS[origin] ?? origin;
}
