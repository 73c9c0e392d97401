/**
 * Checks docs/rules.md and all citations of rules:
 *
 * - Each rule is a list item with an anchor, a sentence, and a line with references: the files that
 *   enforce the rule and the tests that show it. These files and test titles exist ("…" at the end
 *   of a title stands for the rest).
 * - Comments cite a rule as `rules#anchor`, documents link to `rules.md#anchor`, and the anchor
 *   exists.
 * - Cited decision records exist. In documents, link targets, files named from the root and npm
 *   scripts exist, and the project's own commands are written as npm scripts.
 *
 * `--mend` first corrects the paths of moved files in all documents.
 */
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const RULES = "docs/rules.md";
const SOURCES = "{server,electron,renderer,resources,e2e,docs}/**/*.{ts,tsx,css,md}";
const ROOT_DOCUMENTS = "{README,CHANGELOG,CONTRIBUTING,SECURITY,CODE_OF_CONDUCT,.github/*}.md";
const EXEMPT = /^server\/db\/migrations\/|node_modules/;

const ANCHOR = /^[a-z][a-z0-9]*(-[a-z0-9]+)+$/;
/** Maximum length of a rule. Longer texts usually contain two rules. */
const MAX_RULE_WORDS = 40;

interface Rule {
  readonly anchor: string;
  readonly line: number;
  readonly text: string;
  /** The line below the rule: paths of code and of tests, each test with its title in quotes. */
  readonly references: string;
}

interface Reference {
  readonly path: string;
  readonly title: string | undefined;
}

function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}

function readRules(text: string): Rule[] {
  const rules = text.matchAll(
    /^- <a id="([^"]+)"><\/a>\*\*\1\*\* (.+)((?:\n {2}(?!`).+)*)((?:\n {2}.+)*)/gm,
  );
  return [...rules].map(({ 1: anchor = "", 2: first, 3: more, 4: references = "", index }) => ({
    anchor,
    line: lineOf(text, index),
    text: `${first}${more}`,
    references,
  }));
}

/**
 * Finds list items without the form of a rule. Otherwise, a rule with a misspelt anchor would be
 * skipped.
 */
function checkItems(text: string): string[] {
  return [...text.matchAll(/^- (?!<a id="([^"]+)"><\/a>\*\*\1\*\* ).*/gm)].map(({ index }) => {
    const remedy = `start it with '- <a id="anchor"></a>**anchor** '`;
    return `${RULES}:${lineOf(text, index)}: this list item is not a rule: ${remedy}.`;
  });
}

function readReferences({ references }: Rule): Reference[] {
  return [...references.matchAll(/`([^`]+)`(?:\s+"([^"]+)")?/g)].map(([, path = "", title]) => ({
    path,
    title,
  }));
}

function flatten(text: string): string {
  return text.replaceAll(/\s+/g, " ");
}

/**
 * Returns the new path of a moved file, if exactly one file in its top-level folder has the same
 * name.
 */
function findMoved(path: string): string | undefined {
  const [folder, name] = [path.split("/")[0], path.split("/").at(-1)];
  const [moved, ...more] = globSync(`${folder}/**/${name}`);
  return more.length === 0 ? moved?.replaceAll("\\", "/") : undefined;
}

function complainOfPath(path: string): string {
  const moved = findMoved(path);
  const remedy = moved === undefined ? "" : `; it moved to ${moved}: npm run lint:rules:mend`;
  return `names ${path}, which does not exist${remedy}`;
}

function checkRule(rule: Rule, isRepeated: boolean): string[] {
  const { anchor } = rule;
  const complaints: string[] = [];
  if (!ANCHOR.test(anchor)) {
    complaints.push(`"${anchor}" is no anchor: two or more words in kebab-case`);
  }
  if (isRepeated) complaints.push(`${anchor} exists twice`);
  const words = rule.text.trim().split(/\s+/).length;
  if (words > MAX_RULE_WORDS) {
    complaints.push(`${anchor} has ${words} words, ${MAX_RULE_WORDS} at most: shorten or split it`);
  }
  const references = readReferences(rule);
  if (!references.some(({ path }) => !isTest(path))) {
    complaints.push(`${anchor} names no code: add \`path\` in the line below it`);
  }
  if (!references.some(({ path }) => isTest(path))) {
    complaints.push(`${anchor} names no test: add \`path\` "title" in the line below it`);
  }
  complaints.push(...references.flatMap((reference) => checkReference(anchor, reference)));
  return complaints.map((complaint) => `${RULES}:${rule.line}: ${complaint}.`);
}

