import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { MINUTE } from "../../../lib/clock.ts";
import { SandboxTemplate } from "./sandbox-pool.ts";

let folder: string;
let built: number;
let template: SandboxTemplate;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tillgate-test-"));
  built = 0;
  template = new SandboxTemplate(join(folder, "build"), async (dir) => {
    mkdirSync(dir);
    built += 1;
    for (const end of ["", "-commits", "-wal", "-shm"]) {
      writeFileSync(join(dir, `tillgate.db${end}`), `${built}${end}`);
    }
    writeFileSync(join(dir, "requests.db"), "");
    if (built === 1 && isFaulty) throw new Error("disk full");
  });
});
let isFaulty = false;
afterEach(() => {
  isFaulty = false;
  rmSync(folder, { recursive: true });
});

function write(name: string, now: number): Promise<void> {
  return template.copyTo(join(folder, name), now);
}

describe("the template of new sandboxes", () => {
  it("serves all sandboxes of ten minutes, and is then rebuilt", async () => {
    await write("a", 0);
    await write("b", 10 * MINUTE);
    expect(readdirSync(join(folder, "b"))).toEqual([
      "tillgate.db",
      "tillgate.db-commits",
      "tillgate.db-wal",
    ]);
    expect(readFileSync(join(folder, "b/tillgate.db-commits"), "utf8")).toBe("1-commits");
    await write("c", 10 * MINUTE + 1);
    await write("d", 0);
    expect(built).toBe(3);
  });

  it("disappears a while after its last use", async () => {
    await write("a", 1_000);
    await template.dropUnusedSince(1_000);
    expect([template.isKept, existsSync(join(folder, "build"))]).toEqual([true, true]);
    await template.dropUnusedSince(1_001);
    expect([template.isKept, existsSync(join(folder, "build"))]).toEqual([false, false]);
  });

  it("replaces missing files at the next creation", async () => {
    await write("a", 0);
    rmSync(join(folder, "build"), { recursive: true });
    await expect(write("b", 0)).rejects.toThrow("ENOENT");
    await write("b", 0);
    expect([built, existsSync(join(folder, "b/tillgate.db"))]).toEqual([2, true]);
  });

  it("leaves no directory if it cannot be built, and is built again", async () => {
    isFaulty = true;
    await expect(write("a", 0)).rejects.toThrow("disk full");
    expect([readdirSync(folder), template.isKept]).toEqual([[], false]);
    await write("a", 0);
    expect(built).toBe(2);
  });
});
