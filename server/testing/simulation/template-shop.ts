import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { sql } from "kysely";
import type { GatewayConfig } from "../../config/config.ts";
import { ENVIRONMENTS, type Environment } from "../../contract/common.ts";
import { type Role, rightsOf } from "../../contract/pos/rights.ts";
import { databaseFile } from "../../db/database-files.ts";
import { type Context, createContext } from "../../gateway/context.ts";
import { sealKeyFile } from "../../lib/sealer.ts";
import { keepGivenPins, writerOf } from "../direct-writes.ts";
import { FakeClock } from "../fake-clock.ts";
import type { Prices } from "./basket.ts";
import { GOODS } from "./goods.ts";

/**
 * One or two offers of each product family: enough for every kind of purchase, and quick to copy.
 */
const OFFERS = [
  "TIGO_GT_TOPUP_25",
  "DU_AE_TOPUP_RANGE",
  "ESKOM_ZA_ELECTRICITY_RANGE",
  "AIRALO_ES_1GB_7D",
  "AYSA_AR_BILL_WATER",
];

const LIVE_FUNDS_MINOR = 50_000;

export function simulationConfig(dataDir: string, database?: string): GatewayConfig {
  return {
    dataDir,
    database,
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

export interface Person {
  staffId: string;
  name: string;
  role: Role;
}

export type Worker = ReturnType<typeof workerOf>;

export function workerOf(
  accountId: string,
  environment: Environment,
  { staffId, name, role }: Person,
) {
  const rights = rightsOf(role, {});
  const limits = {};
  return { accountId, environment, staffId, name, role, rights, limits, training: false };
}

/** The clerk's daily limit in minor units of the shop's currency, enough for a few items. */
export const CLERK_PER_DAY = 12_000;

/** Database of a shop on its first day, to be copied. */
export interface TemplateShop {
  keys: { test: string; live: string };
  people: readonly Person[];
  prices: Prices;
  /** Server of the databases; undefined for SQLite. */
  server: DatabaseServer | undefined;
  /**
   * Copies the database: a file to the directory, or a database on the server.
   * @returns address of the copy on the server; undefined for SQLite
   */
  copyTo(dataDir: string): Promise<string | undefined>;
  remove(): Promise<void>;
}

export interface DatabaseServer {
  /** @param template address of a closed database to copy */
  create(template?: string): Promise<string>;
  drop(address: string): Promise<void>;
  /** Ends every connection to the database, even during its work. */
  cut(address: string): Promise<void>;
}

export async function makeTemplateShop(server?: DatabaseServer): Promise<TemplateShop> {
  const dataDir = mkdtempSync(join(tmpdir(), "tillgate-template-"));
  const database = await server?.create();
  const context = await createContext(simulationConfig(dataDir, database), {
    clock: new FakeClock(),
    automaticBackups: false,
    automaticAlerts: false,
    auditAtStart: false,
    // The simulated shop sells in both environments at once.
    requireEnvironment: async () => undefined,
    pinCost: 4,
  });
  const { db, transactor, keys } = context;
  const scope = { accountId: context.accountId };
  const made = {
    test: (await keys.create({ ...scope, environment: "test" }, "simulation")).key,
    live: (await keys.create({ ...scope, environment: "live" }, "simulation")).key,
  };
  await transactor.transact(scope.accountId, async (tx) => {
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
  const { people, prices } = await openCounter(context);
  await sql`vacuum`.execute(writerOf(db));
  await context.dispose();
  return {
    keys: made,
    people,
    prices,
    server,
    async copyTo(target) {
      cpSync(sealKeyFile(dataDir), sealKeyFile(target));
      if (server) return server.create(database);
      cpSync(databaseFile(dataDir), databaseFile(target));
      return undefined;
    },
    async remove() {
      if (server && database !== undefined) await server.drop(database);
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Sets up the shop with an owner and a clerk. The shop's currency differs from the wallet's. */
async function openCounter(context: Context): Promise<Pick<TemplateShop, "people" | "prices">> {
  const { accountId, shop, staff, counter } = context;
  const owner = await shop.setUp(accountId, {
    shopName: "Corner Shop",
    currency: "GTQ",
    rate: "7.75",
    language: "en",
    prices: "SUGGESTED",
    ownerName: "Olga",
    ownerPin: "471183",
  });
  const actor = { accountId, staffId: owner.staffId };
  const clerk = await staff.add(actor, { name: "Carla", role: "clerk", pin: "1739" });
  await keepGivenPins(context.db);
  await staff.change(actor, clerk.staffId, { limits: { perDay: CLERK_PER_DAY } });
  const prices: number[] = [];
  for (const { offerId, value } of GOODS) {
    const scope = { accountId, environment: "test", training: false } as const;
    prices.push((await counter.quote(scope, { offerId, ...(value && { value }) })).price);
  }
  const people = [owner, clerk].map(({ staffId, name, role }) => ({ staffId, name, role }));
  for (const environment of ENVIRONMENTS) {
    for (const person of people) {
      const shift = { shiftId: `first-${environment}-${person.role}`, float: 10_000 };
      await context.shifts.open(workerOf(accountId, environment, person), shift);
    }
  }
  return { people, prices };
}
