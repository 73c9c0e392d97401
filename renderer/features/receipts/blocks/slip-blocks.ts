import type { EsimSlip, VoucherSlip } from "../../../../server/contract/pos/sale-lines.ts";
import { groupOfFour } from "../../../lib/group-of-four.ts";
import type { ReceiptBlock } from "./receipt-block.ts";
import type { ReceiptFormat } from "./receipt-format.ts";
import { isScanned } from "./scan-code.ts";

/** Everything a customer needs to use a voucher, from paper alone. */
export function voucherBlocks(slip: VoucherSlip, format: ReceiptFormat): ReceiptBlock[] {
  const { t } = format;
  return [
    ...(slip.epin === ""
      ? []
      : [{ kind: "secret", label: t("pin"), value: groupOfFour(slip.epin) } as const]),
    ...(isScanned(slip)
      ? [
          {
            kind: "barcode",
            label: t("pinBarcode"),
            content: slip.epin.trim(),
            isWithoutText: true,
          } as const,
        ]
      : []),
    ...pair(t("serialNumber"), slip.serialNumber),
    ...datePair(t("validUntil"), format.date(slip.expiresAt)),
    ...pair(t("account"), slip.accountId),
    ...(slip.redemptionUrl === "" ? [] : [heading(t("redeemAt")), code(slip.redemptionUrl)]),
    ...words(t("howTo"), [slip.instructions, slip.providerInstructions], slip.language),
    ...(slip.notes === "" ? [] : [{ kind: "text", text: slip.notes } as const]),
    ...pair(t("customerService"), slip.customerService),
    ...(slip.epin === "" ? [] : [{ kind: "text", text: t("keepPin"), size: "small" } as const]),
    ...words(t("terms"), [slip.terms, slip.providerTerms], slip.language, "small"),
  ];
}

/** An eSIM on paper: what the camera reads, what is typed without one, and how. */
export function esimBlocks(slip: EsimSlip, { t }: ReceiptFormat): ReceiptBlock[] {
  return [
    { kind: "text", text: t("esimScan"), center: true, bold: true },
    { kind: "qr", content: slip.qrContent },
    { kind: "text", text: t("esimOnce") },
    heading(t("iphone")),
    ...t("iphoneSteps").split("\n").map(body),
    heading(t("android")),
    ...t("androidSteps").split("\n").map(body),
    ...(slip.instructions === "" ? [] : [body(slip.instructions)]),
    body(t("byHand")),
    heading(t("smdp")),
    code(slip.smdpAddress),
    heading(t("activationCode")),
    code(slip.activationCode),
    ...pair(t("iccid"), groupOfFour(slip.iccid)),
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
