import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findFirewall } from "./firewalls.ts";

const PORT = 7443;

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "tillgate-reach-"));
  mkdirSync(join(dir, "bin"));
});
afterEach(() => rmSync(dir, { recursive: true }));

/** Returns a machine on whose PATH only these commands exist. */
function machineWith(commands: Record<string, string>, platform: NodeJS.Platform = "linux") {
  for (const [name, script] of Object.entries(commands)) {
    writeFileSync(join(dir, "bin", name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }
  return { platform, env: { PATH: join(dir, "bin") }, ufwSettings: join(dir, "ufw.conf") };
}

describe.skipIf(process.platform === "win32")("findFirewall", () => {
  const CASES: [string, Record<string, string>, RegExp, NodeJS.Platform?][] = [
    ["ufw", { ufw: "echo 'Status: active'" }, /^sudo ufw allow 7443\/tcp$/],
    [
      "firewalld",
      { "firewall-cmd": "case $1 in --state) echo running;; --query-port*) exit 1;; esac" },
      /--add-port=7443\/tcp && sudo firewall-cmd --reload$/,
    ],
    [
      "nftables",
      { nft: "echo 'chain input { type filter hook input priority filter; policy drop; }'" },
      /^sudo nft insert rule inet filter input tcp dport 7443 accept$/,
    ],
    [
      "Windows Firewall",
      { powershell: "echo closed" },
      /^New-NetFirewallRule .*-LocalPort 7443 -Action Allow$/,
      "win32",
    ],
  ];
  it.each(CASES)(
    "names %s and the command that opens the port",
    async (name, commands, how, platform) => {
      const found = await findFirewall(PORT, machineWith(commands, platform));
      expect(found).toMatchObject({ name, isOpen: false });
      expect(found?.command).toMatch(how);
    },
  );

  it("reports that a firewall has the port open", async () => {
    const rules = "printf 'Status: active\\n\\n7443/tcp                   ALLOW       Anywhere\\n'";
    const found = await findFirewall(PORT, machineWith({ ufw: rules }));
    expect(found).toMatchObject({ name: "ufw", isOpen: true });
  });

  it("reports an unknown state of the port if only an administrator can read the rules", async () => {
    const machine = machineWith({ ufw: "echo 'You need to be root' >&2; exit 1" });
    writeFileSync(machine.ufwSettings, "# on at start\nENABLED=yes\n");
    const found = await findFirewall(PORT, machine);
    expect(found).toMatchObject({ name: "ufw", isOpen: undefined });
  });

  it("finds no firewall if the command is missing or the firewall is off", async () => {
    expect(await findFirewall(PORT, machineWith({}))).toBeUndefined();
    const off = machineWith({ ufw: "echo 'Status: inactive'", nft: "true" });
    expect(await findFirewall(PORT, off)).toBeUndefined();
  });
});
