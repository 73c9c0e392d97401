import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

/**
 * The package's script that runs after unpacking. In these tests its root directory is the test's
 * folder.
 */
const SCRIPT = join(import.meta.dirname, "deb/postinst");
const TOOLS = "sh awk cat chmod chown cut grep ls mkdir sed".split(" ");
const GROUP = 999;
const SETTINGS = "etc/tillgate/tillgate.conf";
const CAN_RUN = process.platform === "linux" && process.getuid?.() === 0;

let machine: string;
const at = (path: string) => join(machine, path);

function write(path: string, text: string, mode?: number): void {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), text);
  if (mode !== undefined) chmodSync(at(path), mode);
}

const program = (name: string, ...lines: string[]) =>
  write(`usr/bin/${name}`, `#!/bin/sh\n${lines.join("\n")}\n`, 0o755);

beforeAll(() => {
  if (!CAN_RUN) return;
  // The default temporary directory may forbid running programs.
  machine = mkdtempSync("/tmp/tillgate-machine-");
  for (const name of TOOLS) {
    const find = `readlink -f "$(command -v ${name})"; ldd "$(command -v ${name})"`;
    const [tool = "", ...loaded] = execFileSync("/bin/sh", ["-c", find], {
      encoding: "utf8",
    }).split("\n");
    const libraries = loaded.flatMap((line) => line.match(/\/\S+\.so\S*/) ?? []);
    const copies = [[`usr/bin/${name}`, tool], ...libraries.map((file) => [file, file])];
    for (const [to = "", from = ""] of copies) {
      mkdirSync(dirname(at(to)), { recursive: true });
      copyFileSync(from, at(to));
    }
  }
  mkdirSync(at("bin"));
  copyFileSync(at("usr/bin/sh"), at("bin/sh"));
  copyFileSync(SCRIPT, at("postinst"));
  write("etc/passwd", `root:x:0:0:root:/root:/bin/sh\ntillgate:x:998:${GROUP}::/:/bin/false\n`);
  write("dev/null", "", 0o666);
  mkdirSync(at("run/systemd/system"), { recursive: true });
  program("dpkg-statoverride", "exit 1");
  program("journalctl", 'echo "The journal of $1"');
  program(
    "systemctl",
    'case "$*" in',
    "*MainPID*) echo 77 ;;",
    "*NRestarts*) cat /restarts ;;",
    "is-active*) cat /state ;;",
    "*) ;;",
    "esac",
  );
});
afterAll(() => {
  if (CAN_RUN) rmSync(machine, { recursive: true, force: true });
});

const LISTENING = (inode: number) =>
  `   0: 0100007F:2253 00000000:0000 0A 00000000:00000000 00:00000000 00000000   998        0 ${inode} 1 0 100 0 0 10 0\n`;

/** @param then shell commands that the fake `sleep` runs, one for each second of waiting */
function install(then: readonly string[] = []): string {
  program("sleep", ...then);
  const { stdout, stderr, status } = spawnSync(
    "/usr/sbin/chroot",
    [machine, "/bin/sh", "/postinst", "configure", "0.1.0"],
    { encoding: "utf8", env: { PATH: "/usr/bin" } },
  );
  expect([status, stderr]).toEqual([0, ""]);
  return stdout;
}

describe.runIf(CAN_RUN)("the script after an installation", () => {
  beforeEach(() => {
    rmSync(at("proc"), { recursive: true, force: true });
    write(SETTINGS, "TILLGATE_PORT=8789\n", 0o644);
    write("state", "active\n");
    write("restarts", "0\n");
    // Another program listens on the port.
    write("proc/net/tcp", LISTENING(1));
    write("proc/net/tcp6", "");
    mkdirSync(at("proc/77/fd"), { recursive: true });
    symlinkSync("socket:[2]", at("proc/77/fd/3"));
  });

  it("reports a running service once the service listens", () => {
    write("proc/net/tcp", LISTENING(1) + LISTENING(2));
    expect(install()).toBe(
      "Tillgate runs. Open http://127.0.0.1:8789 in a browser of this machine.\n",
    );
  });

  it("waits for a service that is starting", () => {
    write("later", LISTENING(2));
    const said = install([
      "echo x >>/slept",
      '[ "$(grep -c x /slept)" -lt 4 ] || cat /later >/proc/net/tcp6',
    ]);
    expect(said).toContain("Tillgate runs.");
    expect(readFileSync(at("slept"), "utf8")).toBe("x\n".repeat(4));
  });

  it("reports that the service is starting if only another program listens on the service's port", {
    tags: ["thorough"],
  }, () => {
    expect(install()).toBe(
      "Tillgate is starting. Ask whether it runs with: systemctl status tillgate, sudo tillgate status\n",
    );
  });

  it.each([
    ["for good", "state", "failed\n"],
    ["again and again", "restarts", "2\n"],
  ])("shows the service's output if the service ends %s", (_how, file, text) => {
    write(file, text);
    expect(install()).toBe(
      "Tillgate is installed and does not start. It says (journalctl -u tillgate):\nThe journal of _SYSTEMD_UNIT=tillgate.service\n",
    );
  });

  it("makes the settings readable for root and the service only, even settings of an older version", () => {
    install();
    expect(statSync(at(SETTINGS))).toMatchObject({ uid: 0, gid: GROUP, mode: 0o100640 });
  });

  it("does not change permissions of the settings that an administrator has set", () => {
    program("dpkg-statoverride", "exit 0");
    install();
    expect(statSync(at(SETTINGS)).mode).toBe(0o100644);
    program("dpkg-statoverride", "exit 1");
  });

  it("works if an administrator has removed the settings", {
    tags: ["thorough"],
  }, () => {
    rmSync(at(SETTINGS));
    expect(install()).toContain("Tillgate is starting.");
    expect(existsSync(at(SETTINGS))).toBe(false);
  });
});
