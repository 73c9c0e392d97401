import type { Rights } from "../../../contract/pos/rights.ts";
import type {
  PosWallet,
  WalletCheck,
  WalletCheckInput,
  WalletLevel,
} from "../../../contract/pos/wallet.ts";
import { Problem } from "../../../contract/problem.ts";
import type { Scope } from "../../../db/changes.ts";
import { DAY, MINUTE } from "../../../lib/clock.ts";
import { getBalances, spentSince } from "../../books/wallet/index.ts";
import { type CatalogService, sumCost } from "../../catalog/catalog/index.ts";
import { CounterCatalog, priceAtCounter } from "../../catalog/counter-catalog/index.ts";
import type { Base } from "../../module.ts";
import { readTerms, type ShopService } from "../../shop/shop/index.ts";
import { aboutInShop, findShort, type SalesScope } from "../sales/index.ts";

interface WalletReachDeps extends Pick<Base, "db" | "clock"> {
  catalog: CatalogService;
  shop: ShopService;
}

interface WalletReader extends SalesScope {
  rights: Pick<Rights, "seeExpectedCash">;
}

const AVERAGE_DAYS = 7;
/** Time for which a daily average is cached, because it changes slowly. */
const USUAL_DAY_MS = 10 * MINUTE;
/** A wallet that covers fewer usual top-ups than this is low (rules#wallet-low). */
const MIN_TOPUPS = 5;

/**
 * Checks the spendable balance before the customer is asked for money (rules#wallet-reach). The
 * sale repeats the check.
 */
export class WalletReach {
  readonly #deps: WalletReachDeps;
  readonly #usualDays = new Map<string, { amount: number; at: number }>();

  constructor(deps: WalletReachDeps) {
    this.#deps = deps;
  }

  /** Includes figures only for readers with the permission for figures. */
  async view(looker: WalletReader): Promise<PosWallet> {
    const { db } = this.#deps;
    const { environment, training, rights } = looker;
    const catalog = CounterCatalog.of(await this.#deps.catalog.getSnapshot(looker));
    const balances = await getBalances(db, looker);
    const { available, held, currency, currencyDivisor } = balances;
    const level = training ? "enough" : await this.#getLevel(looker, catalog, available);
    return {
      environment,
      level,
      paysBelow: catalog.countPayable(training ? Number.POSITIVE_INFINITY : available),
      ...(level !== "enough" && {
        short: aboutInShop(balances, await readTerms(db, looker.accountId)),
      }),
      ...(rights.seeExpectedCash && { figures: { available, held, currency, currencyDivisor } }),
    };
  }

  /** Checks whether the balance covers the lines. Ignores lines without a price. */
  async check(scope: SalesScope, { lines }: WalletCheckInput): Promise<WalletCheck> {
    const { db, catalog } = this.#deps;
    if (scope.training) return {};
    const snapshot = await catalog.getSnapshot(scope);
    let cost = 0;
    for (const { offerId, value } of lines) {
      try {
        const offer = await catalog.getAnyOfferForSale(scope, offerId);
        cost += sumCost(priceAtCounter(snapshot, offer, value).quote);
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
      }
    }
    const short = await findShort(db, scope, cost);
    return short ? { short } : {};
  }

  async #getLevel(scope: Scope, catalog: CounterCatalog, available: number): Promise<WalletLevel> {
    const country = (await this.#deps.shop.find(scope.accountId))?.country ?? "";
    const { least = 0, usual = 0 } = catalog.getUsualCosts(country) ?? {};
    if (available < Math.max(least, 1)) return "empty";
    const enough = Math.max(MIN_TOPUPS * usual, await this.#readUsualDay(scope));
    return available < enough ? "low" : "enough";
  }

  async #readUsualDay({ accountId, environment }: Scope): Promise<number> {
    const { db, clock } = this.#deps;
    const now = clock.now();
    const key = `${accountId} ${environment}`;
    const known = this.#usualDays.get(key);
    // Uses the absolute difference, because the clock may have been set back.
    if (known && Math.abs(now - known.at) < USUAL_DAY_MS) return known.amount;
    const spent = await spentSince(db, { accountId, environment }, now - AVERAGE_DAYS * DAY);
    const amount = Math.floor(spent / AVERAGE_DAYS);
    this.#usualDays.set(key, { amount, at: now });
    return amount;
  }
}
