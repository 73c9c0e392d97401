import type { CheckedForLive } from "../../contract/pos/till-environment.ts";
import type { Scope } from "../../db/changes.ts";
import type { Db } from "../../db/database.ts";
import { toTimestamp } from "../../lib/clock.ts";
import { formatPhoneNumber } from "../phone-lookup/index.ts";
import { findPurchases } from "../purchases/index.ts";
import type { UpstreamService } from "../upstream/index.ts";
import { stopping } from "./checked.ts";
import { findNote } from "./notes-store.ts";

interface Deps {
  db: Db;
  upstream: UpstreamService;
}

/**
 * The first live sale through the connected gateway, and its outcome: it arrived, and both wallets are
 * poorer by what it costs (rules#live-first-sale). `state` says how far it is.
 */
export async function checkFirstSale(
  { db, upstream }: Deps,
  scope: Scope,
): Promise<CheckedForLive> {
  const note = await findNote(db, scope.accountId, "FIRST_SALE");
  const { stored } = await upstream.getStatus(scope);
  // Through another gateway nothing was sold yet.
  if (!note || (stored && note.detail.baseUrl !== stored.baseUrl)) return first("NONE");
  const { transactionId, before, after } = note.detail;
  const [purchase] = await findPurchases(db, scope, [transactionId]);
  if (!purchase) return first("NONE");
  const { status, amount: cost, currency, currencyDivisor, error } = purchase.transaction;
  const about = {
    brand: purchase.offer.brandName,
    recipient: formatPhoneNumber(purchase.recipient),
    at: toTimestamp(note.at),
    cost,
    currency,
    currencyDivisor,
  };
  if (status === "FAILED") return first("FAILED", { ...about, reason: error?.message ?? "" });
  if (status !== "DONE" || !after) return first("UNDER_WAY", about);
  const there = before.there - after.there;
  const here = before.here - after.here;
  const isEqual = there === cost && here === cost;
  return first(isEqual ? "GOOD" : "DIFFERS", { ...about, there, here });
}

function first(
  state: "NONE" | "UNDER_WAY" | "FAILED" | "DIFFERS" | "GOOD",
  figures: CheckedForLive["figures"] = {},
): CheckedForLive {
  return stopping("FIRST_SALE", state === "GOOD", { ...figures, state });
}
