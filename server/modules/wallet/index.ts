export { InsufficientFunds } from "./ledger-store.ts";
export { createWalletModule } from "./module.ts";
export {
  type Balances,
  capture,
  getBalances,
  getWalletUnit,
  hold,
  openWallet,
  recharge,
  refund,
  release,
  spentSince,
} from "./wallet-service.ts";
