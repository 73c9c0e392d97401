import type { WebContents } from "electron/main";
import type { DevicePrinter, PrintFailure, PrintOptions, PrintResult } from "../ipc/ipc-map.ts";

const MICRONS_PER_MM = 1000;

/** The printers of this computer. @throws what the system's spooler throws */
export async function listPrinters(contents: WebContents): Promise<DevicePrinter[]> {
  const printers = await contents.getPrintersAsync();
  return printers.map(({ name, displayName }) => ({ name, displayName: displayName || name }));
}

/**
 * Prints the page as it stands, without a dialog: the clerk has a customer waiting. A printer that was chosen
 * and is not there prints nothing, and no other does. Resolves when the printer has taken it, or with the
 * reason it did not.
 */
export async function printReceipt(
  contents: WebContents,
  options: PrintOptions,
): Promise<PrintResult> {
  try {
    const printers = await listPrinters(contents);
    const { deviceName } = options;
    const isThere =
      deviceName === undefined
        ? printers.length > 0
        : printers.some(({ name }) => name === deviceName);
    return isThere ? await print(contents, options) : failed("NO_PRINTER");
  } catch {
    return failed("FAILED");
  }
}

function print(contents: WebContents, options: PrintOptions): Promise<PrintResult> {
  const { deviceName, driverPage = false, paperWidthMm, paperHeightMm } = options;
  return new Promise((resolve) => {
    contents.print(
      {
        silent: true,
        ...(deviceName !== undefined && { deviceName }),
        color: false,
        printBackground: false,
        margins: { marginType: "none" },
        // A driver that does not know a page takes A4 for it.
        ...(driverPage
          ? { usePrinterDefaultPageSize: true }
          : {
              pageSize: {
                width: paperWidthMm * MICRONS_PER_MM,
                height: paperHeightMm * MICRONS_PER_MM,
              },
            }),
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
