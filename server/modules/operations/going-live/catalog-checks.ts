import type { CheckedForLive } from "../../../contract/pos/till-environment.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db } from "../../../db/database.ts";
import { type Clock, DAY, toTimestamp } from "../../../lib/clock.ts";
import { Exact } from "../../../lib/money.ts";
import { getBalances } from "../../books/wallet/index.ts";
import type { CatalogService } from "../../catalog/catalog/index.ts";
import { findBelowCost, type PriceReader } from "../../catalog/prices/index.ts";
import type { UpstreamService } from "../../providers/upstream/index.ts";
import type { ReferenceRates, ShopService } from "../../shop/shop/index.ts";
import { stopping, warning } from "./checked.ts";
import { findNote } from "./notes-store.ts";

interface Deps {
  db: Db;
  clock: Clock;
  shop: ShopService;
  catalog: CatalogService;
  prices: Pick<PriceReader, "read">;
  upstream: UpstreamService;
  rates: ReferenceRates;
}

/** Offers below cost that are named; the page of prices lists all of them. */
const EXAMPLES_SHOWN = 5;
const RATE_KEPT_MS = 7 * DAY;
const FARTHEST_FROM_REFERENCE = 0.05;
/** The reference comes with the program: an old one is no reason to stop a shop. */
const REFERENCE_KEPT_MS = 30 * DAY;

/** What can be sold, and at which prices. */
export async function checkCatalog(
  { db, clock, prices, upstream, catalog }: Deps,
  scope: Scope,
  country: string,
): Promise<CheckedForLive[]> {
  const { stored } = await upstream.getStatus(scope);
  const reason = stored?.syncFailure?.message ?? "";
  if (stored?.syncedAt === undefined) return [stopping("CATALOG_SYNCED", false, { reason })];
  const { offers } = await catalog.getSnapshot(scope);
  const enabled = offers.filter((offer) => offer.enabled);
  const inForce = await prices.read(db, scope, clock.now());
  const below = await findBelowCost(enabled, inForce);
  const example = below.slice(0, EXAMPLES_SHOWN).join(", ");
  const leftOut = stored.syncReport?.leftOutCount ?? 0;
  const unread = (stored.syncReport?.unread ?? []).map((one) => `${one.part}: ${one.reason}`);
  const isHere = country === "" || enabled.some((offer) => offer.country === country);
  return [
    stopping("CATALOG_SYNCED", true),
    stopping("CATALOG_HAS_OFFERS", enabled.length > 0, { offers: enabled.length }),
    stopping("PRICES_COVER_COST", below.length === 0, { offers: below.length, example }),
    stopping("CATALOG_FOR_COUNTRY", isHere, { country }),
    warning("CATALOG_COMPLETE", leftOut === 0 && reason === "" && unread.length === 0, {
      leftOut,
      reason: [reason, ...unread].filter((text) => text !== "").join("; "),
    }),
  ];
}

/** What an owner reads before the tills sell by it: the provider's report, and the prices made of it. */
export async function checkCatalogRead(
  { db, clock, prices, upstream }: Deps,
  scope: Scope,
): Promise<CheckedForLive[]> {
  const { stored } = await upstream.getStatus(scope);
  if (stored?.syncedAt === undefined) return [];
  const { accountId } = scope;
  const read = await findNote(db, accountId, "SYNC_READ");
  const seen = await findNote(db, accountId, "PRICES_SEEN");
  const sums = Object.values(stored.syncReport?.sections ?? {});
  const offers = sums.reduce((sum, { added, changed }) => sum + added + changed, 0);
  const { version } = await prices.read(db, scope, clock.now());
  return [
    stopping("SYNC_READ", read?.detail.baseUrl === stored.baseUrl, {
      offers,
      leftOut: stored.syncReport?.leftOutCount ?? 0,
    }),
    // Without a list of the shop's own every price is the suggested one.
    stopping("PRICES_SEEN", version === 0 || seen?.detail.version === version, { version }),
  ];
}

/** Whether a shop may go live with a rate of that age; the clock may have been put back since. */
export function isRateRecent(setAt: number, now: number): boolean {
  return Math.abs(now - setAt) <= RATE_KEPT_MS;
}

/** A shop that is paid in the wallet's own currency needs no rate. */
export async function checkRate(
  { db, clock, shop, rates }: Deps,
  accountId: string,
): Promise<CheckedForLive[]> {
  const { currency, rate, rateSetAt } = await shop.get(accountId);
  const wallet = await getBalances(db, { accountId, environment: "live" });
  if (currency === wallet.currency) return [];
  const figures = { rate, date: toTimestamp(rateSetAt).slice(0, 10) };
  const isRecent = isRateRecent(rateSetAt, clock.now());
  const reference = rates.rates[currency];
  const checks = [stopping("RATE_RECENT", isRecent, figures)];
  if (reference === undefined || rates.base !== wallet.currency) return checks;
  const apart = new Exact(rate).div(reference).sub(1).abs();
  const known = { rate, reference, date: rates.date };
  const isOfNow = Math.abs(clock.now() - Date.parse(rates.date)) <= REFERENCE_KEPT_MS;
  const isNear = apart.lte(FARTHEST_FROM_REFERENCE);
  // That a rate is near an old reference says nothing of it now.
  if (!isOfNow && isNear) return checks;
  const check = isOfNow ? stopping : warning;
  return [...checks, check("RATE_NEAR_REFERENCE", isNear, known)];
}
