import { glyphOfBrand } from "../../../../server/contract/faces/glyph-of-brand.ts";
import { FAMILY_FACTS, type Family } from "../../../../server/contract/pos/families.ts";
import { nameOutcome } from "../../../../server/contract/pos/outcome.ts";
import type {
  EsimDetails,
  SaleLine,
  VoucherDetails,
} from "../../../../server/contract/pos/sale-lines.ts";
import type { Receipt, Sale } from "../../../../server/contract/pos/sales.ts";
import { countryNames, destinationOf } from "../../../lib/destination.ts";
import { isolateText, joinParts } from "../../../lib/direction.ts";
import { groupOfFour, isLink, writePin } from "../../../lib/group-of-four.ts";
import { offerContents } from "../../../lib/offer-title.ts";
import { deliveredFirst, saleOutcomeAt } from "../../../lib/sale-outcome.ts";
import type { PairBlock, ReceiptBlock } from "./receipt-block.ts";
import { type ReceiptFormat, receiptFormat } from "./receipt-format.ts";
import { isScanned } from "./scan-code.ts";

const LABELS: Readonly<Record<Family, FamilyLabels>> = {
  TOPUP: { recipient: "forWhom" },
  VOUCHER: { recipient: "forWhom" },
  ESIM: { recipient: "forWhom" },
  BILL_PAY: { recipient: "account", reference: "billReference" },
};

/** More country names of a plan would fill the paper. */
const MOST_COUNTRIES = 24;

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

/** Printed at the top and bottom, so that each part of a torn receipt has the banner. */
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

/** Each discount is already printed below its line (rules#receipt-tax). */
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
    // Tax of the net payment: the tax of a refunded line is refunded with the line.
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

interface FamilyLabels {
  readonly recipient: "forWhom" | "account";
  /** Label of the provider's number, if the customer needs the number. */
  readonly reference?: "billReference";
}

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
    ...billBlocks(line, format),
    ...outcomeBlocks(line, format),
    ...(line.voucher ? voucherBlocks(line.voucher, format) : []),
    ...esimDetailsBlocks(line, format),
    { kind: "text", text: `${t("transaction")} ${line.transactionId}`, size: "small" },
  ];
}

/** Shows the icon of the sold product, not of the brand's other products. */
function faceBlock({ brandName, productType, service }: SaleLine): ReceiptBlock {
  const subTypes = service === undefined ? [] : [service];
  return { kind: "face", brandName, glyph: glyphOfBrand([{ productType, subTypes }]) };
}

/** A plan for an existing eSIM has no QR code, because a code can be installed only once. */
function esimDetailsBlocks({ esim, iccid }: SaleLine, format: ReceiptFormat): ReceiptBlock[] {
  if (!esim) return [];
  return iccid === undefined
    ? esimBlocks(esim, format)
    : [{ kind: "text", text: format.t("nothingToScan") }];
}

/** A phone number is a heading. An account or an eSIM has a label. */
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

/** Prints the price as an addition (rules#bill-adds-up), and a discount below. */
function billBlocks({ productType, price, fee = 0 }: SaleLine, format: ReceiptFormat) {
  if (productType !== "BILL_PAY") return [];
  const { t, money } = format;
  const pair = (label: string, minor: number, bold = false): PairBlock => ({
    kind: "pair",
    label,
    value: money(minor),
    ...(bold && { bold }),
  });
  return [
    pair(t("amountDue"), price - fee),
    pair(t("serviceFee"), fee),
    pair(t("total"), price, true),
  ];
}

/** A bundle's contents are printed instead of its amount, which means nothing to the customer. */
function valueBlocks(line: SaleLine, { t, delivered, currency }: ReceiptFormat): ReceiptBlock[] {
  const isBundle = line.value === undefined && offerContents(line.title) !== undefined;
  if (isBundle || !FAMILY_FACTS[line.productType].deliversMoney || line.send === 0) return [];
  // The amount due is already printed. It is the same amount if the bill is in the shop's currency.
  if (line.productType === "BILL_PAY" && line.sendCurrency === currency) return [];
  const value = delivered(line.send, line.sendCurrency, line.sendCurrencyDivisor);
  return [{ kind: "pair", label: t("value"), value }];
}

const FINAL_WORDS = {
  DELIVERED: "delivered",
  PAID: "paidToBiller",
  NOT_DELIVERED: "notDelivered",
  NOT_PAID: "notPaidToBiller",
  CANCELED: "canceled",
} as const;

/**
 * An undelivered line also states the next step and its time limit, because the customer has only
 * the paper.
 */
