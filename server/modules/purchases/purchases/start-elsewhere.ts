import type { Tx } from "../../../db/database.ts";
import type { Transactor } from "../../../db/transactor.ts";
import type { Clock } from "../../../lib/clock.ts";
import type { Log } from "../../../lib/log.ts";
import { FIRST_PROVIDER } from "../../../providers/supply.ts";
import { InsufficientFunds } from "../../books/wallet/index.ts";
import { fundsShort } from "./commit-decision.ts";
import type { NextProvider, PurchaseEvent } from "./decision.ts";
import { MoveRefused, type NextProviders } from "./next-providers.ts";
import type { StoredPurchase } from "./purchase-store.ts";
import { MOVED_TO } from "./refusals.ts";

/** The provider at which a purchase starts instead of its own, and the reason for the log. */
export interface StartElsewhere {
  following: NextProvider;
  moved: string;
}

interface Deps {
  transactor: Transactor;
  clock: Clock;
  log: Log;
  nextProviders: NextProviders;
}

interface Steps {
  /** @throws InsufficientFunds if only the provider's part of the wallet is too small; MoveRefused */
  startAt(move?: StartElsewhere): Promise<boolean>;
  take(event: PurchaseEvent): Promise<boolean>;
}

/**
 * Starts a purchase that exceeds its provider's part of the wallet at the next provider
 * (rules#wallet-parts).
 */
export async function startElsewhere(
  { transactor, clock, log, nextProviders }: Deps,
  { purchase, short }: { purchase: StoredPurchase; short: InsufficientFunds },
  { startAt, take }: Steps,
): Promise<boolean> {
  const { transaction, supply, attemptState } = purchase;
  const { accountId, transactionId } = transaction;
  if (attemptState !== "NONE") {
    // It is from a backup: its provider may have the order and its money.
    await transactor.transact(accountId, (tx: Tx) => nextProviders.forgetBalance(tx, purchase));
    return startAt();
  }
  const provider = await nextProviders.findName(transaction, supply?.providerId ?? FIRST_PROVIDER);
  for (const following of await nextProviders.list(purchase, { cause: "FUNDS_SHORT" })) {
    const moved = `The balance at ${provider} does not cover the cost${MOVED_TO}${following.name}`;
    try {
      return await nextProviders.retryShort(transaction, () => startAt({ following, moved }));
    } catch (error) {
      if (!(error instanceof MoveRefused || error instanceof InsufficientFunds)) throw error;
      log.info({ err: error, transactionId }, "a purchase does not start at another provider");
    }
  }
  return take(fundsShort(purchase, clock.now(), { short, provider }));
}
