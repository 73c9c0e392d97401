import { mkdir, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { fingerprintOf } from "./ensure-built.ts";

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "tillgate-built-"));
  await put("renderer/main.tsx", "one");
  await put("server/index.ts", "one");
});

afterEach(() => rm(root, { recursive: true, force: true }));

async function put(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
}

test.each(["renderer/main.tsx", "server/index.ts", "package-lock.json", "electron/main.ts"])(
  "ensureBuilt builds after a change of %s",
  async (path) => {
    const before = fingerprintOf(root);
    await put(path, "two");
    expect(fingerprintOf(root)).not.toBe(before);
  },
);

test.each(["renderer/main.test.tsx", "server/README.md", "electron/launch/start.ts", "docs/a.ts"])(
  "ensureBuilt ignores a change of %s",
  async (path) => {
    const before = fingerprintOf(root);
    await put(path, "two");
    expect(fingerprintOf(root)).toBe(before);
  },
);

test("ensureBuilt builds after a file was moved, but not if only the file's time changed", async () => {
  const before = fingerprintOf(root);
  await utimes(join(root, "renderer/main.tsx"), 1, 1);
  expect(fingerprintOf(root)).toBe(before);
  await rm(join(root, "renderer/main.tsx"));
  await put("renderer/other.tsx", "one");
  expect(fingerprintOf(root)).not.toBe(before);
});
