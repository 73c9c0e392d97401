import type { VoucherDetails } from "../../../../server/contract/pos/sale-lines.ts";
import type { Paper } from "../../../lib/print-settings.ts";
import { code128, QUIET_UNITS } from "./code-128.ts";

/** Dots of a printing head: eight a millimetre on nearly every receipt printer. */
export const DOTS_PER_MM = 8;

/** What is printed of a paper's width, in dots; a sheet has room for more than a scanner reads at once. */
export const ROOM_DOTS: Readonly<Record<Paper, number>> = { "58mm": 384, "80mm": 576, A4: 576 };

/** Of a bar's unit: thinner ones run together on thermal paper, wider ones are no easier to read. */
const UNIT_DOTS = { least: 2, most: 4 };

export interface BarsOnPaper {
  /** Bars and spaces in turn, beginning with a bar, in dots. */
  readonly widths: readonly number[];
  /** With the white at both ends that a scanner needs. */
  readonly totalDots: number;
}

/**
 * The bars of what a scanner reads, as wide as the paper has room for; undefined for what is too long
 * for it, or has letters that bars have not: that is a QR code.
 */
export function barsOf(content: string, roomDots: number): BarsOnPaper | undefined {
  const widths = code128(content);
  if (!widths) return undefined;
  const units = widths.reduce((sum, one) => sum + one, 2 * QUIET_UNITS);
  const unit = Math.min(UNIT_DOTS.most, Math.floor(roomDots / units));
  return unit < UNIT_DOTS.least
    ? undefined
    : { widths: widths.map((width) => width * unit), totalDots: units * unit };
}

/**
 * Whether a voucher's PIN is read by a cash desk's scanner: the delivery type of the product says so,
 * and nothing says of which kind its barcode is.
 */
export function isScanned({ deliveryType, epin }: VoucherDetails): boolean {
  return deliveryType === "BARCODE" && epin !== "";
}
