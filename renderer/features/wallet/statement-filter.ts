import { addressOf } from "../../../server/contract/pos/operation.ts";
import {
  POSTING_KINDS,
  type PostingKind,
  walletOfficeOperations,
} from "../../../server/contract/pos/wallet-office.ts";
import type { OfficeSearch } from "../../lib/office-section.ts";

/** Both days are set, or neither. */
export interface StatementFilter {
  readonly kind?: PostingKind | undefined;
  readonly firstDay?: string | undefined;
  readonly lastDay?: string | undefined;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const FILE_DAYS = 30;
const DAY_MS = 24 * 60 * 60 * 1000;

/** A single day is the first and the last day. */
export function filterOf({ kind, from, to }: OfficeSearch): StatementFilter {
  const known = POSTING_KINDS.find((one) => one === kind);
  const [begin, end] = [from, to].map((day) => (DAY.test(day ?? "") ? day : undefined));
  const [first, last] = [begin ?? end, end ?? begin];
  const isTurned = first !== undefined && last !== undefined && last < first;
  return { kind: known, firstDay: isTurned ? last : first, lastDay: isTurned ? first : last };
}

/**
 * Without days, the file covers the last thirty days.
 * @param today in the shop's time zone, such as 2026-01-31
 */
export function fileOf(
  { kind, firstDay, lastDay }: StatementFilter,
  today: string,
): { readonly address: string; readonly firstDay: string; readonly lastDay: string } {
  const earliest = new Date(Date.parse(today) - (FILE_DAYS - 1) * DAY_MS);
  const first = firstDay ?? earliest.toISOString().slice(0, 10);
  const last = lastDay ?? today;
  const query = new URLSearchParams({
    ...(kind && { kind }),
    firstDay: first,
    lastDay: last,
  });
  const address = `${addressOf(walletOfficeOperations.exportStatement)}?${query.toString()}`;
  return { address, firstDay: first, lastDay: last };
}
