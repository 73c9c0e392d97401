import type { WebContents } from "electron/main";
import type { PrintFailure, PrintOptions, PrintResult } from "../ipc/ipc-map.ts";

const MICRONS_PER_MM = 1000;

/**
 * Prints the page as it stands on the system's default printer, without a dialog: the clerk has a
 * customer waiting. Resolves when the printer has taken it, or with the reason it did not.
 */
export async function printReceipt(
  contents: WebContents,
  options: PrintOptions,
): Promise<PrintResult> {
  try {
    const printers = await contents.getPrintersAsync();
    if (printers.length === 0) {
      return failed("NO_PRINTER");
    }
    return await print(contents, options);
  } catch {
    return failed("FAILED");
  }
}

function print(contents: WebContents, options: PrintOptions): Promise<PrintResult> {
  return new Promise((resolve) => {
    contents.print(
      {
        silent: true,
        color: false,
        printBackground: false,
        margins: { marginType: "none" },
        pageSize: {
          width: options.paperWidthMm * MICRONS_PER_MM,
          height: options.paperHeightMm * MICRONS_PER_MM,
        },
      },
      (success, reason) => resolve(success ? { printed: true } : failed(failureOf(reason))),
    );
  });
}

/** Chromium says why in English, and only these words are documented. */
function failureOf(reason: string): PrintFailure {
  return /cancel/i.test(reason) ? "CANCELLED" : "FAILED";
}

function failed(reason: PrintFailure): PrintResult {
  return { printed: false, reason };
}
