import type { SaleLine } from "../../../server/contract/pos/sale-lines.ts";
import type { Sale } from "../../../server/contract/pos/sales.ts";

const NOW = Date.now();
const MINUTE_MS = 60_000;

export function minutesAway(minutes: number): string {
  return new Date(NOW + minutes * MINUTE_MS).toISOString();
}

type LineChanges = { [Key in keyof SaleLine]?: SaleLine[Key] | undefined };

let lines = 0;

export function aLine(changes: LineChanges = {}): SaleLine {
  lines++;
  return {
    position: 1,
    transactionId: `line-${lines}`,
    productType: "TOPUP",
    offerId: "TIGO_GT_TOPUP_50",
    brand: "tigo_gt",
    brandName: "Tigo",
    brandColor: "#00377b",
    country: "GT",
    title: "Tigo 50 GTQ",
    recipientPhoneNumber: "+50251234567",
    recipientFormatted: "+502 5123 4567",
    price: 5200,
    discount: 0,
    refunded: false,
    details: "NONE",
    send: 5000,
    sendCurrency: "GTQ",
    sendCurrencyDivisor: 100,
    status: "DONE",
    outcome: "DELIVERED",
    slowAfter: minutesAway(60),
    keepTryingUntil: minutesAway(24 * 60),
    finishedAt: minutesAway(-1),
    confirmationNumber: "883729310046",
    ...(changes as Partial<SaleLine>),
  };
}

const WITHOUT_NUMBER = {
  recipientPhoneNumber: undefined,
  recipientFormatted: "",
  confirmationNumber: undefined,
} as const;

export function aVoucher(changes: LineChanges = {}): SaleLine {
  return aLine({
    ...WITHOUT_NUMBER,
    productType: "VOUCHER",
    brandName: "Steam",
    brandColor: "#171a21",
    title: "20 USD",
    details: "SHOWN",
    voucher: {
      deliveryType: "EPIN",
      epin: "7K2M9QX4LT5RV8WN",
      serialNumber: "SN-90210-778",
      redemptionUrl: "https://store.steampowered.example/account/redeemwalletcode",
      accountId: "",
      expiresAt: minutesAway(365 * 24 * 60),
      language: "en",
      instructions: "",
      terms: "",
      providerInstructions: "",
      providerTerms: "",
      notes: "",
      customerService: "",
    },
    ...changes,
  });
}

export function anEsim(changes: LineChanges = {}): SaleLine {
  return aLine({
    ...WITHOUT_NUMBER,
    productType: "ESIM",
    brandName: "Airhub",
    country: undefined,
    title: "Europe 5 GB · 30 days",
    details: "SHOWN",
    area: { regions: ["Europe"], countries: ["ES", "FR", "PT", "IT"] },
    esim: {
      iccid: "8944501234567890123",
      smdpAddress: "rsp.truphone.example",
      activationCode: "QR-G-5C-KR-1PDXKQ7-0093",
      qrContent: "LPA:1$rsp.truphone.example$QR-G-5C-KR-1PDXKQ7-0093",
      instructions: "",
    },
    ...changes,
  });
}

export const SENDING = aLine({ status: "IN_PROGRESS", outcome: "SENDING" });
export const STILL_SENDING = aLine({ status: "IN_PROGRESS", outcome: "STILL_SENDING" });
export const NOT_DELIVERED = aLine({
  status: "FAILED",
  outcome: "NOT_DELIVERED",
  recipientFormatted: "+1 809 555 0134",
});

/** @param number unique for each sample: components store their state by the sale's id */
export function aSale(
  number: number,
  soldLines: readonly SaleLine[],
  changes: Partial<Sale> = {},
): Sale {
  const total = soldLines.reduce((sum, { price }) => sum + price, 0);
  const owed = soldLines.filter(
    ({ outcome, refunded }) => outcome === "NOT_DELIVERED" && !refunded,
  );
  const refundDue = owed.reduce((sum, { price }) => sum + price, 0);
  return {
    saleId: `sale-${number}`,
    saleNumber: number,
    environment: "live",
    training: false,
    createdAt: minutesAway(-2),
    staff: { staffId: "s1", name: "Ana" },
    currency: "GTQ",
    currencyDivisor: 100,
    total,
    discount: 0,
    taxes: [],
    cashRounding: 0,
    tenders: [{ kind: "CASH", amount: total, tendered: 20_000 }],
    change: 20_000 - total,
    refundDue,
    refundTenders: refundDue > 0 ? [{ kind: "CASH", amount: refundDue }] : [],
    refunded: 0,
    receiptsPrinted: 0,
    lines: [...soldLines],
    ...changes,
  };
}
