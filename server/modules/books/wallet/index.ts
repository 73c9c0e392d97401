export { InsufficientFunds } from "./ledger-store.ts";
export { createWalletModule } from "./module.ts";
export {
  availableAt,
  type Balances,
  capture,
  getBalances,
  getWalletUnit,
  hold,
  moveHold,
  openWallet,
  recharge,
  refund,
  release,
  spentBetween,
  spentSince,
  toBalanceRecord,
} from "./wallet-service.ts";
