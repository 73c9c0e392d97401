/**
 * Finds banned words, headless clauses and fragments in names, comments, documents and
 * titles of tests. Ignores other strings. banned-words.json contains the allowed number of each word. The numbers may
 * only fall.
 *
 *     npm run lint:words                    fails if a number differs from the allowed number
 *     npm run lint:words -- --list deed     lists every occurrence of a word
 *     npm run lint:words:lower              lowers the allowed numbers to the present numbers
 */

import { globSync, readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { parseSync } from "vite";

/**
 * A headless clause: "what …" or "that which …" used as a noun, such as "stores what was sold"
 * instead of "stores the sale". Questions, indirect questions, clauses that could be questions, code
 * and quotations are ignored.
 */
interface Clause {
  readonly index: number;
  readonly text: string;
}

const SHOWN_TEXT = /^[^\n|]{1,40}/;

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

function findHeadlessClauses(prose: string): Clause[] {
  const text = prose.replaceAll(/`[^`]*`|"[^"\n]*"/g, (quoted) => quoted.replaceAll(/[^\n]/g, "x"));
  return [...text.matchAll(/\b(what|that\s+which)\b/gi)]
    .filter(({ 0: found, index }) => !/^what$/i.test(found) || !isQuestion(text, index))
    .map(({ index }) => ({ index, text: SHOWN_TEXT.exec(text.slice(index))?.[0].trim() ?? "" }));
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

interface BannedWord {
  readonly word: string;
  readonly remedy: string;
  readonly places: readonly Place[];
  /** Finds the word in prose. The caller passes a name as prose with hyphens between its words. */
  readonly find: (prose: string) => readonly Match[];
}

interface Match {
  readonly index: number;
  readonly text: string;
}

type Place = "names" | "types" | "comments" | "docs" | "titles";

interface Hit {
  readonly word: string;
  readonly file: string;
  readonly line: number;
  readonly found: string;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly [key: string]: unknown;
}

const EVERYWHERE: readonly Place[] = ["names", "comments", "docs"];

const BANNED_WORDS: readonly BannedWord[] = [
  { word: "deed", remedy: "say action", places: EVERYWHERE, find: whole("deeds?") },
  { word: "Parts", remedy: "call the type Deps", places: ["types"], find: whole("parts") },
  {
    word: "patience",
    remedy: "name the constant …_TIMEOUT_MS",
    places: ["names"],
    find: whole("patience"),
  },
  {
    word: "silence",
    remedy: "name the constant …_TIMEOUT_MS",
    places: ["names"],
    find: whole("silence-?ms"),
  },
  {
    word: "answer within",
    remedy: "name the constant …_TIMEOUT_MS",
    places: ["names"],
    find: whole("answer-within"),
  },
  { word: "courier", remedy: "say dispatcher", places: EVERYWHERE, find: whole("couriers?") },
  {
    word: "slip",
    remedy: "say delivered details, receipt or mistake, whichever it is",
    places: EVERYWHERE,
    find: whole("slips?"),
  },
  { word: "wall", remedy: "say picker", places: EVERYWHERE, find: whole("walls?") },
  {
    word: "give-back",
    remedy: "say customer refund",
    places: EVERYWHERE,
    find: whole("give-?backs?"),
  },
  {
    word: "whoever",
    remedy: "name the person: the clerk, the caller, people who …",
    places: ["names", "comments"],
    find: whole("who(m|so)?ever"),
  },
  {
    word: "somebody",
    remedy: "name the person: a clerk, a person, staff",
    places: ["names", "comments"],
    find: whole("somebody"),
  },
  {
    word: "section sign",
    remedy: "cite an anchor of docs/rules.md, as (rules#purchase-states)",
    places: ["comments", "docs"],
    find: matching(/(?<!RFC \d+ )§\s?\d|product lesson \d/g),
  },
  {
    word: "headless clause",
    remedy: 'name the noun: "the sale" for "what was sold"',
    places: ["comments", "docs"],
    find: findHeadlessClauses,
  },
  {
    word: "fragment title",
    remedy: 'start with a verb or a subject: "refuses a repeated id" for "is refused if repeated"',
    places: ["titles"],
    find: matching(/^(?:is|are|was|were|that|which|of|and|but)\b.*/gu),
  },
];

function whole(source: string): BannedWord["find"] {
  return matching(new RegExp(String.raw`(?<!\p{L})(?:${source})(?!\p{L})`, "giu"));
}

function matching(pattern: RegExp): BannedWord["find"] {
  return (prose) => [...prose.matchAll(pattern)].map(({ 0: text, index }) => ({ index, text }));
}

function findWords(file: string, text: string): Hit[] {
  if (/\.tsx?$/.test(file)) return inSource(file, text);
  if (file.endsWith(".css")) return inComments(file, text, cssComments(text));
  return file.endsWith(".md") ? inProse(file, withoutCode(text), 0, "docs", text) : [];
}

/** Finds banned words in names of files and folders. Each folder counts once. */
function findInPaths(files: readonly string[]): Hit[] {
  const parts = files.flatMap((file) => {
    const names = file.split("/");
    return names.map((_, index) => names.slice(0, index + 1).join("/"));
  });
  return [...new Set(parts)].flatMap((path) => {
    const name = path.split("/").at(-1) ?? "";
    return inName(name, "names").map((word) => ({ word, file: path, line: 1, found: name }));
  });
}

function inSource(file: string, text: string): Hit[] {
  const { program, comments } = parseSync(file, text);
  const names = new Map<string, Hit>();
  const titles: Hit[] = [];
  const addName = (node: Node, place: "names" | "types") => {
    const found = String(node.name);
    for (const word of inName(found, place)) {
      const key = `${word} ${found}`;
      if (!names.has(key)) names.set(key, { word, file, line: lineOf(text, node.start), found });
    }
  };
  visit(program, (node) => {
    if (NAMES.has(node.type)) addName(node, "names");
    if (TYPES.has(node.type) && isNode(node.id)) addName(node.id, "types");
    const title = TEST_FILE.test(file) ? titleNode(node) : undefined;
    if (title) titles.push(...inProse(file, titleText(title), title.start, "titles", text));
  });
  return [...names.values(), ...titles, ...inComments(file, text, comments)];
}

interface Comment {
  readonly type?: "Line" | "Block";
  readonly start: number;
  readonly end: number;
}

function inComments(file: string, text: string, comments: readonly Comment[]): Hit[] {
  return joinLines(text, comments).flatMap(({ start, end }) =>
    inProse(file, withoutMarks(text.slice(start, end)), start, "comments", text),
  );
}

function joinLines(text: string, comments: readonly Comment[]): Comment[] {
  const joined: Comment[] = [];
  for (const comment of comments) {
    const last = joined.at(-1);
    const isNextLine =
      last?.type === "Line" &&
      comment.type === "Line" &&
      /^\r?\n[ \t]*$/.test(text.slice(last.end, comment.start));
    if (isNextLine) joined[joined.length - 1] = { ...last, end: comment.end };
    else joined.push(comment);
  }
  return joined;
}

function withoutMarks(comment: string): string {
  return comment.replaceAll(/^[ \t]*(\/\/+|\/\*+|\*(?!\/))|\*\/$/gm, (marks) =>
    marks.replaceAll(/\S/g, " "),
  );
}

function inProse(file: string, prose: string, offset: number, place: Place, text: string): Hit[] {
  return BANNED_WORDS.filter(({ places }) => places.includes(place)).flatMap(({ word, find }) =>
    find(prose).map((match) => ({
      word,
      file,
      line: lineOf(text, offset + match.index),
      found: match.text,
    })),
  );
}

function inName(name: string, place: "names" | "types"): string[] {
  const hyphenated = name
    .replaceAll(/([\p{Ll}\d])(\p{Lu})/gu, "$1-$2")
    .replaceAll("_", "-")
    .toLowerCase();
  return BANNED_WORDS.filter(
    ({ places, find }) => places.includes(place) && find(hyphenated).length > 0,
  ).map(({ word }) => word);
}

const NAMES = new Set(["Identifier", "PrivateIdentifier", "JSXIdentifier"]);
const TYPES = new Set(["TSInterfaceDeclaration", "TSTypeAliasDeclaration"]);

const TEST_FILE = /\.(test|spec)\.tsx?$/;
const TITLED = /^(?:describe|it|test|\w+Test)$/;

/** Returns the title in a call of `it`, `it.each(…)`, `test.describe` or the like. */
function titleNode({ type, callee, arguments: args }: Node): Node | undefined {
  if (type !== "CallExpression" || !TITLED.test(rootName(callee))) return undefined;
  const [first] = args as readonly unknown[];
  return isNode(first) && titleText(first) !== "" ? first : undefined;
}

/** Returns the first name of a callee: `it` for `it.skipIf(…).each`. */
function rootName(callee: unknown): string {
  if (!isNode(callee)) return "";
  if (callee.type === "Identifier") return String(callee.name);
  return rootName(callee.object ?? callee.callee ?? callee.tag);
}

/** Returns the text of a string, or the text of a template before its first value. */
function titleText({ type, value, quasis }: Node): string {
  if (type === "Literal") return String(value);
  const [first] = type === "TemplateLiteral" ? (quasis as { value: { raw: string } }[]) : [];
  return first?.value.raw ?? "";
}

function visit(value: unknown, see: (node: Node) => void): void {
  if (Array.isArray(value)) {
    for (const item of value) visit(item, see);
  } else if (isNode(value)) {
    see(value);
    for (const [key, child] of Object.entries(value)) if (key !== "parent") visit(child, see);
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value;
}

function cssComments(text: string): { start: number; end: number }[] {
  return [...text.matchAll(/\/\*[\s\S]*?\*\//g)].map(({ 0: found, index }) => ({
    start: index,
    end: index + found.length,
  }));
}

/** Replaces a document's code and link targets with spaces, so that line numbers stay the same. */
function withoutCode(text: string): string {
  return text.replaceAll(/```[\s\S]*?```|`[^`]*`|\]\([^)]*\)/g, (code) =>
    code.replaceAll(/[^\n]/g, " "),
  );
}

