import { isDeepStrictEqual } from "node:util";
import type { Environment } from "../../../contract/common.ts";
import type { FigureChannel } from "../../../contract/pos/figures.ts";
import { Problem } from "../../../contract/problem.ts";
import type { ProductFamily } from "../../../contract/v1/offers.ts";
import type { PurchaseAccepted } from "../../../contract/v1/purchase-record.ts";
import { businessTime, readTimeAhead } from "../../../db/business-time.ts";
import type { Scope } from "../../../db/changes.ts";
import { readSnapshot, type Tx } from "../../../db/database.ts";
import { readAhead } from "../../../db/group-memory.ts";
import { ListTotals } from "../../../db/list-totals.ts";
import { noteInTransaction } from "../../../db/transaction-scope.ts";
import { REPEATABLE } from "../../../db/transactor.ts";
import { enqueueJob } from "../../../jobs/job-store.ts";
import type { ProviderOf } from "../../../providers/provider.ts";
import { ANY_PROVIDER, findSupply } from "../../../providers/supply.ts";
import {
  createTransaction,
  findTransaction,
  type NewTransaction,
  type Page,
  subjectOf,
  type TransactionFilter,
} from "../../books/transactions/index.ts";
import { getBalances, InsufficientFunds } from "../../books/wallet/index.ts";
import type { CatalogService, PricedScope } from "../../catalog/catalog/index.ts";
import { calculateLineCost, findNewest, type RequireFloor } from "../../catalog/prices/index.ts";
import type { Base } from "../../module.ts";
import { requirePilot } from "../../shop/pilots/index.ts";
import type { BillService } from "../billpay/index.ts";
import { AcceptedNote } from "./accepted-purchases.ts";
import { createStarted } from "./commit-decision.ts";
import { insufficientFunds } from "./decision.ts";
import type { LineToBuy } from "./families/family.ts";
import { PURCHASED_FAMILIES } from "./families/index.ts";
import type { PurchaseEngine } from "./purchase-engine.ts";
import {
  findPurchase,
  isOf,
  listPurchases,
  type PurchaseOf,
  type StoredPurchase,
} from "./purchase-store.ts";
import { ADVANCE_JOB, createPurchase, type NewPurchase } from "./purchase-writes.ts";

interface Deps extends Pick<Base, "db" | "transactor" | "watch" | "clock"> {
  catalog: CatalogService;
  bills: BillService;
  providerOf: ProviderOf;
  /** rules#price-floor */
  requireFloor: RequireFloor;
  starter: Pick<PurchaseEngine, "mayStart" | "isAdmitted">;
}

interface CreateOptions {
  training?: boolean;
  /** The till by default. */
  channel?: FigureChannel;
  /** Whether the first attempt may be stored with the acceptance. */
  mayStart?: boolean;
}

function toTransaction(
  { accountId, environment, transactionId, offer, quote }: NewPurchase,
  { training, at }: { training: boolean; at: number },
): NewTransaction {
  const { productType, cost: unit } = offer;
  const amount = quote.costBase + quote.costFee;
  const ref = { accountId, environment, transactionId };
  return { ...ref, type: "DEBIT", productType, amount, unit, training, at };
}

/** Rolls back the transaction in which a quote is checked. */
class CheckedQuote extends Error {}

function refuseWithoutProvider(environment: Environment): Problem {
  return new Problem(
    "PROVIDER_NOT_CONFIGURED",
    `No provider is connected to the ${environment} environment. Nothing was charged.`,
  );
}

