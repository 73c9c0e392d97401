import { mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createGateway } from "../index.ts";
import { TEST_OVERRIDES, testConfig } from "../testing/first-day.ts";

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "tillgate-failed-start-"));
});
afterEach(() => {
  rmSync(dataDir, { recursive: true, force: true });
});

describe("a start that fails halfway", () => {
  it("leaves neither the database nor the log open, so that the next start can open both", async () => {
    const config = testConfig(dataDir);
    const elsewhere = join(dataDir, "no-resources");
    writeFileSync(elsewhere, "");
    for (let tries = 0; tries < 3; tries++) {
      const broken = createGateway({ ...config, resourcesDir: elsewhere }, TEST_OVERRIDES);
      await expect(broken).rejects.toThrow("no-resources");
    }
    expect(openFilesBelow(dataDir)).toEqual([]);
    const gateway = await createGateway(config, TEST_OVERRIDES);
    await gateway.close();
  });

  it("leaves nothing open if the keyring is missing", async () => {
    const sealer = () => {
      throw new Error("no keyring");
    };
    const broken = createGateway(testConfig(dataDir), { ...TEST_OVERRIDES, sealer });
    await expect(broken).rejects.toThrow("no keyring");
    expect(openFilesBelow(dataDir)).toEqual([]);
  });
});

function openFilesBelow(directory: string): string[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc/self/fd").flatMap((fd) => {
    try {
      const file = readlinkSync(`/proc/self/fd/${fd}`);
      return file.startsWith(directory) ? [file] : [];
    } catch {
      return [];
    }
  });
}
