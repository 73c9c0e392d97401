export { beyondWhatCame, splitAsItCame, splitByKind } from "./customer-refund-split.ts";
export { getOutcome } from "./line-view.ts";
export { createSalesModule } from "./module.ts";
export { asksNumber } from "./number-checks.ts";
export {
  customerRefundsWithTenders,
  findGivenBack,
  listGoneBack,
  namedTender,
  readRoundingBack,
} from "./refunded-money-store.ts";
export {
  describeSale,
  findDrawerShift,
  getTitle,
  joined,
  type RequireShift,
} from "./sale-rights.ts";
export { SaleService } from "./sale-service.ts";
export {
  findDrawerSale,
  findSaleIds,
  findSaleNumbers,
  findSalesByTransaction,
  linesWithClerks,
  linesWithSales,
  linesWithTransactions,
  type SaleOfTransaction,
  type SalesScope,
  statusOrReturned,
} from "./sale-store.ts";
export { startOfToday } from "./sale-view.ts";
export { requireTender } from "./tender-split.ts";
export { aboutInShop, findShort, requireWallet } from "./wallet-short.ts";
export { getRecipient, type PreparedPurchase, prepareLine } from "./wanted-line.ts";
