/**
 * Finds words and clauses that new readers do not understand at once, in names, comments, documents
 * and titles of tests. Ignores other strings.
 */
import { parseSync } from "vite";
import { findHeadlessClauses } from "./headless-clauses.ts";

export interface BannedWord {
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

export interface Hit {
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

export const BANNED_WORDS: readonly BannedWord[] = [
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

export function findWords(file: string, text: string): Hit[] {
  if (/\.tsx?$/.test(file)) return inSource(file, text);
  if (file.endsWith(".css")) return inComments(file, text, cssComments(text));
  return file.endsWith(".md") ? inProse(file, withoutCode(text), 0, "docs", text) : [];
}

/** Finds banned words in names of files and folders. Each folder counts once. */
export function findInPaths(files: readonly string[]): Hit[] {
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
