export { CounterCatalog, type PricedOffer, priceAtCounter } from "./counter-catalog.ts";
export { getArea } from "./counter-families.ts";