/** Returns an accepted purchase as the database would return it. */
function toAccepted(purchase: NewPurchase, transaction: NewTransaction): StoredPurchase {
  const { unit, at, training = false, ...ref } = transaction;
  const { offer, recipient, value, extras, quote } = purchase;
  const { costBase, costFee, priceBase, priceFee, send } = quote;
  return {
    transaction: {
      ...ref,
      status: "ACCEPTED",
      currency: unit.currency,
      currencyDivisor: unit.currencyDivisor,
      createdAt: at,
      updatedAt: at,
      finishedAt: undefined,
      error: undefined,
      errorFigures: {},
      needsReconciliation: false,
      training,
      log: [],
    },
    offer,
    recipient,
    value,
    extras,
    quote: { costBase, costFee, priceBase, priceFee, send },
    fulfilment: undefined,
    withheld: undefined,
    refundStatus: undefined,
    attempts: 0,
    attemptState: "NONE",
    nextAttemptAt: undefined,
    unknownFor_ms: 0,
    doubt: "NONE",
    deviations: [],
    supply: findSupply(offer),
    refusedBy: [],
    mayHaveMoved: false,
  };
}

/**
 * Returns whether a request buys the same as a stored purchase. Prepares the request with the
 * stored purchase's offer and bill, because these may now be deleted, hidden or repriced.
 */
async function isRepeatOf(
  first: StoredPurchase,
  family: ProductFamily,
  input: unknown,
): Promise<boolean> {
  const { offer, transaction, extras } = first;
  const isOfIt = (input as { offerId?: unknown }).offerId === offer.offerId;
  if (!isOfIt || !isOf(family, first) || transaction.training) return false;
  const deps = {
    catalog: { getOfferForSale: async () => offer as never },
    bills: { checkPayment: async () => extras.billDue },
  };
  const { accountId, environment } = transaction;
  const again = PURCHASED_FAMILIES[family].prepare(deps, { accountId, environment }, input);
  // A request that cannot be prepared with the same offer is a different purchase.
  const purchase = await again.catch(() => undefined);
  return purchase !== undefined && isSamePurchase(purchase, first);
}

function isSamePurchase(one: NewPurchase, other: StoredPurchase): boolean {
  return (
    one.recipient === other.recipient &&
    one.value?.type === other.value?.type &&
    one.value?.value === other.value?.value &&
    isDeepStrictEqual(JSON.parse(JSON.stringify(one.extras)), other.extras)
  );
}

