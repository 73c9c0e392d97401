import { FAMILIES, type Family } from "../../contract/pos/families.ts";
import type { WantedLine } from "../../contract/pos/sale-lines.ts";
import type { Random } from "./random.ts";

interface Client {
  random: Random;
  number: string;
  boughtBefore(): boolean;
}

interface FamilyGoods {
  lines: readonly WantedLine[];
  body(client: Client): object;
}

const GOODS_OF: Record<Family, FamilyGoods> = {
  TOPUP: {
    lines: [
      { productType: "TOPUP", offerId: "TIGO_GT_TOPUP_25", recipientPhoneNumber: "+50251234567" },
      {
        productType: "TOPUP",
        offerId: "DU_AE_TOPUP_RANGE",
        recipientPhoneNumber: "+971501234567",
        value: { type: "COST", value: 1_000 },
      },
    ],
    body: ({ random, number }) =>
      random.chance(0.5)
        ? { offerId: "TIGO_GT_TOPUP_25", recipientPhoneNumber: number }
        : {
            offerId: "DU_AE_TOPUP_RANGE",
            recipientPhoneNumber: "+971501234567",
            value: { type: "COST", value: random.integer(500, 2_000) },
          },
  },
  VOUCHER: {
    lines: [{ productType: "VOUCHER", ...voucherFor("+50251234567") }],
    body: ({ number }) => voucherFor(number),
  },
  ESIM: {
    lines: [{ productType: "ESIM", offerId: "AIRALO_ES_1GB_7D" }],
    body({ random, boughtBefore }) {
      const offerId = "AIRALO_ES_1GB_7D";
      if (!boughtBefore() || random.chance(0.6)) return { offerId };
      return { offerId, iccid: "89000000000000000008" };
    },
  },
  BILL_PAY: {
    lines: [{ productType: "BILL_PAY", ...bill() }],
    body: bill,
  },
};

function voucherFor(number: string) {
  return {
    offerId: "ESKOM_ZA_ELECTRICITY_RANGE",
    value: { type: "ZEND" as const, value: 10_000 },
    fields: [
      { key: "meter.number", value: "01234567890" },
      { key: "recipient.msisdn", value: number },
    ],
  };
}

function bill() {
  return {
    offerId: "AYSA_AR_BILL_WATER",
    value: { type: "ZEND" as const, value: 720_000 },
    fields: [
      { key: "accountNumber", value: "1234567890" },
      { key: "billIdentifier", value: "42" },
    ],
  };
}

export const GOODS: readonly WantedLine[] = FAMILIES.flatMap((family) => GOODS_OF[family].lines);

export function bodyOf(
  family: Family,
  transactionId: string,
  client: Client,
): { transactionId: string } {
  return { transactionId, ...GOODS_OF[family].body(client) };
}
