import { type Clock, MINUTE } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";
import type { Outcome, Supplier } from "../../suppliers/supplier.ts";
import { orderOf, type StoredPurchase } from "./purchase-store.ts";

/** A provider that leaves a query open this long has not answered it. */
const PATIENCE_MS = MINUTE;

/** Queries a provider for the outcome of a purchase; undefined when it does not say. */
export async function enquire(
  supplier: Supplier,
  purchase: StoredPurchase,
  { clock, log }: { clock: Clock; log: Log },
): Promise<Outcome | undefined> {
  const abort = new AbortController();
  const silence = new Promise<undefined>((resolve) => {
    abort.signal.addEventListener("abort", () => resolve(undefined), { once: true });
  });
  const cancel = clock.wakeAt(clock.now() + PATIENCE_MS, () => abort.abort());
  try {
    return await Promise.race([supplier.enquire(orderOf(purchase), abort.signal), silence]);
  } catch (error) {
    const { transactionId } = purchase.transaction;
    log.warn({ err: error, transactionId }, "a provider did not answer a question");
    return undefined;
  } finally {
    cancel();
  }
}
