import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { GatewayConfig } from "../config/config.ts";
import { createGateway } from "../index.ts";
import { systemClock } from "../lib/clock.ts";
import { sendGuarded } from "../lib/guarded-request.ts";
import { createSecret } from "../modules/messages/webhooks/index.ts";
import { Sandbox } from "../modules/operations/sandbox/index.ts";
import { PROGRAM_DIR } from "../program.ts";
import { waitForSignal } from "./wait-for-signal.ts";

interface SandboxReport {
  sandbox: string;
  url: string;
  key: string;
  webhookSecret: string;
}

interface SandboxOptions {
  port: number;
  /** Balance in minor units. If undefined, the balance of a new test wallet. */
  wallet: number | undefined;
}

/** Runs a sandbox in a temporary folder until SIGINT or SIGTERM, and removes the folder. */
export async function runSandbox(
  { port, wallet }: SandboxOptions,
  onReady: (report: SandboxReport) => void,
): Promise<void> {
  const stopped = waitForSignal();
  const dataDir = mkdtempSync(join(tmpdir(), "tillgate-sandbox-"));
  const remove = () => rmSync(dataDir, { recursive: true, force: true });
  // Removes the folder even after an error that ends the process.
  process.once("exit", remove);
  try {
    const sandbox = new Sandbox();
    const gateway = await createGateway(sandboxConfig(dataDir, port), {
      clock: sandbox.clock,
      machineClock: systemClock,
      sandbox,
      isLight: true,
      sendOutgoing: sandbox.faults.wrap(sendGuarded),
      automaticBackups: false,
      automaticAlerts: false,
      auditAtStart: false,
    });
    try {
      const { url } = await gateway.listen();
      await gateway.noteWorks();
      const { keys, recharges, ids, accountId } = gateway.context;
      const scope = { accountId, environment: "test" } as const;
      const name = basename(dataDir);
      const { keyId, key } = await keys.create(scope, name);
      if (wallet !== undefined) await recharges.setTestWallet(scope, wallet);
      const webhookSecret = createSecret(ids);
      sandbox.open({ keyId, webhookSecret });
      onReady({ sandbox: name, url, key, webhookSecret });
      await stopped;
    } finally {
      await gateway.close();
    }
  } finally {
    remove();
    process.off("exit", remove);
  }
}

/**
 * Returns a configuration without this machine's settings. Nothing is logged, because standard
 * output must contain only one line.
 */
function sandboxConfig(dataDir: string, port: number): GatewayConfig {
  return {
    dataDir,
    backupDir: join(dataDir, "backups"),
    host: "127.0.0.1",
    port,
    rendererDir: join(PROGRAM_DIR, "out/renderer"),
    resourcesDir: join(PROGRAM_DIR, "resources"),
    logLevel: "silent",
    logFile: undefined,
    allowedHosts: [],
  };
}
