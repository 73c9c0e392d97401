export { beyondWhatCame, splitAsItCame, splitByKind } from "./customer-refund-split.ts";
export { findDrawerSale } from "./drawer-sale.ts";
export { outcomeOf } from "./line-view.ts";
export {
  linesWithClerks,
  linesWithCustomerRefunds,
  linesWithTransactions,
  type SalesScope,
} from "./lines-query.ts";
export { createSalesModule } from "./module.ts";
export { asksNumber } from "./number-checks.ts";
export {
  customerRefundsWithTenders,
  findGivenBack,
  listGoneBack,
  namedTender,
  readRoundingBack,
} from "./refunded-money-store.ts";
export { factsOfSale, joined, titleOf } from "./sale-facts.ts";
export { drawerOf, type RequireShift } from "./sale-rights.ts";
export { SaleService } from "./sale-service.ts";
export { startOfToday } from "./sale-sight.ts";
export {
  findSaleIdsOf,
  findSaleNumbers,
  findSalesOf,
  type SaleOfTransaction,
} from "./sale-store.ts";
export { requireTender } from "./tender-split.ts";
export { aboutInShop, findShort, requireWallet } from "./wallet-short.ts";
export { type PreparedPurchase, prepareLine, recipientOf } from "./wanted-line.ts";
