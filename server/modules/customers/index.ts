export { findFavouriteNames, listFavourites, saveFavourite } from "./favourite-store.ts";
export { createCustomersModule } from "./module.ts";
export { findCarrier } from "./remembered-carrier-store.ts";
