import { FAMILY_FACTS } from "../contract/pos/families.ts";
import type { Fulfilment, PurchaseExtras } from "../contract/v1/fulfilment.ts";
import type { Offer } from "../contract/v1/offers.ts";
import { toLpaCode } from "../lib/esim-profile.ts";

/** Delivery types with a number or a link for the customer. */
const REDEEMED_TYPES: readonly string[] = ["EPIN", "TOKEN", "PIN", "BARCODE", "REDEMPTION_URL"];
/** Delivery types without a code: the receipt only confirms them. */
const CREDITED_TYPES: readonly string[] = ["DIRECT_CREDIT", "EMAIL"];

type Delivery = Pick<Fulfilment, "receipt" | "esim">;

interface Sold {
  offer: Offer;
  extras: PurchaseExtras;
}

/**
 * Returns whether the customer can use a delivery: the code is present, or none is needed. A delivery without
 * its code happened nevertheless, and only the provider has the code.
 */
export function isRedeemable({ offer, extras }: Sold, { receipt, esim }: Delivery): boolean {
  const { redeemedBy } = FAMILY_FACTS[offer.productType];
  if (redeemedBy === "profile") {
    const isPlanAdded = extras.iccid !== undefined;
    return isPlanAdded || (esim !== undefined && toLpaCode(esim) !== undefined);
  }
  if (redeemedBy === "nothing") return true;
  // An offer without a delivery type is redeemed by any code of its receipt.
  const deliveryType = "deliveryType" in offer ? offer.deliveryType : "";
  if (CREDITED_TYPES.includes(deliveryType)) return true;
  if (!receipt) return false;
  const { epin, redemptionUrl, accountId, voucherId } = receipt;
  const codes = REDEEMED_TYPES.includes(deliveryType)
    ? [epin, redemptionUrl]
    : [epin, redemptionUrl, accountId, voucherId];
  return codes.some((code) => code !== "");
}
