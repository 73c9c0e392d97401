import type { Receipt, Sale } from "../../../../server/contract/pos/sales.ts";
import { isolateText } from "../../../lib/direction.ts";
import { deliveredFirst, saleOutcomeAt } from "../../../lib/sale-outcome.ts";
import { lineBlocks } from "./line-blocks.ts";
import type { PairBlock, ReceiptBlock } from "./receipt-block.ts";
import { type ReceiptFormat, receiptFormat } from "./receipt-format.ts";

/** Everything on a receipt, in its own language, in the order in which it is read. */
export function receiptBlocks(receipt: Receipt): ReceiptBlock[] {
  const format = receiptFormat(receipt);
  const { sale } = receipt;
  const noValue = noValueBlocks(receipt, format);
  return [
    ...noValue,
    ...copyBlocks(receipt, format),
    ...(isUnfinished(sale) ? [banner(format.t("waitingBanner"))] : []),
    ...(isPartly(sale) ? [banner(format.t("partlyBanner"))] : []),
    ...headBlocks(receipt, format),
    ...deliveredFirst(sale.lines).flatMap((line) => [
      { kind: "rule" } as const,
      ...lineBlocks(line, format),
    ]),
    { kind: "rule", heavy: true },
    ...totalBlocks(sale, format),
    { kind: "rule" },
    ...footBlocks(receipt, format),
    ...noValue,
  ];
}

function banner(text: string): ReceiptBlock {
  return { kind: "banner", text };
}

/** Nothing real was sold: printed above and below, so that a torn receipt shows it, too. */
function noValueBlocks({ training, sale }: Receipt, { t }: ReceiptFormat): ReceiptBlock[] {
  if (training) return [banner(t("trainingBanner"))];
  return sale.environment === "test" ? [banner(t("testBanner"))] : [];
}

function copyBlocks({ copy, copyNumber }: Receipt, { t }: ReceiptFormat): ReceiptBlock[] {
  return copy ? [banner(t("copyBanner", { number: copyNumber }))] : [];
}

function isUnfinished({ lines }: Sale): boolean {
  return lines.some(({ outcome }) => outcome === "SENDING" || outcome === "STILL_SENDING");
}

function isPartly(sale: Sale): boolean {
  return saleOutcomeAt(sale, 0) === "PARTLY_DELIVERED";
}

/** The number of a sale as it is printed, and as a scanner reads it. */
function saleNumberOf({ saleNumber }: Sale): string {
  return String(saleNumber).padStart(6, "0");
}

function headBlocks(
  { shopName, shopAddress, logo, sale }: Receipt,
  { t, moment, locale }: ReceiptFormat,
): ReceiptBlock[] {
  const line = { kind: "text", center: true } as const;
  return [
    ...(logo ? [{ kind: "logo", ...logo } as const] : []),
    { ...line, text: shopName, size: "shop", bold: true },
    ...shopAddress.map((text) => ({ ...line, text: isolateText(text, locale) })),
    { ...line, text: t("sale", { number: saleNumberOf(sale) }), size: "large", bold: true },
    { ...line, text: moment(sale.createdAt) },
    { ...line, text: t("servedBy", { name: sale.staff.name }) },
    ...(sale.approvedBy ? [{ ...line, text: t("approvedBy", sale.approvedBy) }] : []),
  ];
}

const TENDER_WORDS = { CASH: "cash", CARD: "card", OTHER: "other" } as const;

/**
 * What changed hands at the counter, what was refunded to the customer since, and what the shop owes. A
 * discount is printed under the line that it is off (rules#receipt-amounts).
 */
function totalBlocks(sale: Sale, { t, money, taxRate, locale }: ReceiptFormat): ReceiptBlock[] {
  const pair = (label: string, minor: number, more: Partial<PairBlock> = {}): PairBlock => ({
    kind: "pair",
    label,
    value: money(minor),
    ...more,
  });
  return [
    pair(t("total"), sale.total, { size: "total", bold: true }),
    ...(sale.cashRounding === 0 ? [] : [pair(t("cashRounding"), sale.cashRounding)]),
    ...sale.tenders.map(({ kind, name, amount, tendered, reference }) => {
      const word = name === undefined ? t(TENDER_WORDS[kind]) : isolateText(name, locale);
      return pair(reference ? `${word} · ${reference}` : word, tendered ?? amount);
    }),
    ...(sale.tenders.some(({ kind }) => kind === "CASH") ? [pair(t("change"), sale.change)] : []),
    ...(sale.refunded > 0
      ? [
          pair(t("refunded"), -sale.refunded),
          pair(t("netPaid"), sale.total + sale.cashRounding - sale.refunded, {
            size: "large",
            bold: true,
          }),
        ]
      : []),
    // Of what the customer has paid then: handed back, a line takes its tax with it.
    ...sale.taxes.map((tax) => pair(t("tax", { percent: taxRate(tax.percent) }), tax.amount)),
    ...(sale.refundDue > 0
      ? [pair(t("refundDue"), sale.refundDue, { size: "large", bold: true })]
      : []),
  ];
}

function footBlocks(receipt: Receipt, { t, moment, locale }: ReceiptFormat): ReceiptBlock[] {
  const { sale, shopName, support, copy, printedAt, printedBy } = receipt;
  const line = { kind: "text", center: true } as const;
  const thanks =
    sale.refundDue > 0
      ? [{ ...line, text: t("claim") }]
      : [
          { ...line, text: t("thanks"), size: "large", bold: true } as const,
          { ...line, text: t("keep") },
        ];
  return [
    ...thanks,
    { kind: "barcode", label: t("ourSaleNumber"), content: saleNumberOf(sale) },
    { ...line, text: t("findAgain"), size: "small" },
    { ...line, text: t("help", { shop: shopName }), size: "small" },
    ...support.map((text) => ({ ...line, text: isolateText(text, locale) })),
    ...(copy
      ? [
          {
            ...line,
            text: t("printedAgain", { time: moment(printedAt), name: printedBy }),
            size: "small",
          } as const,
        ]
      : []),
  ];
}
