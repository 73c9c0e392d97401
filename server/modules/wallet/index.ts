export { InsufficientFunds } from "./ledger-store.ts";
export {
  type Balances,
  capture,
  getBalances,
  getWalletUnit,
  hold,
  openWallet,
  recharge,
  release,
} from "./wallet-service.ts";
