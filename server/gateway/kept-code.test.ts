import { channel } from "node:diagnostics_channel";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runKept } from "./kept-code.ts";
import { STARTED } from "./started.ts";

let dir: string;
let file: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "tillgate-kept-"));
  file = join(dir, "gateway-1.body.js");
  write(1);
});
afterEach(() => {
  // Nothing of one test waits for the next.
  start();
  rmSync(dir, { recursive: true });
});

function write(answer: number): void {
  writeFileSync(
    file,
    `exports.answer = () => ${answer}; exports.at = [__filename, __dirname, require("node:path").sep];`,
  );
}

function run(where = dir) {
  const module = { exports: {} as { answer: () => number; at: string[] } };
  runKept(module, createRequire(import.meta.url), file, where);
  return module.exports;
}

const start = () => channel(STARTED).publish(undefined);
const kept = () => readdirSync(dir).filter((name) => name.includes(".kept"));
const keptFile = () => join(dir, "gateway-1.body.js.kept");
/** Another number each time that it is written. */
const writing = () => statSync(keptFile()).ino;

it("a bundle is run as Node runs it", () => {
  const { answer, at } = run();
  expect(answer()).toBe(1);
  expect(at).toEqual([file, dir, "/"]);
});

describe("what V8 made of it", () => {
  it("is kept once the gateway has started, and serves the next start", () => {
    run().answer();
    expect(kept()).toEqual([]);
    start();
    expect(kept()).toEqual(["gateway-1.body.js.kept"]);
    expect(statSync(keptFile()).mode & 0o777).toBe(0o600);
    const before = writing();
    expect(run().answer()).toBe(1);
    start();
    // Else it would be kept anew.
    expect(writing()).toBe(before);
  });

  it("has the functions that were called", () => {
    const called = run();
    start();
    const without = statSync(keptFile()).size;
    rmSync(keptFile());
    run();
    called.answer();
    const again = run();
    again.answer();
    start();
    expect(statSync(keptFile()).size).toBeGreaterThan(without);
  });

  it("is of that very bundle: another of the same length is run as it is", () => {
    run();
    start();
    write(2);
    expect(run().answer()).toBe(2);
    start();
    expect(run().answer()).toBe(2);
  });

  it("is not used where it is spoilt, and is kept anew", () => {
    run();
    start();
    const bytes = readFileSync(keptFile());
    for (const spoilt of [bytes.fill(0xa5, 200, 300), bytes.subarray(0, 100), Buffer.alloc(3)]) {
      writeFileSync(keptFile(), spoilt);
      const before = writing();
      expect(run().answer()).toBe(1);
      start();
      expect(writing()).not.toBe(before);
    }
  });

  it("takes the place of what was kept of the version before", () => {
    writeFileSync(join(dir, "gateway-0.body.js.kept"), "");
    writeFileSync(join(dir, "gateway-1.body.js.kept.77"), "");
    run();
    start();
    expect(kept()).toEqual(["gateway-1.body.js.kept"]);
  });

  it("costs nothing where it cannot be kept", () => {
    expect(run(join(dir, "nowhere")).answer()).toBe(1);
    start();
    expect(kept()).toEqual([]);
  });
});
