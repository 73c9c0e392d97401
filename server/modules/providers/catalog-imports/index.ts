export { pruneUploads } from "./catalog-upload-store.ts";
export { createCatalogImportsModule } from "./module.ts";
