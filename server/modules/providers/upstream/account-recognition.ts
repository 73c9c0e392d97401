import { FAMILIES } from "../../../contract/pos/families.ts";
import { Problem } from "../../../contract/problem.ts";
import type { Db, Tx } from "../../../db/database.ts";
import type { Clock } from "../../../lib/clock.ts";
import { askInTime } from "../../../providers/ask-in-time.ts";
import type { Provider } from "../../../providers/provider.ts";
import { FIRST_PROVIDER } from "../../../providers/supply.ts";
import {
  findPurchases,
  listInDoubt,
  listPurchases,
  orderOf,
  type StoredPurchase,
} from "../../purchases/purchases/index.ts";
import { listUnderRefund } from "../../purchases/refunds/index.ts";
import type { ProviderRef } from "./upstream-store.ts";

/** Maximum number of purchases of each kind that a provider is queried for. */
const QUERIED = 3;

/** Answers that only the account of the purchase gets. */
const KNOWN = ["fulfilled", "rejected", "working", "recoverable"];

/** Lists purchases that the provider's account must know: in doubt, or with an open refund. */
export async function listOpenAtProvider(db: Db | Tx, scope: ProviderRef): Promise<string[]> {
  return [...(await listInDoubt(db, scope, QUERIED)), ...(await listUnderRefund(db, scope))];
}

/**
 * Refuses other credentials of the connected provider if they may belong to another account while
 * outcomes are open: that account never received the purchases, so they would be submitted and
 * delivered again. The account is recognised by a purchase that it knows.
 * @param provider the provider with the new credentials
 * @throws Problem INVALID_REQUEST naming `key`
 */
export async function requireSameAccount(
  { db, clock }: { db: Db; clock: Clock },
  scope: ProviderRef,
  provider: Provider,
): Promise<void> {
  const open = await listOpenAtProvider(db, scope);
  if (open.length === 0) return;
  const delivered = await listPurchases(
    db,
    scope,
    { status: "DONE", productTypes: [...FAMILIES] },
    { limit: QUERIED, offset: 0 },
  );
  const isOfIt = ({ supply }: StoredPurchase) =>
    (supply?.providerId ?? FIRST_PROVIDER) === scope.providerId;
  const purchases = [
    ...delivered.list.filter(isOfIt),
    ...(await findPurchases(db, scope, open.slice(0, 2 * QUERIED))),
  ];
  for (const purchase of purchases) {
    if (await isKnown(clock, provider, purchase)) return;
  }
  throw new Problem(
    "INVALID_REQUEST",
    `${open.length} purchases or refunds are still under way, and the account of these credentials does not know them. Connect another account when they are finished: within 24 hours.`,
    { key: "must belong to the same account until they are finished" },
  );
}

async function isKnown(
  clock: Clock,
  provider: Provider,
  purchase: StoredPurchase,
): Promise<boolean> {
  try {
    const answer = await askInTime(clock, (signal) => provider.inquire(orderOf(purchase), signal));
    return KNOWN.includes(answer.kind);
  } catch {
    return false;
  }
}
