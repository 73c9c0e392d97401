import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "@playwright/test";
import { typeCommand } from "../../server/testing/run-program.ts";
import { startServerProcess } from "../../server/testing/server-process.ts";

/** A real gateway on a data directory of its own. */
export interface ShopProcess {
  readonly url: string;
  readonly dataDir: string;
  admin(...args: string[]): Promise<string>;
  /** Calls `/v1` as an integrator with the test key. */
  v1(path: string): Promise<Record<string, unknown>>;
  /** Ends it in good order. */
  stop(): Promise<void>;
  /** Pulls the plug. */
  kill(): Promise<void>;
  /** Starts it again where it was, with these settings otherwise than before. */
  start(otherwise?: Record<string, string>): Promise<void>;
}

/**
 * Starts a gateway in a process of its own.
 * @param template a data directory to begin with a copy of; without it the machine is a new one
 * @param env settings of the gateway, beside those of every journey
 */
export async function startShop(
  template?: string,
  env: Record<string, string> = {},
): Promise<ShopProcess> {
  const dataDir = await mkdtemp(join(tmpdir(), "tillgate-e2e-"));
  if (template !== undefined) await cp(template, dataDir, { recursive: true });
  let server = await startServerProcess(dataDir, "0", env);
  const { url } = server;
  let key = "";

  async function admin(...args: string[]): Promise<string> {
    const { exitCode, stdout, stderr } = await typeCommand(dataDir, args);
    expect(exitCode, stderr).toBe(0);
    return stdout.trim();
  }

  return {
    url,
    dataDir,
    admin,
    async v1(path) {
      key ||= await admin("keys", "create", "--env", "test", "--name", "integrator");
      const headers = { authorization: `Bearer ${key}` };
      const response = await fetch(`${url}/v1${path}`, { headers });
      return (await response.json()) as Record<string, unknown>;
    },
    async stop() {
      await server.kill("SIGTERM");
    },
    async kill() {
      await server.kill("SIGKILL");
    },
    async start(otherwise = {}) {
      server = await startServerProcess(dataDir, new URL(url).port, { ...env, ...otherwise });
    },
  };
}

/** Ends a gateway, and looks through the books that it leaves before they are thrown away. */
export async function endShop(shop: ShopProcess): Promise<void> {
  await shop.stop();
  await shop.admin("audit");
  await rm(shop.dataDir, { recursive: true, force: true });
}
