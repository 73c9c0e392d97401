import type { EsimDetails, VoucherDetails } from "../../../../server/contract/pos/sale-lines.ts";
import { groupOfFour, isLink, writePin } from "../../../lib/group-of-four.ts";
import type { ReceiptBlock } from "./receipt-block.ts";
import type { ReceiptFormat } from "./receipt-format.ts";
import { isScanned } from "./scan-code.ts";

/** Everything a customer needs to use a voucher, from paper alone. */
export function voucherBlocks(details: VoucherDetails, format: ReceiptFormat): ReceiptBlock[] {
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

/** A PIN to be typed in; one that is a link is written whole, and scanned by a phone. */
function pinBlocks({ epin }: VoucherDetails, { t }: ReceiptFormat): ReceiptBlock[] {
  if (epin === "") return [];
  if (!isLink(epin)) return [{ kind: "secret", label: t("pin"), value: writePin(epin) }];
  return [heading(t("redeemAt")), code(epin.trim()), { kind: "qr", content: epin.trim() }];
}

/** An eSIM on paper: what the camera reads, what is typed without one, and how. */
export function esimBlocks(details: EsimDetails, { t }: ReceiptFormat): ReceiptBlock[] {
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

/** A date runs as its language does: marks inside it steer its numbers. */
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

/** The provider's words, in the language they are in; nothing where there are none. */
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
