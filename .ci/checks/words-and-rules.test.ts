import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

const RULES = [
  "## Money",
  "",
  '- <a id="money-minor-units"></a>**money-minor-units** Every amount is a whole number.',
  '  `server/lib/money.ts`; `server/lib/money.test.ts` "counts in whole units"',
  "",
].join("\n");

const HEALTHY: Readonly<Record<string, string>> = {
  ".ci/checks/banned-words.json": "{}\n",
  "docs/rules.md": RULES,
  "package.json": '{ "scripts": { "lint:rules": "" } }\n',
  "docs/decisions/0001-every-amount-is-whole.md": "# 1. Every amount is whole\n",
  "server/lib/money.ts":
    "/** Whole units (rules#money-minor-units, docs/decisions/0001). */\nexport const UNIT = 1;\n",
  "server/lib/money.test.ts": 'it("counts in whole\n  units", () => {});\n',
};

let tree: string;

beforeEach(() => {
  tree = mkdtempSync(join(tmpdir(), "tillgate-words-"));
  plant(HEALTHY);
});
afterEach(() => {
  rmSync(tree, { recursive: true, force: true });
});

function plant(files: Readonly<Record<string, string>>): void {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(tree, file)), { recursive: true });
    writeFileSync(join(tree, file), text);
  }
}

function run(script: string, ...args: string[]): { passed: boolean; output: string } {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(import.meta.dirname, script), ...args],
    { cwd: tree, encoding: "utf8" },
  );
  return { passed: status === 0, output: stdout + stderr };
}

