import { createHash } from "node:crypto";
import type { BillPayOffer } from "../contract/v1/offers.ts";

/** Accounts that end so are unknown to the sandbox's billers. */
const UNKNOWN = "9001";
/** Bills are at most this many times the least that can be paid. */
const LARGEST = 10;

/**
 * What is due on a bill of the sandbox, minor units of the send currency: always the same for the
 * same account, in whole major units, within what the offer pays. Undefined when there is no bill.
 */
export function billDue(
  offer: BillPayOffer,
  fields: Readonly<Record<string, string>>,
): number | undefined {
  const entries = Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1));
  if (entries.some(([, value]) => value.endsWith(UNKNOWN))) return undefined;
  const { fixed, min = 0, max = 0, currencyDivisor } = offer.send;
  if (fixed !== undefined) return fixed;
  const digest = createHash("sha256")
    .update(JSON.stringify([offer.offerId, entries]))
    .digest();
  const share = digest.readUInt32BE(0) / 2 ** 32;
  const highest = Math.min(max, min * LARGEST);
  const due = Math.round((min + share * (highest - min)) / currencyDivisor) * currencyDivisor;
  return Math.min(Math.max(due, min), max);
}
