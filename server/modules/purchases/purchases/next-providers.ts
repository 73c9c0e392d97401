import type { PriceChannel } from "../../../contract/pos/prices.ts";
import type { Offer } from "../../../contract/v1/offers.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Tx } from "../../../db/database.ts";
import { reopenDays } from "../../../db/figure-sums.ts";
import { CHANNEL_CODES } from "../../../db/sales-channel.ts";
import { inSameScope, inScope } from "../../../db/scope-filters.ts";
import { SECOND } from "../../../lib/clock.ts";
import { withTimeout } from "../../../lib/with-timeout.ts";
import type { Provider, ProviderOf } from "../../../providers/provider.ts";
import { FIRST_PROVIDER, findSupply } from "../../../providers/supply.ts";
import { findTransaction, StaleTransition } from "../../books/transactions/index.ts";
import { InsufficientFunds, moveHold, notePart } from "../../books/wallet/index.ts";
import {
  type CatalogService,
  providerOf,
  quoteDelivered,
  sumCost,
} from "../../catalog/catalog/index.ts";
import { convertCost, type MayCost } from "../../catalog/prices/index.ts";
import type { Base } from "../../module.ts";
import { isBrandPaused } from "./brand-pauses.ts";
import type { NextProvider, PurchaseEvent, Refusal } from "./decision.ts";
import { orderOf, type StoredPurchase } from "./purchase-store.ts";
import { MOVED_TO } from "./refusals.ts";
import { addRefusals } from "./retry-policy.ts";

/** Thrown in the transaction of a move that is not allowed: the next provider is tried. */
export class MoveRefused extends Error {}

const ANSWER_TIMEOUT_MS = 20 * SECOND;

interface Deps extends Pick<Base, "db" | "transactor" | "clock" | "log"> {
  catalog: Pick<CatalogService, "listSuppliers">;
  providerOf: ProviderOf;
  /** rules#price-floor */
  mayCost: MayCost;
  upstream: {
    /** Reads the balance at a provider again, because it does not cover the cost. */
    recheckBalance(ref: Scope & { providerId: string }, cost: number): Promise<void>;
  };
}

/** The provider at which a purchase starts instead of its own, and the reason for the log. */
export interface StartElsewhere {
  following: NextProvider;
  moved: string;
}

