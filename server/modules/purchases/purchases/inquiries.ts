import { type Clock, MINUTE } from "../../../lib/clock.ts";
import type { Log } from "../../../lib/log.ts";
import { TimeoutError, withTimeout } from "../../../lib/with-timeout.ts";
import type { Provider, ProviderAnswer } from "../../../providers/provider.ts";
import { orderOf, type StoredPurchase } from "./purchase-store.ts";

const INQUIRY_TIMEOUT_MS = MINUTE;

/** Queries a purchase's status. Returns undefined if the provider does not answer. */
export async function inquireAbout(
  { clock, log }: { clock: Clock; log: Log },
  provider: Provider,
  purchase: StoredPurchase,
): Promise<ProviderAnswer | undefined> {
  const { inquiry = "by-key" } = provider.capabilities ?? {};
  if (inquiry === "none") return UNANSWERABLE;
  try {
    const answer = await withTimeout(clock, { timeout_ms: INQUIRY_TIMEOUT_MS }, (signal) =>
      provider.inquire(orderOf(purchase), signal),
    );
    const isUnlisted = answer.kind === "not-received" && inquiry === "by-listing";
    return isUnlisted ? { ...answer, ...UNLISTED } : answer;
  } catch (error) {
    if (error instanceof TimeoutError) return undefined;
    const { transactionId } = purchase.transaction;
    log.warn({ err: error, transactionId }, "a provider did not answer an inquiry");
    return undefined;
  }
}

/** The answer for a provider without inquiries: it never permits another submission. */
const UNANSWERABLE: ProviderAnswer = {
  kind: "unreadable",
  message: "the provider answers no inquiries",
};

/** An order that is missing in a list may still be under way: it is never submitted again. */
const UNLISTED = {
  kind: "unreadable",
  message: "the provider's list does not have the order",
} as const;
