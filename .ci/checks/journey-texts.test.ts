import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

const CHECK = join(import.meta.dirname, "journey-texts.ts");
const WORDS = ".ci/checks/journey-words.json";
const JOURNEY = `
  await page.getByRole("button", { name: "Take payment" }).click();
  await expect(page.getByText("Sale 7 is paid")).toBeVisible();
  await expect(page.getByText("Rosa")).toBeVisible();
  await expect(page.getByText("Q 5.43")).toBeVisible();
`;

let tree: string;
beforeEach(() => {
  tree = mkdtempSync(join(tmpdir(), "tillgate-journeys-"));
  plant("renderer/locales/en.json", { pay: "Take payment", paid: "Sale {{number}} is paid" });
  plant(WORDS, ["Rosa"]);
  plant("e2e/sell.spec.ts", JOURNEY);
});
afterEach(() => rmSync(tree, { recursive: true, force: true }));

function plant(file: string, content: unknown): void {
  mkdirSync(dirname(join(tree, file)), { recursive: true });
  const text = typeof content === "string" ? content : JSON.stringify(content);
  writeFileSync(join(tree, file), text);
}

function run(): { passed: boolean; output: string } {
  const spawned = spawnSync(process.execPath, [CHECK], { cwd: tree, encoding: "utf8" });
  return { passed: spawned.status === 0, output: spawned.stdout + spawned.stderr };
}

test("the check of end-to-end texts passes test data and the till's texts with any values for variables", () => {
  expect(run()).toMatchObject({ passed: true });
});

test("the check of end-to-end texts finds the test that names a changed label", () => {
  plant("renderer/locales/en.json", { pay: "Pay now", paid: "Sale {{number}} is paid" });
  const { passed, output } = run();
  expect([passed, output]).toEqual([
    false,
    expect.stringContaining('e2e/sell.spec.ts:2: "Take payment" is no text of the till'),
  ]);
});

test("the check of end-to-end texts finds listed words that no test uses", () => {
  plant(WORDS, ["Rosa", "Marta"]);
  expect(run()).toMatchObject({ passed: false, output: expect.stringContaining('uses "Marta"') });
});
