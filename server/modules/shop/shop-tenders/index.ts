export { createShopTendersModule } from "./module.ts";
export { readOpeningTenders, toTenders } from "./shop-tender-store.ts";
