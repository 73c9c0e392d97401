import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "@playwright/test";
import { typeCommand } from "../../server/testing/run-program.ts";
import { startServerProcess } from "../../server/testing/server-process.ts";
import { closeHosted, killHosted, openHosted } from "./shop-host.ts";

export interface ShopProcess {
  readonly url: string;
  readonly dataDir: string;
  admin(...args: string[]): Promise<string>;
  v1(path: string): Promise<Record<string, unknown>>;
  stop(): Promise<void>;
  kill(): Promise<void>;
  start(changed?: Record<string, string>): Promise<void>;
}

interface Running {
  readonly url: string;
  stop(): Promise<unknown>;
  kill(): Promise<unknown>;
}

async function startHosted(dataDir: string, port: string): Promise<Running> {
  const url = await openHosted(dataDir, Number(port));
  return { url, stop: () => closeHosted(dataDir), kill: killHosted };
}

async function startOwn(
  dataDir: string,
  port: string,
  env: Record<string, string>,
): Promise<Running> {
  const server = await startServerProcess(dataDir, port, env);
  return {
    url: server.url,
    stop: () => server.kill("SIGTERM"),
    kill: () => server.kill("SIGKILL"),
  };
}

/**
 * Starts a gateway in the worker's host process, or in a separate process if `env` is given.
 * @param template data directory to copy; without it the gateway starts on a new machine
 * @param env settings; `{}` for a separate process with default settings
 */
export async function startShop(
  template?: string,
  env?: Record<string, string>,
): Promise<ShopProcess> {
  const dataDir = await mkdtemp(join(tmpdir(), "tillgate-e2e-"));
  if (template !== undefined) await cp(template, dataDir, { recursive: true });
  const open = (port: string, changed?: Record<string, string>) =>
    env === undefined && changed === undefined
      ? startHosted(dataDir, port)
      : startOwn(dataDir, port, { ...env, ...changed });
  let running = await open("0");
  const { url } = running;
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
      await running.stop();
    },
    async kill() {
      await running.kill();
    },
    async start(changed) {
      running = await open(new URL(url).port, changed);
    },
  };
}

export async function endShop(shop: ShopProcess): Promise<void> {
  await shop.stop();
  await shop.admin("audit");
  await rm(shop.dataDir, { recursive: true, force: true });
}
