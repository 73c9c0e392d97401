import type { Printer } from "../../../../server/contract/pos/printers.ts";
import { directionOf } from "../../../lib/direction.ts";
import { receiptWords } from "../blocks/receipt-format.ts";
import { blockBytes } from "../escpos/receipt-bytes.ts";

/**
 * Returns a test page that also opens the drawer. A full line of digits, and bars at both edges,
 * show whether the printable width is correct.
 */
export function testReceiptBytes(printer: Printer, shopName: string, language: string): Uint8Array {
  const t = receiptWords(language);
  return blockBytes(
    [
      { kind: "text", text: shopName, size: "shop", bold: true, center: true },
      { kind: "text", text: printer.name, center: true },
      {
        kind: "text",
        text: t("testHead", { letters: printer.lineLetters, dots: printer.headDots }),
        center: true,
        size: "small",
      },
      { kind: "text", text: rulerOf(printer.lineLetters) },
      { kind: "edges" },
      { kind: "text", text: t("testHeadFits"), size: "small" },
      { kind: "rule" },
      { kind: "pair", label: t("total"), value: "0123456789", bold: true },
      { kind: "text", text: "áéíñç€ · العربية · Tiếng Việt", center: true },
      { kind: "barcode", label: t("ourSaleNumber"), content: "000000" },
      { kind: "text", text: t("thanks"), size: "large", bold: true, center: true },
    ],
    directionOf(language),
    printer,
  );
}

/** Digits that number the columns of a line: 1234567890123… */
function rulerOf(letters: number): string {
  return Array.from({ length: letters }, (_, at) => (at + 1) % 10).join("");
}
