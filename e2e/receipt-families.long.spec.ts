/**
 * Prints a receipt of each family on one paper size, in English and in Arabic; with `LOOKS=every`,
 * on every size. The paper must contain each detail that the customer needs later.
 */
import { expect, type Page } from "@playwright/test";
import { PAPERS } from "../renderer/lib/print-settings.ts";
import type { Receipt } from "../server/contract/pos/sales.ts";
import { isEveryLook } from "./support/looks.ts";
import { expectOnePage, type PrintedSheet, test } from "./support/printed-receipt.ts";
import { aLine, anEsim, aReceipt, aVoucher, LPA } from "./support/receipts.ts";

// Gives each printer dot several pixels, as in a picture of a current camera.
test.use({ deviceScaleFactor: 3 });

const esim = anEsim();
const voucher = aVoucher(
  "Open Steam and sign in.\nChoose Redeem a gift card and type the PIN.",
  "Not refundable. One use only.",
);
const scanned = {
  ...voucher,
  brandName: "Paiz",
  voucher: {
    ...voucher.voucher!,
    deliveryType: "BARCODE",
    epin: "6006491234567890",
    instructions: "Before you pay, show the barcode on the receipt or on your phone.",
  },
};
const bill = aLine({
  productType: "BILL_PAY",
  brandName: "EEGSA",
  title: "15.01 to 2251.50 GTQ",
  service: "Electricity",
  value: { type: "ZEND", value: 20_000 },
  send: 20_000,
  price: 20_900,
  recipientPhoneNumber: undefined,
  recipientFormatted: "00123456-7",
  referenceNumber: "EEG-2026-55501",
});

const waiting = aLine({ status: "IN_PROGRESS", outcome: "STILL_SENDING", finishedAt: undefined });

const SAYS = {
  topUp: { line: aLine(), en: ["+502 5123 4567", "Value"], ar: ["+502 5123 4567", "القيمة"] },
  voucher: {
    line: voucher,
    en: ["7K2M 9QX4 LT5R V8WN", "Serial number", "30 Nov 2027", "How to use it", "Terms"],
    ar: ["7K2M 9QX4 LT5R V8WN", "الرقم التسلسلي", "طريقة الاستخدام", "الشروط"],
  },
  scanned: {
    line: scanned,
    en: ["6006 4912 3456 7890", "Show this barcode at checkout", "Receipt no."],
    ar: ["6006 4912 3456 7890", "أظهر هذا الرمز الشريطي عند الدفع", "رقم الإيصال"],
  },
  esim: {
    line: esim,
    en: [
      "rsp.truphone.example",
      "QR-G-5C-KR-1PDXKQ7-0093",
      "8944 5012 3456 7890 123",
      "Use QR Code",
    ],
    ar: ["rsp.truphone.example", "QR-G-5C-KR-1PDXKQ7-0093", "8944 5012 3456 7890 123", "iPhone"],
  },
  bill: {
    line: bill,
    en: ["EEGSA · Electricity · Q 200.00", "00123456-7", "EEG-2026-55501", "Biller’s reference"],
    ar: ["EEGSA · كهرباء", "00123456-7", "EEG-2026-55501", "مرجع جهة الفوترة"],
  },
  waiting: {
    line: waiting,
    en: ["NOT FINISHED", "Do not buy it again; we keep trying until", "money back"],
    ar: ["لم يكتمل", "نواصل المحاولة حتى", "نعيد إليك مالك"],
  },
} as const;

for (const [place, paper] of PAPERS.entries()) {
  for (const language of ["en", "ar"] as const) {
    const families = Object.entries(SAYS).filter(
      (_, at) => isEveryLook || at % PAPERS.length === place,
    );
    for (const [family, { line, ...words }] of families) {
      test(`${family}, ${paper}, ${language}`, async ({ printer, page }) => {
        const receipt = aReceipt([line], { language });
        const sheet = await printer.print(receipt, paper);

        expect(sheet.cut).toEqual([]);
        expect(sheet.colours).toEqual([]);
        if (paper !== "A4") expectOnePage(sheet, paper);
        for (const text of [...words[language], "000124"]) expectSaid(sheet, text);
        const pins = family === "scanned" ? ["6006491234567890"] : [];
        expect(sheet.bars).toEqual([...pins, "000124"]);
        if (family === "esim") {
          expect(sheet.qr?.content).toBe(LPA);
          expect(sheet.qr?.blackMm).toBeGreaterThanOrEqual(25);
        } else {
          expect(sheet.qr).toBeUndefined();
        }
        await show(page, receipt, paper, `receipt-${family}-${language}-${paper}`);
      });
    }
  }
}

test("a PIN too long for a barcode on the paper is printed as a QR code", async ({ printer }) => {
  const epin = "7K2M9QX4LT5RV8WN";
  const long = { ...scanned, voucher: { ...scanned.voucher, epin } };
  const narrow = await printer.print(aReceipt([long]), "58mm");
  expect(narrow.bars).toEqual(["000124"]);
  expect(narrow.qr?.content).toBe(epin);
  const wide = await printer.print(aReceipt([long]), "80mm");
  expect(wide.bars).toEqual([epin, "000124"]);
  expect(wide.cut).toEqual([]);
});

test("lines, tenders and a discount add up on a receipt copy from training", async ({
  printer,
  page,
}) => {
  const owed = aLine({ outcome: "NOT_DELIVERED", status: "FAILED", price: 2600, discount: 100 });
  const receipt = aReceipt([aLine({ discount: 200 }), voucher, esim, owed], {
    training: true,
    copy: true,
    copyNumber: 3,
  });
  const { sale } = receipt;
  sale.discount = 300;
  sale.total -= 300;
  sale.lines = [...sale.lines, { ...owed, price: 1500, refunded: true }];
  sale.total += 1400;
  sale.refundDue = 2500;
  sale.refunded = 1400;
  sale.approvedBy = { staffId: "s2", name: "Rosa" };
  sale.tenders = [
    { kind: "CARD", amount: 10_000, reference: "0042" },
    { kind: "CASH", amount: sale.total - 10_000, tendered: 10_000 },
  ];
  sale.change = 10_000 - (sale.total - 10_000);
  const sheet = await printer.print(receipt, "80mm");

  expect(sheet.cut).toEqual([]);
  for (const text of [
    "TRAINING — NO VALUE",
    "COPY 3",
    "Card · 0042",
    "Q 100.00",
    "−Q 2.00",
    "−Q 1.00",
    "Refunded",
    "−Q 14.00",
    "Paid after refund",
    "Refund due",
    "Q 25.00",
    "Approved by Rosa",
  ]) {
    expectSaid(sheet, text);
  }
  expect(sheet.said).not.toContain("TEST");
  expect(sheet.qr?.content).toBe(LPA);
  await show(page, receipt, "80mm", "receipt-everything");
});

function expectSaid({ said }: PrintedSheet, text: string): void {
  expect(said.replaceAll(/\s/g, "")).toContain(text.replaceAll(/\s/g, ""));
}

async function show(
  page: Page,
  receipt: Receipt,
  paper: (typeof PAPERS)[number],
  name: string,
): Promise<void> {
  await page.evaluate(([shown, width]) => window.showReceipt(shown, width), [
    receipt,
    paper,
  ] as const);
  await page.getByRole("article").screenshot({ path: `artifacts/screens/${name}.png` });
}
