import { alertOperations } from "./alert-operations.ts";
import { approvalOperations } from "./approval-operations.ts";
import { auditOperations } from "./audit-operations.ts";
import { backupOperations } from "./backup-operations.ts";
import { brandFaceOperations } from "./brand-face-operations.ts";
import { brandPauseOperations } from "./brand-pause-operations.ts";
import { bulkOperations } from "./bulk-operations.ts";
import { catalogImportOperations } from "./catalog-import-operations.ts";
import { counterOperations } from "./counter-operations.ts";
import { deviceOperations } from "./device-operations.ts";
import { displayOperations } from "./display-operations.ts";
import { environmentCopyOperations } from "./environment-copy-operations.ts";
import { eventOperations } from "./event-operations.ts";
import { favouriteOperations } from "./favourite-operations.ts";
import { figureOperations } from "./figure-operations.ts";
import { heldSaleOperations } from "./held-sale-operations.ts";
import { keyOperations } from "./key-operations.ts";
import { mailOperations } from "./mail-operations.ts";
import { officeCatalogOperations } from "./office-catalog-operations.ts";
import type { Operation } from "./operation.ts";
import { priceOperations } from "./price-operations.ts";
import { printerOperations } from "./printer-operations.ts";
import { reachOperations } from "./reach-operations.ts";
import { receiptPageOperations } from "./receipt-page-operations.ts";
import { rechargeOperations } from "./recharge-operations.ts";
import { reconciliationOperations } from "./reconciliation-operations.ts";
import { saleOperations } from "./sale-operations.ts";
import { searchOperations } from "./search-operations.ts";
import { sessionOperations } from "./session-operations.ts";
import { settingsOperations } from "./settings-operations.ts";
import { setupOperations } from "./setup-operations.ts";
import { shiftOperations } from "./shift-operations.ts";
import { shopOperations } from "./shop-operations.ts";
import { shopReportOperations } from "./shop-report-operations.ts";
import { shopTenderOperations } from "./shop-tender-operations.ts";
import { staffOperations } from "./staff-operations.ts";
import { storageOperations } from "./storage-operations.ts";
import { supportOperations } from "./support-operations.ts";
import { tillEnvironmentOperations } from "./till-environment-operations.ts";
import { tillOperations } from "./till-operations.ts";
import { transactionOfficeOperations } from "./transaction-office-operations.ts";
import { upstreamOperations } from "./upstream-operations.ts";
import { walletOfficeOperations } from "./wallet-office-operations.ts";
import { webhookOperations } from "./webhook-operations.ts";

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
  reachOperations,
  receiptPageOperations,
  rechargeOperations,
  reconciliationOperations,
  saleOperations,
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

/** Every operation of the till. What is not listed here cannot be served. */
export const OPERATIONS = TOPICS.flatMap((topic) => Object.values(topic));
