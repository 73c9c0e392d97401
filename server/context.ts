import type { FastifyBaseLogger } from "fastify";
import { pino } from "pino";
import { type GatewayConfig, StartupError } from "./config/config.ts";
import type { Environment } from "./contract/common.ts";
import { pruneChanges } from "./db/changes.ts";
import {
  createTransactor,
  type Db,
  databaseExists,
  databaseFile,
  openDatabase,
} from "./db/database.ts";
import { migrate } from "./db/migrate.ts";
import { DEFAULT_ACCOUNT, ensureAccount } from "./first-start.ts";
import { RATE_LIMIT, type RateLimit } from "./http/rate-limit.ts";
import { JobRunner } from "./jobs/job-runner.ts";
import { type Clock, DAY, systemClock } from "./lib/clock.ts";
import { type Ids, randomIds } from "./lib/ids.ts";
import { BrandService, CatalogService, PromoService } from "./modules/catalog/index.ts";
import { EventFeed } from "./modules/events/index.ts";
import { KeyService } from "./modules/keys/index.ts";
import { PhoneService } from "./modules/phone-lookup/index.ts";
import { ADVANCE_JOB, PurchaseEngine, PurchaseService } from "./modules/purchases/index.ts";
import { RechargeService } from "./modules/recharges/index.ts";
import { CounterService, SaleService } from "./modules/sales/index.ts";
import { getSettings, SettingsService } from "./modules/settings/index.ts";
import { readReferenceRates, readTerms, ShopService } from "./modules/shop/index.ts";
import { PIN_COST, SessionService, StaffService } from "./modules/staff/index.ts";
import { TransactionService } from "./modules/transactions/index.ts";
import { WalletService } from "./modules/wallet/index.ts";
import { Simulator } from "./suppliers/simulator.ts";
import type { Supplier } from "./suppliers/supplier.ts";

export { databaseExists };

const CHANGES_KEPT_MS = 7 * DAY;

/** What a test may put in the place of the real thing. */
export interface Overrides {
  clock?: Clock;
  ids?: Ids;
  /** log2 of scrypt's cost. */
  pinCost?: number;
  rateLimit?: RateLimit;
  suppliers?: Partial<Record<Environment, Supplier>>;
}

/** Every object of a gateway, made once. */
export type Context = Awaited<ReturnType<typeof createContext>>;

/**
 * Opens the database and makes every service, by hand and top to bottom. Nothing runs yet.
 * @throws StartupError when the data directory cannot be used.
 */
export async function createContext(config: GatewayConfig, overrides: Overrides = {}) {
  const clock = overrides.clock ?? systemClock;
  const ids = overrides.ids ?? randomIds;
  const log: FastifyBaseLogger = pino({
    level: config.logLevel,
    redact: ["req.headers.authorization", "req.headers.cookie"],
  });
  const db = await openUsableDatabase(config.dataDir);
  const transactor = createTransactor(db);
  const base = { db, transactor, clock, ids, log };

  const recharges = new RechargeService(base);
  await ensureAccount({ ...base, recharges, resourcesDir: config.resourcesDir });
  await transactor.transact((tx) => pruneChanges(tx, clock.now() - CHANGES_KEPT_MS));

  const phones = await PhoneService.load(config.resourcesDir);
  const rates = await readReferenceRates(config.resourcesDir);
  const settings = new SettingsService(base);
  const keys = new KeyService(base);
  const wallet = new WalletService(db);
  const transactions = new TransactionService(db);
  const catalog = new CatalogService({ db, readTerms });
  const brands = new BrandService(catalog);
  const promos = new PromoService(catalog, clock);
  const purchases = new PurchaseService({ ...base, catalog });
  const staff = new StaffService({ ...base, pinCost: overrides.pinCost ?? PIN_COST });
  const sessions = new SessionService(base);
  const shop = new ShopService({ ...base, staff, rates });
  const sales = new SaleService({ ...base, catalog, purchases, shop });
  const counter = new CounterService({ db, catalog, phones, clock });
  const events = new EventFeed({ ...base, sales, wallet });

  const suppliers: Partial<Record<Environment, Supplier>> = {
    test: new Simulator(base),
    ...overrides.suppliers,
  };
  const engine = new PurchaseEngine({
    ...base,
    supplierOf: (environment) => suppliers[environment],
    isQueueEnabled: async (reader, scope) => (await getSettings(reader, scope)).queueEnabled,
  });
  const jobs = new JobRunner(base);
  jobs.register(ADVANCE_JOB, (subject) => engine.advance(subject));

  return {
    ...base,
    accountId: DEFAULT_ACCOUNT,
    config,
    rateLimit: overrides.rateLimit ?? RATE_LIMIT,
    settings,
    keys,
    wallet,
    transactions,
    catalog,
    brands,
    promos,
    purchases,
    recharges,
    staff,
    sessions,
    shop,
    sales,
    counter,
    events,
    engine,
    jobs,

    /** Takes up what an earlier run left unfinished, and everything that falls due from now on. */
    async start(): Promise<void> {
      await engine.recover();
      await jobs.start();
    },

    /** Stops in reverse: what is under way is finished or left for the next start to resume. */
    async dispose(): Promise<void> {
      events.stop();
      await jobs.stop();
      await engine.stop();
      await db.destroy();
    },
  };
}

async function openUsableDatabase(dataDir: string): Promise<Db> {
  let db: Db | undefined;
  try {
    db = openDatabase(dataDir);
    await migrate(db);
    return db;
  } catch (error) {
    await db?.destroy();
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartupError(`The database ${databaseFile(dataDir)} cannot be used: ${reason}.`);
  }
}
