import {
  appendFileSync,
  copyFileSync,
  mkdtempSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { noteCleanEnd, takeCleanEnd } from "./clean-end.ts";

let dataDir: string;
let file: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "tillgate-clean-end-"));
  file = join(dataDir, "tillgate.db");
  writeFileSync(file, "a database");
});
afterEach(() => rmSync(dataDir, { recursive: true }));

describe("record of a clean shutdown", () => {
  it("applies to one start only", () => {
    expect(takeCleanEnd(dataDir)).toBe(false);
    noteCleanEnd(dataDir);
    expect(takeCleanEnd(dataDir)).toBe(true);
    expect(takeCleanEnd(dataDir)).toBe(false);
  });

  const copy = () => {
    copyFileSync(file, `${file}.copy`);
    renameSync(`${file}.copy`, file);
  };
  it.each<[string, () => void]>([
    ["was written to", () => appendFileSync(file, "!")],
    ["was overwritten with the same content", () => writeFileSync(file, "a database")],
    ["is a copy, as a restored backup is", copy],
    ["has a log of writes beside it", () => writeFileSync(`${file}-wal`, "commits")],
    ["is gone", () => rmSync(file)],
  ])("does not match a file that %s", (_case, change) => {
    noteCleanEnd(dataDir);
    change();
    expect(takeCleanEnd(dataDir)).toBe(false);
  });

  it("does not apply to a copy of the data directory", () => {
    noteCleanEnd(dataDir);
    const other = mkdtempSync(join(tmpdir(), "tillgate-clean-end-"));
    for (const name of ["tillgate.db", "tillgate.db-clean"]) {
      copyFileSync(join(dataDir, name), join(other, name));
    }
    expect(takeCleanEnd(other)).toBe(false);
    rmSync(other, { recursive: true });
  });

  it("proves no clean shutdown if it is damaged or the write-ahead log contains commits", () => {
    writeFileSync(`${file}-wal`, "commits");
    noteCleanEnd(dataDir);
    rmSync(`${file}-wal`);
    expect(takeCleanEnd(dataDir)).toBe(false);
    noteCleanEnd(dataDir);
    writeFileSync(`${file}-clean`, "");
    expect(takeCleanEnd(dataDir)).toBe(false);
  });
});
