import type { PosEsimOffer } from "../../../../../server/contract/pos/offers.ts";
import type { LineItem } from "../../sale/attempt/line-item.ts";
import type { OwnEsim } from "./esim-state.ts";

interface PlanLine {
  readonly title: string;
  /** Where it was asked to work, in the clerk's words. */
  readonly place: string;
  /** The eSIM it is added to; a new one without. */
  readonly own: OwnEsim | undefined;
}

/** The plan as a line. */
export function itemOfPlan(plan: PosEsimOffer, { title, place, own }: PlanLine): LineItem {
  const { offerId, brand, brandName, brandColor, country, price } = plan;
  return {
    productType: "ESIM",
    offerId,
    brand,
    brandName,
    brandColor,
    country,
    title,
    place,
    ...(country === "" && { area: { regions: plan.regions, countries: plan.roaming } }),
    price: (price.fixed ?? 0) + price.fee,
    priceCurrency: price.currency,
    priceCurrencyDivisor: price.currencyDivisor,
    ...(own && { iccid: own.iccid }),
  };
}
