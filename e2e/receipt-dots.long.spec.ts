/**
 * Prints receipts with the dots of a 203 dpi head, as CUPS draws them for a receipt printer. Every
 * bar and module must be a whole number of dots wide.
 */
import { expect } from "@playwright/test";
import { SYMBOLS } from "../renderer/features/receipts/blocks/scan-code.ts";
import { readRuns } from "./support/code-128-reader.ts";
import { test } from "./support/printed-receipt.ts";
import { anEsim, aReceipt, aVoucher } from "./support/receipts.ts";

const HEAD_DPI = 203;
const CSS_DPI = 96;

test.use({ deviceScaleFactor: HEAD_DPI / CSS_DPI });

/**
 * Lists the widths of bars and spaces that are no whole multiple of the narrowest width. A
 * millimetre has 7.992 dots at 203 dpi: across wide paper, a bar may be a dot wider or narrower,
 * which matters for units of two dots.
 */
function listUneven(runs: readonly number[]): number[] {
  const narrowest = Math.min(...runs);
  const uneven = [narrowest, narrowest + 1].map((unit) => {
    const slack = unit >= 3 ? 1 : 0;
    return runs.filter((run) => Math.abs(run - Math.round(run / unit) * unit) > slack);
  });
  return uneven.toSorted((one, other) => one.length - other.length)[0] ?? [];
}

for (const paper of ["58mm", "80mm"] as const) {
  for (const language of ["en", "ar"] as const) {
    test(`each bar and module is a whole number of dots wide at 203 dpi, ${paper}, ${language}`, async ({
      printer,
    }) => {
      const voucher = aVoucher("Show the barcode.", "One use only.");
      // Codes of an odd and of an even number of units, and a code with letters.
      for (const epin of ["6006491234567890", "600649123456789", "7K2M9QX4"]) {
        const scanned = {
          ...voucher,
          voucher: { ...voucher.voucher!, deliveryType: "BARCODE", epin },
        };
        const sheet = await printer.print(aReceipt([scanned], { language }), paper);
        const [pin = [], ours = []] = sheet.runs;
        expect([readRuns(pin, SYMBOLS), readRuns(ours, SYMBOLS)]).toEqual([epin, "000124"]);
        for (const runs of [pin, ours]) expect(listUneven(runs)).toEqual([]);
      }
      const { runs } = await printer.print(aReceipt([anEsim()], { language }), paper);
      const [modules = []] = runs;
      expect(listUneven(modules)).toEqual([]);
    });
  }
}
