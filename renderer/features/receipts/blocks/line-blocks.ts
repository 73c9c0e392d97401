import { glyphOfBrand } from "../../../../server/contract/faces/glyph-of-brand.ts";
import { FAMILY_FACTS, type Family } from "../../../../server/contract/pos/families.ts";
import type { SaleLine } from "../../../../server/contract/pos/sale-lines.ts";
import { countryNames, destinationOf } from "../../../lib/destination.ts";
import { isolateText, joinParts } from "../../../lib/direction.ts";
import { offerContents } from "../../../lib/offer-title.ts";
import { esimBlocks, voucherBlocks } from "./details-blocks.ts";
import type { ReceiptBlock } from "./receipt-block.ts";
import type { ReceiptFormat } from "./receipt-format.ts";

interface FamilyLabels {
  readonly recipient: "forWhom" | "account";
  /** Of the provider's own number, where the customer has a use for it. */
  readonly reference?: "billReference";
}

const LABELS: Readonly<Record<Family, FamilyLabels>> = {
  TOPUP: { recipient: "forWhom" },
  VOUCHER: { recipient: "forWhom" },
  ESIM: { recipient: "forWhom" },
  BILL_PAY: { recipient: "account", reference: "billReference" },
};

/** One thing bought: what, for whom, at what price, what became of it, and how to use it. */
export function lineBlocks(line: SaleLine, format: ReceiptFormat): ReceiptBlock[] {
  const { t, money, sold } = format;
  return [
    faceBlock(line),
    {
      kind: "pair",
      label: sold(line),
      value: money(line.price),
      size: "large",
      bold: true,
    },
    ...(line.discount > 0
      ? [{ kind: "pair", label: t("discount"), value: money(-line.discount) } as const]
      : []),
    ...recipientBlocks(line, format),
    ...destinationBlocks(line, format),
    ...valueBlocks(line, format),
    ...outcomeBlocks(line, format),
    ...(line.voucher ? voucherBlocks(line.voucher, format) : []),
    ...esimDetailsBlocks(line, format),
    { kind: "text", text: `${t("transaction")} ${line.transactionId}`, size: "small" },
  ];
}

/** Drawn with what was bought, whatever else the brand sells. */
function faceBlock({ brandName, productType, service }: SaleLine): ReceiptBlock {
  const subTypes = service === undefined ? [] : [service];
  return { kind: "face", brandName, glyph: glyphOfBrand([{ productType, subTypes }]) };
}

/** A new eSIM is scanned. The code of one that the customer has was for its first plan alone. */
function esimDetailsBlocks({ esim, iccid }: SaleLine, format: ReceiptFormat): ReceiptBlock[] {
  if (!esim) return [];
  return iccid === undefined
    ? esimBlocks(esim, format)
    : [{ kind: "text", text: format.t("nothingToScan") }];
}

/** A phone number leads; an account or an eSIM is named by what it is. */
function recipientBlocks(line: SaleLine, { t }: ReceiptFormat): ReceiptBlock[] {
  if (line.iccid !== undefined) {
    return [{ kind: "pair", label: t("addedTo"), value: line.iccid, code: true }];
  }
  if (FAMILY_FACTS[line.productType].recipientKind === "number") {
    return [
      { kind: "text", text: line.recipientFormatted, size: "number", bold: true, code: true },
    ];
  }
  if (line.recipientFormatted === "") return [];
  const label = t(LABELS[line.productType].recipient);
  return [{ kind: "pair", label, value: line.recipientFormatted, bold: true, code: true }];
}

/** So many names of countries say where a plan works; a longer list is longer than its paper. */
const MOST_COUNTRIES = 24;

/** Where an eSIM works: a country, or regions with their countries by name. */
function destinationBlocks(line: SaleLine, { t, places }: ReceiptFormat): ReceiptBlock[] {
  const destination = destinationOf(line, places);
  if (destination === "") return [];
  const pair: ReceiptBlock = {
    kind: "pair",
    label: t("worksIn"),
    value: isolateText(destination, places.locale),
    size: "large",
    bold: true,
  };
  const names = line.area ? countryNames(line.area, places) : [];
  if (names.length === 0) return [pair];
  const isWhole = names.length <= MOST_COUNTRIES;
  const values = {
    countries: t("countries", { count: names.length }),
    names: joinParts(names.slice(0, MOST_COUNTRIES), places.locale),
  };
  const text = t(isWhole ? "countriesNamed" : "countriesAmong", values);
  return [pair, { kind: "text", text }];
}

/** A bundle is worth what it holds; the amount behind it means nothing to who bought it. */
function valueBlocks(line: SaleLine, { t, delivered }: ReceiptFormat): ReceiptBlock[] {
  const isBundle = line.value === undefined && offerContents(line.title) !== undefined;
  if (isBundle || !FAMILY_FACTS[line.productType].deliversMoney || line.send === 0) return [];
  const value = delivered(line.send, line.sendCurrency, line.sendCurrencyDivisor);
  return [{ kind: "pair", label: t("value"), value }];
}

/**
 * The customer's three outcomes. What is not delivered yet says what to do and until when, since
 * the paper is all the customer takes home.
 */
function outcomeBlocks(line: SaleLine, { t, money, moment, time }: ReceiptFormat): ReceiptBlock[] {
  const { reference } = LABELS[line.productType];
  switch (line.outcome) {
    case "DELIVERED":
      return [
        {
          kind: "pair",
          label: t("delivered"),
          value: line.finishedAt === undefined ? "" : time(line.finishedAt),
          bold: true,
        },
        ...codePair(t("confirmation"), line.confirmationNumber),
        ...(reference ? codePair(t(reference), line.referenceNumber) : []),
      ];
    case "NOT_DELIVERED": {
      const amount = money(line.price - line.discount);
      const owed = line.refunded ? `${t("refunded")}: ${amount}` : t("moneyToRefund", { amount });
      return [{ kind: "notice", title: t("notDelivered"), lines: [owed] }];
    }
    default:
      return [
        {
          kind: "notice",
          title: t("sending"),
          lines: [t("sendingAdvice", { until: moment(line.keepTryingUntil) }), t("sendingPromise")],
        },
      ];
  }
}

function codePair(label: string, value: string | undefined): ReceiptBlock[] {
  return value === undefined || value === ""
    ? []
    : [{ kind: "pair", label, value, bold: true, code: true }];
}
