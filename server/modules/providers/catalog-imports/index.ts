export { pruneUploads } from "./catalog-file-store.ts";
export { createCatalogImportsModule } from "./module.ts";
