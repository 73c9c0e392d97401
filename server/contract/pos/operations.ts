import { approvalOperations } from "./approval-operations.ts";
import { auditOperations } from "./audit-operations.ts";
import { brandPauseOperations } from "./brand-pause-operations.ts";
import { counterOperations } from "./counter-operations.ts";
import { displayOperations } from "./display-operations.ts";
import { eventOperations } from "./event-operations.ts";
import { favouriteOperations } from "./favourite-operations.ts";
import { figureOperations } from "./figure-operations.ts";
import { heldSaleOperations } from "./held-sale-operations.ts";
import type { Operation } from "./operation.ts";
import { priceOperations } from "./price-operations.ts";
import { printerOperations } from "./printer-operations.ts";
import { rechargeOperations } from "./recharge-operations.ts";
import { reconciliationOperations } from "./reconciliation-operations.ts";
import { saleOperations } from "./sale-operations.ts";
import { searchOperations } from "./search-operations.ts";
import { sessionOperations } from "./session-operations.ts";
import { settingsOperations } from "./settings-operations.ts";
import { setupOperations } from "./setup-operations.ts";
import { shiftOperations } from "./shift-operations.ts";
import { staffOperations } from "./staff-operations.ts";
import { storageOperations } from "./storage-operations.ts";
import { tillEnvironmentOperations } from "./till-environment-operations.ts";
import { upstreamOperations } from "./upstream-operations.ts";
import { walletOfficeOperations } from "./wallet-office-operations.ts";
import { webhookOperations } from "./webhook-operations.ts";

const TOPICS: readonly Readonly<Record<string, Operation>>[] = [
  approvalOperations,
  auditOperations,
  brandPauseOperations,
  counterOperations,
  displayOperations,
  eventOperations,
  favouriteOperations,
  figureOperations,
  heldSaleOperations,
  priceOperations,
  printerOperations,
  rechargeOperations,
  reconciliationOperations,
  saleOperations,
  searchOperations,
  sessionOperations,
  settingsOperations,
  setupOperations,
  shiftOperations,
  staffOperations,
  storageOperations,
  tillEnvironmentOperations,
  upstreamOperations,
  walletOfficeOperations,
  webhookOperations,
];

/** Every operation of the till. What is not listed here cannot be served. */
export const OPERATIONS = TOPICS.flatMap((topic) => Object.values(topic));
