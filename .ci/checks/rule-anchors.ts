/**
 * Holds docs/rules.md and what cites it together:
 *
 * - a comment or a document cites a rule as `rules#anchor` (`rules.md#anchor` in a link), and the anchor is there;
 * - every rule names a file that holds it and a test that shows it, and both exist, the test by its title too;
 * - a decision record that is cited by its number, and in documents the target of every link, every file that is
 *   named from the root and every npm script, is there; documents name npm scripts and no other commands of ours.
 *
 * With `--mend` the paths of files that were moved are put right in all documents first.
 */
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const RULES = "docs/rules.md";
const FILES = "{server,electron,renderer,resources,e2e,docs}/**/*.{ts,tsx,css,md}";
/** Written once and for all. */
const EXEMPT = /^server\/db\/migrations\/|node_modules/;

const ANCHOR = /^[a-z][a-z0-9]*(-[a-z0-9]+)+$/;

interface Rule {
  readonly anchor: string;
  readonly line: number;
  readonly text: string;
}

function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}

/** Each section with a heading of the third level is a rule; its heading is the anchor. */
function readRules(text: string): Rule[] {
  return [...text.matchAll(/^### (.+)\n([\s\S]*?)(?=^##|(?![\s\S]))/gm)].map((match) => ({
    anchor: match[1] ?? "",
    line: lineOf(text, match.index),
    text: match[2] ?? "",
  }));
}

/** The line of a rule that begins with `label`, and those that it goes on in. */
function partOf({ text }: Rule, label: string): string {
  return (
    new RegExp(String.raw`^- ${label}: ([\s\S]*?)(?=^- |^\s*$|(?![\s\S]))`, "m").exec(text)?.[1] ??
    ""
  );
}

function flatten(text: string): string {
  return text.replaceAll(/\s+/g, " ");
}

/** Where a file that was moved within its part of the repository is now, where only one can be it. */
function findMoved(path: string): string | undefined {
  const [folder, name] = [path.split("/")[0], path.split("/").at(-1)];
  const [moved, ...more] = globSync(`${folder}/**/${name}`);
  return more.length === 0 ? moved?.replaceAll("\\", "/") : undefined;
}

function complainOfPath(path: string): string {
  const moved = findMoved(path);
  const remedy = moved === undefined ? "" : `; it is ${moved} now: npm run lint:rules:mend`;
  return `names ${path}, which is not there${remedy}`;
}

