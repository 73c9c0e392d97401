/** Prints receipts with a real browser, like the desktop app, and reads the result. */
import { test as base, expect, type Page } from "@playwright/test";
import jsqr from "jsqr";
import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs";
import { PNG } from "pngjs";
import { build, type Rolldown } from "vite";
import type { PrintOptions } from "../../electron/ipc/ipc-map.ts";
import { SYMBOLS } from "../../renderer/features/receipts/blocks/scan-code.ts";
import type { Paper } from "../../renderer/lib/print-settings.ts";
import type { Receipt } from "../../server/contract/pos/sales.ts";
import { readCode128 } from "./code-128-reader.ts";

const ORIGIN = "http://receipt.test";
const POINTS_PER_MM = 72 / 25.4;
/** Margin to the left and to the right of the printed area, in millimetres. */
const EDGE_MM: Readonly<Record<Paper, number>> = { "80mm": 4, "58mm": 5, A4: 35 };

export interface PrintedSheet {
  readonly options: PrintOptions;
  readonly text: string;
  /** In points. */
  readonly pages: { width: number; height: number }[];
  /** Words that reach beyond the printable width. */
  readonly cut: string[];
  /** Text in reading order, including right-to-left text. */
  readonly said: string;
  /** The QR code, decoded as a camera does; undefined if there is none. */
  readonly qr: { readonly content: string | undefined; readonly blackMm: number } | undefined;
  readonly bars: (string | undefined)[];
  /**
   * Alternating widths of bars and spaces, in dots, for each barcode and for one row of each QR
   * code.
   */
  readonly runs: number[][];
  /** Colours of text, lines and areas, except black, white and none. */
  readonly colours: string[];
}

type PreviewFiles = ReadonlyMap<string, Buffer>;

interface Printer {
  print(receipt: Receipt, paper: Paper): Promise<PrintedSheet>;
}

export const test = base.extend<{ printer: Printer }, { files: PreviewFiles }>({
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

async function buildPreview(): Promise<PreviewFiles> {
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
      Buffer.from(file.type === "chunk" ? file.code : file.source),
    ]),
  );
}

