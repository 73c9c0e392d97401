export { createWalletOfficeModule } from "./module.ts";
export { findAlert, type WalletOfficeService } from "./wallet-office-service.ts";
