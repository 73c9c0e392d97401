import { alertOperations } from "./alerts.ts";
import { approvalOperations } from "./approvals.ts";
import { auditOperations } from "./audit-trail.ts";
import { backupOperations } from "./backups.ts";
import { brandFaceOperations } from "./brand-faces.ts";
import { brandPauseOperations } from "./brands.ts";
import { bulkOperations } from "./bulk-runs.ts";
import { catalogImportOperations } from "./catalog-imports.ts";
import { counterOperations } from "./counter.ts";
import { deviceOperations } from "./devices.ts";
import { displayOperations } from "./displays.ts";
import { environmentCopyOperations } from "./environment-copy.ts";
import { eventOperations } from "./events.ts";
import { favouriteOperations } from "./favourites.ts";
import { figureOperations } from "./figures.ts";
import { heldSaleOperations } from "./held-sales.ts";
import { keyOperations } from "./keys.ts";
import { mailOperations } from "./mail.ts";
import { officeCatalogOperations } from "./office-catalog.ts";
import type { Operation } from "./operation.ts";
import { priceOperations } from "./price-lists.ts";
import { printerOperations } from "./printers.ts";
import { providerOperations } from "./providers.ts";
import { reachOperations } from "./reach.ts";
import { receiptPageOperations } from "./receipt-pages.ts";
import { rechargeOperations } from "./recharges.ts";
import { reconciliationOperations } from "./reconciliation.ts";
import { requestLogOperations } from "./request-log.ts";
import { saleOperations } from "./sales.ts";
import { sandboxOperations } from "./sandboxes.ts";
import { searchOperations } from "./search-index.ts";
import { settingsOperations } from "./settings.ts";
import { setupOperations } from "./setup.ts";
import { shiftOperations } from "./shifts.ts";
import { shopOperations } from "./shop.ts";
import { shopReportOperations } from "./shop-reports.ts";
import { shopTenderOperations } from "./shop-tenders.ts";
import { sessionOperations, staffOperations } from "./staff.ts";
import { storageOperations } from "./storage.ts";
import { supportOperations } from "./support.ts";
import { tillEnvironmentOperations } from "./till-environment.ts";
import { tillOperations } from "./tills.ts";
import { transactionOfficeOperations } from "./transaction-office.ts";
import { upstreamOperations } from "./upstream.ts";
import { walletOfficeOperations } from "./wallet-office.ts";
import { webhookOperations } from "./webhooks.ts";

const TOPICS: readonly Readonly<Record<string, Operation>>[] = [
  alertOperations,
  approvalOperations,
  auditOperations,
  backupOperations,
  brandFaceOperations,
  brandPauseOperations,
  bulkOperations,
  catalogImportOperations,
  counterOperations,
  deviceOperations,
  displayOperations,
  environmentCopyOperations,
  eventOperations,
  favouriteOperations,
  figureOperations,
  heldSaleOperations,
  keyOperations,
  mailOperations,
  officeCatalogOperations,
  priceOperations,
  printerOperations,
  providerOperations,
  reachOperations,
  receiptPageOperations,
  rechargeOperations,
  reconciliationOperations,
  requestLogOperations,
  saleOperations,
  sandboxOperations,
  searchOperations,
  sessionOperations,
  settingsOperations,
  setupOperations,
  shiftOperations,
  shopOperations,
  shopReportOperations,
  shopTenderOperations,
  staffOperations,
  storageOperations,
  supportOperations,
  tillEnvironmentOperations,
  tillOperations,
  transactionOfficeOperations,
  upstreamOperations,
  walletOfficeOperations,
  webhookOperations,
];

/** Every operation of the till. The gateway serves no other `/pos` operation. */
export const OPERATIONS = TOPICS.flatMap((topic) => Object.values(topic));
