import type { GatewayConfig } from "../config/config.ts";
import type { App } from "../http/app-types.ts";
import type { JobRunner } from "../jobs/job-runner.ts";
import { createAuditTrailModule, recordAudit } from "../modules/books/audit-trail/index.ts";
import { createReportsModule } from "../modules/books/reports/index.ts";
import { createTransactionsModule } from "../modules/books/transactions/index.ts";
import {
  createWalletModule,
  getWalletUnit as readWalletUnit,
} from "../modules/books/wallet/index.ts";
import { createBrandFacesModule } from "../modules/catalog/brand-faces/index.ts";
import { createCatalogModule } from "../modules/catalog/catalog/index.ts";
import { createPhoneLookupModule } from "../modules/catalog/phone-lookup/index.ts";
import {
  addStartingLists,
  createCostCheck,
  createFloorGuard,
  createPricesModule,
  PriceReader,
} from "../modules/catalog/prices/index.ts";
import { createMailModule } from "../modules/messages/mail/index.ts";
import {
  createWebhooksModule,
  enqueueMessage,
  takesMessages,
} from "../modules/messages/webhooks/index.ts";
import type { Module } from "../modules/module.ts";
import { createFiguresModule } from "../modules/office/figures/index.ts";
import { createRechargesModule } from "../modules/office/recharges/index.ts";
import { createReconciliationModule } from "../modules/office/reconciliation/index.ts";
import { createSalesOfficeModule } from "../modules/office/sales-office/index.ts";
import { createShopReportsModule } from "../modules/office/shop-reports/index.ts";
import { createWalletOfficeModule } from "../modules/office/wallet-office/index.ts";
import { createAlertsModule } from "../modules/operations/alerts/index.ts";
import { createEnvironmentCopyModule } from "../modules/operations/environment-copy/index.ts";
import { createGoingLiveModule } from "../modules/operations/going-live/index.ts";
import { createHousekeepingModule } from "../modules/operations/housekeeping/index.ts";
import { createMonitoringModule } from "../modules/operations/monitoring/index.ts";
import { createRequestLogModule } from "../modules/operations/request-log/index.ts";
import {
  type ClockService,
  createNamedSandboxesModule,
  createSandboxModule,
  type NamedSandboxes,
  type SandboxWallet,
} from "../modules/operations/sandbox/index.ts";
import { createSupportModule } from "../modules/operations/support/index.ts";
import { createCatalogImportsModule } from "../modules/providers/catalog-imports/index.ts";
import { createUpstreamModule } from "../modules/providers/upstream/index.ts";
import { createBillpayModule } from "../modules/purchases/billpay/index.ts";
import { createEsimsModule } from "../modules/purchases/esims/index.ts";
import { createPurchasesModule } from "../modules/purchases/purchases/index.ts";
import { createRefundsModule } from "../modules/purchases/refunds/index.ts";
import { createBackupDeskModule, createBackupsModule } from "../modules/safety/backups/index.ts";
import { createStorageModule } from "../modules/safety/storage/index.ts";
import { createUpdatesModule } from "../modules/safety/updates/index.ts";
import { createBulkCheckoutModule } from "../modules/selling/bulk-checkout/index.ts";
import { createCounterModule } from "../modules/selling/counter/index.ts";
import { createCustomerRefundsModule } from "../modules/selling/customer-refunds/index.ts";
import { createCustomersModule } from "../modules/selling/customers/index.ts";
import { createDisplaysModule } from "../modules/selling/displays/index.ts";
import { createEventsModule } from "../modules/selling/events/index.ts";
import { createHeldSalesModule } from "../modules/selling/held-sales/index.ts";
import { createPrintingModule } from "../modules/selling/printing/index.ts";
import { createReceiptPagesModule } from "../modules/selling/receipt-pages/index.ts";
import { createSalesModule } from "../modules/selling/sales/index.ts";
import { createSearchModule } from "../modules/selling/search/index.ts";
import {
  createShiftsModule,
  requireOpenShift as requireShift,
} from "../modules/selling/shifts/index.ts";
import { createDevicesModule } from "../modules/shop/devices/index.ts";
import { createKeysModule } from "../modules/shop/keys/index.ts";
import { createReachModule } from "../modules/shop/reach/index.ts";
import { createSettingsModule } from "../modules/shop/settings/index.ts";
import { createShopModule, readTerms } from "../modules/shop/shop/index.ts";
import { createShopTendersModule } from "../modules/shop/shop-tenders/index.ts";
import { createStaffModule } from "../modules/shop/staff/index.ts";
import { createTillsModule } from "../modules/shop/tills/index.ts";
import { findInstallation } from "../program.ts";
import { createCashierFinder } from "./authenticate.ts";
import { type Host, type OpenBase, type Overrides, openBase } from "./base.ts";
import { ensureAccount } from "./first-start.ts";

