import type { ReactElement } from "react";
import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";
import type { DesktopShell } from "../../../../electron/ipc/ipc-map.ts";
import type { DrawerCause, Printer, Printers } from "../../../../server/contract/pos/printers.ts";
import type { Receipt } from "../../../../server/contract/pos/sales.ts";
import type { ShopLogo } from "../../../../server/contract/pos/shop-logo.ts";
import { directionOf } from "../../../lib/direction.ts";
import { logoAddress } from "../../../lib/logo-address.ts";
import { getPrintSettings, type Paper, widthMm } from "../../../lib/print-settings.ts";
import { resolveWithin } from "../../../lib/resolve-within.ts";
import { beginPrint } from "../api/printer-queries.ts";
import type { ReceiptBlock } from "../blocks/receipt-block.ts";
import { receiptBlocks } from "../blocks/receipt-blocks.ts";
import type * as Escpos from "../escpos/receipt-bytes.ts";
import { ReceiptView } from "../paper/receipt-view.tsx";
import { type Printed, printBytes } from "./network-print.ts";

const LOAD_LOGO_WAIT_MS = 3_000;

const WAIT_MS = 3_000;

const MM_PER_PX = 25.4 / 96;
/**
 * Blank paper at the end. Printers round lengths, and a receipt must not continue on a second page.
 */
const TAIL_MM = 2;
const A4_HEIGHT_MM = 297;
/**
 * If `print()` returns within this time, no person has closed the dialog: `print()` did not wait,
 * as on phones.
 */
const AT_ONCE_MS = 1000;
/**
 * Timeout of the spooler, which accepts a page within seconds. A hanging spooler must not block
 * later receipts.
 */
const SHELL_PRINT_MS = 60_000;
/** Timeout of the list of printers. The system answers at once, unless its spooler hangs. */
const PRINTERS_MS = 5000;
/** Maximum page length of drivers. The rest of a receipt goes onto the next page. */
const MAX_PAGE_MM = 1500;
const PICTURES_MS = 3000;

let lastTurn: Promise<Printed> | undefined;
/** Removes the previous sheet. A sheet stays until the browser has certainly drawn it. */
let removeLeft: (() => void) | undefined;

/**
 * Prints a receipt on a network printer, through the gateway, or on the system's printer. The
 * desktop app prints at once; a browser shows its dialog. Resolves when the print is done, and
 * never rejects. In a browser, `printed` means only that the dialog was shown, because browsers do
 * not report whether it was cancelled.
 * @param printer undefined for the system's printer
 * @param printId id of the print's record; undefined if the print is not recorded
 */
export function printReceipt(
  receipt: Receipt,
  printer: Printer | undefined,
  printId: string | undefined,
): Promise<Printed> {
  if (printer) {
    return printOnNetwork(printer, printId, async ({ receiptBytes }, options) => {
      await loadLetters(receiptBlocks(receipt));
      return receiptBytes(receipt, { ...options, logo: await loadLogo(receipt.logo) });
    });
  }
  return printSheet((paper) => <ReceiptView receipt={receipt} paper={paper} />, printId);
}

/**
 * A receipt or another document: blocks for a network printer, a drawing for the system's printer.
 */
export interface Printable {
  readonly blocks: readonly ReceiptBlock[];
  readonly language: string;
  readonly draw: (paper: Paper) => ReactElement;
}

export function printBlocks(
  { blocks, language, draw }: Printable,
  printer: Printer | undefined,
  printId: string | undefined,
): Promise<Printed> {
  return printer
    ? printOnNetwork(printer, printId, async ({ blockBytes }, options) => {
        await loadLetters(blocks);
        return blockBytes(blocks, directionOf(language), options);
      })
    : printSheet(draw, printId);
}

function printSheet(
  draw: (paper: Paper) => ReactElement,
  printId: string | undefined,
): Promise<Printed> {
  const turn = (lastTurn ?? Promise.resolve()).then(() => printPage(draw, printId));
  lastTurn = turn;
  return turn;
}

function chosenPrinter(printers: Printers["list"]): Printer | undefined {
  const { printerId } = getPrintSettings();
  return printers.find((printer) => printer.printerId === printerId);
}

/** The code that converts blocks to bytes is loaded at the first print. */
async function printOnNetwork(
  printer: Printer,
  printId: string | undefined,
  encode: (
    encoder: typeof Escpos,
    options: Escpos.BytesOptions,
  ) => Uint8Array | Promise<Uint8Array>,
): Promise<Printed> {
  try {
    const encoder = await import("../escpos/receipt-bytes.ts");
    const { lineLetters, headDots } = printer;
    const bytes = await encode(encoder, { lineLetters, headDots, drawer: false });
    return await printBytes(printer, bytes, { printId });
  } catch {
    return { printed: false, reason: "FAILED" };
  }
}

/** Opens the drawer of this device's printer, if the printer has one. */
export async function openDrawer(printers: Printers["list"], cause: DrawerCause): Promise<void> {
  const printer = chosenPrinter(printers);
  if (printer?.drawer) {
    const { drawerBytes } = await import("../escpos/receipt-bytes.ts");
    await printBytes(printer, drawerBytes(printer.drawerPin), { drawer: cause });
  }
}

