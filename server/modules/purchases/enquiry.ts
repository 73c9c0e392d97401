import { type Clock, MINUTE } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";
import { TimeoutError, withTimeout } from "../../lib/with-timeout.ts";
import type { ProviderAnswer, Supplier } from "../../suppliers/supplier.ts";
import { orderOf, type StoredPurchase } from "./purchase-store.ts";

/** A provider that leaves a query open this long has not answered it. */
const ENQUIRY_TIMEOUT_MS = MINUTE;

/** Queries a provider for the outcome of a purchase; undefined when it does not say. */
export async function enquire(
  supplier: Supplier,
  purchase: StoredPurchase,
  { clock, log }: { clock: Clock; log: Log },
): Promise<ProviderAnswer | undefined> {
  try {
    return await withTimeout(clock, { timeout_ms: ENQUIRY_TIMEOUT_MS }, (signal) =>
      supplier.enquire(orderOf(purchase), signal),
    );
  } catch (error) {
    if (error instanceof TimeoutError) return undefined;
    const { transactionId } = purchase.transaction;
    log.warn({ err: error, transactionId }, "a provider did not answer a question");
    return undefined;
  }
}
