// Numbers, money and times as text, the same on every page.

const UNITS = [
  [60, "second"],
  [60, "minute"],
  [24, "hour"],
  [Infinity, "day"],
];

/** A number, rounded to a precision that fits its size. */
export function formatNumber(value) {
  if (value == null) return "–";
  if (Number.isInteger(value)) return value.toLocaleString("en");
  const size = Math.abs(value);
  return value.toLocaleString("en", { maximumFractionDigits: size >= 100 ? 0 : size >= 10 ? 1 : 3 });
}

/** $1,234 or −$5. */
export function dollars(amount) {
  return `${amount < 0 ? "−" : ""}$${Math.abs(amount).toLocaleString("en")}`;
}

/** +$1,234 or −$5. */
export function signedDollars(amount) {
  return amount < 0 ? dollars(amount) : `+${dollars(amount)}`;
}

/** +5 or −5, with `digits` digits after the point. */
export function signed(value, digits = 0) {
  return `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(digits)}`;
}

/** 0.5 is "50.0 %". */
export function percent(share, digits = 1) {
  return `${(100 * share).toFixed(digits)} %`;
}

/** 1 game, 2 games; 1 process, 2 processes. */
export function plural(count, noun, several = `${noun}s`) {
  return `${formatNumber(count)} ${count === 1 ? noun : several}`;
}

/** The words with a capital at their beginning. */
export function capitalised(words) {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** 75 is "1 minute". */
export function duration(seconds) {
  let rest = seconds;
  for (const [most, unit] of UNITS) {
    if (rest < most) return plural(Math.max(Math.floor(rest), 0), unit);
    rest /= most;
  }
  return "";
}

/** The time since a moment in seconds since 1970: "2 minutes ago". */
export function ago(moment) {
  const seconds = Date.now() / 1000 - moment;
  return seconds < 5 ? "just now" : `${duration(seconds)} ago`;
}
