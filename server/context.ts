import type { DestinationStream } from "pino";
import { Background } from "./background/background.ts";
import type { GatewayConfig } from "./config/config.ts";
import type { Environment } from "./contract/common.ts";

import type { Scope } from "./db/changes.ts";
import {
  createTransactor,
  databaseExists,
  keepSealed,
  watchCommits,
  watchDatabase,
} from "./db/database.ts";
import { WriteHealth } from "./db/write-health.ts";
import { DEFAULT_ACCOUNT, ensureAccount } from "./first-start.ts";
import { createCashierFinder } from "./http/authenticate.ts";
import { CONNECTION_LIMITS, type ConnectionLimits } from "./http/connection-limits.ts";
import { RATE_LIMIT, type RateLimit } from "./http/rate-limit.ts";
import { JobRunner } from "./jobs/job-runner.ts";
import { type Clock, systemClock } from "./lib/clock.ts";
import { type SendOutgoing, sendGuarded } from "./lib/guarded-request.ts";
import { type Ids, randomIds } from "./lib/ids.ts";
import type { Log } from "./lib/log.ts";
import { createFileSealer, type Sealer } from "./lib/sealer.ts";
import { openLog } from "./log.ts";
import { AuditService, recordAudit } from "./modules/audit-trail/index.ts";
import { BACKUP_JOB, BackupService } from "./modules/backups/index.ts";
import { BillService } from "./modules/billpay/index.ts";
import {
  BrandService,
  CatalogService,
  CatalogUpdateService,
  PromoService,
} from "./modules/catalog/index.ts";
import {
  BillCounterService,
  CounterService,
  EsimCounterService,
  PromoCounterService,
  SaleCheckService,
  WalletReach,
} from "./modules/counter/index.ts";
import { findCashGiveBack, GiveBackService } from "./modules/customer-refunds/index.ts";
import { FavouriteService } from "./modules/customers/index.ts";
import { DisplayBoard } from "./modules/displays/index.ts";
import { EsimService } from "./modules/esims/index.ts";
import { EventFeed } from "./modules/events/index.ts";
import { readFreeBytes, TillEnvironmentService } from "./modules/going-live/index.ts";
import { HeldSaleService } from "./modules/held-sales/index.ts";
import { Housekeeping } from "./modules/housekeeping/index.ts";
import { KeyService } from "./modules/keys/index.ts";
import { MonitoringService } from "./modules/monitoring/index.ts";
import { PhoneService } from "./modules/phone-lookup/index.ts";
import { DrawerGuard, PrintDesk, PrinterService } from "./modules/printing/index.ts";
import {
  ADVANCE_JOB,
  BrandPauseService,
  PROBE_JOB,
  PurchaseEngine,
  PurchaseService,
  PurchaseVerification,
} from "./modules/purchases/index.ts";
import { RechargeService } from "./modules/recharges/index.ts";
import { ReconciliationService } from "./modules/reconciliation/index.ts";
import { REFUND_JOB, RefundEngine, RefundService } from "./modules/refunds/index.ts";
import {
  REPORT_JOB,
  ReportFiles,
  ReportGenerator,
  ReportService,
} from "./modules/reports/index.ts";
import {
  findCashSale,
  ReceiptService,
  RevealService,
  SaleFinder,
  SaleService,
} from "./modules/sales/index.ts";
import { SearchIndexService } from "./modules/search/index.ts";
import { getSettings, SettingsService } from "./modules/settings/index.ts";
import {
  findMovementDeed,
  requireOpenShift,
  ShiftService,
  ZReportService,
} from "./modules/shifts/index.ts";
import {
  type RequireEnvironment,
  readReferenceRates,
  readTerms,
  requireTillEnvironment,
  ShopService,
} from "./modules/shop/index.ts";
import {
  ApprovalService,
  PIN_COST,
  PinHasher,
  SessionService,
  StaffService,
} from "./modules/staff/index.ts";
import { noteMissing, StorageService } from "./modules/storage/index.ts";
import { scopeOfSubject, TransactionService } from "./modules/transactions/index.ts";
import {
  SYNC_JOB,
  UpstreamHooks,
  UpstreamService,
  UpstreamSync,
} from "./modules/upstream/index.ts";
import { getWalletUnit, WalletService } from "./modules/wallet/index.ts";
import {
  DELIVER_JOB,
  VerificationDesk,
  WebhookCourier,
  WebhookSender,
  WebhookService,
} from "./modules/webhooks/index.ts";
import { Simulator } from "./suppliers/simulator.ts";
import type { Supplier } from "./suppliers/supplier.ts";
import { openUsableDatabase } from "./usable-database.ts";

