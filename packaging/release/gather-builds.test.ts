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
import { afterEach, beforeEach, expect, it } from "vitest";
import { gatherBuilds } from "./feed.ts";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "tillgate-gather-"));
});
afterEach(() => rmSync(dir, { recursive: true }));

const entry = (arch: string) =>
  `  - url: Tillgate-0.2.0-win-${arch}.exe\n    sha512: ${arch}==\n    size: 7\n`;
const list = (arch: string) =>
  `version: 0.2.0\nfiles:\n${entry(arch)}path: Tillgate-0.2.0-win-${arch}.exe\nsha512: ${arch}==\nreleaseDate: '2026-11-23T10:00:00.000Z'\n`;

function build(folder: string, files: Record<string, string>): void {
  mkdirSync(join(dir, folder));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, folder, name), text);
}

it("two builds for one system get one list with both installers, even after a second merge", async () => {
  build("windows-x64", { "latest.yml": list("x64"), "Tillgate-0.2.0-win-x64.exe": "x64" });
  build("windows-arm64", { "latest.yml": list("arm64"), "Tillgate-0.2.0-win-arm64.exe": "arm64" });
  await gatherBuilds(dir);
  expect(readdirSync(dir)).toEqual([
    "Tillgate-0.2.0-win-arm64.exe",
    "Tillgate-0.2.0-win-x64.exe",
    "latest.yml",
  ]);
  const joined = readFileSync(join(dir, "latest.yml"), "utf8");
  expect(joined).toBe(list("arm64").replace(entry("arm64"), entry("arm64") + entry("x64")));
  build("again", { "latest.yml": list("x64") });
  await gatherBuilds(dir);
  expect(readFileSync(join(dir, "latest.yml"), "utf8")).toBe(joined);
});

it("an unpacked program without an installer is not moved", async () => {
  build("win-unpacked", { "Tillgate.exe": "program" });
  await gatherBuilds(dir);
  expect(readdirSync(dir)).toEqual(["win-unpacked"]);
});

it("two different files with the same name are refused and not moved", async () => {
  build("one", { "latest.yml": list("x64"), "Tillgate.exe": "1" });
  build("two", { "latest.yml": list("x64"), "Tillgate.exe": "2" });
  await expect(gatherBuilds(dir)).rejects.toThrow("There are two builds of");
  expect(existsSync(join(dir, "two/Tillgate.exe"))).toBe(true);
});
