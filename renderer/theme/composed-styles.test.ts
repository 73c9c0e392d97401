/**
 * A style sheet contains a copy of every rule that its rules compose. If two sheets set the same
 * property, the sheet that loads last wins, which depends on the opened screens. A rule therefore
 * must not override a rule that it composes.
 */
import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { expect, it } from "vitest";

const PAGES = resolve(import.meta.dirname, "..");

function rulesOf(file: string): Map<string, Map<string, string>> {
  const text = readFileSync(file, "utf8").replaceAll(/\/\*.*?\*\//gs, "");
  const rules = new Map<string, Map<string, string>>();
  for (const [, selector = "", body = ""] of text.matchAll(/^([^@{}\s][^{}]*?)\s*\{([^{}]*)\}/gm)) {
    const declarations = body
      .split(";")
      .map((declaration) => declaration.split(/:(.*)/s).map((part) => part.trim()))
      .filter(([name = ""]) => name !== "")
      .map(([name = "", value = ""]) => [name, value] as const);
    rules.set(selector, new Map([...(rules.get(selector) ?? []), ...declarations]));
  }
  return rules;
}

/** Returns whether one property includes the other, as `padding` includes `padding-block`. */
function areSame(one: string, other: string): boolean {
  return one === other || one.startsWith(`${other}-`) || other.startsWith(`${one}-`);
}

function composedBy(file: string, composes: string | undefined): string[] {
  // A rule may override a shared class, whose sheet is linked first.
  if (composes === undefined || composes.endsWith(" from global")) return [];
  const [, names = "", , source] = /^([\w ]+?)( from "(.*)")?$/.exec(composes) ?? [];
  const sheet = source === undefined ? file : join(dirname(file), source);
  const rules = rulesOf(sheet);
  return names.split(" ").flatMap((name) => {
    const said = rules.get(`.${name}`) ?? new Map<string, string>();
    const { composes: further, ...own } = Object.fromEntries(said);
    return [...Object.keys(own), ...composedBy(sheet, further)];
  });
}

/** Lists properties that a rule both declares and composes from another style sheet. */
function contradictionsIn(file: string): string[] {
  return [...rulesOf(file)].flatMap(([selector, own]) => {
    const composes = own.get("composes");
    if (!composes?.includes(" from ")) return [];
    const said = composedBy(file, composes);
    return [...own.keys()]
      .filter((name) => said.some((other) => areSame(name, other)))
      .map((name) => `${relative(PAGES, file)} ${selector}: ${name}`);
  });
}

const shared = readFileSync(join(PAGES, "theme/shared.css"), "utf8");

/** Lists shared classes that a module composes and `shared.css` does not contain. */
function unknownIn(file: string): string[] {
  const composed = readFileSync(file, "utf8").matchAll(/composes: ([\w -]+) from global;/g);
  return [...composed]
    .flatMap(([, names = ""]) => names.split(" "))
    .filter((name) => !new RegExp(`^\\.${name}[\\s,:[>]`, "m").test(shared))
    .map((name) => `${relative(PAGES, file)}: ${name}`);
}

/** Lists classes that a component reads from a module and the module does not contain. */
function missingIn(file: string): string[] {
  const text = readFileSync(file, "utf8");
  const imports = text.matchAll(/^import (\w+) from "(.*\.module\.css)";$/gm);
  return [...imports].flatMap(([line, name = "", source = ""]) => {
    const sheet = readFileSync(join(dirname(file), source), "utf8");
    return [...text.replace(line, "").matchAll(new RegExp(`\\b${name}\\.(\\w+)`, "g"))]
      .map(([, read = ""]) => read)
      .filter((read) => !new RegExp(`\\.${read}(?![\\w-])`).test(sheet))
      .map((read) => `${relative(PAGES, file)}: ${name}.${read}`);
  });
}

it("components read only classes that their modules contain", () => {
  const files = globSync("**/*.tsx", { cwd: PAGES }).map((file) => join(PAGES, file));
  expect(files.length).toBeGreaterThan(200);
  expect(files.flatMap(missingIn)).toEqual([]);
});

it("modules compose only shared classes that exist", () => {
  const files = globSync("**/*.module.css", { cwd: PAGES }).map((file) => join(PAGES, file));
  expect(files.flatMap(unknownIn)).toEqual([]);
});

it("no rule overrides a property that it composes from another style sheet", () => {
  const files = globSync("**/*.module.css", { cwd: PAGES }).map((file) => join(PAGES, file));
  expect(files.length).toBeGreaterThan(50);
  expect(files.flatMap(contradictionsIn)).toEqual([]);
});

it("icons are mirrored for right-to-left languages only in global.css, so that none turns twice", () => {
  const turned = globSync("**/*.module.css", { cwd: PAGES }).filter((file) =>
    /scaleX\(-1\)|scale: -1/.test(readFileSync(join(PAGES, file), "utf8")),
  );
  expect(turned).toEqual([]);
});
