import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { TestProject } from "vitest/node";
import type { GatewayConfig } from "../config/config.ts";
import type { CatalogContent } from "../contract/catalog-content.ts";
import type { Environment } from "../contract/common.ts";
import { noteCleanEnd } from "../db/clean-end.ts";
import type { Overrides } from "../gateway/base.ts";
import { createGateway, type Gateway } from "../index.ts";
import { FakeClock } from "./fake-clock.ts";
import { startOnKeptThread } from "./kept-threads.ts";

export interface FirstDay {
  dataDir: string;
  keys: Record<Environment, string>;
  database?: string;
}

declare module "vitest" {
  interface ProvidedContext {
    firstDay: FirstDay;
  }
}

export const TEST_OVERRIDES = {
  /** Hashing cost of a PIN: low, because tests sign in often. */
  pinCost: 4,
  rateLimit: { burst: 1_000_000, perSecond: 1_000_000 },
  // Otherwise, each simulated day makes 24 backups.
  automaticBackups: false,
  // Otherwise, the gateway checks alerts every minute.
  automaticAlerts: false,
  auditAtStart: false,
  startErrand: startOnKeptThread,
  readFreeBytes: async () => 100 * 1024 ** 3,
} satisfies Overrides;

export const RESOURCES = fileURLToPath(new URL("../../resources", import.meta.url));

/** Countries whose offers are in the tests' catalog. "" stands for offers of several countries. */
const COUNTRIES = " AE AR BB BE CI CU ES GB GT HN MX NG PA PH SG SV US VN ZA".split(" ");

/**
 * Makes a resource folder with a small catalog, which a test gateway reads faster. Later runs reuse
 * the folder.
 */
function makeSmallResources(): string {
  const source = join(RESOURCES, "catalog/sandbox.json");
  const { mtimeMs, size } = statSync(source);
  const folder = join(tmpdir(), `tillgate-test-resources-${COUNTRIES.join("")}-${size}-${mtimeMs}`);
  if (existsSync(folder)) return folder;
  const made = mkdtempSync(`${folder}-`);
  for (const name of readdirSync(RESOURCES).filter((one) => one !== "catalog")) {
    symlinkSync(join(RESOURCES, name), join(made, name));
  }
  mkdirSync(join(made, "catalog"));
  const content = JSON.parse(readFileSync(source, "utf8")) as CatalogContent;
  writeFileSync(join(made, "catalog/sandbox.json"), JSON.stringify(choose(content)));
  try {
    renameSync(made, folder);
  } catch (error) {
    // Another process created the folder first.
    if (!existsSync(folder)) throw error;
    rmSync(made, { recursive: true });
  }
  return folder;
}

function choose({ brands, promos, ...offers }: CatalogContent): CatalogContent {
  const chosen = new Set<string>();
  const families = Object.entries(offers).map(([family, list]) => {
    const kept = list.filter(({ country }) => family === "billpay" || COUNTRIES.includes(country));
    for (const { brand } of kept) chosen.add(brand);
    return [family, kept];
  });
  return {
    ...(Object.fromEntries(families) as typeof offers),
    brands: brands.filter(({ brand }) => chosen.has(brand)),
    promos: promos.filter(
      ({ brand, country }) => chosen.has(brand.brand) && COUNTRIES.includes(country),
    ),
  };
}

export function testConfig(dataDir: string, database?: string): GatewayConfig {
  return {
    dataDir,
    database,
    backupDir: join(dataDir, "backups"),
    host: "127.0.0.1",
    port: 0,
    rendererDir: join(dataDir, "no-pages"),
    resourcesDir: makeSmallResources(),
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

export async function setup({ provide }: TestProject): Promise<() => void> {
  const firstDay = await liveFirstDay();
  provide("firstDay", firstDay);
  return () => rmSync(firstDay.dataDir, { recursive: true, force: true });
}

/** @param database address of an empty database; by default a file */
export async function liveFirstDay(database?: string): Promise<FirstDay> {
  const dataDir = mkdtempSync(join(tmpdir(), "tillgate-first-day-"));
  const overrides = { clock: new FakeClock(), ...TEST_OVERRIDES };
  const gateway = await createGateway(testConfig(dataDir, database), overrides);
  const keys = await createTestKeys(gateway);
  await gateway.close();
  return { dataDir, keys };
}

let firstStart: Promise<string> | undefined;

/** Fills `dataDir` with the data of a gateway that was started once with the system clock. */
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
