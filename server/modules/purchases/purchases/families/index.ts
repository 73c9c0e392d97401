import type { ProductFamily } from "../../../../contract/v1/offers.ts";
import type { StoredPurchase } from "../purchase-store.ts";
import { billFamily } from "./bill.ts";
import { esimFamily } from "./esim.ts";
import type { PurchasedFamily } from "./family.ts";
import { topupFamily } from "./topup.ts";
import { voucherFamily } from "./voucher.ts";

export const PURCHASED_FAMILIES: Readonly<Record<ProductFamily, PurchasedFamily>> = {
  TOPUP: topupFamily,
  VOUCHER: voucherFamily,
  ESIM: esimFamily,
  BILL_PAY: billFamily,
};

/** Returns the record as GET returns it. */
export function toRecord(purchase: StoredPurchase): object {
  return PURCHASED_FAMILIES[purchase.offer.productType].toRecord(purchase);
}
