// Money in figures.

/** $1,234 or -$5. */
export function dollars(amount) {
  return `${amount < 0 ? "−" : ""}$${Math.abs(amount).toLocaleString("en")}`;
}

/** The same with a sign. */
export function change(amount) {
  return amount < 0 ? dollars(amount) : `+${dollars(amount)}`;
}