export class PurchaseService {
  readonly #deps: Deps;
  readonly #totals = new ListTotals();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Checks a purchase, and a bill payment against its retrieved bill. Writes nothing.
   * @param input body of `POST /<family>/purchases`
   * @throws Problem OFFER_NOT_FOUND, OFFER_DISABLED and the `refusals` of the family
   */
  prepare(scope: PricedScope, family: ProductFamily, input: unknown): Promise<NewPurchase> {
    return PURCHASED_FAMILIES[family].prepare(this.#deps, scope, input);
  }

  /** Like `prepare`, with the offer and the amount of a sale's line. */
  prepareLine({ accountId, environment }: Scope, line: LineToBuy): Promise<NewPurchase> {
    const family = PURCHASED_FAMILIES[line.productType];
    return family.prepareLine(this.#deps, { accountId, environment }, line);
  }

  /**
   * Writes a purchase as ACCEPTED, with the job that carries it out (rules#purchase-accepted), or
   * with its first attempt if nothing prevents it.
   * @param options `training`: the purchase moves no money
   * @throws Problem DUPLICATE_TRANSACTION_ID, from createTransaction
   * (rules#idempotency-transaction-id); the refusal of `requireFloor` if the price is below its
   * floor (rules#price-last-guard)
   */
  async create(tx: Tx, purchase: NewPurchase, options: CreateOptions = {}): Promise<void> {
    const { training = false, channel = "TILL", mayStart = false } = options;
    // Files are priced like the till.
    const priceChannel = channel === "API" ? "API" : "TILL";
    const at = await businessTime(tx, purchase, this.#deps.clock.now());
    await this.#deps.requireFloor(tx, purchase, { training, channel: priceChannel, at });
    const transaction = toTransaction(purchase, { training, at });
    const accepted = toAccepted(purchase, transaction);
    // Uses the jobs' clock, because business time may be ahead of it.
    const runAt = this.#deps.clock.now();
    if (mayStart && (await this.#deps.starter.isAdmitted(tx, accepted))) {
      const start = { transaction, accepted, now: runAt };
      if (await createStarted(tx, { ...purchase, channel }, start)) return;
    }
    await createTransaction(tx, transaction);
    await createPurchase(tx, { ...purchase, channel });
    noteInTransaction(new AcceptedNote(accepted));
    await enqueueJob(tx, { kind: ADVANCE_JOB, subject: subjectOf(purchase), runAt });
  }

  /**
   * `POST /<family>/purchases`. One database transaction either accepts the purchase or stores
   * nothing.
   * @throws Problem those of `prepare` and `create`; only DUPLICATE_TRANSACTION_ID for a used id,
   * because any other refusal of a repeat would mean that nothing was bought
   */
  async buy(
    { keyId, ...scope }: Scope & { keyId?: string },
    family: ProductFamily,
    input: unknown,
  ): Promise<PurchaseAccepted> {
    const channel = "API" as const;
    try {
      const asOf = this.#deps.watch.stampOfTurn();
      const prepared = await this.prepare({ ...scope, channel, asOf }, family, input);
      const { priceBase, priceFee } = prepared.quote;
      const prices = await this.#deps.catalog.getPricing(scope, asOf);
      const lineCost = calculateLineCost(prepared, { paid: priceBase + priceFee, prices });
      const purchase = { ...prepared, lineCost, ...(keyId !== undefined && { keyId }) };
      const mayStart = await this.#deps.starter.mayStart(purchase);
      const write = async (tx: Tx) => {
        await this.#requirePilot(tx, purchase);
        await this.create(tx, purchase, { channel, mayStart });
      };
      const ahead = (tx: Tx) => readAhead(readTimeAhead(tx, scope), findNewest(tx, scope));
      await this.#deps.transactor.transact(scope.accountId, write, { ...REPEATABLE, ahead });
      return { status: "ACCEPTED", transactionId: purchase.transactionId };
    } catch (error) {
      if (error instanceof Problem) await this.#requireUnused(scope, family, input);
      return this.#explainNoOffer(scope, error);
    }
  }

  /**
   * `POST /<family>/purchases` with `validateOnly`. Makes the checks of `buy`, and of the wallet
   * and the provider, without which the accepted purchase would fail. Stores nothing
   * (rules#purchase-quote).
   * @returns the purchase's record without its outcome
   * @throws Problem like `buy`; INSUFFICIENT_FUNDS
   */
  async quote(scope: Scope, family: ProductFamily, input: unknown): Promise<object> {
    const { accountId, environment } = scope;
    try {
      const priced = { accountId, environment, channel: "API" as const };
      const purchase = await this.prepare(priced, family, input);
      await this.#checkQuote(purchase);
      await this.#requireUnused(priced, family, input);
      const at = this.#deps.clock.now();
      const accepted = toAccepted(purchase, toTransaction(purchase, { training: false, at }));
      return PURCHASED_FAMILIES[family].toQuote(accepted);
    } catch (error) {
      if (error instanceof Problem) await this.#requireUnused(scope, family, input);
      return this.#explainNoOffer(scope, error);
    }
  }

  /**
   * Makes the checks of a purchase's transaction and rolls it back, because some checks write: a
   * sale at a loss uses up a budget, and the last check of a pilot ends it.
   */
  async #checkQuote(purchase: NewPurchase): Promise<void> {
    const { accountId, environment, offer, quote } = purchase;
    const providerId = findSupply(offer)?.providerId;
    if (!(await this.#deps.providerOf({ accountId, environment, providerId }))) {
      throw refuseWithoutProvider(environment);
    }
    const checked = new CheckedQuote();
    const check = async (tx: Tx) => {
      await this.#requirePilot(tx, purchase);
      const at = await businessTime(tx, purchase, this.#deps.clock.now());
      await this.#deps.requireFloor(tx, purchase, { channel: "API", at });
      const { available } = await getBalances(tx, purchase);
      const cost = quote.costBase + quote.costFee;
      if (cost > available) {
        const short = insufficientFunds(new InsufficientFunds(available, cost), offer.cost);
        throw new Problem("INSUFFICIENT_FUNDS", short.message);
      }
      throw checked;
    };
    try {
      await this.#deps.transactor.transact(accountId, check);
    } catch (error) {
      if (error !== checked) throw error;
    }
  }

  /**
   * Checks whether the id of a request is already used.
   * @throws Problem DUPLICATE_TRANSACTION_ID, which states whether the purchase is the same
   * (rules#idempotency-transaction-id)
   */
  async #requireUnused(scope: Scope, family: ProductFamily, input: unknown): Promise<void> {
    // Every body of a purchase has a transaction id.
    const { transactionId } = input as { transactionId: string };
    const ref = { ...scope, transactionId };
    if (!(await findTransaction(this.#deps.db, ref))) return;
    const first = await findPurchase(this.#deps.db, ref);
    const isSame = first !== undefined && (await isRepeatOf(first, family, input));
    const message = isSame
      ? `The same purchase has the transaction id ${transactionId} already, and is ${first.transaction.status}.`
      : `Another transaction has the id ${transactionId} already.`;
    throw new Problem("DUPLICATE_TRANSACTION_ID", message, {
      transactionId: "has been used already in this environment",
    });
  }

  /** Replaces the error if the offer is missing because no provider is connected. */
  async #explainNoOffer({ accountId, environment }: Scope, error: unknown): Promise<never> {
    const isUnknown = error instanceof Problem && error.errorCode === "OFFER_NOT_FOUND";
    const asked = { accountId, environment, providerId: ANY_PROVIDER };
    if (!isUnknown || (await this.#deps.providerOf(asked))) throw error;
    throw refuseWithoutProvider(environment);
  }

  /**
   * `/v1` has no error code for a pilot: the purchase is refused as OFFER_DISABLED, and the message
   * names the cap. The till answers PILOT_LIMIT (`sale-service.ts`).
   */
  async #requirePilot(tx: Tx, purchase: NewPurchase): Promise<void> {
    const { offer, quote } = purchase;
    try {
      await requirePilot(
        tx,
        { ...purchase, training: false },
        {
          paid: quote.priceBase + quote.priceFee,
          unit: offer.price,
          from: "API",
          at: this.#deps.clock.now(),
        },
      );
    } catch (error) {
      if (!(error instanceof Problem && error.errorCode === "PILOT_LIMIT")) throw error;
      throw new Problem("OFFER_DISABLED", error.message, {
        offerId: "exceeds a limit of the shop's live pilot",
      });
    }
  }

  /** @throws Problem NOT_FOUND, also for a purchase of another family */
  async get<Family extends ProductFamily>(
    scope: Scope,
    family: Family,
    transactionId: string,
  ): Promise<PurchaseOf<Family>> {
    const purchase = await findPurchase(this.#deps.db, { ...scope, transactionId });
    // Training sales are visible only at the till.
    if (!isOf(family, purchase) || purchase.transaction.training) {
      throw new Problem("NOT_FOUND", `There is no such purchase: ${transactionId}.`);
    }
    return purchase;
  }

  async list<Family extends ProductFamily>(
    scope: Scope,
    family: Family,
    filter: Pick<TransactionFilter, "createdAt" | "updatedAt" | "status">,
    page: Page,
  ): Promise<{ total: number; list: PurchaseOf<Family>[] }> {
    const productTypes = [family];
    const found = await readSnapshot(this.#deps.db, (snapshot) =>
      listPurchases(snapshot, scope, { ...filter, productTypes }, page, this.#totals),
    );
    return { total: found.total, list: found.list.filter((purchase) => isOf(family, purchase)) };
  }
}
