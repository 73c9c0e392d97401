export { createPrintingModule } from "./module.ts";
