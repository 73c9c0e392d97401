/**
 * Finds banned words, headless clauses and fragments (word-finder.ts) in names, comments, documents
 * and titles of tests. banned-words.json contains the allowed number of each word. The numbers may
 * only fall.
 *
 *     npm run lint:words                    fails if a number differs from the allowed number
 *     npm run lint:words -- --list deed     lists every occurrence of a word
 *     npm run lint:words:lower              lowers the allowed numbers to the present numbers
 */
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { BANNED_WORDS, findInPaths, findWords, type Hit } from "./word-finder.ts";

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
