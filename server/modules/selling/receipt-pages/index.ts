export { eraseAddresses, eraseSendings, pruneLinks } from "./address-keeping.ts";
export { createReceiptPagesModule } from "./module.ts";
