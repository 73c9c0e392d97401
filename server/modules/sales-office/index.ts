export { createSalesOfficeModule } from "./module.ts";
