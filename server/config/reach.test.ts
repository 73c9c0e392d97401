import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { describeReach } from "./reach.ts";

const PORT = 7443;
const opened = {
  host: "127.0.0.1",
  port: 8787,
  apiListen: { host: "192.168.1.20", port: PORT },
};

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "tillgate-reach-"));
  mkdirSync(join(dir, "bin"));
});
afterEach(() => rmSync(dir, { recursive: true }));

/** Puts commands on the path of a machine that has no others. */
function machineWith(commands: Record<string, string>, platform: NodeJS.Platform = "linux") {
  for (const [name, script] of Object.entries(commands)) {
    writeFileSync(join(dir, "bin", name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }
  return { platform, env: { PATH: join(dir, "bin") }, ufwSettings: join(dir, "ufw.conf") };
}

describe.skipIf(process.platform === "win32")("a firewall in the way of other machines", () => {
  const CASES: [string, Record<string, string>, RegExp, NodeJS.Platform?][] = [
    ["ufw", { ufw: "echo 'Status: active'" }, /: sudo ufw allow 7443\/tcp$/],
    [
      "firewalld",
      { "firewall-cmd": "case $1 in --state) echo running;; --query-port*) exit 1;; esac" },
      /--add-port=7443\/tcp && sudo firewall-cmd --reload$/,
    ],
    [
      "nftables",
      { nft: "echo 'chain input { type filter hook input priority filter; policy drop; }'" },
      /: sudo nft insert rule inet filter input tcp dport 7443 accept$/,
    ],
    [
      "Windows Firewall",
      { powershell: "echo closed" },
      /: New-NetFirewallRule .*-LocalPort 7443 -Action Allow$/,
      "win32",
    ],
  ];
  it.each(CASES)("%s is named with what opens the port", async (name, commands, how, platform) => {
    const reach = await describeReach(opened, machineWith(commands, platform));
    expect(reach.isInDoubt).toBe(true);
    expect(reach.lines[0]).toMatch(/curl --insecure https:\/\/192\.168\.1\.20:7443\/v1\//);
    expect(reach.lines[1]).toContain(`${name} blocks the port 7443.`);
    expect(reach.lines[1]).toMatch(how);
  });

  it("that lets them in is said to", async () => {
    const rules = "printf 'Status: active\\n\\n7443/tcp                   ALLOW       Anywhere\\n'";
    const { isInDoubt, lines } = await describeReach(opened, machineWith({ ufw: rules }));
    expect({ isInDoubt, line: lines[1] }).toEqual({
      isInDoubt: false,
      line: "ufw lets them in by the port 7443.",
    });
  });

  it("whose rules only an administrator sees is said to be on", async () => {
    const machine = machineWith({ ufw: "echo 'You need to be root' >&2; exit 1" });
    writeFileSync(machine.ufwSettings, "# on at start\nENABLED=yes\n");
    const { isInDoubt, lines } = await describeReach(opened, machine);
    expect(isInDoubt).toBe(true);
    expect(lines[1]).toMatch(/^ufw is on, and only an administrator sees/);
  });

  it("is not there where its command is not, or it is off", async () => {
    expect((await describeReach(opened, machineWith({}))).lines).toHaveLength(1);
    const off = machineWith({ ufw: "echo 'Status: inactive'", nft: "true" });
    expect(await describeReach(opened, off)).toMatchObject({ isInDoubt: false });
  });
});

it("a gateway of this machine alone asks no firewall", async () => {
  const machine = machineWith({ ufw: "echo 'Status: active'" });
  const local = { host: "127.0.0.1", port: 8787, apiListen: { host: "::1", port: PORT } };
  expect(await describeReach(local, machine)).toEqual({
    isInDoubt: false,
    lines: ["Only this machine reaches Tillgate: no firewall is asked."],
  });
});
