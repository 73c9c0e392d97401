export { createReconciliationModule } from "./module.ts";
