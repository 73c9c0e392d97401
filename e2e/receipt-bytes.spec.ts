/**
 * The bytes that a network printer gets (ESC/POS), read as a printer reads them: what is printed as
 * letters, what is drawn dot by dot, the drawer's pulse and the cut.
 */
import { expect } from "@playwright/test";
import jsqr from "jsqr";
import { opensDrawer } from "../server/modules/printing/drawer-pulse.ts";
import { readPrint } from "./support/escpos-reader.ts";
import { test } from "./support/printed-receipt.ts";
import { aLine, aReceipt } from "./support/receipts.ts";

const LPA = "LPA:1$rsp.truphone.example$QR-G-5C-KR-1PDXKQ7-0093";

const esim = aLine({
  productType: "ESIM",
  brandName: "Airhub",
  title: "Europe 5 GB",
  recipientPhoneNumber: undefined,
  recipientFormatted: "",
  confirmationNumber: undefined,
  esim: {
    iccid: "8944501234567890123",
    smdpAddress: "rsp.truphone.example",
    activationCode: "QR-G-5C-KR-1PDXKQ7-0093",
    qrContent: LPA,
    instructions: "",
  },
});

const voucher = aLine({
  productType: "VOUCHER",
  brandName: "Steam",
  title: "20 USD",
  recipientPhoneNumber: undefined,
  recipientFormatted: "",
  voucher: {
    deliveryType: "EPIN",
    epin: "7K2M9QX4LT5RV8WN",
    serialNumber: "SN-90210-778",
    redemptionUrl: "https://store.steampowered.example/account/redeemwalletcode",
    accountId: "",
    expiresAt: "2027-11-30T00:00:00.000Z",
    language: "en",
    instructions: "Open Steam and sign in.\nChoose “Redeem”\tand type the PIN…",
    terms: "Not refundable. Tiếng Việt. 一次有效。",
    providerInstructions: "",
    providerTerms: "",
    notes: "",
    customerService: "+1 800 555 0199",
  },
});

const FAMILIES = [
  aLine(),
  voucher,
  esim,
  aLine({ productType: "BILL_PAY", brandName: "EEGSA", recipientFormatted: "00123456-7" }),
  aLine({ status: "IN_PROGRESS", outcome: "STILL_SENDING", finishedAt: undefined }),
  aLine({ status: "FAILED", outcome: "NOT_DELIVERED" }),
];

for (const language of ["en", "es", "fr", "pt", "ar"]) {
  test(`the gateway takes no ordinary receipt for a pulse, ${language}`, async ({
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
  test(`letters where the printer has them, the QR code as dots, ${paper}`, async ({
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
    // The QR code and the barcode, as wide as the head and not wider.
    expect(print.images.map(({ width }) => width)).toEqual([dots, dots]);
    const [code] = print.images;
    expect(jsqr.default(code!.rgba, code!.width, code!.height)?.data).toBe(LPA);
  });
}

test("Arabic is drawn, and the same sale without cash leaves the drawer shut", async ({
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
