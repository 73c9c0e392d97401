export { CounterCatalog } from "./counter-catalog.ts";
export { areaOf } from "./esim-area.ts";
export { priceAtCounter } from "./one-price.ts";
