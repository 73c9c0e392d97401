export { registerFavouriteRoutes } from "./favourite-routes.ts";
export { FavouriteService } from "./favourite-service.ts";
export { findFavouriteNames } from "./favourite-store.ts";
export { findCarrier } from "./remembered-carrier-store.ts";