function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}

const FILES =
  "{.ci,server,electron,renderer,resources,e2e,docs,packages,packaging}/**/*.{ts,tsx,css,md}";
const ROOT_FILES = "{*.ts,*.md,.github/*.md}";
/**
 * Exempt files: released migrations, which never change, and files that define or test the banned
 * words.
 */
const EXEMPT =
  /^server\/db\/migrations\/|^packages\/client\/src\/v1\.ts$|^\.ci\/checks\/(headless-clauses|word-finder|banned-words|words-and-rules)\b|node_modules/;
const ALLOWANCE = ".ci/checks/banned-words.json";
const SHOWN = 10;

type Allowance = Record<string, number>;

const { values: options } = parseArgs({
  options: { list: { type: "string" }, lower: { type: "boolean", default: false } },
});

const files = [...globSync(FILES), ...globSync(ROOT_FILES)]
  .map((file) => file.replaceAll("\\", "/"))
  .filter((file) => !EXEMPT.test(file))
  .toSorted();
const hits = [
  ...findInPaths(files),
  ...files.flatMap((file) => findWords(file, readFileSync(file, "utf8"))),
];
const allowance = JSON.parse(readFileSync(ALLOWANCE, "utf8")) as Allowance;

function hitsOf(word: string): Hit[] {
  return hits.filter((hit) => hit.word === word);
}

