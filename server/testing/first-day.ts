import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { TestProject } from "vitest/node";
import type { Overrides } from "../base.ts";
import type { GatewayConfig } from "../config/config.ts";
import type { Environment } from "../contract/common.ts";
import { noteCleanEnd } from "../db/clean-end.ts";
import { createGateway, type Gateway } from "../index.ts";
import { FakeClock } from "./fake-clock.ts";
import { startOnKeptThread } from "./kept-threads.ts";

/** The data directory of a gateway that was started once and closed, and its keys. */
export interface FirstDay {
  dataDir: string;
  keys: Record<Environment, string>;
  /** The name of its database, where that is on the tests' PostgreSQL. */
  database?: string;
}

declare module "vitest" {
  interface ProvidedContext {
    firstDay: FirstDay;
  }
}

/** What every gateway of the tests has in the place of the usual thing. */
export const TEST_OVERRIDES = {
  /** Cheap enough for many sign-ins; the real cost has a test of its own. */
  pinCost: 4,
  rateLimit: { burst: 1_000_000, perSecond: 1_000_000 },
  // A day that passes in a test makes no 24 copies unless the test asks for them.
  automaticBackups: false,
  // Nor is every minute of it looked at.
  automaticAlerts: false,
  auditAtStart: false,
  startErrand: startOnKeptThread,
  readFreeBytes: async () => 100 * 1024 ** 3,
} satisfies Overrides;

export function testConfig(dataDir: string, database?: string): GatewayConfig {
  return {
    dataDir,
    database,
    backupDir: join(dataDir, "backups"),
    host: "127.0.0.1",
    port: 0,
    rendererDir: join(dataDir, "no-pages"),
    resourcesDir: fileURLToPath(new URL("../../resources", import.meta.url)),
    logFile: undefined,
    logLevel: "silent",
    allowedHosts: [],
  };
}

export async function createTestKeys(gateway: Gateway): Promise<FirstDay["keys"]> {
  const { keys } = gateway.context;
  const create = async (environment: Environment) =>
    (await keys.create({ accountId: "default", environment }, "test gateway")).key;
  return { test: await create("test"), live: await create("live") };
}

/** Before the first test: lives through a shop's first start once, for every test to copy. */
export async function setup({ provide }: TestProject): Promise<() => void> {
  const firstDay = await liveFirstDay();
  provide("firstDay", firstDay);
  return () => rmSync(firstDay.dataDir, { recursive: true, force: true });
}

/** @param database the address of an empty database, in place of a file */
export async function liveFirstDay(database?: string): Promise<FirstDay> {
  const dataDir = mkdtempSync(join(tmpdir(), "tillgate-first-day-"));
  const overrides = { clock: new FakeClock(), ...TEST_OVERRIDES };
  const gateway = await createGateway(testConfig(dataDir, database), overrides);
  const keys = await createTestKeys(gateway);
  await gateway.close();
  return { dataDir, keys };
}

let firstStart: Promise<string> | undefined;

/** Copies the data directory of a first start on the machine's clock, which is made once per test process. */
export async function copyFirstStart(dataDir: string): Promise<void> {
  firstStart ??= makeFirstStart();
  cpSync(await firstStart, dataDir, { recursive: true });
  noteCleanEnd(dataDir);
}

async function makeFirstStart(): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), "tillgate-first-start-"));
  process.once("exit", () => rmSync(dataDir, { recursive: true, force: true }));
  await (await createGateway(testConfig(dataDir), TEST_OVERRIDES)).close();
  return dataDir;
}