export { DEFAULT_ACCOUNT, databaseExists };

/** What a host or a test may put in the place of the usual thing. */
export interface Overrides {
  clock?: Clock;
  ids?: Ids;
  /** log2 of scrypt's cost. */
  pinCost?: number;
  rateLimit?: RateLimit;
  connectionLimits?: ConnectionLimits;
  /** Keeps secrets at rest; a key file in the data directory unless the host knows better. */
  sealer?: (parts: { keyFile: Sealer; log: Log }) => Sealer;
  automaticBackups?: boolean;
  /** Whether a start audits the books. */
  auditAtStart?: boolean;
  /** Gets every line of the log. */
  logStream?: DestinationStream;
  /** Calls other people's servers. */
  sendOutgoing?: SendOutgoing;
  suppliers?: Partial<Record<Environment, Supplier>>;
  /** Where a till may sell: where the shop does, unless something sells everywhere at once. */
  requireEnvironment?: RequireEnvironment;
  /** What the disk of the data has left. */
  readFreeBytes?: () => Promise<number | undefined>;
  /** Is told every statement that is executed, values included. */
  onStatement?: (sql: string) => void;
}

/** Every object of a gateway, made once. */
export type Context = Awaited<ReturnType<typeof createContext>>;

/**
 * Opens the database and makes every service, by hand and top to bottom. Nothing runs yet.
 * @param host a gateway reads the whole database first, and writes its log to a file; a command of a
 *   moment beside it does neither
 * @throws StartupError when the data directory cannot be used.
 */
export async function createContext(
  config: GatewayConfig,
  overrides: Overrides = {},
  host: { isGateway: boolean } = { isGateway: false },
) {
  const opened: Opened = [];
  try {
    return await makeContext(config, overrides, host, opened);
  } catch (error) {
    // Whatever failed, nothing stays open: the next start is to find the database free.
    for (const close of opened.reverse()) await close();
    throw error;
  }
}

/** How to close what has been opened so far, in the order of opening. */
type Opened = (() => void | Promise<void>)[];

