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

/** Returns the black dots as one SVG path, one unit per dot, with the quiet zone. */
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
