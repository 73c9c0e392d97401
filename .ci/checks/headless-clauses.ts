/**
 * Finds headless clauses in prose: "what …" and "that which …" used as a noun, such as "stores what
 * was sold" instead of "stores the sale". Ignores questions, indirect questions, clauses that could
 * be questions, code and quotations.
 */

interface Clause {
  readonly index: number;
  readonly text: string;
}

const SHOWN = /^[^\n|]{1,40}/;

const QUESTION_WORDS = [
  /ask(s|ed|ing)?|wonder(s|ed|ing)?|inquir(e|es|ed|ing|y|ies)|quer(y|ies|ied|ying)|questions?/,
  /know(s|n|ing)?|knew|knowledge|understand(s|ing)?|understood|learn(s|ed|ing)?|find(s|ing)? out|found out/,
  /say(s|ing)?|said|tell(s|ing)?|told|stat(e|es|ed|ing)|explain(s|ed|ing)?|explanations?|report(s|ed|ing)?/,
  /describ(e|es|ed|ing)|descriptions?|show(s|n|ed|ing)?|print(s|ed|ing)?|log(s|ged|ging)?|record(s|ed|ing)?/,
  /see(s|n|ing)?|saw|look(s|ed|ing)? (at|up)|read(s|ing)?|check(s|ed|ing)?|compar(e|es|ed|ing)/,
  /decid(e|es|ed|ing)|decisions?|determin(e|es|ed|ing)|defin(e|es|ed|ing)|choos(e|es|ing)|chose|agree(s|d)?/,
  /guess(es|ed|ing)?|predict(s|ed|ing)?|remember(s|ed|ing)?|forget(s|ting)?|forgot|doubts?|ideas?|imagin(e|es|ed)/,
  /depend(s|ed|ing)?|matters?|regardless|irrespective|(un)?clear|(un)?sure|(un)?known|(un)?certain|obvious/,
];
const QUESTION_WORD = new RegExp(
  String.raw`\b(${QUESTION_WORDS.map(({ source }) => source).join("|")})\b`,
  "i",
);
const MAX_WORDS_BETWEEN = 8;

/**
 * "What" with its own noun ("in what order"), or in a phrase without a clause ("what to do",
 * "What's new").
 */
const NO_CLAUSE =
  /^what(['’]s\b|\s*([^\w\s'’(]|$)|\s+(if|about|for|to|else|not|kinds?|sorts?|types?|amounts?|cases?|conditions?|currenc(y|ies)|days?|dates?|extent|forms?|languages?|memory|moments?|order|places?|points?|prices?|rates?|reasons?|sizes?|states?|steps?|terms|times?|units?|versions?|ways?)\b)/i;

/**
 * Matches the start of a new part of the text: a sentence, paragraph, list item, table cell or doc
 * tag.
 */
const PART_END = /[.!?;:|]\s|\n\s*\n|\n\s*[-*#]\s|@\w+/g;
const MAX_PART_CHARACTERS = 600;
const SENTENCE_END = /[.!?|](?=\s|["'”’)*_]|$)|\n\s*\n/;

export function findHeadlessClauses(prose: string): Clause[] {
  const text = prose.replaceAll(/`[^`]*`|"[^"\n]*"/g, (quoted) => quoted.replaceAll(/[^\n]/g, "x"));
  return [...text.matchAll(/\b(what|that\s+which)\b/gi)]
    .filter(({ 0: found, index }) => !/^what$/i.test(found) || !isQuestion(text, index))
    .map(({ index }) => ({ index, text: SHOWN.exec(text.slice(index))?.[0].trim() ?? "" }));
}

function isQuestion(text: string, index: number): boolean {
  const rest = text.slice(index);
  if (NO_CLAUSE.test(rest) || SENTENCE_END.exec(rest)?.[0] === "?") return true;
  const before = text.slice(Math.max(0, index - MAX_PART_CHARACTERS), index);
  const ends = [...before.matchAll(PART_END)].map((end) => end.index + end[0].length);
  const part = before.slice(ends.at(-1) ?? 0).replaceAll(/[*_"'“”‘’()]/g, "");
  const words = part.trim().split(/\s+/).slice(-MAX_WORDS_BETWEEN).join(" ");
  return QUESTION_WORD.test(words) || /\b(how|why|whether)\b.*[,\s](and|or)\s+$/is.test(part);
}
