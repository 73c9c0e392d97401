import type { PrintTrouble } from "../../contract/pos/printers.ts";

/** Real-time status requests, answered in the middle of a print: why offline (2), and the paper (4). */
export const ASK_STATUS = Buffer.from([0x10, 0x04, 0x02, 0x10, 0x04, 0x04]);
/** How many bytes answer that. */
export const STATUS_ANSWERS = 2;

/** Bits 0, 1, 4 and 7 are the same in every status byte: whatever differs is something else. */
const FIXED_BITS = 0b1001_0011;
const FIXED_VALUE = 0b0001_0010;

const OFFLINE_COVER = 0b0000_0100;
const OFFLINE_PAPER = 0b0010_0000;
const OFFLINE_FAULT = 0b0100_0000;
const PAPER_END = 0b0110_0000;

export function isStatusByte(byte: number): boolean {
  return (byte & FIXED_BITS) === FIXED_VALUE;
}

/**
 * What a printer's answer to `ASK_STATUS` says is wrong (ESC/POS, DLE EOT n).
 * @param answer the byte why it is offline, then the byte of the paper sensor
 */
export function readStatus(answer: readonly number[]): PrintTrouble | undefined {
  const [offline = FIXED_VALUE, paper = FIXED_VALUE] = answer;
  if ((paper & PAPER_END) !== 0 || (offline & OFFLINE_PAPER) !== 0) return "OUT_OF_PAPER";
  if ((offline & OFFLINE_COVER) !== 0) return "COVER_OPEN";
  return (offline & OFFLINE_FAULT) === 0 ? undefined : "FAULT";
}
