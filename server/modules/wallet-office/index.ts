export { createWalletOfficeModule } from "./module.ts";
export type { WalletOfficeService } from "./wallet-office-service.ts";
