export { registerBalanceRoutes } from "./balance-routes.ts";
export { InsufficientFunds } from "./ledger-store.ts";
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
  WalletService,
} from "./wallet-service.ts";
