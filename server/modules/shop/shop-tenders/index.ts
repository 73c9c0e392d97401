export { createShopTendersModule } from "./module.ts";
export { readOpeningTenders } from "./opening-tenders.ts";
export { toTenders } from "./shop-tender-store.ts";
