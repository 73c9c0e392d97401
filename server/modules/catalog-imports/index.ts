export { createCatalogImportsModule } from "./module.ts";
