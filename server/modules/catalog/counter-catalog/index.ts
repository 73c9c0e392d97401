export { CounterCatalog } from "./counter-catalog.ts";
export { areaOf } from "./families/esim.ts";
export { type PricedOffer, priceAtCounter } from "./one-price.ts";
