import { create } from "qrcode";

/** Returns a QR code as rows of dots, true for black, without its quiet zone. */
export function qrMatrix(content: string): boolean[][] {
  const { modules } = create(content, { errorCorrectionLevel: "M" });
  return Array.from({ length: modules.size }, (_, row) =>
    Array.from({ length: modules.size }, (_, column) => modules.get(row, column) === 1),
  );
}

/** Quiet zone that a camera needs, in dots. */
export const QUIET_ZONE = 4;

/** Dots of a printing head: eight a millimetre on nearly every receipt printer. */
export const DOTS_PER_MM = 8;

/**
 * Minimum width of the black part of a printed code, so that a phone reads it from folded paper.
 */
const QR_BLACK_MM = 25;

/**
 * Returns the dots per module of a printed code: a whole number, so that no module is rounded.
 * @param size width of the code with its quiet zone, in modules
 * @param widest_mm approximate maximum width of the code, with its quiet zone
 */
export function printedModuleDots(size: number, widest_mm: number): number {
  return Math.max(
    Math.floor((widest_mm * DOTS_PER_MM) / size),
    Math.ceil((QR_BLACK_MM * DOTS_PER_MM) / (size - 2 * QUIET_ZONE)),
  );
}

export function qrPath(content: string): { path: string; size: number } {
  const matrix = qrMatrix(content);
  const path = matrix
    .flatMap((row, y) =>
      row.flatMap((isBlack, x) =>
        isBlack ? [`M${x + QUIET_ZONE} ${y + QUIET_ZONE}h1v1h-1z`] : [],
      ),
    )
    .join("");
  return { path, size: matrix.length + 2 * QUIET_ZONE };
}
