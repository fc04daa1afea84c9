// The words of Redcode, for its colours: a line as parts, each of one kind.

const OPERATIONS = new Set(["DAT", "MOV", "ADD", "SUB", "MUL", "DIV", "MOD", "JMP", "JMZ", "JMN", "DJN", "SPL", "CMP", "SEQ", "SNE", "SLT", "LDP", "STP", "NOP"]);
const DIRECTIVES = new Set(["ORG", "END", "EQU", "FOR", "ROF", "PIN"]); // for the assembler
const COMMENTS = /^;\s*(redcode|name|author|date|version|strategy|kill|assert|token)\b/i; // that have a meaning
const PARTS = /;.*|\.[A-Za-z]+|[A-Za-z_]\w*|\d+|[#$@<>{}]|\s+|./g;

/** The parts of a line as [kind, text]; the kind is operation, modifier, directive, label, number, mode, comment, note or "". */
export function partsOf(line) {
  return (line.match(PARTS) ?? []).map((text) => [kindOf(text), text]);
}

function kindOf(text) {
  const [first] = text;
  if (first === ";") return COMMENTS.test(text) ? "note" : "comment";
  if (first === "." && text.length > 1) return "modifier";
  if (/\d/.test(first)) return "number";
  if (/[#$@<>{}]/.test(first)) return "mode";
  if (!/[A-Za-z_]/.test(first)) return "";
  const word = text.toUpperCase();
  return OPERATIONS.has(word) ? "operation" : DIRECTIVES.has(word) ? "directive" : "label";
}

/** The instruction that a word may mean: the same letters in another order; or "". */
export function instructionLike(word) {
  const letters = (text) => [...text.toUpperCase()].sort().join("");
  return [...OPERATIONS].find((each) => letters(each) === letters(word)) ?? "";
}

/** The first word of a line without an instruction, which the assembler reads as a label, or "". */
export function strayWord(line) {
  const words = partsOf(line).filter(([kind]) => ["operation", "directive", "label"].includes(kind));
  return words.length && words.every(([kind]) => kind === "label") ? words[0][1] : "";
}
