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

/** A word that is wider than every print head. */
const LONG_WORD = "مستشفيات".repeat(12);
const ARABIC_SHOP = "متجر الأمل للبقالة وتعبئة رصيد الجوال في شارع الملك فيصل";
const ARABIC_LINES = [
  ...FAMILIES,
  aLine({ title: ARABIC_SHOP, brandName: "اتصالات مصر" }),
  aLine({ title: LONG_WORD, price: 987_654_300 }),
  aVoucher(`${LONG_WORD}\nافتح التطبيق ثم اختر «استبدال» وأدخل الرقم السري.`, ARABIC_SHOP),
];

for (const { lineLetters, headDots } of [
  { lineLetters: 30, headDots: 360 },
  { lineLetters: 32, headDots: 384 },
  { lineLetters: 35, headDots: 416 },
  { lineLetters: 42, headDots: 512 },
  { lineLetters: 44, headDots: 528 },
  { lineLetters: 48, headDots: 576 },
]) {
  test(`drawn lines of a receipt in Arabic lose no dot at the edges of a head of ${headDots} dots`, async ({
    printer,
    page,
  }) => {
    expect(printer).toBeDefined();
    await page.evaluate(watchDrawnText);
    const receipt = aReceipt(ARABIC_LINES, {
      language: "ar",
      shopName: ARABIC_SHOP,
      shopAddress: [LONG_WORD, "Calle 5, Zona 1, Ciudad de Guatemala, Guatemala 01001"],
    });
    const bytes = await page.evaluate(
      ([printed, head]) => window.receiptBytes(printed, head, false),
      [receipt, { lineLetters, headDots }] as const,
    );
    const print = readPrint(bytes);

    expect(new Set(print.images.map(({ width }) => width))).toEqual(new Set([headDots]));
    const drawn = await page.evaluate(() => window.drawnText ?? []);
    expect(drawn.length).toBeGreaterThan(50);
    expect(Math.max(...drawn.map(({ width }) => width))).toBeLessThanOrEqual(headDots);
    expect(drawn.filter(({ outside }) => outside > 0)).toEqual([]);
  });
}

interface DrawnText {
  readonly text: string;
  readonly width: number;
  /** Number of black dots that the picture cuts off. */
  readonly outside: number;
}

declare global {
  interface Window {
    drawnText?: DrawnText[];
  }
}

/**
 * Runs in the page. Draws each text a second time, on a larger canvas, and counts the dots that the
 * picture has no room for.
 */
async function watchDrawnText(): Promise<void> {
  // The till also loads its fonts before it draws.
  const fonts = [...document.fonts].filter(({ family }) => /^Plex( Arabic)?$/.test(family));
  await Promise.all(fonts.map((font) => font.load()));
  const MARGIN = 64;
  const THRESHOLD = 128;
  const drawn: DrawnText[] = [];
  window.drawnText = drawn;
  const letters = OffscreenCanvasRenderingContext2D.prototype;
  const fillText = letters.fillText;
  letters.fillText = function drawTwice(text, x, y) {
    fillText.call(this, text, x, y);
    const { width, height } = this.canvas;
    const larger = new OffscreenCanvas(width + 2 * MARGIN, height + 2 * MARGIN);
    const context = larger.getContext("2d", { willReadFrequently: true })!;
    context.fillStyle = "#fff";
    context.fillRect(0, 0, larger.width, larger.height);
    context.fillStyle = "#000";
    const { font, direction, textAlign, textBaseline } = this;
    Object.assign(context, { font, direction, textAlign, textBaseline });
    const { e, f } = this.getTransform();
    context.translate(MARGIN + e, MARGIN + f);
    fillText.call(context, text, x, y);
    const { data } = context.getImageData(0, 0, larger.width, larger.height);
    let outside = 0;
    for (let dot = 0; dot < larger.width * larger.height; dot++) {
      const column = (dot % larger.width) - MARGIN;
      const row = Math.floor(dot / larger.width) - MARGIN;
      const isInside = column >= 0 && column < width && row >= 0 && row < height;
      if (!isInside && data[dot * 4]! < THRESHOLD) outside += 1;
    }
    drawn.push({ text, width, outside });
  };
}