function isTest(path: string): boolean {
  return /\.(test|spec)\.tsx?$/.test(path);
}

function checkReference(anchor: string, { path, title }: Reference): string[] {
  if (!existsSync(path)) return [`${anchor} ${complainOfPath(path)}`];
  if (title === undefined) return [];
  const start = flatten(title).replace(/…$/, "");
  if (flatten(readFileSync(path, "utf8")).includes(start)) return [];
  return [`${anchor} names the test "${flatten(title)}", which is not in ${path}`];
}

function checkCitations(file: string, anchors: ReadonlySet<string>): string[] {
  const text = readFileSync(file, "utf8");
  const rules = [...text.matchAll(/rules(?:\.md)?#([a-z][a-z0-9-]*)/g)]
    .filter(([, anchor = ""]) => !anchors.has(anchor))
    .map(({ 1: anchor, index }) => {
      return `${file}:${lineOf(text, index)}: ${RULES} has no "${anchor}": cite an existing rule, or write it.`;
    });
  const decisions = [...text.matchAll(/docs\/decisions\/(\d{4})/g)]
    .filter(([, number = ""]) => globSync(`docs/decisions/${number}-*.md`).length === 0)
    .map(({ 1: number, index }) => {
      return `${file}:${lineOf(text, index)}: docs/decisions has no ${number}: cite an existing record.`;
    });
  return [...rules, ...decisions, ...(file.endsWith(".md") ? checkDocument(file, text) : [])];
}

function checkDocument(file: string, text: string): string[] {
  const names = file === RULES ? [] : checkNames(file, text);
  return [...checkLinks(file, text), ...names, ...checkCommands(file, text)];
}

function checkNames(file: string, text: string): string[] {
  return [...text.matchAll(/`((?:server|electron|renderer|resources|e2e|docs)\/[\w./-]+)`/g)]
    .filter(([, path = ""]) => !existsSync(path))
    .map(({ 1: path = "", index }) => `${file}:${lineOf(text, index)}: ${complainOfPath(path)}.`);
}

/**
 * Checks that a document's commands are `npm run` commands, because only these use the project's
 * own Node.
 */
function checkCommands(file: string, text: string): string[] {
  const missing = [...text.matchAll(/npm run (?:-s |--silent )?([\w:-]+)/g)]
    .filter(([, script = ""]) => !scripts.has(script))
    .map(({ 1: script, index }) => {
      return `${file}:${lineOf(text, index)}: package.json has no script "${script}": name an existing one.`;
    });
  const bare = [
    ...text.matchAll(/(?:\bnode (?:server|resources|e2e|electron|\.ci)\/|\bnpx )\S+/g),
  ].map(({ 0: command, index }) => {
    return `${file}:${lineOf(text, index)}: "${command}" needs another Node than the system's: name an npm script.`;
  });
  return [...missing, ...bare];
}

function checkLinks(file: string, text: string): string[] {
  return [...text.matchAll(/\]\(([^()#:\s]+)(?:#[^()\s]*)?\)/g)]
    .filter(([, target = ""]) => !existsSync(join(dirname(file), target)))
    .map(({ 1: target, index }) => {
      return `${file}:${lineOf(text, index)}: the link leads to ${target}, which does not exist: link to an existing file.`;
    });
}

function mend(text: string): string {
  return text.replaceAll(
    /`((?:server|electron|renderer|resources|e2e|docs)\/[\w./-]+)`/g,
    (quoted, path: string) => {
      const moved = existsSync(path) ? undefined : findMoved(path);
      return moved === undefined ? quoted : `\`${moved}\``;
    },
  );
}

const scripts = new Set(
  Object.keys((JSON.parse(readFileSync("package.json", "utf8")) as { scripts: object }).scripts),
);
const files = [...globSync(SOURCES), ...globSync(ROOT_DOCUMENTS)]
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
  ...(rules.length === 0 ? [`${RULES}: it has no rules.`] : []),
  ...checkItems(text),
  ...rules.flatMap((rule, index) =>
    checkRule(rule, rules.findIndex(({ anchor }) => anchor === rule.anchor) < index),
  ),
  ...files.flatMap((file) => checkCitations(file, anchors)),
];
for (const complaint of complaints) console.error(complaint);
if (complaints.length === 0) console.log(`rules: ${rules.length} rules, each with code and a test`);
process.exitCode = complaints.length === 0 ? 0 : 1;
