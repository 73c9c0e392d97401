import { join } from "node:path";
import { expect, it } from "vitest";
import { SharedSandboxRows } from "./sandbox-catalog.ts";

it("sandboxes that are created within a minute share the rows of one catalog", async () => {
  const shared = new SharedSandboxRows(join(process.cwd(), "resources"));
  expect(shared.isKept).toBe(false);
  const rows = await shared.read(1_000);
  expect(rows.offers.put.length).toBeGreaterThan(1_000);
  expect(await shared.read(2_000)).toBe(rows);
  shared.dropUnusedSince(2_000);
  expect(shared.isKept).toBe(true);
  shared.dropUnusedSince(2_001);
  expect(shared.isKept).toBe(false);
});

it("shared rows are read again after a failed read", async () => {
  const shared = new SharedSandboxRows(join(process.cwd(), "missing"));
  await expect(shared.read(0)).rejects.toThrow(/ENOENT/);
  expect(shared.isKept).toBe(false);
});
