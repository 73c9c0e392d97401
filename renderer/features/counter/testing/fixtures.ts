import type { PosPhone } from "../../../../server/contract/pos/counter.ts";
import type { PosTopupOffer } from "../../../../server/contract/pos/offers.ts";
import { itemOfOffer } from "../families/topup/use-topup.ts";
import type { LineItem } from "../sale/attempt/line-item.ts";
import type { SaleContext } from "../sale/basket/sale-state.ts";

export const tigo = { brand: "TIGO", brandName: "Tigo", brandColor: "#00377b" };
const claro = { brand: "CLARO", brandName: "Claro", brandColor: "#da291c" };

const earlier = {
  saleId: "s0",
  saleNumber: 1,
  outcome: "DELIVERED" as const,
  soldAt: "2026-01-15T09:30:00.000Z",
  recipientPhoneNumber: "+50251234567",
  recipientFormatted: "+502 5123 4567",
  country: "GT",
  offerId: "T50",
  ...tigo,
  title: "Tigo 50 GTQ",
  price: 5200,
  priceCurrency: "GTQ",
  priceCurrencyDivisor: 100,
};

export const phone: PosPhone = {
  number: "+50251234567",
  formatted: "+502 5123 4567",
  valid: true,
  mobile: true,
  country: "GT",
  detected: { brand: "TIGO", brandName: "Tigo" },
  brands: [claro, tigo],
  earlier: [earlier],
};

const allowances = {
  dataGB: 0,
  dataUnlimited: false,
  durationDays: 0,
  smsNumber: 0,
  smsUnlimited: false,
  voiceMinutes: 0,
  voiceUnlimited: false,
};

const fixed: PosTopupOffer = {
  productType: "TOPUP",
  brandColor: "#00377b",
  subTypes: ["Mobile Top Up"],
  offerId: "T50",
  brand: "TIGO",
  brandName: "Tigo",
  country: "GT",
  title: "Tigo 50 GTQ",
  notes: "",
  subType: "Mobile Top Up",
  priceType: "FIXED",
  costRank: 0,
  price: { currency: "GTQ", currencyDivisor: 100, fixed: 5200, fee: 50 },
  send: { currency: "GTQ", currencyDivisor: 100, fixed: 5000 },
  ...allowances,
};

export const range: PosTopupOffer = {
  ...fixed,
  offerId: "TANY",
  priceType: "RANGE",
  price: { currency: "GTQ", currencyDivisor: 100, min: 520, max: 52_000, fee: 0 },
  send: { currency: "GTQ", currencyDivisor: 100, min: 500, max: 50_000 },
};

export const topup = itemOfOffer({ phone, chosenBrand: undefined }, fixed) as LineItem;

export function contextOf(transactionId: string, saleId = "sale-1"): SaleContext {
  return { saleId, transactionId, environment: "test", staffId: "ana", openedAt: 1 };
}
