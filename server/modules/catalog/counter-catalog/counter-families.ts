import type { CatalogBrand } from "../../../contract/catalog-content.ts";
import type { EsimArea } from "../../../contract/pos/esims.ts";
import type { PosField, PosOffer } from "../../../contract/pos/offers.ts";
import type {
  Offer,
  OfferOf,
  ProductFamily,
  TopupOffer,
  VoucherOffer,
} from "../../../contract/v1/offers.ts";

type ViewOf<View> = View extends unknown ? Omit<View, "costRank"> : never;
type PosOfferOf<F extends ProductFamily> = Extract<PosOffer, { productType: F }>;

interface OwnFamily<F extends ProductFamily> {
  view(offer: OfferOf<F>, brand: CatalogBrand | undefined): ViewOf<PosOfferOf<F>>;
  /**
   * Returns a key that interchangeable offers share, or null. A RANGE offer has the same price as a
   * FIXED offer with the same key and amount.
   */
  kindOf(offer: OfferOf<F>): string | null;
}

/** Both functions throw a RangeError for an offer of another family. */
interface CounterFamily {
  view(offer: Offer, brand: CatalogBrand | undefined): ViewOf<PosOffer>;
  kindOf(offer: Offer): string | null;
}

function counterFamily<F extends ProductFamily>(family: F, own: OwnFamily<F>) {
  const isOwn = (offer: Offer): offer is OfferOf<F> => offer.productType === family;
  const ownOf = (offer: Offer): OfferOf<F> => {
    if (isOwn(offer)) return offer;
    throw new RangeError(`an offer of ${offer.productType} does not belong to ${family}`);
  };
  return {
    view: (offer, brand) => own.view(ownOf(offer), brand),
    kindOf: (offer) => own.kindOf(ownOf(offer)),
  } satisfies CounterFamily;
}

function viewHead(offer: Offer, brand: CatalogBrand | undefined) {
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

function viewRange({ currency, currencyDivisor, fixed, min, max }: ViewedRange): ViewedRange {
  return {
    currency,
    currencyDivisor,
    ...(fixed !== undefined && { fixed }),
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
  };
}

function viewAllowances(offer: Extract<Offer, { dataGB: number }>) {
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

function viewFields(keys: readonly string[], brand: CatalogBrand | undefined): PosField[] {
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
function toMoneyKind(offer: TopupOffer | VoucherOffer): string {
  const { productType, country, subTypes, send, price } = offer;
  return JSON.stringify([productType, country, subTypes, send.currency, price.currency]);
}

const topupFamily = counterFamily("TOPUP", {
  view: (offer, brand) => ({
    productType: offer.productType,
    ...viewHead(offer, brand),
    subType: offer.subTypes[0] ?? "Mobile Top Up",
    send: viewRange(offer.send),
    ...viewAllowances(offer),
  }),
  kindOf: toMoneyKind,
});

const voucherFamily = counterFamily("VOUCHER", {
  view: (offer, brand) => ({
    productType: offer.productType,
    ...viewHead(offer, brand),
    send: viewRange(offer.send),
    deliveryType: offer.deliveryType,
    requiredFields: viewFields(offer.requiredFields, brand),
  }),
  kindOf: (offer) => JSON.stringify([toMoneyKind(offer), offer.deliveryType, offer.requiredFields]),
});

const esimFamily = counterFamily("ESIM", {
  view: (offer, brand) => ({
    productType: offer.productType,
    ...viewHead(offer, brand),
    ...viewAllowances(offer),
    regions: offer.regions,
    dataSpeeds: offer.dataSpeeds,
    roaming: offer.roaming.map(({ country }) => country),
  }),
  // The buyer cannot choose an eSIM's value, so a typed amount never matches another offer.
  kindOf: () => null,
});

export function listRoaming(offer: Offer): string[] {
  return offer.productType === "ESIM" ? offer.roaming.map(({ country }) => country) : [];
}

export function getArea(offer: Offer): EsimArea | undefined {
  return offer.productType === "ESIM" && offer.country === ""
    ? { regions: offer.regions, countries: listRoaming(offer) }
    : undefined;
}

const billFamily = counterFamily("BILL_PAY", {
  view: (offer, brand) => ({
    productType: offer.productType,
    ...viewHead(offer, brand),
    send: viewRange(offer.send),
    requiredFields: viewFields(offer.requiredFields, brand),
    supportsBillRetrieval: offer.supportsBillRetrieval,
    retrievalFields: viewFields(offer.billRetrievalRequiredFields, brand),
    supportsOverpayment: offer.supportsOverpayment,
    supportsUnderpayment: offer.supportsUnderpayment,
    cutoffTime: offer.cutoffTime,
    processingDays: offer.processingDays,
    processingOnHolidays: offer.processingOnHolidays,
    deliverySpeedSeconds: offer.deliverySpeedSeconds,
  }),
  // Bills are not interchangeable, because each bill has its own amount.
  kindOf: () => null,
});

export const COUNTER_FAMILIES: Readonly<Record<ProductFamily, CounterFamily>> = {
  TOPUP: topupFamily,
  VOUCHER: voucherFamily,
  ESIM: esimFamily,
  BILL_PAY: billFamily,
};
