/**
 * Finds end-to-end tests that name a text which the till no longer contains. Takes a second; the
 * tests themselves would fail after minutes. Amounts, numbers, and the people and products of the
 * test data (journey-words.json) are also allowed.
 *
 *     npm run lint:journeys
 */
import { globSync, readFileSync } from "node:fs";

const WORDS = ".ci/checks/journey-words.json";
/** Matches the plain text in a locator or an expectation. */
const NAMED =
  /(?:getBy(?:Text|Label|Placeholder)\(|\bname: |to(?:ContainText|HaveText|HaveAccessibleName)\(\s*)"((?:[^"\\]|\\.)*)"/g;
const VARIABLE = /\\\{\\\{.*?\\\}\\\}/g;

type Tree = { readonly [key: string]: string | Tree };

function textsOf(tree: Tree): string[] {
  return Object.values(tree).flatMap((value) =>
    typeof value === "string" ? [value] : textsOf(value),
  );
}

function readTree(file: string): Tree {
  return JSON.parse(readFileSync(file, "utf8")) as Tree;
}

function patternOf(text: string): RegExp {
  const literal = text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`^${literal.replaceAll(VARIABLE, ".+")}$`, "s");
}

const texts = globSync("renderer/**/locales/**/*.json").flatMap((file) => textsOf(readTree(file)));
const plain = texts.join("\n");
/**
 * Patterns for texts with variables. Excludes texts with few letters, which would match everything.
 */
const patterns = texts
  .filter((text) => text.includes("{{") && /\p{L}{3}/u.test(text.replaceAll(/\{\{.*?\}\}/g, "")))
  .map(patternOf);
const brought = new Set(JSON.parse(readFileSync(WORDS, "utf8")) as string[]);
const used = new Set<string>();

function isKnown(words: string): boolean {
  if (brought.has(words)) {
    used.add(words);
    return true;
  }
  return (
    !/\p{L}{2}/u.test(words) ||
    plain.includes(words) ||
    patterns.some((pattern) => pattern.test(words))
  );
}

const faults = globSync("e2e/**/*.ts").flatMap((file) => {
  const source = readFileSync(file, "utf8");
  return [...source.matchAll(NAMED)].flatMap(({ index, 1: words = "" }) => {
    const line = source.slice(0, index).split("\n").length;
    return isKnown(words) ? [] : [`${file.replaceAll("\\", "/")}:${line}: "${words}"`];
  });
});
const unused = [...brought].filter((words) => !used.has(words));
for (const fault of faults) {
  console.error(`${fault} is no text of the till: use the current text, or add it to ${WORDS}.`);
}
for (const words of unused) {
  console.error(`${WORDS}: no end-to-end test uses "${words}": remove it.`);
}
if (faults.length + unused.length > 0) process.exitCode = 1;
else console.log(`journeys: ${texts.length} texts, every named text exists`);