interface Steps {
  /** @throws InsufficientFunds if only the provider's part of the wallet is too small; MoveRefused */
  startAt(move?: StartElsewhere): Promise<boolean>;
  /** Ends the purchase for the short balance at its provider, which has this name. */
  refuse(provider: string): Promise<boolean>;
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
  async list(purchase: StoredPurchase, { cause }: Pick<Refusal, "cause">): Promise<NextProvider[]> {
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
      const name = await this.#findName(scope, providerId);
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

  /**
   * Replaces the provider of a purchase that was never sent, and for which no money is held.
   * @throws MoveRefused, StaleTransition before anything is written
   */
  async replace(
    tx: Tx,
    purchase: StoredPurchase,
    { following, at }: { following: NextProvider; at: number },
  ): Promise<StoredPurchase> {
    const { transaction, refusedBy } = purchase;
    // Another process may have started the purchase at its own provider.
    const now = await findTransaction(tx, transaction);
    if (now?.status !== transaction.status) throw new StaleTransition("the purchase has started");
    await this.require(tx, purchase, { following, at });
    return { ...purchase, ...(await writeProvider(tx, purchase, { following, refusedBy })) };
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

  /**
   * Repeats work once if only a provider's part of the wallet was too small for it: the owner may
   * have paid the provider since its balance was read.
   */
  async retryShort<Result>(
    { accountId, environment }: Scope,
    work: () => Promise<Result>,
  ): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof InsufficientFunds) || error.providerId === undefined) throw error;
      const { providerId, available, shortBy } = error;
      const ref = { accountId, environment, providerId };
      await this.#deps.upstream.recheckBalance(ref, available + shortBy);
    }
    return work();
  }

  /**
   * Starts a purchase that exceeds its provider's part of the wallet at the next provider
   * (rules#wallet-parts).
   */
  async startElsewhere(purchase: StoredPurchase, { startAt, refuse }: Steps): Promise<boolean> {
    const { transactor, log } = this.#deps;
    const { transaction, supply, attemptState } = purchase;
    const { accountId, transactionId } = transaction;
    if (attemptState !== "NONE") {
      // It is from a backup: its provider may have the order and its money.
      await transactor.transact(accountId, (tx: Tx) => this.#forgetBalance(tx, purchase));
      return startAt();
    }
    const provider = await this.#findName(transaction, supply?.providerId ?? FIRST_PROVIDER);
    for (const following of await this.list(purchase, { cause: "FUNDS_SHORT" })) {
      const moved = `The balance at ${provider} does not cover the cost${MOVED_TO}${following.name}`;
      try {
        return await this.retryShort(transaction, () => startAt({ following, moved }));
      } catch (error) {
        if (!(error instanceof MoveRefused || error instanceof InsufficientFunds)) throw error;
        log.info({ err: error, transactionId }, "a purchase does not start at another provider");
      }
    }
    return refuse(provider);
  }

  /** Lets the provider decide about the purchase: its stated balance is not known for certain. */
  async #forgetBalance(tx: Tx, { transaction, supply }: StoredPurchase): Promise<void> {
    const { accountId, environment } = transaction;
    const { providerId = FIRST_PROVIDER } = supply ?? {};
    await notePart(tx, { accountId, environment, providerId }, undefined);
  }

  /** Adds the provider's name to its refusal for a short balance. */
  async nameShort(purchase: StoredPurchase, event: PurchaseEvent): Promise<PurchaseEvent> {
    const answer = "answer" in event ? event.answer : undefined;
    if (answer?.kind !== "rejected" || answer.cause !== "FUNDS_SHORT") return event;
    const { transaction, supply } = purchase;
    const name = await this.#findName(transaction, supply?.providerId ?? FIRST_PROVIDER);
    const message = `The balance at ${name} does not cover the cost. ${answer.message}`;
    return { ...event, answer: { ...answer, message } } as PurchaseEvent;
  }

  /** Returns the owner's name of a provider. */
  async #findName({ accountId, environment }: Scope, providerId: string): Promise<string> {
    const row = await this.#deps.db
      .selectFrom("upstreams")
      .select(["name", "base_url"])
      .where(inScope({ accountId, environment }))
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

type Moved = Pick<StoredPurchase, "transaction" | "quote" | "supply" | "refusedBy">;

/**
 * Writes the move: the hold, the provider and the cost. The price and the tax stay as they were
 * sold. Reopens the figures of a closed day, which is yesterday at the earliest: a purchase moves
 * within a day of its acceptance.
 * @throws InsufficientFunds before anything is written
 */
export async function writeMove(
  tx: Tx,
  purchase: StoredPurchase,
  { following, held }: { following: NextProvider; held: Parameters<typeof moveHold>[1] },
): Promise<Moved> {
  const { supply } = following;
  const amount = sumCost(following);
  const refusedBy = addRefusals(purchase, purchase.supply?.providerId ?? FIRST_PROVIDER);
  await moveHold(tx, held, { amount, providerId: supply?.providerId ?? FIRST_PROVIDER });
  return writeProvider(tx, purchase, { following, refusedBy });
}

/**
 * Writes the provider and the cost of the purchase, its transaction and its line.
 * @returns the fields that changed
 */
async function writeProvider(
  tx: Tx,
  purchase: StoredPurchase,
  { following, refusedBy }: { following: NextProvider; refusedBy: readonly string[] },
): Promise<Moved> {
  const { costBase, costFee, supply } = following;
  const amount = sumCost(following);
  const { transaction } = purchase;
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
      ...(refusedBy.length > 0 && { refused_by: refusedBy.join(",") }),
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
