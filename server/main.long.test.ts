import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, it } from "vitest";
import { expectRefusal } from "./testing/expect-refusal.ts";
import { runProgram } from "./testing/run-program.ts";

/** Starts one process for each mistake. `main.test.ts` tests further starts. */
let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "tillgate-main-"));
});
afterAll(() => rmSync(root, { recursive: true }));

describe("a failing start", () => {
  it("names an invalid option", async () => {
    const data = ["--data", join(root, "new", "directory")];
    const cases: [string[], RegExp][] = [
      [["--bogus"], /--bogus/],
      [["surplus"], /surplus/],
      [["--port"], /--port/],
      [["--port", "http"], /--port .* 0 to 65535, not "http"/],
      [["--port", "65536"], /0 to 65535/],
      [["--port=-1"], /0 to 65535/],
      [["--host", "a b"], /--host/],
      [["--data", ""], /--data/],
    ];
    const finished = await Promise.all(
      cases.map(([args]) => runProgram("main.ts", [...data, ...args])),
    );
    for (const [n, [, words]] of cases.entries()) expectRefusal(finished[n]!, words, 70);
  });

  it("names an invalid environment variable", async () => {
    const cases: [Record<string, string>, RegExp][] = [
      [{ TILLGATE_PORT: "many" }, /TILLGATE_PORT/],
      [{ TILLGATE_LOG: "loud" }, /TILLGATE_LOG/],
      [{ TILLGATE_DATA: " " }, /TILLGATE_DATA/],
    ];
    const finished = await Promise.all(cases.map(([env]) => runProgram("main.ts", [], { env })));
    for (const [n, [, words]] of cases.entries()) expectRefusal(finished[n]!, words, 70);
  });

  it("names an unusable data directory", async () => {
    const file = join(root, "a-file");
    writeFileSync(file, "");
    const rubbish = join(root, "rubbish");
    mkdirSync(rubbish);
    writeFileSync(join(rubbish, "tillgate.db"), "This is no database. ".repeat(500));
    // Not even the superuser may write to this folder.
    const closed = process.platform === "linux" ? "/sys/tillgate" : "/dev/null/tillgate";
    const cases: [string, RegExp, exitCode?: number][] = [
      [file, /^The data directory .*a-file cannot be used: /],
      [join(file, "below"), /^The data directory .* cannot be used: /],
      [closed, /^The data directory .* cannot be used: /],
      [rubbish, /^The database .*tillgate\.db cannot be used: file is not a database\./, 70],
    ];
    const finished = await Promise.all(
      cases.map(([data]) => runProgram("main.ts", ["--data", data, "--port", "0"])),
    );
    for (const [n, [, words, exitCode]] of cases.entries()) {
      expectRefusal(finished[n]!, words, exitCode);
    }
  });
});
