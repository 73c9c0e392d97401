import type { PriceChannel } from "../../../contract/pos/prices.ts";
import type { Offer } from "../../../contract/v1/offers.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { reopenDays } from "../../../db/figure-sums.ts";
import { CHANNEL_CODES } from "../../../db/sales-channel.ts";
import { inSameScope, inScope } from "../../../db/scope-filters.ts";
import { type Clock, SECOND } from "../../../lib/clock.ts";
import { withTimeout } from "../../../lib/with-timeout.ts";
import type { Provider, ProviderOf } from "../../../providers/provider.ts";
import { FIRST_PROVIDER, findSupply } from "../../../providers/supply.ts";
import { moveHold } from "../../books/wallet/index.ts";
import {
  type CatalogService,
  providerOf,
  quoteDelivered,
  sumCost,
} from "../../catalog/catalog/index.ts";
import { convertCost, type MayCost } from "../../catalog/prices/index.ts";
import { isBrandPaused } from "./brand-pauses.ts";
import type { NextProvider, Refusal } from "./decision.ts";
import { orderOf, type StoredPurchase } from "./purchase-store.ts";

/** Thrown in the transaction of a move that is not allowed: the next provider is tried. */
export class MoveRefused extends Error {}

const ANSWER_TIMEOUT_MS = 20 * SECOND;

interface Deps {
  db: Db;
  clock: Clock;
  catalog: Pick<CatalogService, "listSuppliers">;
  providerOf: ProviderOf;
  /** rules#price-floor */
  mayCost: MayCost;
}