/** Modules in the order of their creation: each comes after the modules that it uses. */
export class ModuleSet {
  readonly #modules: Module[] = [];
  readonly #names = new Set<string>();
  readonly #jobs: Jobs;
  readonly #stack: AsyncDisposableStack;
  /** Remaining steps of the start; undefined before the start. */
  #steps: (() => unknown)[] | undefined;

  /** @param stack closes the modules, and then the resources opened before them */
  constructor(jobs: Jobs, stack: AsyncDisposableStack) {
    this.#jobs = jobs;
    this.#stack = stack;
  }

  /** @throws Error if another module has a service of the same name */
  add<Services extends object>(module: Module<Services>): Services {
    for (const name of Object.keys(module.services)) {
      if (this.#names.has(name)) throw new Error(`two modules bring the service ${name}`);
      this.#names.add(name);
    }
    this.#modules.push(module);
    for (const { kind, run, ...lane } of module.jobs ?? []) this.#jobs.register(kind, run, lane);
    this.#stack.defer(() => module.release?.());
    return module.services;
  }

  /**
   * Ends the list of modules. Closing then stops the modules' own work, then the jobs, and then the
   * services, starting with the last. Jobs may use any service.
   */
  seal(): void {
    this.#stack.defer(() => this.#jobs.stop());
    for (const module of this.#modules) this.#stack.defer(() => module.stop?.());
  }

  async serve(door: Door, app: App): Promise<void> {
    for (const module of this.#modules) await module[door]?.(app);
  }

  /**
   * Resumes the work of an earlier run, and starts due work. After a failure it can be called
   * again, and continues with the failed step.
   */
  async start(): Promise<void> {
    this.#steps ??= [
      ...this.#modules.map((module) => () => module.recover?.()),
      () => this.#jobs.start(),
      ...this.#modules.map((module) => () => module.start?.()),
    ];
    for (let step = this.#steps[0]; step; step = this.#steps[0]) {
      await step();
      this.#steps.shift();
    }
  }
}

export type Context = Awaited<ReturnType<typeof createContext>>;

/**
 * Opens the database and creates every module, without starting work. `dispose` closes everything
 * in reverse order, as does a failed start.
 * @throws StartupError if the data directory cannot be used
 */
export async function createContext(
  config: GatewayConfig,
  overrides: Overrides = {},
  host: Host = { isGateway: false },
) {
  const stack = new AsyncDisposableStack();
  try {
    const base = await openBase(config, overrides, host, stack);
    const modules = new ModuleSet(base.jobs, stack);
    const services = await addModules(base, overrides, modules);
    modules.seal();
    const dispose = () => stack.disposeAsync();
    return { ...base, ...services, modules, start: () => modules.start(), dispose };
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}

async function addModules(base: OpenBase, overrides: Overrides, modules: ModuleSet) {
  const till = await addTillModules(base, overrides, modules);
  const figured = { ...till, ...modules.add(createFiguresModule(till)) };
  const mailed = {
    ...figured,
    ...modules.add(createWalletOfficeModule(figured)),
    ...modules.add(createMailModule(till)),
  };
  const office = {
    ...mailed,
    ...modules.add(createShopReportsModule(mailed)),
    ...modules.add(createReachModule(base)),
  };
  const all = {
    ...office,
    ...modules.add(createReceiptPagesModule(mailed)),
    ...modules.add(createReconciliationModule(till)),
    ...modules.add(createSalesOfficeModule(figured)),
    ...modules.add(createGoingLiveModule(till)),
    ...modules.add(createEnvironmentCopyModule(office)),
    ...modules.add(createAlertsModule(office)),
    ...modules.add(createHousekeepingModule(till)),
    ...modules.add(createMonitoringModule(till)),
    ...modules.add(createBackupDeskModule(till)),
  };
  return {
    ...all,
    ...addSandboxModules(all, overrides, modules),
    ...modules.add(createSupportModule(all)),
  };
}

interface SandboxServices {
  /** Only in a sandbox. */
  clockService?: ClockService;
  /** Only in a sandbox. */
  sandboxWallet?: SandboxWallet;
  /** Only in a gateway that is no sandbox. */
  namedSandboxes?: NamedSandboxes;
}

function addSandboxModules(
  all: Parameters<typeof createSandboxModule>[0] & Pick<OpenBase, "keyFile">,
  { sandbox }: Overrides,
  modules: ModuleSet,
): SandboxServices {
  if (sandbox) return modules.add(createSandboxModule(all, sandbox));
  return modules.add(createNamedSandboxesModule(all));
}

function addRecordModules(
  base: OpenBase,
  staff: Pick<Parameters<typeof createRechargesModule>[0], "sessions">,
  modules: ModuleSet,
) {
  return {
    ...modules.add(createRechargesModule({ ...base, ...staff })),
    ...modules.add(createWalletModule(base)),
    ...modules.add(createTransactionsModule(base)),
    ...modules.add(createAuditTrailModule(base)),
    ...modules.add(createRequestLogModule(base)),
  };
}

function createPriceReaders() {
  const prices = new PriceReader(readTerms);
  return {
    prices,
    readPricing: prices.read.bind(prices),
    requireFloor: createFloorGuard(prices),
    mayCost: createCostCheck(prices),
  };
}

async function addTillModules(base: OpenBase, overrides: Overrides, modules: ModuleSet) {
  const given = {
    readTerms,
    ...createPriceReaders(),
    addStartingPrices: addStartingLists,
    readWalletUnit,
    recordAudit,
    requireShift,
    takesMessages,
    sendMessage: enqueueMessage,
    scenarioOf: overrides.sandbox?.scenarios.scenarioOf,
    ...overrides,
    ...base,
  };
  const catalog = modules.add(createCatalogModule(given));
  const settings = modules.add(createSettingsModule(base));
  const staff = modules.add(createStaffModule(given));
  const phones = modules.add(createPhoneLookupModule({ ...base, ...settings }));
  const ground = {
    ...given,
    ...catalog,
    ...settings,
    ...phones,
    ...modules.add(createStorageModule(given)),
    // Is stopped before the earlier modules, so that a running audit ends with its thread.
    ...modules.add({ services: {}, release: () => base.background.stop() }),
    ...staff,
    ...addRecordModules(base, staff, modules),
    ...modules.add(createKeysModule(base)),
    ...modules.add(createUpdatesModule({ ...given, installation: findInstallation() })),
    ...modules.add(createShopTendersModule(base)),
    ...modules.add(createBackupsModule(given)),
    ...modules.add(createWebhooksModule(given)),
    ...modules.add(createReportsModule(given)),
    ...modules.add(createUpstreamModule({ ...given, ...catalog, ...phones })),
  };
  await ensureAccount(ground);
  const goods = {
    ...ground,
    ...modules.add(createShopModule(ground)),
    ...modules.add(createBillpayModule(ground)),
    ...modules.add(createEsimsModule(ground)),
  };
  const trade = {
    ...goods,
    ...modules.add(createPricesModule(goods)),
    ...modules.add(createPurchasesModule(goods)),
    ...modules.add(createDisplaysModule(goods)),
  };
  const till = {
    ...trade,
    ...modules.add(createRefundsModule(trade)),
    ...modules.add(createSalesModule(trade)),
    ...modules.add(createCounterModule(trade)),
    ...modules.add(createShiftsModule(trade)),
    ...modules.add(createCatalogImportsModule(trade)),
  };
  return {
    ...till,
    ...modules.add(createCustomerRefundsModule(till)),
    ...modules.add(createCustomersModule(till)),
    ...modules.add(createHeldSalesModule(till)),
    ...modules.add(createBulkCheckoutModule(till)),
    ...modules.add(createBrandFacesModule(till)),
    ...modules.add(createSearchModule(till)),
    ...modules.add(createPrintingModule(till)),
    ...modules.add(createTillsModule(till)),
    ...modules.add(createDevicesModule(till)),
    ...modules.add(createEventsModule({ ...till, findSessions: createCashierFinder(till) })),
  };
}

type Jobs = Pick<JobRunner, "register" | "start" | "stop">;

type Door = "everywhere" | "root" | "v1Public" | "v1" | "pages" | "pos" | "hooks";
