export { createReceiptPagesModule } from "./module.ts";
export { eraseAddresses, eraseSendings, pruneLinks } from "./sending-store.ts";