/** Finds the providers to which a refused purchase can move (rules#purchase-moves). */
export class NextProviders {
  readonly #deps: Deps;
  readonly #offers = new WeakMap<NextProvider, Offer>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Lists the providers that can sell the product, the preferred one first. If the present provider
   * was not reached, these must answer: otherwise the shop itself may have no connection.
   */
  async list(purchase: StoredPurchase, { cause }: Refusal): Promise<NextProvider[]> {
    const { catalog } = this.#deps;
    const { transaction, offer, quote, refusedBy, supply } = purchase;
    const { accountId, environment, currency } = transaction;
    const scope = { accountId, environment };
    const asked = [...refusedBy, supply?.providerId ?? FIRST_PROVIDER];
    const suppliers = await catalog.listSuppliers(scope, offer.offerId);
    const following: NextProvider[] = [];
    for (const other of suppliers) {
      const providerId = providerOf(other);
      const { costBase, costFee, send } = quoteDelivered(other, quote.send);
      const isSame = send === quote.send && other.cost.currency === currency;
      if (asked.includes(providerId) || !isSame) continue;
      const provider = await this.#deps.providerOf({ ...scope, providerId });
      if (!provider) continue;
      const name = await this.#findName(purchase, providerId);
      const next = { name, supply: findSupply(other), costBase, costFee };
      if (cause === "UNREACHED" && !(await this.#answers(provider, purchase, next))) continue;
      this.#offers.set(next, other);
      following.push(next);
    }
    return following;
  }

  /**
   * Checks in the transaction of the move that the owner still allows it.
   * @throws MoveRefused
   */
  async require(
    tx: Tx,
    purchase: StoredPurchase,
    { following, at }: { following: NextProvider; at: number },
  ): Promise<void> {
    const { transaction, offer } = purchase;
    const providerId = following.supply?.providerId ?? FIRST_PROVIDER;
    if (!(await isSelling(tx, transaction, providerId))) {
      throw new MoveRefused("the provider is disconnected or paused");
    }
    if (await isBrandPaused(tx, { ...transaction, brand: offer.brand, providerId })) {
      throw new MoveRefused("the brand is paused");
    }
    const cost = sumCost(following);
    // A sale was allowed at its cost.
    if (cost <= transaction.amount) return;
    const { accountId, environment } = transaction;
    const sold = { accountId, environment, cost, at, ...(await readPrice(tx, purchase)) };
    if (await this.#deps.mayCost(tx, this.#offers.get(following) ?? offer, sold)) return;
    throw new MoveRefused("the price would be below its floor");
  }

  /** Inquires about the purchase, which the provider does not have. */
  async #answers(
    provider: Provider,
    purchase: StoredPurchase,
    { supply }: NextProvider,
  ): Promise<boolean> {
    const order = orderOf({ ...purchase, supply });
    const limit = { timeout_ms: ANSWER_TIMEOUT_MS };
    const ask = (signal: AbortSignal) => provider.inquire(order, signal);
    const answer = await withTimeout(this.#deps.clock, limit, ask).catch(() => undefined);
    return answer?.kind === "not-received" || answer?.kind === "unreadable";
  }

  async #findName({ transaction }: StoredPurchase, providerId: string): Promise<string> {
    const row = await this.#deps.db
      .selectFrom("upstreams")
      .select(["name", "base_url"])
      .where(inScope(transaction))
      .where("provider_id", "=", providerId)
      .executeTakeFirst();
    return row?.name || (row ? new URL(row.base_url).host : providerId);
  }
}

/** A provider without a row is not a connected one, such as the sandbox. */
async function isSelling(tx: Tx, scope: Scope, providerId: string): Promise<boolean> {
  const row = await tx
    .selectFrom("upstreams")
    .select(["key_sealed", "paused_at", "replaced_at"])
    .where(inScope(scope))
    .where("provider_id", "=", providerId)
    .executeTakeFirst();
  if (!row) return providerId === FIRST_PROVIDER;
  return row.key_sealed !== null && row.paused_at === null && row.replaced_at === null;
}

async function readPrice(
  tx: Tx,
  { transaction, quote }: StoredPurchase,
): Promise<{ paid: number; channel: PriceChannel }> {
  const row = await tx
    .selectFrom("purchases as p")
    .leftJoin("sale_lines as l", inSameScope("l", "p", "transaction_id"))
    .select(["p.channel", "l.price", "l.discount"])
    .where(inScope(transaction, "p"))
    .where("p.transaction_id", "=", transaction.transactionId)
    .executeTakeFirstOrThrow();
  const paid = (row.price ?? quote.priceBase + quote.priceFee) - (row.discount ?? 0);
  return { paid, channel: row.channel === CHANNEL_CODES.API ? "API" : "TILL" };
}

/**
 * Writes the move: the hold, the provider and the cost of the purchase, its transaction and its
 * line. The price and the tax stay as they were sold. Reopens the figures of a closed day, which is
 * yesterday at the earliest: a purchase moves within a day of its acceptance.
 * @throws InsufficientFunds before anything is written
 * @returns the fields that changed
 */
export async function writeMove(
  tx: Tx,
  purchase: StoredPurchase,
  { following, held }: { following: NextProvider; held: Parameters<typeof moveHold>[1] },
): Promise<Pick<StoredPurchase, "transaction" | "quote" | "supply" | "refusedBy">> {
  const { costBase, costFee, supply } = following;
  const amount = sumCost(following);
  const refusedBy = [...purchase.refusedBy, purchase.supply?.providerId ?? FIRST_PROVIDER];
  const { transaction } = purchase;
  await moveHold(tx, held, amount);
  await tx
    .updateTable("transactions")
    .set({ amount })
    .where(inScope(transaction))
    .where("transaction_id", "=", transaction.transactionId)
    .execute();
  await reopenDays(tx, transaction, await writeSupply(tx, purchase, { following, refusedBy }));
  return {
    transaction: { ...transaction, amount },
    quote: { ...purchase.quote, costBase, costFee },
    supply,
    refusedBy,
  };
}

/** @returns the time of the sale, in whose figures the cost is */
async function writeSupply(
  tx: Tx,
  { transaction }: StoredPurchase,
  { following, refusedBy }: { following: NextProvider; refusedBy: readonly string[] },
): Promise<number> {
  const { costBase, costFee, supply } = following;
  const { transactionId, currencyDivisor, createdAt } = transaction;
  const row = await tx
    .selectFrom("purchases as p")
    .leftJoin("sale_lines as l", inSameScope("l", "p", "transaction_id"))
    .select(["p.shop_rate", "p.price_currency_divisor", "l.rate", "l.created_at as sold_at"])
    .where(inScope(transaction, "p"))
    .where("p.transaction_id", "=", transactionId)
    .executeTakeFirstOrThrow();
  const divisors = { wallet: currencyDivisor, shop: row.price_currency_divisor };
  const costAt = (rate: string) => convertCost(sumCost(following), rate, divisors);
  await tx
    .updateTable("purchases")
    .set({
      cost_base: costBase,
      cost_fee: costFee,
      provider_id: supply?.providerId ?? null,
      product_id: supply?.productId ?? null,
      refused_by: refusedBy.join(","),
      ...(row.shop_rate !== null && { shop_cost: costAt(row.shop_rate) }),
    })
    .where(inScope(transaction))
    .where("transaction_id", "=", transactionId)
    .execute();
  if (row.rate === null) return createdAt;
  await tx
    .updateTable("sale_lines")
    .set({ cost: costAt(row.rate) })
    .where(inScope(transaction))
    .where("transaction_id", "=", transactionId)
    .execute();
  return Math.min(createdAt, row.sold_at ?? createdAt);
}