async function openPreview(page: Page, files: PreviewFiles): Promise<void> {
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

/** Prints as the desktop program does, but to a PDF of the browser instead of a printer. */
async function printAndLook(page: Page, receipt: Receipt, paper: Paper) {
  let printed: PrintedSheet | undefined;
  const name = `shell${Math.random().toString(36).slice(2)}`;
  await page.exposeFunction(name, async (options: PrintOptions) => {
    const pdf = await page.pdf({ preferCSSPageSize: true });
    await page.emulateMedia({ media: "print" });
    const looks = await page.evaluate(lookAtSheet, EDGE_MM[paper]);
    const qr = await readQr(page);
    const bars = await readBars(page);
    const runs = await readRunsOfCodes(page);
    printed = { options, qr, bars, runs, ...looks, ...(await readPdf(pdf)) };
    await page.emulateMedia({ media: null });
    return { printed: true };
  });
  const result = await page.evaluate(
    async ([shell, toPrint, width]) => {
      const print = Reflect.get(window, shell) as Window["print"];
      Object.assign(window, {
        tillgate: {
          version: "0",
          print,
          printers: async () => [{ name: "receipts", displayName: "Receipts" }],
        },
      });
      return await window.printReceipt(toPrint, width);
    },
    [name, receipt, paper] as const,
  );
  expect(result).toEqual({ printed: true, begun: true });
  return printed!;
}

async function readPdf(pdf: Uint8Array): Promise<Pick<PrintedSheet, "text" | "pages">> {
  const document = await getDocument({ data: new Uint8Array(pdf), verbosity: 0 }).promise;
  const text: string[] = [];
  const pages: PrintedSheet["pages"] = [];
  for (let number = 1; number <= document.numPages; number++) {
    const page = await document.getPage(number);
    const { width, height } = page.getViewport({ scale: 1 });
    pages.push({ width, height });
    const { items } = await page.getTextContent();
    // Joins parts without a space: a line in two scripts has two parts without a gap.
    const parts = items.map((item) => ("str" in item ? item.str + (item.hasEOL ? " " : "") : ""));
    text.push(parts.join(""));
  }
  await document.destroy();
  return { text: text.join(" ").replace(/\s+/g, " "), pages };
}

async function readBars(page: Page): Promise<(string | undefined)[]> {
  const read: (string | undefined)[] = [];
  for (const bars of await page.locator("[data-print-sheet] [data-bars]").all()) {
    const { data, width, height } = PNG.sync.read(await bars.screenshot());
    const middle = Math.floor(height / 2) * width;
    const row = Array.from({ length: width }, (_, x) => data[(middle + x) * 4]! < 128);
    read.push(readCode128(row, SYMBOLS));
  }
  return read;
}

/**
 * Reads the barcodes and QR codes with the resolution of a print head: in a picture of the whole
 * page, each pixel is a dot of the head.
 */
async function readRunsOfCodes(page: Page): Promise<number[][]> {
  const codes = page.locator("[data-print-sheet] :is([data-bars], [data-qr])");
  const boxes = await codes.evaluateAll((all) =>
    all.map((svg) => {
      const { x, y, width, height } = svg.getBoundingClientRect();
      // Reads a QR code near its upper edge, where every row has modules, and a barcode in its
      // middle.
      const part = svg.matches("[data-qr]") ? 0.12 : 0.5;
      return { x: x + scrollX, y: y + scrollY + height * part, width };
    }),
  );
  const scale = await page.evaluate(() => devicePixelRatio);
  const { data, width } = PNG.sync.read(await page.screenshot({ fullPage: true }));
  return boxes.map((box) => {
    const row = Math.floor(box.y * scale) * width;
    const runs: number[] = [];
    for (let x = Math.floor(box.x * scale); x < (box.x + box.width) * scale; x++) {
      const isBlack = data[(row + x) * 4]! < 128;
      if (runs.length % 2 === (isBlack ? 1 : 0)) runs[runs.length - 1]! += 1;
      else if (isBlack || runs.length > 0) runs.push(1);
    }
    return runs.slice(0, runs.length - (runs.length % 2 === 0 ? 1 : 0));
  });
}

async function readQr(page: Page): Promise<PrintedSheet["qr"]> {
  const code = page.locator("[data-print-sheet] [data-qr]").first();
  if ((await code.count()) === 0) {
    return undefined;
  }
  const blackMm = await code.evaluate((svg) => {
    const path = svg.querySelector("path")!.getBoundingClientRect();
    return path.width / (96 / 25.4);
  });
  const png = PNG.sync.read(await page.locator("[data-print-sheet]").screenshot());
  const found = jsqr.default(new Uint8ClampedArray(png.data), png.width, png.height);
  return { content: found?.data, blackMm };
}

/** Runs in the page while the print layout is active. */
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
  const said = (sheet.innerText ?? "").replaceAll(/[\u2066-\u2069\u200e\u200f\u061c]/g, "");
  const plain = new Set(["rgb(0, 0, 0)", "rgb(255, 255, 255)", "rgba(0, 0, 0, 0)"]);
  const colours = [...sheet.querySelectorAll("*")].flatMap((element) => {
    const style = getComputedStyle(element);
    return [style.color, style.backgroundColor, style.borderTopColor, style.borderBottomColor];
  });
  return {
    said,
    cut,
    colours: [...new Set(colours)].filter((colour) => !plain.has(colour)),
  };
}

export function expectOnePage({ pages, options }: PrintedSheet, paper: Paper): void {
  expect(pages).toHaveLength(1);
  expect(options.paperWidthMm).toBe({ "58mm": 58, "80mm": 80, A4: 210 }[paper]);
  // Allows a tolerance, because Chromium rounds a page to whole pixels of a 300th of an inch.
  expect(Math.abs(pages[0]!.width - options.paperWidthMm * POINTS_PER_MM)).toBeLessThan(1);
  expect(Math.abs(pages[0]!.height - options.paperHeightMm * POINTS_PER_MM)).toBeLessThan(1);
}