describe("the check of rules", () => {
  test("passes if every cited anchor, file, test, record and link exists", () => {
    const { passed, output } = run("rule-anchors.ts");
    expect(output).toBe("rules: 1 rules, each with code and a test\n");
    expect(passed).toBe(true);
  });

  test("accepts a test title shortened with an ellipsis", () => {
    plant({ "docs/rules.md": RULES.replace("counts in whole units", "counts in…") });
    expect(run("rule-anchors.ts").passed).toBe(true);
  });

  test.each([
    [
      "a comment that cites no rule",
      { "server/lib/fault.ts": "// See rules#money-major-units.\n" },
      'server/lib/fault.ts:1: docs/rules.md has no "money-major-units": cite an existing rule, or write it.',
    ],
    [
      "a document that links to no rule",
      { "docs/run-the-shop.md": "\n[why](rules.md#money)\n[why](rules.md#money-none)\n" },
      'docs/run-the-shop.md:3: docs/rules.md has no "money-none"',
    ],
    [
      "a missing decision record",
      { "server/lib/fault.ts": "// docs/decisions/0002\n" },
      "server/lib/fault.ts:1: docs/decisions has no 0002",
    ],
    [
      "a link without a target",
      { "docs/run-the-shop.md": "[why](decisions/0001-every-amount.md)\n" },
      "docs/run-the-shop.md:1: the link leads to decisions/0001-every-amount.md, which does not exist",
    ],
    [
      "a link without a target in a document of the root",
      { "CONTRIBUTING.md": "[more](docs/contribute.md)\n" },
      "CONTRIBUTING.md:1: the link leads to docs/contribute.md, which does not exist",
    ],
    [
      "a rule whose file moved",
      { "docs/rules.md": RULES.replace("server/lib/money.ts", "server/money.ts") },
      "docs/rules.md:3: money-minor-units names server/money.ts, which does not exist; it moved to server/lib/money.ts: npm run lint:rules:mend.",
    ],
    [
      "a test with another title",
      { "docs/rules.md": RULES.replace("counts in whole", "counts in half") },
      'money-minor-units names the test "counts in half units", which is not in server/lib/money.test.ts.',
    ],
    [
      "a rule without code",
      { "docs/rules.md": RULES.replace("`server/lib/money.ts`; ", "") },
      "money-minor-units names no code: add `path` in the line below it.",
    ],
    [
      "a rule without a test",
      { "docs/rules.md": RULES.replace(/; `server.*$/m, "") },
      'money-minor-units names no test: add `path` "title" in the line below it.',
    ],
    [
      "a rule of more than 40 words",
      { "docs/rules.md": RULES.replace("Every amount", "Every ".repeat(37)) },
      "money-minor-units has 41 words, 40 at most: shorten or split it.",
    ],
    [
      "a list item that is no rule",
      { "docs/rules.md": `${RULES}- **money-tax** Tax is a whole number.\n` },
      "docs/rules.md:5: this list item is not a rule",
    ],
    [
      "a repeated anchor",
      { "docs/rules.md": `${RULES}\n${RULES}` },
      "docs/rules.md:8: money-minor-units exists twice.",
    ],
    [
      "a document that names a moved file",
      { "docs/run-the-shop.md": "See `server/money.ts`.\n" },
      "docs/run-the-shop.md:1: names server/money.ts, which does not exist; it moved to server/lib/money.ts: npm run lint:rules:mend.",
    ],
    [
      "a document that names no script",
      { "docs/run-the-shop.md": "`npm run -s lint:rulez -- x`\n" },
      'docs/run-the-shop.md:1: package.json has no script "lint:rulez"',
    ],
    [
      "a document that names a command which needs another Node",
      { "docs/run-the-shop.md": "`node server/db/dump-schema.ts`\n" },
      '"node server/db/dump-schema.ts`" needs another Node than the system\'s: name an npm script.',
    ],
    ["no rules", { "docs/rules.md": "# Rules\n" }, "docs/rules.md: it has no rules."],
  ])("fails for %s", (_name, files, complaint) => {
    plant(files);
    const { passed, output } = run("rule-anchors.ts");
    expect(passed).toBe(false);
    expect(output).toContain(complaint);
  });

  test("corrects the paths of moved files with --mend", () => {
    plant({ "docs/rules.md": RULES.replace("server/lib/money.ts", "server/money.ts") });
    expect(run("rule-anchors.ts", "--mend").passed).toBe(true);
    expect(readFileSync(join(tree, "docs/rules.md"), "utf8")).toBe(RULES);
  });
});

describe("the check of banned words", () => {
  test("passes a faultless tree", () => {
    const { passed, output } = run("banned-words.ts");
    expect(output).toBe("banned words: 4 files, 0 left\n");
    expect(passed).toBe(true);
  });

  test.each([
    ["a name", "export const cashDeed = 1;\n", '"deed" occurs 1 times, 0 are allowed: say action.'],
    ["a private name", "export class A {\n  #slips = 1;\n}\n", "fault.ts:2: slips"],
    ["a name of a type", "export interface CheckParts {\n  a: 1;\n}\n", "call the type Deps"],
    ["a constant", "export const QUESTION_PATIENCE_MS = 1;\n", "…_TIMEOUT_MS"],
    [
      "a comment",
      "/** What\n * whoever asks is told. */\nexport const A = 1;\n",
      "fault.ts:2: whoever",
    ],
    [
      "a section of another document",
      "// As it says in spec §4.3.\n",
      "cite an anchor of docs/rules.md",
    ],
  ])("finds a banned word in %s", (_name, text, complaint) => {
    plant({ "server/lib/fault.ts": text });
    const { passed, output } = run("banned-words.ts");
    expect(passed).toBe(false);
    expect(output).toContain(complaint);
  });

  test.each([
    ["a fragment at the start of a comment", "/** What purchases are narrowed to. */"],
    ["an object", "// Stores what was sold."],
    ["the object of a preposition", "// The sum of\n// what was sold."],
    ["a subject", "/** A sale ends. What follows is left out. */"],
    ["a tag of a doc comment", "/** @returns what was waited for */"],
    ["that which", "/** Keeps that\n * which was sold. */"],
  ])("finds a headless clause as %s", (_name, comment) => {
    plant({ "server/lib/fault.ts": `${comment}\nexport const A = 1;\n` });
    const { passed, output } = run("banned-words.ts");
    expect(passed).toBe(false);
    expect(output).toContain('"headless clause" occurs 1 times, 0 are allowed: name the noun');
  });

  test("finds headless clauses in documents, table cells and headings", () => {
    plant({
      "docs/owners.md": "## What is sold\n\n| command | what it does |\n|---|---|\n",
      "CONTRIBUTING.md": "Keep what works.\n",
    });
    const { output } = run("banned-words.ts", "--list", "headless clause");
    expect(output.split("\n").map((line) => line.trim())).toEqual([
      "CONTRIBUTING.md:1: what works.",
      "docs/owners.md:1: What is sold",
      "docs/owners.md:3: what it does",
      "",
    ]);
  });

  test.each([
    ["a question", "// What is sold? What follows, and what does not?"],
    ["an indirect question", "// Decides what is sold and asks the provider\n// what was sent."],
    ["a coordinated indirect question", "// Measures how long it takes and what memory it needs."],
    ["an infinitive", "// The text names what to do next."],
    ["a noun after what", "// In what order rows arrive is random."],
    ["a quotation", '// The test "sells what is left" is slow.'],
    ["code", "// The words `what was` are banned."],
    ["a text of the screen", 'const text = "Keep what is left.";'],
    ["a relative clause", "// A rule that the gateway keeps, which is tested."],
  ])("does not take %s for a headless clause", (_name, line) => {
    plant({ "server/lib/fine.ts": `${line}\nexport const A = 1;\n` });
    const { passed, output } = run("banned-words.ts");
    expect(passed, output).toBe(true);
  });

  test.each([
    ["it", 'it("is refused if repeated", () => {});'],
    ["it.each", 'it.each([1])(\n  "is refused if repeated", () => {});'],
    ["it.skipIf", 'it.skipIf(true).each`a`("is refused if repeated", () => {});'],
    ["a test with a tag", 'test("is refused if repeated", { tag: "@core" }, () => {});'],
    ["a test of another name", 'paperTest("is refused if repeated", () => {});'],
    ["a group", 'test.describe("is refused if repeated", () => {});'],
    ["a template", "it(`is refused if repeated`, () => {});"],
  ])("finds a title of %s that is a fragment", (_name, text) => {
    plant({ "e2e/fault.spec.ts": `\n${text}\n` });
    const { passed, output } = run("banned-words.ts");
    expect(passed).toBe(false);
    expect(output).toContain('"fragment title" occurs 1 times, 0 are allowed: start with a verb');
    expect(output).toMatch(/e2e\/fault\.spec\.ts:[23]: is refused if/);
  });

  test.each([
    ["a title with a verb", "server/lib/fine.test.ts", 'it("isolates a test", () => {});'],
    ["another string", "server/lib/fine.test.ts", 'expect(text, "is refused");'],
    ["a call outside of tests", "server/lib/fine.ts", 'test("is refused");'],
  ])("does not take %s for a fragment", (_name, file, text) => {
    plant({ [file]: `${text}\n` });
    const { passed, output } = run("banned-words.ts");
    expect(passed, output).toBe(true);
  });

  test("finds banned words in documents, and once in each file name or folder name", () => {
    plant({
      "docs/run-the-shop.md": "The wall shows every brand.\n",
      "renderer/wall/a.ts": "export const A = 1;\n",
      "renderer/wall/b.ts": "export const B = 1;\n",
    });
    const { output } = run("banned-words.ts");
    expect(output).toContain('"wall" occurs 2 times, 0 are allowed: say picker.');
    expect(output).toContain("docs/run-the-shop.md:1: wall");
    expect(output).toContain("renderer/wall:1: wall");
  });

  test("ignores strings, code in documents, longer words and frozen migrations", () => {
    plant({
      "docs/run-the-shop.md": "`wall` of the wallet ([why](wall.md))\n\n```\nslip\n```\n",
      "server/lib/fine.ts": 'export const wallet = "somebody slipped"; // RFC 9110 §13.1.2\n',
      "server/db/migrations/001-slips.ts": "export const slips = 1;\n",
    });
    expect(run("banned-words.ts").passed).toBe(true);
  });

  test("requires exactly the allowed number of each word", {
    tags: ["thorough"],
  }, () => {
    plant({ "server/lib/fault.ts": "// a wall\n// a wall\n" });
    for (const [allowed, passes, complaint] of [
      [1, false, '"wall" occurs 2 times, 1 are allowed'],
      [2, true, "2 left"],
      [3, false, '"wall" occurs 2 times and no longer 3: npm run lint:words:lower.'],
    ] as const) {
      plant({ ".ci/checks/banned-words.json": JSON.stringify({ wall: allowed }) });
      const { passed, output } = run("banned-words.ts");
      expect(output).toContain(complaint);
      expect(passed).toBe(passes);
    }
    expect(run("banned-words.ts", "--list", "wall").output.trim().split("\n")).toHaveLength(2);
  });

  test("lowers allowed numbers, and never raises them", () => {
    plant({
      "server/lib/fault.ts": "// a wall, a slip\n",
      ".ci/checks/banned-words.json": JSON.stringify({ wall: 3, deed: 2 }),
    });
    run("banned-words.ts", "--lower");
    const lowered = readFileSync(join(tree, ".ci/checks/banned-words.json"), "utf8");
    expect(JSON.parse(lowered)).toEqual({ wall: 1 });
    expect(run("banned-words.ts").output).toContain('"slip" occurs 1 times, 0 are allowed');
  });
});
