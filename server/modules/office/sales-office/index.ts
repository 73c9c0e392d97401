export { createSalesOfficeModule } from "./module.ts";
export { TransactionReader } from "./transaction-reader.ts";
