export { SearchIndexService } from "./search-index-service.ts";
export { registerSearchRoutes } from "./search-routes.ts";
