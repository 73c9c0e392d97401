import type { PosField, PosOffer } from "../../contract/pos/offers.ts";
import type { Offer, TopupOffer } from "../../contract/v1/offers.ts";
import type { CatalogBrand } from "../catalog/index.ts";

/**
 * An offer as the counter shows it: what the customer pays and gets; of what the shop pays, only its
 * position among all costs.
 */
export function toPosOffer(
  offer: Offer,
  brand: CatalogBrand | undefined,
  costRank: number,
): PosOffer {
  return { ...viewOf(offer, brand), costRank };
}

function viewOf(offer: Offer, brand: CatalogBrand | undefined): ViewOf<PosOffer> {
  const { productType } = offer;
  switch (productType) {
    case "TOPUP":
      return {
        productType,
        ...headOf(offer, brand),
        subType: offer.subTypes[0] ?? "Mobile Top Up",
        send: rangeOf(offer.send),
        ...allowancesOf(offer),
      };
    case "VOUCHER":
      return {
        productType,
        ...headOf(offer, brand),
        send: rangeOf(offer.send),
        deliveryType: offer.deliveryType,
        requiredFields: fieldsOf(offer.requiredFields, brand),
      };
    case "ESIM":
      return {
        productType,
        ...headOf(offer, brand),
        ...allowancesOf(offer),
        regions: offer.regions,
        dataSpeeds: offer.dataSpeeds,
        roaming: offer.roaming.map(({ country }) => country),
      };
    case "BILL_PAY":
      return {
        productType,
        ...headOf(offer, brand),
        send: rangeOf(offer.send),
        requiredFields: fieldsOf(offer.requiredFields, brand),
        supportsBillRetrieval: offer.supportsBillRetrieval,
        retrievalFields: fieldsOf(offer.billRetrievalRequiredFields, brand),
        supportsOverpayment: offer.supportsOverpayment,
        supportsUnderpayment: offer.supportsUnderpayment,
        cutoffTime: offer.cutoffTime,
        processingDays: offer.processingDays,
        processingOnHolidays: offer.processingOnHolidays,
        deliverySpeedSeconds: offer.deliverySpeedSeconds,
      };
  }
}

/** The view of each family, without its position among the costs. */
type ViewOf<One> = One extends unknown ? Omit<One, "costRank"> : never;

/** What the customer pays for an offer, fee included; undefined where the customer chooses the amount. */
export function fixedPriceOf({ price }: Offer): number | undefined {
  return price.fixed === undefined ? undefined : price.fixed + price.fee;
}

function headOf(offer: Offer, brand: CatalogBrand | undefined) {
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
    price: { ...rangeOf(offer.price), fee, ...(increment !== undefined && { increment }) },
  };
}

type Range = Pick<TopupOffer["send"], "currency" | "currencyDivisor" | "fixed" | "min" | "max">;

function rangeOf({ currency, currencyDivisor, fixed, min, max }: Range): Range {
  return {
    currency,
    currencyDivisor,
    ...(fixed !== undefined && { fixed }),
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
  };
}

function allowancesOf(offer: Extract<Offer, { dataGB: number }>) {
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

/** Fields with the label and the mask that the brand has for them. */
function fieldsOf(keys: readonly string[], brand: CatalogBrand | undefined): PosField[] {
  return keys.map((key) => {
    const label = brand?.requiredFieldsLabels.find((one) => one.requiredField === key)?.label;
    const mask = brand?.inputMasks.find((one) => one.requiredField === key)?.inputMask ?? "";
    return {
      key,
      label: label || wordsOf(key),
      kind: kindOf(key, mask),
      ...(mask !== "" && { inputMask: mask }),
    };
  });
}

function kindOf(key: string, mask: string): PosField["kind"] {
  if (/msisdn|phone/i.test(key)) return "PHONE";
  if (/e-?mail/i.test(key)) return "EMAIL";
  return /^9[9 -]*$/.test(mask) ? "DIGITS" : "TEXT";
}

/** `account.number` and `accountNumber` are "Account number". */
function wordsOf(key: string): string {
  const words = key.replaceAll(/[._-]+/g, " ").replaceAll(/([a-z])([A-Z])/g, "$1 $2");
  return words.charAt(0).toUpperCase() + words.slice(1).toLowerCase();
}