async function printPage(
  draw: (paper: Paper) => ReactElement,
  printId: string | undefined,
): Promise<Printed> {
  const { paper, deviceName, driverPage } = getPrintSettings();
  const shell = window.tillgate;
  removeLeft?.();
  const sheet = mountSheet(draw(paper));
  let begun = false;
  let isDrawn = true;
  try {
    await document.fonts?.ready;
    await resolveWithin(sheet.pictures(), PICTURES_MS);
    const paperWidthMm = widthMm(paper);
    const paperHeightMm = sheet.layOut(paper, shell !== undefined && driverPage);
    if (shell && !(await hasPrinter(shell, deviceName))) {
      return { printed: false, reason: "NO_PRINTER", begun };
    }
    if (printId !== undefined) await beginPrint(printId);
    begun = true;
    if (shell === undefined) {
      isDrawn = printInBrowser();
      return { printed: true, begun };
    }
    const print = shell.print({
      paperWidthMm,
      paperHeightMm,
      ...(deviceName !== undefined && { deviceName }),
      ...(driverPage && { driverPage }),
    });
    const done = await resolveWithin(print, SHELL_PRINT_MS);
    return { ...(done ?? { printed: false, reason: "NO_ANSWER" }), begun };
  } catch {
    return { printed: false, reason: "FAILED", begun };
  } finally {
    if (isDrawn) sheet.remove();
    else leaveUntilTouched(sheet.remove);
  }
}

/** If no printer is chosen, any printer suffices. */
async function hasPrinter(shell: DesktopShell, deviceName: string | undefined): Promise<boolean> {
  const list = (await resolveWithin(shell.printers(), PRINTERS_MS)) ?? [];
  return list.some(({ name }) => deviceName === undefined || name === deviceName);
}

/**
 * Removes the sheet at the next touch, which is possible only after the dialog has closed. Without
 * the sheet, a phone would print the till's screen.
 */
function leaveUntilTouched(remove: () => void): void {
  const stop = new AbortController();
  removeLeft = () => {
    removeLeft = undefined;
    stop.abort();
    remove();
  };
  const { signal } = stop;
  for (const event of ["pointerdown", "keydown"]) {
    window.addEventListener(event, () => removeLeft?.(), { capture: true, signal });
  }
}

/** The sheet is invisible on the screen, and the only part that is printed. */
function mountSheet(content: ReactElement) {
  const style = document.createElement("style");
  const host = document.createElement("div");
  host.dataset.printSheet = "";
  host.inert = true;
  style.textContent = sheetStyle();
  document.head.append(style);
  document.body.append(host);
  const root = createRoot(host);
  flushSync(() => root.render(content));
  return {
    /** Removes images that fail to load. */
    async pictures(): Promise<void> {
      const drawn = [...host.querySelectorAll("img")].map((picture) =>
        picture.decode().catch(() => picture.remove()),
      );
      await Promise.all(drawn);
    },
    /** On a roll, the page is as long as its content. Returns the length in whole millimetres. */
    layOut(paper: Paper, driverPage: boolean): number {
      const width = widthMm(paper);
      if (driverPage) {
        style.textContent = `${sheetStyle()} @page { margin: 0; }
          @media print { [data-print-sheet] > * {
            width: 100% !important; padding-inline: 1mm !important; } }`;
        return A4_HEIGHT_MM;
      }
      if (paper === "A4") {
        style.textContent = `${sheetStyle()} @page { size: A4; margin: 0; }`;
        return A4_HEIGHT_MM;
      }
      const { height } = host.getBoundingClientRect();
      // A page wider than long would be printed in landscape.
      const whole = Math.max(Math.ceil(height * MM_PER_PX) + TAIL_MM, width);
      const heightMm = Math.min(whole, MAX_PAGE_MM);
      style.textContent = `${sheetStyle()} @page { size: ${width}mm ${heightMm}mm; margin: 0; }`;
      return heightMm;
    },
    remove(): void {
      root.unmount();
      host.remove();
      style.remove();
    },
  };
}

function sheetStyle(): string {
  return `
    [data-print-sheet] { position: fixed; top: 0; inset-inline-start: -300vw; }
    @media print {
      html, body { height: auto !important; margin: 0 !important; padding: 0 !important;
        overflow: visible !important; background: #fff !important; }
      body > :not([data-print-sheet]) { display: none !important; }
      [data-print-sheet] { position: static; }
    }`;
}

/**
 * Chromium and Firefox return from `print()` after the dialog has closed. Phones return at once,
 * and may fire `afterprint` before anything is drawn.
 * @returns whether the dialog was closed, so that the sheet can be removed
 */
function printInBrowser(): boolean {
  const begunAt = performance.now();
  window.print();
  return performance.now() - begunAt >= AT_ONCE_MS;
}

async function loadLetters(blocks: readonly ReceiptBlock[]): Promise<void> {
  const text = JSON.stringify(blocks);
  const fonts = [
    "400 24px Plex",
    "700 24px Plex",
    "400 24px 'Plex Arabic'",
    "700 24px 'Plex Arabic'",
  ];
  const loaded = fonts.map((font) => document.fonts.load(font, text));
  await resolveWithin(Promise.allSettled(loaded), WAIT_MS);
}

/** Returns undefined if there is no logo, or if it does not load in time. */
async function loadLogo(logo: ShopLogo | undefined): Promise<ImageBitmap | undefined> {
  if (!logo) {
    return undefined;
  }
  const image = new Image();
  image.src = logoAddress(logo.digest);
  return resolveWithin(drawn(image), LOAD_LOGO_WAIT_MS);
}

async function drawn(image: HTMLImageElement): Promise<ImageBitmap | undefined> {
  try {
    await image.decode();
    return await createImageBitmap(image);
  } catch {
    return undefined;
  }
}
