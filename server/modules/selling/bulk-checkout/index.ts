export { createBulkCheckoutModule } from "./module.ts";
