export { createReceiptPagesModule } from "./module.ts";
