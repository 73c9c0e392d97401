import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

let root: string;
let settings: string;
beforeAll(() => {
  root = mkdtempSync("/tmp/tillgate-command-");
  chmodSync(root, 0o755);
  for (const folder of ["bin", "node/bin", "etc"]) {
    mkdirSync(join(root, folder), { recursive: true });
  }
  copyFileSync(join(import.meta.dirname, "files/bin/tillgate"), join(root, "bin/tillgate"));
  writeFileSync(
    join(root, "node/bin/node"),
    '#!/bin/sh\n[ "$1" = --version ] && echo v24.0.0 && exit\necho "$@"\n',
  );
  for (const file of ["bin/tillgate", "node/bin/node"]) chmodSync(join(root, file), 0o755);
  settings = join(root, "etc/tillgate.conf");
});
afterAll(() => rmSync(root, { recursive: true }));
beforeEach(() => {
  chmodSync(join(root, "etc"), 0o755);
  writeFileSync(settings, "TILLGATE_DATABASE=postgres://…\n");
  chmodSync(settings, 0o644);
});

function type(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(join(root, "bin/tillgate"), args, {
    encoding: "utf8",
    env: { PATH: process.env.PATH, TILLGATE_CONFIG: settings },
    // The command does not run as root, because root could read every file.
    ...(isRoot && { uid: NOBODY, gid: NOBODY }),
  });
  return { status, stdout: stdout.replaceAll(`${root}/`, ""), stderr };
}

describe.skipIf(process.platform === "win32")("the installed command", () => {
  it("passes the settings to the program", () => {
    expect(type("status").stdout).toBe("--env-file=etc/tillgate.conf server/tillgate.js status\n");
    expect(type("serve", "--port", "1").stdout).toBe(
      "--env-file=etc/tillgate.conf server/main.js --port 1\n",
    );
  });

  it("works without settings", () => {
    rmSync(settings);
    expect(type("status").stdout).toBe("server/tillgate.js status\n");
  });

  it.each([
    ["the file", () => chmodSync(settings, 0)],
    ["its folder", () => chmodSync(join(root, "etc"), 0)],
  ])("does not run if %s cannot be read, because it would use another shop", (_which, close) => {
    close();
    for (const word of ["status", "serve"]) {
      const { status, stdout, stderr } = type(word);
      expect([status, stdout]).toEqual([1, ""]);
      expect(stderr).toContain(`${settings} cannot be read by `);
      expect(stderr).toContain(
        `sudo chown root:tillgate ${settings} && sudo chmod 640 ${settings}`,
      );
    }
  });

  it("prints help and version for every user", () => {
    chmodSync(settings, 0);
    expect(type("--version")).toMatchObject({
      status: 0,
      stdout: "server/tillgate.js --version\n",
    });
    expect(type("--help")).toMatchObject({ status: 0, stdout: "server/tillgate.js --help\n" });
    expect(type()).toMatchObject({ status: 0, stdout: "server/tillgate.js\n" });
  });
});
