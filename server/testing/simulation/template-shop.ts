import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { sql } from "kysely";
import type { GatewayConfig } from "../../config/config.ts";
import { createContext } from "../../context.ts";
import { databaseFile } from "../../db/database.ts";
import { FakeClock } from "../fake-clock.ts";

/** One offer or two of each family: enough to buy everything, small enough to open often. */
const OFFERS = [
  "TIGO_GT_TOPUP_25",
  "DU_AE_TOPUP_RANGE",
  "ESKOM_ZA_ELECTRICITY_RANGE",
  "AIRALO_ES_1GB_7D",
  "AYSA_AR_BILL_WATER",
];

const LIVE_FUNDS_MINOR = 50_000;

export function simulationConfig(dataDir: string): GatewayConfig {
  return {
    dataDir,
    backupDir: join(dataDir, "backups"),
    host: "127.0.0.1",
    port: 0,
    rendererDir: join(dataDir, "no-pages"),
    resourcesDir: fileURLToPath(new URL("../../../resources", import.meta.url)),
    logFile: undefined,
    logLevel: "silent",
    allowedHosts: [],
  };
}

/** The database of a shop on its first day, with few offers and those in both environments. */
export interface TemplateShop {
  keys: { test: string; live: string };
  /** Puts a copy into a directory. */
  copyTo(dataDir: string): void;
  remove(): void;
}

export async function makeTemplateShop(): Promise<TemplateShop> {
  const dataDir = mkdtempSync(join(tmpdir(), "tillgate-template-"));
  const context = await createContext(simulationConfig(dataDir), {
    clock: new FakeClock(),
    automaticBackups: false,
  });
  const { db, transactor, keys } = context;
  const scope = { accountId: context.accountId };
  const made = {
    test: (await keys.create({ ...scope, environment: "test" }, "simulation")).key,
    live: (await keys.create({ ...scope, environment: "live" }, "simulation")).key,
  };
  await transactor.transact(async (tx) => {
    const live = { accountId: context.accountId, environment: "live" } as const;
    await context.recharges.rechargeSandbox(tx, live, LIVE_FUNDS_MINOR);
    await tx.deleteFrom("offers").where("offer_id", "not in", OFFERS).execute();
    await tx.deleteFrom("promos").execute();
    const inUse = tx.selectFrom("offers").select("brand");
    await tx.deleteFrom("brands").where("brand", "not in", inUse).execute();
    for (const table of ["catalogs", "brands", "offers"] as const) {
      const rows = await tx.selectFrom(table).selectAll().execute();
      const live = rows.map((row) => ({ ...row, environment: "live" as const }));
      await tx.insertInto(table).values(live).execute();
    }
  });
  await sql`vacuum`.execute(db);
  await context.dispose();
  return {
    keys: made,
    copyTo: (target) => cpSync(databaseFile(dataDir), databaseFile(target)),
    remove: () => rmSync(dataDir, { recursive: true, force: true }),
  };
}
