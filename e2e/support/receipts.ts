import type { SaleLine } from "../../server/contract/pos/sale-lines.ts";
import type { Receipt } from "../../server/contract/pos/sales.ts";

type LineChanges = { [Key in keyof SaleLine]?: SaleLine[Key] | undefined };

export function aLine(changes: LineChanges = {}): SaleLine {
  return {
    position: 1,
    transactionId: "0d3f6a52-6c1b-4f0e-9d55-3b1f4c7a9e10-1",
    productType: "TOPUP",
    offerId: "TIGO_GT_TOPUP_50",
    brand: "tigo_gt",
    brandName: "Tigo",
    brandColor: "#00377b",
    country: "GT",
    title: "Top-up 50 GTQ",
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
    slowAfter: "2026-01-15T09:31:00.000Z",
    keepTryingUntil: "2026-01-16T14:05:00.000Z",
    finishedAt: "2026-01-15T09:30:12.000Z",
    confirmationNumber: "883729310046",
    ...(changes as Partial<SaleLine>),
  };
}

export const stillSending: SaleLine = aLine({
  transactionId: "0d3f6a52-6c1b-4f0e-9d55-3b1f4c7a9e10-2",
  status: "IN_PROGRESS",
  outcome: "STILL_SENDING",
  brandName: "Claro",
  title: "2 GB · 7 days",
  recipientFormatted: "+502 4001 9920",
  price: 3500,
});

export const notDelivered: SaleLine = aLine({
  transactionId: "0d3f6a52-6c1b-4f0e-9d55-3b1f4c7a9e10-3",
  status: "FAILED",
  outcome: "NOT_DELIVERED",
  recipientFormatted: "+1 809 555 0134",
  price: 2600,
});

export const LPA = "LPA:1$rsp.truphone.example$QR-G-5C-KR-1PDXKQ7-0093";

export function anEsim(): SaleLine {
  return aLine({
    productType: "ESIM",
    brandName: "Airhub",
    title: "Europe 5 GB · 30 days",
    recipientPhoneNumber: undefined,
    recipientFormatted: "",
    confirmationNumber: undefined,
    details: "SHOWN",
    esim: {
      iccid: "8944501234567890123",
      smdpAddress: "rsp.truphone.example",
      activationCode: "QR-G-5C-KR-1PDXKQ7-0093",
      qrContent: LPA,
      instructions: "",
    },
  });
}

/** @param instructions redemption instructions of the brand */
export function aVoucher(instructions: string, terms: string): SaleLine {
  return aLine({
    productType: "VOUCHER",
    brandName: "Steam",
    title: "20 USD",
    recipientPhoneNumber: undefined,
    recipientFormatted: "",
    confirmationNumber: undefined,
    details: "SHOWN",
    voucher: {
      deliveryType: "EPIN",
      epin: "7K2M9QX4LT5RV8WN",
      serialNumber: "SN-90210-778",
      redemptionUrl: "https://store.steampowered.example/account/redeemwalletcode",
      accountId: "",
      expiresAt: "2027-11-30T00:00:00.000Z",
      language: "en",
      instructions,
      terms,
      providerInstructions: "",
      providerTerms: "",
      notes: "",
      customerService: "+1 800 555 0199",
    },
  });
}

export function aReceipt(lines: SaleLine[], changes: Partial<Receipt> = {}): Receipt {
  const total = lines.reduce((sum, line) => sum + line.price, 0);
  const refundDue = lines
    .filter((line) => line.outcome === "NOT_DELIVERED")
    .reduce((sum, line) => sum + line.price, 0);
  return {
    shopName: "Tienda La Esperanza",
    shopAddress: [],
    timeZone: "UTC",
    support: [],
    language: "en",
    training: false,
    copy: false,
    copyNumber: 0,
    printedAt: "2026-01-15T09:30:15.000Z",
    printedBy: "Ana",
    sale: {
      saleId: "0d3f6a52-6c1b-4f0e-9d55-3b1f4c7a9e10",
      saleNumber: 124,
      environment: "live",
      training: false,
      createdAt: "2026-01-15T09:30:00.000Z",
      staff: { staffId: "s1", name: "Ana" },
      currency: "GTQ",
      currencyDivisor: 100,
      total,
      discount: 0,
      taxes: [],
      cashRounding: 0,
      tenders: [{ kind: "CASH", amount: total, tendered: 20000 }],
      change: 20000 - total,
      refundDue,
      refundTenders: refundDue > 0 ? [{ kind: "CASH", amount: refundDue }] : [],
      refunded: 0,
      receiptsPrinted: 1,
      lines,
    },
    ...changes,
  };
}
