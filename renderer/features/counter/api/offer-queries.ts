import { queryOptions } from "@tanstack/react-query";
import type { PosBill, PosBillInput } from "../../../../server/contract/pos/bills.ts";
import type { PosBrands } from "../../../../server/contract/pos/brands.ts";
import type { EsimDestinations, PosEsim } from "../../../../server/contract/pos/esims.ts";
import type { Family } from "../../../../server/contract/pos/families.ts";
import type {
  PosBillOffer,
  PosEsimOffer,
  PosOfferPromo,
  PosVoucherOffer,
} from "../../../../server/contract/pos/offers.ts";
import { request } from "../../../lib/api-client.ts";

interface OfferOf {
  readonly VOUCHER: PosVoucherOffer;
  readonly ESIM: PosEsimOffer;
  readonly BILL_PAY: PosBillOffer;
}

/** What the catalog sells changes seldom; a `shop` event marks it stale. */
const STALE_MS = 60_000;

export function brandsQuery(productType: Family, enabled: boolean) {
  return queryOptions({
    queryKey: ["offers", "brands", productType],
    queryFn: ({ signal }) =>
      request<PosBrands>("GET", "/pos/brands", { query: { productType }, signal }),
    staleTime: STALE_MS,
    enabled,
  });
}

interface Place {
  readonly country?: string;
  readonly region?: string;
  readonly brand?: string;
}

/** Asked for once there is a place or a brand to ask for. Promotions on them come with them. */
export function offersOfQuery<Product extends keyof OfferOf>(
  productType: Product,
  place: Place | undefined,
  language: string,
) {
  return queryOptions({
    queryKey: ["offers", productType, place, language],
    queryFn: ({ signal }) =>
      request<{ list: OfferOf[Product][]; promos: PosOfferPromo[] }>("GET", "/pos/offers", {
        query: { productType, ...place, language },
        signal,
      }),
    staleTime: STALE_MS,
    enabled: place !== undefined,
  });
}

export function destinationsQuery(enabled: boolean) {
  return queryOptions({
    queryKey: ["offers", "destinations"],
    queryFn: ({ signal }) => request<EsimDestinations>("GET", "/pos/esim-destinations", { signal }),
    staleTime: STALE_MS,
    enabled,
  });
}

/** An eSIM that was sold here, and what is left on it. */
export function esimQuery(iccid: string | undefined) {
  return queryOptions({
    queryKey: ["esim", iccid],
    queryFn: ({ signal }) => request<PosEsim>("GET", `/pos/esims/${iccid ?? ""}`, { signal }),
    staleTime: 10_000,
    enabled: iccid !== undefined,
  });
}

/** What a biller says is due. Asked once for what was typed: the payment is held against it. */
export function billQuery(input: PosBillInput | undefined) {
  return queryOptions({
    queryKey: ["bill", input],
    queryFn: ({ signal }) => request<PosBill>("POST", "/pos/bills", { body: input, signal }),
    staleTime: 60_000,
    enabled: input !== undefined,
  });
}
