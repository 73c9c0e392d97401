export { createHeldSalesModule } from "./module.ts";
