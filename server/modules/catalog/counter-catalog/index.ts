export { CounterCatalog } from "./counter-catalog.ts";
export { getArea } from "./families/esim.ts";
export { type PricedOffer, priceAtCounter } from "./one-price.ts";
