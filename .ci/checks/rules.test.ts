/**
 * Tests that each check passes a small faultless tree, and rejects each planted fault with the
 * remedy in the message.
 */
import { spawnSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { HEALTHY_TREE } from "./testing/rules-healthy-tree.ts";
import { IMPORT_FAULTS } from "./testing/rules-import-faults.ts";
import { NAME_FAULTS } from "./testing/rules-name-faults.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const BORROWED = [
  ".ci",
  ".dependency-cruiser.cjs",
  ".gitignore",
  ".oxlintrc.json",
  "biome.json",
  "knip.json",
  "package.json",
  "tsconfig.json",
];

let tree: string;
let planted: string[] = [];

beforeAll(() => {
  tree = mkdtempSync(join(tmpdir(), "tillgate-rules-"));
  for (const name of BORROWED) {
    cpSync(join(ROOT, name), join(tree, name), { recursive: true });
  }
  symlinkSync(join(ROOT, "node_modules"), join(tree, "node_modules"), "junction");
  plant(HEALTHY_TREE);
  planted = [];
  const { passed, output } = run("git", ["init", "--quiet"]);
  expect(passed, output).toBe(true);
});

afterEach(() => {
  for (const file of planted) {
    const healthy = HEALTHY_TREE[file];
    if (healthy !== undefined) {
      writeFileSync(join(tree, file), healthy);
    } else if (BORROWED.includes(file)) {
      cpSync(join(ROOT, file), join(tree, file));
    } else {
      rmSync(join(tree, file));
    }
  }
  planted = [];
});

afterAll(() => {
  rmSync(tree, { recursive: true, force: true });
});

function plant(files: Readonly<Record<string, string>>): void {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(tree, file)), { recursive: true });
    writeFileSync(join(tree, file), text);
    planted.push(file);
  }
}

function check(script: string): { passed: boolean; output: string } {
  return run("npm", ["run", "--silent", script]);
}

function run(tool: string, args: readonly string[]): { passed: boolean; output: string } {
  const { status, stdout, stderr } = spawnSync(tool, args, {
    cwd: tree,
    encoding: "utf8",
    shell: process.platform === "win32",
    env: {
      ...process.env,
      NO_COLOR: "1",
      PATH: [join(ROOT, "node_modules/.bin"), process.env.PATH].join(delimiter),
    },
  });
  return { passed: status === 0, output: stdout + stderr };
}

function flatten(text: string): string {
  return text.replaceAll(/\s+/g, " ");
}

describe("the checks of a faultless tree", { tags: ["thorough"] }, () => {
  for (const script of ["typecheck", "format", "lint", "imports"]) {
    test(`pass ${script}`, () => {
      const { passed, output } = check(script);
      expect(passed, output).toBe(true);
    });
  }

  test("pass the check for unused code, apart from reports of unused packages", () => {
    const { passed, output } = run("knip", ["--include", "files,exports,types"]);
    expect(passed, output).toBe(true);
  });
});