function outcomeBlocks(line: SaleLine, { t, money, moment, time }: ReceiptFormat): ReceiptBlock[] {
  const { reference } = LABELS[line.productType];
  switch (line.outcome) {
    case "DELIVERED":
      return [
        {
          kind: "pair",
          label: t(FINAL_WORDS[nameOutcome("DELIVERED", [line])]),
          value: line.finishedAt === undefined ? "" : time(line.finishedAt),
          bold: true,
        },
        ...codePair(t("confirmation"), line.confirmationNumber),
        ...(reference ? codePair(t(reference), line.referenceNumber) : []),
        ...(line.details === "MISSING" ? [missingCode(t)] : []),
      ];
    case "NOT_DELIVERED": {
      const amount = money(line.price - line.discount);
      const owed = line.refunded ? `${t("refunded")}: ${amount}` : t("moneyToRefund", { amount });
      const whose =
        line.sentAgainAs === undefined
          ? owed
          : t("paidForSale", { number: String(line.sentAgainAs), amount });
      const title = t(FINAL_WORDS[nameOutcome("NOT_DELIVERED", [line])]);
      return [{ kind: "notice", title, lines: [whose] }];
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

/** The provider delivered without a usable code: the paper must not look complete. */
function missingCode(t: ReceiptFormat["t"]): ReceiptBlock {
  return { kind: "notice", title: t("codeMissing"), lines: [t("codeMissingAdvice")] };
}

function codePair(label: string, value: string | undefined): ReceiptBlock[] {
  return value === undefined || value === ""
    ? []
    : [{ kind: "pair", label, value, bold: true, code: true }];
}

/** The customer has only the paper, so it contains the instructions and codes. */
function voucherBlocks(details: VoucherDetails, format: ReceiptFormat): ReceiptBlock[] {
  const { t } = format;
  return [
    ...pinBlocks(details, format),
    ...(isScanned(details)
      ? [
          {
            kind: "barcode",
            label: t("pinBarcode"),
            content: details.epin.trim(),
            isWithoutText: true,
          } as const,
        ]
      : []),
    ...pair(t("serialNumber"), details.serialNumber),
    ...datePair(t("validUntil"), format.date(details.expiresAt)),
    ...pair(t("account"), details.accountId),
    ...(details.redemptionUrl === "" ? [] : [heading(t("redeemAt")), code(details.redemptionUrl)]),
    ...words(t("howTo"), [details.instructions, details.providerInstructions], details.language),
    ...(details.notes === "" ? [] : [{ kind: "text", text: details.notes } as const]),
    ...pair(t("customerService"), details.customerService),
    ...(details.epin === "" ? [] : [{ kind: "text", text: t("keepPin"), size: "small" } as const]),
    ...words(t("terms"), [details.terms, details.providerTerms], details.language, "small"),
  ];
}

/** A PIN that is a link is printed in full and as a QR code. */
function pinBlocks({ epin }: VoucherDetails, { t }: ReceiptFormat): ReceiptBlock[] {
  if (epin === "") return [];
  if (!isLink(epin)) return [{ kind: "secret", label: t("pin"), value: writePin(epin) }];
  return [heading(t("redeemAt")), code(epin.trim()), { kind: "qr", content: epin.trim() }];
}

function esimBlocks(details: EsimDetails, { t }: ReceiptFormat): ReceiptBlock[] {
  return [
    { kind: "text", text: t("esimScan"), center: true, bold: true },
    { kind: "qr", content: details.qrContent },
    { kind: "text", text: t("esimOnce") },
    heading(t("iphone")),
    ...t("iphoneSteps").split("\n").map(body),
    heading(t("android")),
    ...t("androidSteps").split("\n").map(body),
    ...(details.instructions === "" ? [] : [body(details.instructions)]),
    body(t("byHand")),
    heading(t("smdp")),
    code(details.smdpAddress),
    heading(t("activationCode")),
    code(details.activationCode),
    ...pair(t("iccid"), groupOfFour(details.iccid)),
  ];
}

function pair(label: string, value: string): ReceiptBlock[] {
  return value === "" ? [] : [{ kind: "pair", label, value, bold: true, code: true }];
}

/**
 * Without `code`, the date keeps the direction of its language. Marks inside the date order its
 * numbers.
 */
function datePair(label: string, value: string): ReceiptBlock[] {
  return value === "" ? [] : [{ kind: "pair", label, value, bold: true }];
}

function heading(text: string): ReceiptBlock {
  return { kind: "text", text, bold: true };
}

function body(text: string): ReceiptBlock {
  return { kind: "text", text };
}

function code(text: string): ReceiptBlock {
  return { kind: "text", text, code: true };
}

/** The texts keep the provider's language. Returns no blocks if all texts are empty. */
function words(
  title: string,
  texts: readonly string[],
  lang: string,
  size: "small" | "body" = "body",
): ReceiptBlock[] {
  const said = [...new Set(texts)].filter((text) => text.trim() !== "");
  const language = lang === "" ? {} : { lang };
  return said.length === 0
    ? []
    : [
        heading(title),
        ...said
          .flatMap((text) => text.split(/\n+/))
          .map((text) => ({ kind: "text", text, size, ...language }) as const),
      ];
}
