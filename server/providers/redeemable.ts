import { FAMILY_FACTS } from "../contract/pos/families.ts";
import type { Fulfilment, PurchaseExtras } from "../contract/v1/fulfilment.ts";
import type { Offer } from "../contract/v1/offers.ts";
import { toLpaCode } from "../lib/esim-profile.ts";

/** Delivery types with a code or a link that the customer redeems. */
const REDEEMED_TYPES: readonly string[] = ["EPIN", "TOKEN", "PIN", "BARCODE", "REDEMPTION_URL"];
/** Delivery types without a code, whose receipt only confirms the delivery. */
const CREDITED_TYPES: readonly string[] = ["DIRECT_CREDIT", "EMAIL"];

type Delivery = Pick<Fulfilment, "receipt" | "esim">;

interface Sold {
  offer: Offer;
  extras: PurchaseExtras;
}

/**
 * Returns whether a delivery contains the code that the customer needs, if any. A purchase can be
 * delivered without its code.
 */
export function isRedeemable({ offer, extras }: Sold, { receipt, esim }: Delivery): boolean {
  const { redeemedBy } = FAMILY_FACTS[offer.productType];
  if (redeemedBy === "profile") {
    const isPlanAdded = extras.iccid !== undefined;
    return isPlanAdded || (esim !== undefined && toLpaCode(esim) !== undefined);
  }
  if (redeemedBy === "nothing") return true;
  // If the delivery type is unknown, any code is enough.
  const deliveryType = "deliveryType" in offer ? offer.deliveryType : "";
  if (CREDITED_TYPES.includes(deliveryType)) return true;
  if (!receipt) return false;
  const { epin, redemptionUrl, accountId, voucherId } = receipt;
  const codes = REDEEMED_TYPES.includes(deliveryType)
    ? [epin, redemptionUrl]
    : [epin, redemptionUrl, accountId, voucherId];
  return codes.some((code) => code !== "");
}