describe("the checks of a tree with a planted fault", { tags: ["thorough"] }, () => {
  test("reject a type error", () => {
    plant({ "server/lib/fault.ts": 'export const count: number = "three";\n' });
    const { passed, output } = check("typecheck");
    expect(passed).toBe(false);
    expect(output).toContain("Type 'string' is not assignable to type 'number'");
  });

  test("reject a file that is not formatted", () => {
    plant({ "server/lib/fault.ts": "export const count  = 'three'\n" });
    const { passed, output } = check("format");
    expect(passed).toBe(false);
    expect(output).toContain("server/lib/fault.ts");
    expect(output).toContain("npm run format:write");
  });

  test.each([
    ["any", "noExplicitAny", "export function read(value: any): void {\n  String(value);\n}\n"],
    [
      "a non-null assertion",
      "noNonNullAssertion",
      "export function read(value?: string): string {\n  return value!;\n}\n",
    ],
    ["console", "noConsole", 'console.log("left over");\n'],
    ["a default export", "noDefaultExport", "export default function read(): void {}\n"],
  ])("reject %s", (_name, rule, text) => {
    plant({ "server/lib/fault.ts": text });
    const { passed, output } = check("lint");
    expect(passed).toBe(false);
    expect(output).toContain(rule);
  });

  test("reject a file name that is not kebab-case", () => {
    plant({ "server/lib/badName.ts": "export const count = 3;\n" });
    const { passed, output } = check("lint");
    expect(passed).toBe(false);
    expect(output).toContain("kebab-case");
  });

  test("reject a promise without await, a promise as a condition, and an await without a promise", {
    tags: ["thorough"],
  }, () => {
    plant({
      "server/lib/fault.ts": [
        "async function send(): Promise<boolean> {",
        "  return true;",
        "}",
        "",
        "export async function run(): Promise<void> {",
        "  send();",
        "  if (send()) {",
        "    await 3;",
        "  }",
        "}",
        "",
      ].join("\n"),
    });
    const { passed, output } = check("lint");
    expect(passed).toBe(false);
    expect(output).toContain("no-floating-promises");
    expect(output).toContain("no-misused-promises");
    expect(output).toContain("await-thenable");
  });

  test("reject every forbidden import", () => {
    plant(Object.assign({}, ...IMPORT_FAULTS.map(({ files }) => files)) as Record<string, string>);
    const { passed, output } = check("imports");
    expect(passed).toBe(false);
    const said = flatten(output);
    for (const { rule, edge, remedy } of IMPORT_FAULTS) {
      expect.soft(said).toContain(`error ${rule}: ${edge}`);
      expect.soft(said).toContain(remedy);
    }
  });

  test.each([
    ["a cruise that saw nothing", 'exclude: { path: "." }', "cruised 0 of"],
    [
      "a cruise without a parser for TypeScript",
      "parser: undefined",
      "a clean result is not reliable",
    ],
  ])("reject %s", (_name, option, complaint) => {
    plant({
      "own.cjs": readFileSync(join(ROOT, ".dependency-cruiser.cjs"), "utf8"),
      ".dependency-cruiser.cjs": `const own = require("./own.cjs");\nmodule.exports = { ...own, options: { ...own.options, ${option} } };\n`,
    });
    const { passed, output } = check("imports");
    expect(passed).toBe(false);
    expect(output).toContain(complaint);
    expect(output).toContain('Keep `parser: "swc"`');
  });

  test("reject every banned name", () => {
    plant(Object.fromEntries(NAME_FAULTS.map(({ file, text }) => [file, text])));
    const { passed, output } = check("lint:names");
    expect(passed).toBe(false);
    for (const { file, says } of NAME_FAULTS) {
      for (const complaint of says) {
        expect.soft(output).toContain(`${file}:${complaint}`);
      }
    }
    expect(output).toContain("take a Clock as an argument");
    expect(output).toContain("write a function declaration");
    expect(output).toContain("read it in server/config/env.ts");
    expect(output).toContain("declare the message in electron/ipc");
    expect(output).toContain("use Dialog of renderer/components/dialog");
    expect(output).toContain("declare the operation in server/contract/pos");
    expect(output).toContain("use queryKeyOf or operationQuery");
    expect(output).toContain("use call or openStream");
    expect(output).toContain("keep it in a reducer");
    expect(output).toContain("write ...(condition && { … })");
    expect(output).toContain("run the element's command");
    expect(output).toContain("read them in a useEffectEvent");
    expect(output).toContain("wait for an event or a state");
    const count = NAME_FAULTS.flatMap(({ says }) => says).length;
    expect(output.trim().split("\n"), output).toHaveLength(count);
  });

  test("reject an unused file, export or package", { tags: ["thorough"] }, () => {
    plant({
      "server/lib/fault.ts": "export const nobody = 3;\n",
      "package.json": readFileSync(join(ROOT, "package.json"), "utf8").replace(
        '"dependencies": {',
        '"dependencies": { "left-pad": "1.3.0",',
      ),
      "server/lib/clock.ts": `${HEALTHY_TREE["server/lib/clock.ts"]}\nexport const unused = 3;\n`,
    });
    const { passed, output } = check("unused");
    expect(passed).toBe(false);
    expect(run("knip", ["--dependencies"]).output).toMatch(/Unused dependencies[\s\S]*left-pad/);
    expect(output).toMatch(/Unused files[\s\S]*server\/lib\/fault\.ts/);
    expect(output).toMatch(/Unused exports[\s\S]*unused\s+server\/lib\/clock\.ts/);
    expect(output).toContain("delete what is unused");
  });
});
