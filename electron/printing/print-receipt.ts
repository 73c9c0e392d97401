import type { WebContents } from "electron/main";
import type { DevicePrinter, PrintFailure, PrintOptions, PrintResult } from "../ipc/ipc-map.ts";

const MICRONS_PER_MM = 1000;

/** @throws errors of the system's spooler */
export async function listPrinters(contents: WebContents): Promise<DevicePrinter[]> {
  const printers = await contents.getPrintersAsync();
  return printers.map(({ name, displayName }) => ({ name, displayName: displayName || name }));
}

/**
 * Prints the page without a dialog, because a customer waits. If the chosen printer is missing, no
 * other printer is used. Resolves when the printer has accepted the page, or with the reason of the
 * failure.
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
        // If a driver does not know the requested page size, it uses A4.
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

function failureOf(reason: string): PrintFailure {
  return /cancel/i.test(reason) ? "CANCELLED" : "FAILED";
}

function failed(reason: PrintFailure): PrintResult {
  return { printed: false, reason };
}