function checkRule(rule: Rule, twice: boolean): string[] {
  const { anchor } = rule;
  const complaints: string[] = [];
  if (!ANCHOR.test(anchor)) {
    complaints.push(`"${anchor}" is no anchor: two or more words in kebab-case`);
  }
  if (twice) complaints.push(`${anchor} is there twice`);
  const held = [...partOf(rule, "Held by").matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? "");
  const shown = [...partOf(rule, "Shown by").matchAll(/`([^`]+)`(?:\s+"([^"]+)")?/g)];
  if (held.length === 0) complaints.push(`${anchor} names no file: add "- Held by: \`path\`"`);
  if (shown.length === 0) {
    complaints.push(`${anchor} names no test: add "- Shown by: \`path\` "title""`);
  }
  for (const path of [...held, ...shown.map((match) => match[1] ?? "")]) {
    if (!existsSync(path)) complaints.push(`${anchor} ${complainOfPath(path)}`);
  }
  for (const [, path = "", title] of shown) {
    if (title === undefined || !existsSync(path)) continue;
    if (!flatten(readFileSync(path, "utf8")).includes(flatten(title))) {
      complaints.push(`${anchor} names the test "${flatten(title)}", which is not in ${path}`);
    }
  }
  return complaints.map((complaint) => `${RULES}:${rule.line}: ${complaint}.`);
}

function checkCitations(file: string, anchors: ReadonlySet<string>): string[] {
  const text = readFileSync(file, "utf8");
  const rules = [...text.matchAll(/rules(?:\.md)?#([a-z][a-z0-9-]*)/g)]
    .filter(([, anchor = ""]) => !anchors.has(anchor))
    .map(({ 1: anchor, index }) => {
      return `${file}:${lineOf(text, index)}: ${RULES} has no "${anchor}": name a rule that is there, or write it.`;
    });
  const decisions = [...text.matchAll(/docs\/decisions\/(\d{4})/g)]
    .filter(([, number = ""]) => globSync(`docs/decisions/${number}-*.md`).length === 0)
    .map(({ 1: number, index }) => {
      return `${file}:${lineOf(text, index)}: docs/decisions has no ${number}: name the record that is there.`;
    });
  return [...rules, ...decisions, ...(file.endsWith(".md") ? checkDocument(file, text) : [])];
}

function checkDocument(file: string, text: string): string[] {
  const names = file === RULES ? [] : checkNames(file, text);
  return [...checkLinks(file, text), ...names, ...checkCommands(file, text)];
}

/** Files and folders that a document names from the root, as one that was moved is still named. */
function checkNames(file: string, text: string): string[] {
  return [...text.matchAll(/`((?:server|electron|renderer|resources|e2e|docs)\/[\w./-]+)`/g)]
    .filter(([, path = ""]) => !existsSync(path))
    .map(({ 1: path = "", index }) => `${file}:${lineOf(text, index)}: ${complainOfPath(path)}.`);
}

/** `npm run` finds the project's own Node, which `node` and `npx` by themselves do not. */
function checkCommands(file: string, text: string): string[] {
  const missing = [...text.matchAll(/npm run (?:-s |--silent )?([\w:-]+)/g)]
    .filter(([, script = ""]) => !scripts.has(script))
    .map(({ 1: script, index }) => {
      return `${file}:${lineOf(text, index)}: package.json has no script "${script}": name one that is there.`;
    });
  const bare = [
    ...text.matchAll(/(?:\bnode (?:server|resources|e2e|electron|\.ci)\/|\bnpx )\S+/g),
  ].map(({ 0: command, index }) => {
    return `${file}:${lineOf(text, index)}: "${command}" needs another Node than the system's: name an npm script.`;
  });
  return [...missing, ...bare];
}

/** Links to files of the repository, as the document's reader follows them. */
function checkLinks(file: string, text: string): string[] {
  return [...text.matchAll(/\]\(([^()#:\s]+)(?:#[^()\s]*)?\)/g)]
    .filter(([, target = ""]) => !existsSync(join(dirname(file), target)))
    .map(({ 1: target, index }) => {
      return `${file}:${lineOf(text, index)}: the link leads to ${target}, which is not there: name the file that is.`;
    });
}

/** A document with the paths of files that were moved put right. */
function mend(text: string): string {
  return text.replaceAll(
    /`((?:server|electron|renderer|resources|e2e|docs)\/[\w./-]+)`/g,
    (quoted, path: string) => {
      const moved = existsSync(path) ? undefined : findMoved(path);
      return moved === undefined ? quoted : `\`${moved}\``;
    },
  );
}

/** The names of package.json's scripts. */
const scripts = new Set(
  Object.keys((JSON.parse(readFileSync("package.json", "utf8")) as { scripts: object }).scripts),
);
const files = [...globSync(FILES), ...globSync("{README,CHANGELOG}.md")]
  .map((file) => file.replaceAll("\\", "/"))
  .filter((file) => !EXEMPT.test(file))
  .toSorted();
if (process.argv.includes("--mend")) {
  for (const file of files.filter((name) => name.endsWith(".md"))) {
    const before = readFileSync(file, "utf8");
    const after = mend(before);
    if (after !== before) writeFileSync(file, after);
  }
}

const text = existsSync(RULES) ? readFileSync(RULES, "utf8") : "";
const rules = readRules(text);
const headings = [...text.matchAll(/^## (.+)$/gm)].map(([, title = ""]) =>
  title
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, "")
    .replaceAll(" ", "-"),
);
const anchors = new Set([...rules.map(({ anchor }) => anchor), ...headings]);
const complaints = [
  ...(rules.length === 0 ? [`${RULES}: there is no rule in it.`] : []),
  ...rules.flatMap((rule, index) =>
    checkRule(rule, rules.findIndex(({ anchor }) => anchor === rule.anchor) < index),
  ),
  ...files.flatMap((file) => checkCitations(file, anchors)),
];
for (const complaint of complaints) console.error(complaint);
if (complaints.length === 0) console.log(`rules: ${rules.length} rules, each held and shown`);
process.exitCode = complaints.length === 0 ? 0 : 1;
