import type { Printer } from "../../../../server/contract/pos/printers.ts";
import { directionOf } from "../../../lib/direction.ts";
import { receiptWords } from "../blocks/receipt-words.ts";
import { blockBytes } from "../escpos/receipt-bytes.ts";

/** A short page that shows letters, a code and a cut, and opens the drawer if there is one. */
export function testReceiptBytes(printer: Printer, shopName: string, language: string): Uint8Array {
  const t = receiptWords(language);
  return blockBytes(
    [
      { kind: "text", text: shopName, size: "shop", bold: true, center: true },
      { kind: "text", text: printer.name, center: true },
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
