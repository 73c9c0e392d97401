export {
  findCarrier,
  findFavouriteNames,
  listFavourites,
  saveFavourite,
} from "./favourite-service.ts";
export { createCustomersModule } from "./module.ts";
export { eraseOldNumbers } from "./number-erasure.ts";