async function makeContext(
  config: GatewayConfig,
  overrides: Overrides,
  host: { isGateway: boolean },
  opened: Opened,
) {
  const clock = overrides.clock ?? systemClock;
  const ids = overrides.ids ?? randomIds;
  const wholeFile = host.isGateway;
  const background = new Background();
  const health = new WriteHealth(clock);
  const means = { wholeFile, background, clock, ids, health };
  const db = await openUsableDatabase(config, means, overrides.onStatement);
  opened.push(() => db.destroy());
  const { log, close: closeLog } = await openLog(config, {
    toFile: host.isGateway,
    stream: overrides.logStream,
  });
  opened.push(closeLog);
  const presence = watchDatabase(config.dataDir);
  const transactor = createTransactor(db, health);
  await noteMissing({ db, transactor, dataDir: config.dataDir, clock });
  const watch = watchCommits(config.dataDir);
  opened.push(() => watch.close());
  const base = { db, transactor, watch, clock, ids, log };

  const recharges = new RechargeService(base);
  await ensureAccount({ ...base, recharges, resourcesDir: config.resourcesDir });

  const phones = await PhoneService.load(config.resourcesDir);
  const rates = await readReferenceRates(config.resourcesDir);
  const settings = new SettingsService(base);
  const keys = new KeyService(base);
  const wallet = new WalletService(db);
  const transactions = new TransactionService(db);
  const catalog = new CatalogService({ ...base, readTerms });
  const catalogUpdates = new CatalogUpdateService({
    ...base,
    readWalletUnit: getWalletUnit,
    recordAudit,
  });
  const brands = new BrandService(catalog);
  const promos = new PromoService(catalog, clock);
  const keyFile = createFileSealer(config.dataDir);
  const sealer = overrides.sealer?.({ keyFile, log }) ?? keyFile;
  keepSealed(db, sealer);
  const upstream = new UpstreamService({ ...base, sealer });
  const suppliers: Partial<Record<Environment, Supplier>> = {
    test: new Simulator(base),
    ...overrides.suppliers,
  };
  const supplierOf = async (scope: Scope) =>
    suppliers[scope.environment] ?? (await upstream.findSupplier(scope));
  const bills = new BillService({ ...base, catalog, supplierOf });
  const esims = new EsimService({ ...base, supplierOf });
  const purchases = new PurchaseService({ ...base, catalog, bills });
  const refunds = new RefundService({ ...base, purchases, esims });
  const pins = new PinHasher({ log, keyFile, cost: overrides.pinCost ?? PIN_COST });
  const staff = new StaffService({ ...base, pins });
  const sessions = new SessionService({ ...base, pins });
  const approvals = new ApprovalService({ ...base, pins });
  const auditTrail = new AuditService(db);
  const shop = new ShopService({ ...base, staff, rates });
  const requireShift = requireOpenShift;
  const requireEnvironment = overrides.requireEnvironment ?? requireTillEnvironment;
  const needed = { requireShift, requireEnvironment };
  const sales = new SaleService({ ...base, catalog, purchases, shop, ...needed });
  const shifts = new ShiftService({ ...base, shop, requireEnvironment });
  const receipts = new ReceiptService({ ...base, sales, shop });
  const reveals = new RevealService({ ...base, sales, shop });
  const giveBacks = new GiveBackService({ ...base, sales, requireShift });
  const heldSales = new HeldSaleService({ ...base, shop });
  const esimCounter = new EsimCounterService({ ...base, catalog, esims, shop });
  const counter = new CounterService({ db, catalog, phones, shop, clock });
  const walletReach = new WalletReach({ db, clock, catalog, shop });
  const promoCounter = new PromoCounterService({ catalog, promos, shop });
  const billCounter = new BillCounterService({ catalog, bills });
  const saleChecks = new SaleCheckService({ ...base, catalog, purchases, promoCounter });
  const saleFinder = new SaleFinder({ db, clock, catalog, phones, shop });
  const favourites = new FavouriteService({ ...base, phones, counter });
  const search = new SearchIndexService({ catalog, shop });
  const printDesk = new PrintDesk(base);
  const drawers = new DrawerGuard({
    ...base,
    cashDeeds: {
      SALE: (scope, id) => findCashSale(db, scope, id),
      GIVE_BACK: (scope, id) => findCashGiveBack(db, scope, id),
      MOVEMENT: (scope, id) => findMovementDeed(db, scope, id),
    },
  });
  const printers = new PrinterService({ ...base, desk: printDesk, drawers });
  const displays = new DisplayBoard(clock);
  sessions.onSignOut((tokenHash) => displays.endOf(tokenHash));
  const findSessions = createCashierFinder(sessions, shop);
  const events = new EventFeed({ ...base, findSessions });

  const send = overrides.sendOutgoing ?? sendGuarded;
  const reconciliation = new ReconciliationService({ ...base, recharges, upstream });
  const sender = new WebhookSender({ ...base, sealer, send });
  const webhooks = new WebhookService({ ...base, sealer, sender, recordAudit });
  const courier = new WebhookCourier({ ...base, sender, recordAudit });
  const desk = new VerificationDesk({ ...base, sender, recordAudit });
  const engine = new PurchaseEngine({
    ...base,
    supplierOf,
    isQueueEnabled: async (reader, scope) => (await getSettings(reader, scope)).queueEnabled,
    verification: new PurchaseVerification({ ...base, desk }),
    whenWritable: () => health.whenWritable(),
  });
  const files = new ReportFiles(config.dataDir);
  const reports = new ReportService({ ...base, files });
  const housekeeping = new Housekeeping({ ...base, files });
  const reportGenerator = new ReportGenerator({ ...base, files });
  // A test's clock stands still while others write, and would pass by the second for a day.
  const stamp = clock === systemClock ? () => watch.stamp() : undefined;
  const jobs = new JobRunner({ ...base, stamp });
  const refundEngine = new RefundEngine({ ...base, supplierOf });
  jobs.register(REFUND_JOB, (subject) => refundEngine.advance(subject), {
    laneOf: scopeOfSubject,
  });
  jobs.register(ADVANCE_JOB, (subject) => engine.advance(subject), { laneOf: scopeOfSubject });
  jobs.register(REPORT_JOB, (subject) => reportGenerator.generate(subject), { concurrency: 1 });
  const backups = new BackupService({ ...base, config, background });
  jobs.register(BACKUP_JOB, (subject) => backups.runJob(subject));
  const zReports = new ZReportService({ ...base, shop, backups });
  jobs.register(DELIVER_JOB, (subject) => courier.deliver(subject));
  const brandPauses = new BrandPauseService({ ...base, catalog });
  jobs.register(PROBE_JOB, (subject) => brandPauses.runProbe(subject));
  const storage = new StorageService({ ...base, health, config, background });
  const tillEnvironment = new TillEnvironmentService({
    ...base,
    shop,
    staff,
    catalog,
    upstream,
    backups,
    webhooks,
    keys,
    storage,
    rates,
    readFreeBytes: overrides.readFreeBytes ?? (() => readFreeBytes(config.dataDir)),
    countUnderWay: (scope) => shifts.countUnfinished(scope),
  });
  const upstreamHooks = new UpstreamHooks({ ...base, sealer });
  const upstreamSync = new UpstreamSync({ ...base, upstream, catalogUpdates });
  jobs.register(SYNC_JOB, (subject) => upstreamSync.run(subject));
  const accountId = DEFAULT_ACCOUNT;
  const monitoring = new MonitoringService({ ...base, accountId, jobs, backups, storage });

  return {
    ...base,
    accountId,
    config,
    rateLimit: overrides.rateLimit ?? RATE_LIMIT,
    connectionLimits: overrides.connectionLimits ?? CONNECTION_LIMITS,
    sealer,
    settings,
    phones,
    keys,
    wallet,
    transactions,
    catalog,
    catalogUpdates,
    brands,
    promos,
    purchases,
    bills,
    esims,
    refunds,
    recharges,
    reconciliation,
    staff,
    sessions,
    approvals,
    printers,
    auditTrail,
    shop,
    sales,
    giveBacks,
    receipts,
    reveals,
    heldSales,
    shifts,
    zReports,
    counter,
    walletReach,
    saleFinder,
    esimCounter,
    promoCounter,
    billCounter,
    saleChecks,
    favourites,
    search,
    displays,
    events,
    webhooks,
    sender,
    engine,
    reports,
    jobs,
    backups,
    monitoring,
    storage,
    presence,
    upstream,
    upstreamSync,
    upstreamHooks,
    brandPauses,
    housekeeping,
    tillEnvironment,

    /** Takes up what an earlier run left unfinished, and everything that falls due from now on. */
    async start(): Promise<void> {
      await engine.recover();
      if (overrides.automaticBackups ?? true) await backups.schedule();
      await courier.recover();
      await upstreamSync.recover();
      await jobs.start();
      housekeeping.start();
      await storage.start({ audit: overrides.auditAtStart ?? true });
    },

    /** Stops in reverse: what is under way is finished or left for the next start to resume. */
    async dispose(): Promise<void> {
      events.stop();
      storage.stop();
      await printDesk.stop();
      reportGenerator.stop();
      await housekeeping.stop();
      await jobs.stop();
      await engine.stop();
      await sender.stop();
      await background.stop();
      await storage.idle();
      watch.close();
      await db.destroy();
      await closeLog();
    },
  };
}
