import type { CatalogBrand } from "../../../../contract/catalog-content.ts";
import type { PosField } from "../../../../contract/pos/offers.ts";
import type { Offer, TopupOffer, VoucherOffer } from "../../../../contract/v1/offers.ts";

export function viewHead(offer: Offer, brand: CatalogBrand | undefined) {
  const { increment, fee } = offer.price;
  return {
    offerId: offer.offerId,
    brand: offer.brand,
    brandName: offer.brandName,
    brandColor: brand?.brandColor ?? "",
    country: offer.country,
    title: offer.shortNotes,
    notes: offer.notes,
    subTypes: offer.subTypes,
    priceType: offer.priceType,
    price: { ...viewRange(offer.price), fee, ...(increment !== undefined && { increment }) },
  };
}

type ViewedRange = Pick<
  TopupOffer["send"],
  "currency" | "currencyDivisor" | "fixed" | "min" | "max"
>;

export function viewRange({
  currency,
  currencyDivisor,
  fixed,
  min,
  max,
}: ViewedRange): ViewedRange {
  return {
    currency,
    currencyDivisor,
    ...(fixed !== undefined && { fixed }),
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
  };
}

export function viewAllowances(offer: Extract<Offer, { dataGB: number }>) {
  const { dataGB, dataUnlimited, durationDays, smsNumber, smsUnlimited } = offer;
  const { voiceMinutes, voiceUnlimited } = offer;
  return {
    dataGB,
    dataUnlimited,
    durationDays,
    smsNumber,
    smsUnlimited,
    voiceMinutes,
    voiceUnlimited,
  };
}

export function viewFields(keys: readonly string[], brand: CatalogBrand | undefined): PosField[] {
  return keys.map((key) => {
    const label = brand?.requiredFieldsLabels.find((one) => one.requiredField === key)?.label;
    const mask = brand?.inputMasks.find((one) => one.requiredField === key)?.inputMask ?? "";
    return {
      key,
      label: label || toLabel(key),
      kind: getFieldKind(key, mask),
      ...(mask !== "" && { inputMask: mask }),
    };
  });
}

function getFieldKind(key: string, mask: string): PosField["kind"] {
  if (/msisdn|phone/i.test(key)) return "PHONE";
  if (/e-?mail/i.test(key)) return "EMAIL";
  return /^9[9 -]*$/.test(mask) ? "DIGITS" : "TEXT";
}

/** Converts `account.number` and `accountNumber` to "Account number". */
function toLabel(key: string): string {
  const words = key.replaceAll(/[._-]+/g, " ").replaceAll(/([a-z])([A-Z])/g, "$1 $2");
  return words.charAt(0).toUpperCase() + words.slice(1).toLowerCase();
}

/** Returns the same key for offers that differ only in their amounts. */
export function toMoneyKind(offer: TopupOffer | VoucherOffer): string {
  const { productType, country, subTypes, send, price } = offer;
  return JSON.stringify([productType, country, subTypes, send.currency, price.currency]);
}