function list(found: readonly Hit[]): void {
  for (const { file, line, found: text } of found) console.error(`  ${file}:${line}: ${text}`);
}

function judge(word: string, remedy: string): string | undefined {
  const count = hitsOf(word).length;
  const allowed = allowance[word] ?? 0;
  if (count > allowed) {
    return `"${word}" occurs ${count} times, ${allowed} are allowed: ${remedy}.`;
  }
  if (count < allowed) {
    return `"${word}" occurs ${count} times and no longer ${allowed}: npm run lint:words:lower.`;
  }
  return undefined;
}

function lower(): void {
  const lowered = BANNED_WORDS.map(({ word }): [string, number] => [
    word,
    Math.min(hitsOf(word).length, allowance[word] ?? 0),
  ]);
  writeFileSync(
    ALLOWANCE,
    `${JSON.stringify(Object.fromEntries(lowered.filter(([, count]) => count > 0)), null, 2)}\n`,
  );
}

function check(): boolean {
  let isFine = true;
  for (const { word, remedy } of BANNED_WORDS) {
    const complaint = judge(word, remedy);
    if (complaint === undefined) continue;
    isFine = false;
    console.error(complaint);
    const found = hitsOf(word);
    if (found.length <= (allowance[word] ?? 0)) continue;
    list(found.slice(0, SHOWN));
    if (found.length > SHOWN) {
      console.error(`  all of them: npm run lint:words -- --list "${word}"`);
    }
  }
  return isFine;
}

if (options.list !== undefined) {
  list(hitsOf(options.list));
} else if (options.lower) {
  lower();
} else {
  const isFine = check();
  const left = Object.values(allowance).reduce((sum, count) => sum + count, 0);
  if (isFine) console.log(`banned words: ${files.length} files, ${left} left`);
  process.exitCode = isFine ? 0 : 1;
}
