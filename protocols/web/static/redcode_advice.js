// What to do about a message of the assembler.

const ADVICE = [
  [/^Missing ';assert'/, "Add the line “;assert CORESIZE == 8000” with the size of your core: it says for which rules the warrior is meant. “;assert 1” allows all rules"],
  [/^Invalid ';assert'/, "Write a condition behind ;assert, such as “;assert CORESIZE == 8000”"],
  [/^Assertion in this line fails/, "The warrior is meant for other rules: choose those, or change this line"],
  [/^Undefined label or symbol/, "Put this label before an instruction, or correct its name"],
  [/^Incomplete operand/, "An instruction needs its operands with a comma between them, such as “mov 0, 1”"],
  [/^(Unrecognized or improper placement of token|Syntax error|Bad expression|Improper placement)/, "Look there for a misspelled word, or for a comma or an operand that is missing or too many"],
  [/^(Too many instructions|Lines generated)/, "The rules allow no more: shorten the warrior"],
  [/^No instructions/, "Write at least one instruction, such as “mov 0, 1”"],
  [/^Execution starts from outside/, "Let ORG or END name a label of the warrior"],
];

/** A sentence without its full stop about what to do, or "" where the message says it already. */
export function adviceOn(text) {
  return ADVICE.find(([message]) => message.test(text))?.[1] ?? "";
}

/** Messages without those that only follow from another error in the same line. */
export function withoutEchoes(messages) {
  return messages.filter(({ line, text }) =>
    !(text.startsWith("Incomplete operand") && messages.some((other) => other.line === line && other.severity === "Error" && other.text !== text)));
}
