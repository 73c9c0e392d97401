import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

const LONG = `tills: ${"a".repeat(66)}`;

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tillgate-commits-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

function git(...args: string[]): void {
  const { status, stderr } = spawnSync("git", args, { cwd: folder, encoding: "utf8", env: ENV });
  expect(status, stderr).toBe(0);
}

const ENV = {
  ...process.env,
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_AUTHOR_NAME: "Rosa",
  GIT_AUTHOR_EMAIL: "rosa@example.com",
  GIT_COMMITTER_NAME: "Rosa",
  GIT_COMMITTER_EMAIL: "rosa@example.com",
};

function commit(subject: string, date: string): void {
  const { status, stderr } = spawnSync("git", ["commit", "--allow-empty", "-qm", subject], {
    cwd: folder,
    encoding: "utf8",
    env: { ...ENV, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date },
  });
  expect(status, stderr).toBe(0);
}

function check(cwd = folder): { passed: boolean; output: string } {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(import.meta.dirname, "commit-subjects.ts")],
    { cwd, encoding: "utf8", env: { ...ENV, GIT_CEILING_DIRECTORIES: tmpdir() } },
  );
  return { passed: status === 0, output: stdout + stderr };
}

describe("the check of commit subjects", () => {
  test("passes a subject of 72 characters, and rejects 73 with the commit and the remedy", () => {
    git("init", "-q");
    commit(LONG.slice(0, 72), "2027-01-01T00:00:00Z");
    expect(check()).toEqual({ passed: true, output: "commit subjects: 1 commits\n" });
    commit(LONG, "2027-01-02T00:00:00Z");
    const { passed, output } = check();
    expect(passed).toBe(false);
    expect(output).toMatch(/^[0-9a-f]+ has 73 characters, 72 at most: "tills: a+"\.\nRemedy: /);
  });

  test("passes a long subject from before the rule", () => {
    git("init", "-q");
    commit(LONG, "2026-01-01T00:00:00Z");
    expect(check().passed).toBe(true);
  });

  test("passes without a history, without new commits and in a shallow clone", () => {
    const skipped = {
      passed: true,
      output: "commit subjects: not checked, because the history is incomplete\n",
    };
    expect(check()).toEqual(skipped);
    git("init", "-q");
    expect(check()).toEqual(skipped);
    commit("tills: print", "2027-01-01T00:00:00Z");
    commit(LONG, "2027-01-02T00:00:00Z");
    git("clone", "-q", "--depth=1", `file://${folder}`, join(folder, "shallow"));
    expect(check(join(folder, "shallow"))).toEqual(skipped);
  });
});
