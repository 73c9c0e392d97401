import { createCashierFinder } from "./authenticate.ts";
import type { OpenBase, Overrides } from "./base.ts";
import { ensureAccount } from "./first-start.ts";
import type { ModuleSet } from "./module-set.ts";
import { createAlertsModule } from "./modules/alerts/index.ts";
import { createAuditTrailModule, recordAudit } from "./modules/audit-trail/index.ts";
import { createBackupDeskModule, createBackupsModule } from "./modules/backups/index.ts";
import { createBillpayModule } from "./modules/billpay/index.ts";
import { createBrandFacesModule } from "./modules/brand-faces/index.ts";
import { createBulkCheckoutModule } from "./modules/bulk-checkout/index.ts";
import { createCatalogModule } from "./modules/catalog/index.ts";
import { createCatalogImportsModule } from "./modules/catalog-imports/index.ts";
import { createCounterModule } from "./modules/counter/index.ts";
import { createCustomerRefundsModule } from "./modules/customer-refunds/index.ts";
import { createCustomersModule } from "./modules/customers/index.ts";
import { createDevicesModule } from "./modules/devices/index.ts";
import { createDisplaysModule } from "./modules/displays/index.ts";
import { createEnvironmentCopyModule } from "./modules/environment-copy/index.ts";
import { createEsimsModule } from "./modules/esims/index.ts";
import { createEventsModule } from "./modules/events/index.ts";
import { createFiguresModule } from "./modules/figures/index.ts";
import { createGoingLiveModule } from "./modules/going-live/index.ts";
import { createHeldSalesModule } from "./modules/held-sales/index.ts";
import { createHousekeepingModule } from "./modules/housekeeping/index.ts";
import { createKeysModule } from "./modules/keys/index.ts";
import { createMailModule } from "./modules/mail/index.ts";
import { createMonitoringModule } from "./modules/monitoring/index.ts";
import { createPhoneLookupModule } from "./modules/phone-lookup/index.ts";
import { createFloorGuard, createPricesModule, PriceReader } from "./modules/prices/index.ts";
import { createPrintingModule } from "./modules/printing/index.ts";
import { createPurchasesModule } from "./modules/purchases/index.ts";
import { createReachModule } from "./modules/reach/index.ts";
import { createReceiptPagesModule } from "./modules/receipt-pages/index.ts";
import { createRechargesModule } from "./modules/recharges/index.ts";
import { createReconciliationModule } from "./modules/reconciliation/index.ts";
import { createRefundsModule } from "./modules/refunds/index.ts";
import { createReportsModule } from "./modules/reports/index.ts";
import { createSalesModule } from "./modules/sales/index.ts";
import { createSalesOfficeModule } from "./modules/sales-office/index.ts";
import { createSearchModule } from "./modules/search/index.ts";
import { createSettingsModule } from "./modules/settings/index.ts";
import { createShiftsModule, requireOpenShift as requireShift } from "./modules/shifts/index.ts";
import { createShopModule, readTerms } from "./modules/shop/index.ts";
import { createShopReportsModule } from "./modules/shop-reports/index.ts";
import { createShopTendersModule } from "./modules/shop-tenders/index.ts";
import { createStaffModule } from "./modules/staff/index.ts";
import { createStorageModule } from "./modules/storage/index.ts";
import { createSupportModule } from "./modules/support/index.ts";
import { createTillsModule } from "./modules/tills/index.ts";
import { createTransactionsModule } from "./modules/transactions/index.ts";
import { createUpdatesModule } from "./modules/updates/index.ts";
import { createUpstreamModule } from "./modules/upstream/index.ts";
import { createWalletModule, getWalletUnit as readWalletUnit } from "./modules/wallet/index.ts";
import { createWalletOfficeModule } from "./modules/wallet-office/index.ts";
import { createWebhooksModule } from "./modules/webhooks/index.ts";
import { findInstallation } from "./program.ts";

/** Makes every module, top to bottom, each after those it uses. */
export async function addModules(base: OpenBase, overrides: Overrides, modules: ModuleSet) {
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
  return { ...all, ...modules.add(createSupportModule(all)) };
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
  };
}

function createPriceReaders() {
  const prices = new PriceReader(readTerms);
  return {
    prices,
    readPricing: prices.read.bind(prices),
    requireFloor: createFloorGuard(prices),
  };
}

/** Adds the modules that sell, each after those whose services it uses. */
async function addTillModules(base: OpenBase, overrides: Overrides, modules: ModuleSet) {
  const given = {
    readTerms,
    ...createPriceReaders(),
    readWalletUnit,
    recordAudit,
    requireShift,
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
    // Ends before what was added before it: an audit under way ends with the thread it runs on.
    ...modules.add({ services: {}, release: () => base.background.stop() }),
    ...staff,
    ...addRecordModules(base, staff, modules),
    ...modules.add(createKeysModule(base)),
    ...modules.add(createUpdatesModule({ ...given, installation: findInstallation() })),
    ...modules.add(createShopTendersModule(base)),
    ...modules.add(createBackupsModule(given)),
    ...modules.add(createWebhooksModule(given)),
    ...modules.add(createReportsModule(base)),
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
