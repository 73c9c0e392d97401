export { createWalletOfficeModule } from "./module.ts";
