/**
 * The bytes for a network printer (ESC/POS), decoded as a printer does: letters, graphics, the
 * drawer's pulse and the cut.
 */
import { expect } from "@playwright/test";
import jsqr from "jsqr";
import { SYMBOLS } from "../renderer/features/receipts/blocks/scan-code.ts";
import { opensDrawer } from "../server/modules/selling/printing/drawer-guard.ts";
import { readCode128 } from "./support/code-128-reader.ts";
import { readPrint } from "./support/escpos-reader.ts";
import { test } from "./support/printed-receipt.ts";
import { aLine, anEsim, aReceipt, aVoucher, LPA } from "./support/receipts.ts";

const esim = anEsim();
const voucher = aVoucher(
  "Open Steam and sign in.\nChoose “Redeem”\tand type the PIN…",
  "Not refundable. Tiếng Việt. 一次有效。",
);

const scanned = {
  ...voucher,
  voucher: { ...voucher.voucher!, deliveryType: "BARCODE", epin: "6006491234567890" },
};

const FAMILIES = [
  aLine(),
  voucher,
  esim,
  scanned,
  aLine({ productType: "BILL_PAY", brandName: "EEGSA", recipientFormatted: "00123456-7" }),
  aLine({ status: "IN_PROGRESS", outcome: "STILL_SENDING", finishedAt: undefined }),
  aLine({ status: "FAILED", outcome: "NOT_DELIVERED" }),
];

for (const language of ["en", "es", "fr", "pt", "ar"]) {
  test(`the gateway does not mistake an ordinary receipt for a drawer pulse, ${language}`, async ({
    printer,
    page,
  }) => {
    expect(printer).toBeDefined();
    const shopName = "Piñata € & Cía · متجر";
    const receipts = [
      aReceipt(FAMILIES, { language, shopName, copy: true, copyNumber: 2 }),
      aReceipt(FAMILIES, { language, shopName, training: true }),
    ];
    for (const paper of ["58mm", "80mm"] as const) {
      for (const receipt of receipts) {
        const bytes = await page.evaluate(
          ([printed, width]) => window.receiptBytes(printed, width, false),
          [receipt, paper] as const,
        );
        expect(opensDrawer(Uint8Array.from(bytes))).toBe(false);
      }
    }
  });
}

for (const [paper, dots] of [
  ["58mm", 384],
  ["80mm", 576],
] as const) {
  test(`a receipt prints letters as text if the printer has them, and the QR code as dots, ${paper}`, async ({
    printer,
    page,
  }) => {
    expect(printer).toBeDefined();
    const receipt = aReceipt([aLine(), esim], { shopName: "Piñata & Cía" });
    const bytes = await page.evaluate(
      ([printed, width]) => window.receiptBytes(printed, width, true),
      [receipt, paper] as const,
    );
    const print = readPrint(bytes);

    expect(opensDrawer(Uint8Array.from(bytes))).toBe(true);
    expect(print.pulses).toBe(1);
    expect(print.cuts).toBe(1);
    for (const text of ["Piñata & Cía", "Sale 000124", "+502 5123 4567", "Total", "Thank you!"]) {
      expect(print.text).toContain(text);
    }
    expect(print.images.map(({ width }) => width)).toEqual([dots, dots, dots, dots]);
    const [, , code] = print.images;
    expect(jsqr.default(code!.rgba, code!.width, code!.height)?.data).toBe(LPA);
  });
}

for (const [paper, language] of [
  ["58mm", "en"],
  ["80mm", "en"],
  ["58mm", "ar"],
] as const) {
  test(`a scanner reads the PIN and the sale number, ${paper}, ${language}`, async ({
    printer,
    page,
  }) => {
    expect(printer).toBeDefined();
    const bytes = await page.evaluate(
      ([printed, width]) => window.receiptBytes(printed, width, false),
      [aReceipt([scanned], { language }), paper] as const,
    );
    const read = readPrint(bytes).images.flatMap(({ rgba, width, height }) => {
      const middle = Math.floor(height / 2) * width;
      const row = Array.from({ length: width }, (_, x) => rgba[(middle + x) * 4]! < 128);
      return readCode128(row, SYMBOLS) ?? [];
    });
    expect(read).toEqual(["6006491234567890", "000124"]);
  });
}

test("Arabic is printed as graphics, and a sale without cash does not open the drawer", async ({
  printer,
  page,
}) => {
  expect(printer).toBeDefined();
  const receipt = aReceipt([aLine(), esim], { language: "ar", shopName: "متجر الأمل" });
  const bytes = await page.evaluate(
    (printed) => window.receiptBytes(printed, "80mm", false),
    receipt,
  );
  const print = readPrint(bytes);

  expect(print.pulses).toBe(0);
  expect(print.cuts).toBe(1);
  expect(print.text.replaceAll(/[\s\d─═-]/g, "")).toBe("");
  expect(print.images.length).toBeGreaterThan(20);
  for (const image of print.images) {
    expect(image.width).toBe(576);
    expect(image.black, "something is drawn on it").toBeGreaterThan(20);
  }
  const codes = print.images.map(({ rgba, width, height }) => jsqr.default(rgba, width, height));
  expect(codes.flatMap((code) => code?.data ?? [])).toContain(LPA);
});
