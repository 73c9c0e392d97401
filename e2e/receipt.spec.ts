/**
 * The receipt on paper: printed by a real browser for both rolls, in every language, in each state
 * a sale can be in. Nothing may be cut, grey, missing, or on a second page.
 */
import { test as base, expect, type Page } from "@playwright/test";
import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs";
import { build, type Rolldown } from "vite";
import type { PrintOptions } from "../electron/ipc/ipc-map.ts";
import type { PaperWidth } from "../renderer/features/receipts/index.ts";
import type { Receipt, SaleLine } from "../server/contract/pos/sales.ts";

const ORIGIN = "http://receipt.test";
const POINTS_PER_MM = 72 / 25.4;
/** What the printing head reaches: the margins left and right of it, in millimetres. */
const EDGE_MM: Readonly<Record<PaperWidth, number>> = { "80mm": 4, "58mm": 5 };

interface PrintedSheet {
  readonly options: PrintOptions;
  /** What is written on the PDF. */
  readonly text: string;
  /** Width and height of each of its pages, in points. */
  readonly pages: { width: number; height: number }[];
  /** Words that reach beyond the printable width. */
  readonly cut: string[];
  /** Colours of text, lines and areas, other than black, white and none. */
  readonly colours: string[];
}

interface Printer {
  print(receipt: Receipt, paper: PaperWidth): Promise<PrintedSheet>;
}

const test = base.extend<{ printer: Printer }, { files: Map<string, string> }>({
  files: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures from the pattern
    async ({}, use) => use(await buildPreview()),
    { scope: "worker" },
  ],
  printer: async ({ page, files }, use) => {
    await openPreview(page, files);
    await use({ print: (receipt, paper) => printAndLook(page, receipt, paper) });
  },
});

async function buildPreview(): Promise<Map<string, string>> {
  const result = (await build({
    configFile: false,
    logLevel: "error",
    define: { "process.env.NODE_ENV": '"production"' },
    build: {
      write: false,
      rolldownOptions: {
        input: "renderer/features/receipts/testing/preview.tsx",
        output: { entryFileNames: "preview.js", assetFileNames: "preview[extname]" },
      },
    },
  })) as Rolldown.RolldownOutput;
  return new Map(
    result.output.map((file) => [
      file.fileName,
      file.type === "chunk" ? file.code : String(file.source),
    ]),
  );
}

async function openPreview(page: Page, files: Map<string, string>): Promise<void> {
  await page.route(`${ORIGIN}/**`, async (route) => {
    const name = new URL(route.request().url()).pathname.slice(1);
    const contentType = name.endsWith(".css") ? "text/css" : "text/javascript";
    await (name === ""
      ? route.fulfill({ contentType: "text/html", body: PAGE })
      : route.fulfill({ contentType, body: files.get(name) ?? "" }));
  });
  await page.goto(ORIGIN);
}

const PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8">
  <link rel="stylesheet" href="/preview.css"></head>
  <body><main>The till itself</main><div id="root"></div>
  <script type="module" src="/preview.js"></script></body></html>`;

/** Prints as the desktop app does, with the browser's own PDF in the place of the printer. */
async function printAndLook(page: Page, receipt: Receipt, paper: PaperWidth) {
  let printed: PrintedSheet | undefined;
  const name = `shell${Math.random().toString(36).slice(2)}`;
  await page.exposeFunction(name, async (options: PrintOptions) => {
    const pdf = await page.pdf({ preferCSSPageSize: true });
    await page.emulateMedia({ media: "print" });
    const looks = await page.evaluate(lookAtSheet, EDGE_MM[paper]);
    printed = { options, ...looks, ...(await readPdf(pdf)) };
    await page.emulateMedia({ media: null });
    return { printed: true };
  });
  const result = await page.evaluate(
    async ([shell, toPrint, width]) => {
      const print = Reflect.get(window, shell) as Window["print"];
      Object.assign(window, { tillgate: { version: "0", print } });
      return await window.printReceipt(toPrint, width);
    },
    [name, receipt, paper] as const,
  );
  expect(result).toEqual({ printed: true });
  return printed!;
}

/** What a reader of the PDF sees: its words in reading order, and the size of its pages. */
async function readPdf(pdf: Uint8Array): Promise<Pick<PrintedSheet, "text" | "pages">> {
  const document = await getDocument({ data: new Uint8Array(pdf), verbosity: 0 }).promise;
  const text: string[] = [];
  const pages: PrintedSheet["pages"] = [];
  for (let number = 1; number <= document.numPages; number++) {
    const page = await document.getPage(number);
    const { width, height } = page.getViewport({ scale: 1 });
    pages.push({ width, height });
    const { items } = await page.getTextContent();
    text.push(...items.map((item) => ("str" in item ? item.str : "")));
  }
  await document.destroy();
  return { text: text.join(" ").replace(/\s+/g, " "), pages };
}

/** Runs in the page, while the sheet is laid out for print. */
function lookAtSheet(edgeMm: number) {
  const sheet = document.querySelector<HTMLElement>("[data-print-sheet]")!;
  const pxPerMm = 96 / 25.4;
  const paper = sheet.firstElementChild!.getBoundingClientRect();
  const left = paper.left + edgeMm * pxPerMm - 0.5;
  const right = paper.right - edgeMm * pxPerMm + 0.5;
  const cut: string[] = [];
  const walker = document.createTreeWalker(sheet, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const range = document.createRange();
    range.selectNodeContents(node);
    const outside = [...range.getClientRects()].some(
      (box) => box.width > 0 && (box.left < left || box.right > right),
    );
    if (outside) {
      cut.push(node.textContent ?? "");
    }
  }
  const plain = new Set(["rgb(0, 0, 0)", "rgb(255, 255, 255)", "rgba(0, 0, 0, 0)"]);
  const colours = [...sheet.querySelectorAll("*")].flatMap((element) => {
    const style = getComputedStyle(element);
    return [style.color, style.backgroundColor, style.borderTopColor, style.borderBottomColor];
  });
  return {
    cut,
    colours: [...new Set(colours)].filter((colour) => !plain.has(colour)),
  };
}

function aLine(changes: Partial<SaleLine> = {}): SaleLine {
  return {
    position: 1,
    transactionId: "0d3f6a52-6c1b-4f0e-9d55-3b1f4c7a9e10-1",
    productType: "TOPUP",
    offerId: "TIGO_GT_TOPUP_50",
    brand: "tigo_gt",
    brandName: "Tigo",
    brandColor: "#00377b",
    country: "GT",
    title: "Top-up 50 GTQ",
    recipientPhoneNumber: "+50251234567",
    recipientFormatted: "+502 5123 4567",
    price: 5200,
    discount: 0,
    givenBack: false,
    send: 5000,
    sendCurrency: "GTQ",
    sendCurrencyDivisor: 100,
    status: "DONE",
    outcome: "DELIVERED",
    slowAfter: "2026-01-15T09:31:00.000Z",
    keepTryingUntil: "2026-01-16T14:05:00.000Z",
    finishedAt: "2026-01-15T09:30:12.000Z",
    confirmationNumber: "883729310046",
    ...changes,
  };
}

function aReceipt(lines: SaleLine[], changes: Partial<Receipt> = {}): Receipt {
  const total = lines.reduce((sum, line) => sum + line.price, 0);
  const giveBack = lines
    .filter((line) => line.outcome === "NOT_DELIVERED")
    .reduce((sum, line) => sum + line.price, 0);
  return {
    shopName: "Tienda La Esperanza",
    language: "en",
    training: false,
    copy: false,
    copyNumber: 0,
    printedAt: "2026-01-15T09:30:15.000Z",
    printedBy: "Ana",
    sale: {
      saleId: "0d3f6a52-6c1b-4f0e-9d55-3b1f4c7a9e10",
      saleNumber: 124,
      environment: "live",
      createdAt: "2026-01-15T09:30:00.000Z",
      staff: { staffId: "s1", name: "Ana" },
      currency: "GTQ",
      currencyDivisor: 100,
      total,
      discount: 0,
      tenders: [{ kind: "CASH", amount: total, tendered: 20000 }],
      change: 20000 - total,
      giveBack,
      givenBack: 0,
      receiptsPrinted: 1,
      lines,
    },
    ...changes,
  };
}

const stillSending = aLine({
  transactionId: "0d3f6a52-6c1b-4f0e-9d55-3b1f4c7a9e10-2",
  status: "IN_PROGRESS",
  outcome: "STILL_SENDING",
  brandName: "Claro",
  title: "2 GB · 7 days",
  recipientFormatted: "+502 4001 9920",
  price: 3500,
});
const notDelivered = aLine({
  transactionId: "0d3f6a52-6c1b-4f0e-9d55-3b1f4c7a9e10-3",
  status: "FAILED",
  outcome: "NOT_DELIVERED",
  recipientFormatted: "+1 809 555 0134",
  price: 2600,
});
const LONG_NAME = "Supermercado y Abarrotería Nuestra Señora de la Candelaria";
const longNames = aLine({
  brandName: "Telecomunicaciones Internacionales de Centroamérica",
  title: "Paquete ilimitado nacional e internacional con 25 GB, 500 minutos y 1000 mensajes · 30 d",
  recipientFormatted: "+1 (809) 555-0134",
  price: 123_456_789_00,
  send: 123_456_789_00,
  confirmationNumber: "A".repeat(64),
  transactionId: "x".repeat(128),
});
const everything = aReceipt([aLine(), stillSending, notDelivered, longNames], {
  shopName: LONG_NAME,
  copy: true,
  copyNumber: 2,
});
everything.sale.environment = "test";

const WORDS = {
  en: ["Sale 000124", "DELIVERED", "Do not buy it again", "NOT DELIVERED", "To give back", "Total"],
  es: [
    "Venta 000124",
    "ENTREGADO",
    "No lo compre otra vez",
    "NO ENTREGADO",
    "A devolver",
    "Cambio",
  ],
  fr: ["Vente 000124", "LIVRÉ", "Ne le rachetez pas", "NON LIVRÉ", "À rendre", "Espèces"],
} as const;
const BANNERS = {
  en: ["TEST — NO VALUE", "COPY 2"],
  es: ["PRUEBA — SIN VALOR", "COPIA 2"],
  fr: ["TEST — SANS VALEUR", "COPIE 2"],
} as const;

for (const paper of ["80mm", "58mm"] as const) {
  for (const language of ["en", "es", "fr"] as const) {
    test(`everything there is fits on ${paper} paper in ${language}`, async ({ printer }) => {
      const sheet = await printer.print({ ...everything, language }, paper);

      expect(sheet.cut).toEqual([]);
      expect(sheet.colours).toEqual([]);
      expectOnePage(sheet, paper);
      for (const words of [...WORDS[language], ...BANNERS[language], LONG_NAME]) {
        expect(sheet.text).toContain(words);
      }
      expect(sheet.text).not.toContain("The till itself");
    });
  }

  test(`a delivered sale says all of it on ${paper} paper`, async ({ printer }) => {
    const sheet = await printer.print(aReceipt([aLine()]), paper);

    expect(sheet.cut).toEqual([]);
    expectOnePage(sheet, paper);
    const said = ["Tienda La Esperanza", "15 Jan 2026", "09:30", "Served by Ana", "Tigo"];
    said.push("Top-up 50 GTQ", "+502 5123 4567", "Q 50.00", "Q 52.00", "DELIVERED");
    said.push("883729310046", "0d3f6a52-6c1b-4f0e-9d55-3b1f4c7a9e10-1", "Q 200.00", "Q 148.00");
    // Narrow paper breaks a long number over two lines.
    const written = sheet.text.replaceAll(" ", "");
    for (const words of said) {
      expect(written).toContain(words.replaceAll(" ", ""));
    }
    expect(sheet.text).not.toMatch(/COPY|TEST|give back/i);
  });
}

test("what is being sent says until when, and what is not delivered, what is owed", async ({
  printer,
}) => {
  const sending = await printer.print(aReceipt([stillSending]), "80mm");
  const accepted = await printer.print(
    aReceipt([aLine({ outcome: "SENDING", status: "ACCEPTED" })]),
    "80mm",
  );
  const failed = await printer.print(aReceipt([notDelivered]), "80mm");

  for (const sheet of [sending, accepted]) {
    expect(sheet.text).toContain("we keep trying until 16 Jan 2026, 14:05");
    expect(sheet.text).not.toContain("883729310046");
  }
  expect(failed.text).toContain("To give back: Q 26.00");
  expect(failed.text).not.toMatch(/given back|Thank you/);
  expect(failed.text).toContain("until you have your money back");
  expect(sending.text).toContain("2 GB");
  expect(sending.text).not.toContain("Value");
});

test("in a browser the dialog opens once and the page is as it was", async ({ printer, page }) => {
  await printer.print(aReceipt([aLine()]), "80mm");
  const seen = await page.evaluate(
    async (receipt) => {
      const dialogs: string[] = [];
      Object.assign(window, {
        tillgate: undefined,
        print: () => {
          dialogs.push(document.querySelector("[data-print-sheet]")?.textContent ?? "nothing");
          window.dispatchEvent(new Event("afterprint"));
        },
      });
      const results = await Promise.all([
        window.printReceipt(receipt, "80mm"),
        window.printReceipt({ ...receipt, copy: true, copyNumber: 1 }, "80mm"),
      ]);
      const left = document.querySelectorAll("[data-print-sheet], head > style").length;
      return { dialogs, results, left };
    },
    aReceipt([aLine()]),
  );

  expect(seen.results).toEqual([{ printed: true }, { printed: true }]);
  expect(seen.dialogs).toHaveLength(2);
  expect(seen.dialogs[0]).not.toContain("COPY");
  expect(seen.dialogs[1]).toContain("COPY 1");
  expect(seen.left).toBe(0);
});

test("on the screen it is the same receipt, as wide as its paper", async ({ printer, page }) => {
  await printer.print(aReceipt([aLine()]), "58mm");
  await page.evaluate((receipt) => window.showReceipt(receipt, "58mm"), aReceipt([aLine()]));
  const box = await page.getByRole("article").boundingBox();
  await page.getByRole("article").screenshot({ path: "artifacts/screens/receipt-58mm.png" });

  expect(box?.width).toBeCloseTo((58 * 96) / 25.4, 0);
});

/** One page, as wide as the roll and as long as the till said: read from the PDF itself. */
function expectOnePage({ pages, options }: PrintedSheet, paper: PaperWidth): void {
  expect(pages).toHaveLength(1);
  expect(options.paperWidthMm).toBe(paper === "80mm" ? 80 : 58);
  // Chromium rounds a page to whole pixels of a 300th of an inch.
  expect(Math.abs(pages[0]!.width - options.paperWidthMm * POINTS_PER_MM)).toBeLessThan(1);
  expect(Math.abs(pages[0]!.height - options.paperHeightMm * POINTS_PER_MM)).toBeLessThan(1);
}
