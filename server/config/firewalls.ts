import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { commandEnvironment } from "./env.ts";

export interface Firewall {
  readonly name: "ufw" | "firewalld" | "nftables" | "Windows Firewall";
  /** Whether the port is open; undefined if only an administrator can read the rules. */
  readonly isOpen: boolean | undefined;
  readonly command: string;
}

/** Environment and paths of the firewall commands; tests replace them. */
export interface Surroundings {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** ufw's settings file, which everybody can read. */
  readonly ufwSettings: string;
}

const THIS_MACHINE: Surroundings = {
  platform: process.platform,
  env: commandEnvironment(),
  ufwSettings: "/etc/ufw/ufw.conf",
};

const ANSWER_TIMEOUT_MS = 5_000;

/**
 * Finds the active firewall that controls a port; undefined if none is active or no command
 * answers.
 */
export async function findFirewall(
  port: number,
  machine: Surroundings = THIS_MACHINE,
): Promise<Firewall | undefined> {
  if (machine.platform === "win32") return findWindowsFirewall(port, machine);
  if (machine.platform !== "linux") return undefined;
  return (
    (await findUfw(port, machine)) ??
    (await findFirewalld(port, machine)) ??
    (await findNftables(port, machine))
  );
}

async function findUfw(port: number, machine: Surroundings): Promise<Firewall | undefined> {
  const found = { name: "ufw", command: `sudo ufw allow ${port}/tcp` } as const;
  const status = await runCommand(machine, "ufw", "status");
  if (status === undefined) {
    const settings = await readFile(machine.ufwSettings, "utf8").catch(() => "");
    return /^ENABLED=yes/im.test(settings) ? { ...found, isOpen: undefined } : undefined;
  }
  if (!/^Status: active/m.test(status)) return undefined;
  const isOpen = new RegExp(`^${port}(?:/tcp)?(?: \\(v6\\))?\\s+ALLOW`, "m").test(status);
  return { ...found, isOpen };
}

async function findFirewalld(port: number, machine: Surroundings): Promise<Firewall | undefined> {
  const state = await runCommand(machine, "firewall-cmd", "--state");
  if (state?.trim() !== "running") {
    const service = await runCommand(machine, "systemctl", "is-active", "firewalld");
    if (service?.trim() !== "active") return undefined;
  }
  // firewall-cmd exits with 1 if the port is closed or the query is not permitted. The second
  // command distinguishes the two.
  const isOpen = await runCommand(machine, "firewall-cmd", `--query-port=${port}/tcp`);
  const list =
    isOpen === undefined ? await runCommand(machine, "firewall-cmd", "--list-ports") : "";
  return {
    name: "firewalld",
    isOpen: list === undefined ? undefined : isOpen?.trim() === "yes",
    command: `sudo firewall-cmd --permanent --add-port=${port}/tcp && sudo firewall-cmd --reload`,
  };
}

async function findNftables(port: number, machine: Surroundings): Promise<Firewall | undefined> {
  const found = {
    name: "nftables",
    command: `sudo nft insert rule inet filter input tcp dport ${port} accept`,
  } as const;
  const rules = await runCommand(machine, "nft", "list", "ruleset");
  if (rules === undefined) {
    const service = await runCommand(machine, "systemctl", "is-active", "nftables");
    return service?.trim() === "active" ? { ...found, isOpen: undefined } : undefined;
  }
  const refuses = /hook input [^}]*policy drop|hook input [^}]*\b(?:drop|reject)\b/.test(rules);
  if (!refuses) return undefined;
  const isOpen = new RegExp(`tcp dport (?:\\{[^}]*\\b)?${port}\\b[^\\n]*accept`).test(rules);
  return { ...found, isOpen };
}

/** Returns a PowerShell query whose output does not depend on the system's language. */
function makeWindowsQuery(port: number): string {
  return (
    `if (-not (Get-NetFirewallProfile | Where-Object Enabled)) { 'off'; exit }; ` +
    `$open = Get-NetFirewallPortFilter | Where-Object LocalPort -eq '${port}' | Get-NetFirewallRule | ` +
    `Where-Object { $_.Enabled -eq 'True' -and $_.Direction -eq 'Inbound' -and $_.Action -eq 'Allow' }; ` +
    `if ($open) { 'open' } else { 'closed' }`
  );
}

async function findWindowsFirewall(
  port: number,
  machine: Surroundings,
): Promise<Firewall | undefined> {
  const question = ["-NoProfile", "-NonInteractive", "-Command", makeWindowsQuery(port)];
  const answer = (await runCommand(machine, "powershell", ...question))?.trim();
  if (answer !== "open" && answer !== "closed") return undefined;
  return {
    name: "Windows Firewall",
    isOpen: answer === "open",
    command: `New-NetFirewallRule -DisplayName Tillgate -Direction Inbound -Protocol TCP -LocalPort ${port} -Action Allow`,
  };
}

/** @returns output of the command; undefined if it is missing, not permitted or timed out */
function runCommand({ env }: Surroundings, command: string, ...words: string[]) {
  return new Promise<string | undefined>((resolve) => {
    const options = { env: { ...env }, timeout: ANSWER_TIMEOUT_MS, windowsHide: true };
    execFile(command, words, options, (error, stdout) => resolve(error ? undefined : stdout));
  });
}
