import type { ScopedAuthor } from "../../../contract/pos/actor.ts";
import { FAMILY_FACTS } from "../../../contract/pos/families.ts";
import {
  LONGEST_NOTE,
  type ReconciliationCase,
  type ReconciliationOutcome,
  type ReconciliationResult,
} from "../../../contract/pos/reconciliation.ts";
import { Problem } from "../../../contract/problem.ts";
import type { Scope } from "../../../db/changes.ts";
import { readSnapshot, type Tx } from "../../../db/database.ts";
import type { App } from "../../../http/app-types.ts";
import { handle } from "../../../http/pos-operations.ts";
import { toTimestamp } from "../../../lib/clock.ts";
import { describeAmount } from "../../../lib/money.ts";
import { FIRST_PROVIDER } from "../../../providers/supply.ts";
import { findAudit, recordAudit } from "../../books/audit-trail/index.ts";
import {
  findTransaction,
  listUnreconciled,
  markReconciled,
  type Page,
  type StoredTransaction,
  toLogItem,
} from "../../books/transactions/index.ts";
import { InsufficientFunds } from "../../books/wallet/index.ts";
import { sendUnitOf } from "../../catalog/catalog/index.ts";
import { countLossAgain } from "../../catalog/prices/index.ts";
import type { Base, Module } from "../../module.ts";
import type { StoredUpstream, UpstreamService } from "../../providers/upstream/index.ts";
import {
  findPurchases,
  isShortAtProvider,
  NO_ANSWER,
  type StoredPurchase,
} from "../../purchases/purchases/index.ts";
import { bookRefund, findRefundedIds, NO_REFUND_ANSWER } from "../../purchases/refunds/index.ts";
import { findSalesByTransaction, type SaleOfTransaction } from "../../selling/sales/index.ts";
import type { RechargeService } from "../recharges/index.ts";

const ATTEMPT = /^Attempt(?: \d+)? failed: (.*); next attempt at \S+$/;

const SETTLE = "reconciliation.settle";

type ReconciliationDeps = Base & { recharges: RechargeService; upstream: UpstreamService };

interface Decision {
  transactionId: string;
  outcome: ReconciliationOutcome;
  note?: string;
}

/**
 * Lists and settles transactions that failed with an unknown outcome
 * (rules#purchase-reconciliation). The transaction stays unchanged. If the provider executed the
 * transaction, a separate posting corrects the wallet.
 */
class ReconciliationService {
  readonly #deps: ReconciliationDeps;

  constructor(deps: ReconciliationDeps) {
    this.#deps = deps;
  }

  /** Returns open cases, oldest first; `total` is exact. */
  async list(scope: Scope, page: Page): Promise<{ total: number; list: ReconciliationCase[] }> {
    const providers = await this.#listProviders(scope);
    return readSnapshot(this.#deps.db, async (snapshot) => {
      const { total, list } = await listUnreconciled(snapshot, scope, page);
      const flaggedIds = list.map(({ transactionId }) => transactionId);
      const refundedIds = await findRefundedIds(snapshot, scope, flaggedIds);
      const boughtIds = flaggedIds.map((id) => refundedIds.get(id) ?? id);
      const purchases = await findPurchases(snapshot, scope, boughtIds);
      const sales = await findSalesByTransaction(
        snapshot,
        { ...scope, training: false },
        boughtIds,
      );
      const cases = list.map((transaction) => {
        const { transactionId } = transaction;
        const boughtId = refundedIds.get(transactionId) ?? transactionId;
        const purchase = purchases.find((each) => each.transaction.transactionId === boughtId);
        if (!purchase) throw new Error(`${transactionId} is flagged, but has no purchase`);
        const provider = describeProvider(scope, purchase, providers);
        return toCase({ transaction, purchase, sale: sales.get(boughtId), provider });
      });
      return { total, list: cases };
    });
  }

  /**
   * Settles a case once, atomically.
   * @throws Problem NOT_FOUND without an open case; ALREADY_SETTLED; WALLET_SHORT if the wallet
   * does not cover the provider's charge; REFUND_NOT_ALLOWED if the cost was refunded after the
   * case opened; INVALID_REQUEST for a note that is too long
   */
  async settle(decider: ScopedAuthor, decision: Decision): Promise<ReconciliationResult> {
    const { transactionId, outcome } = decision;
    const { accountId, environment, staffId } = decider;
    const note = decision.note?.trim() ?? "";
    if (note.length > LONGEST_NOTE) {
      const rule = `must have ${LONGEST_NOTE} characters at most`;
      throw new Problem("INVALID_REQUEST", `The note ${rule}.`, { note: rule });
    }
    return this.#deps.transactor.transact(accountId, async (tx) => {
      const at = this.#deps.clock.now();
      const ref = { accountId, environment, transactionId };
      const transaction = await findTransaction(tx, ref);
      const isFirst = transaction !== undefined && (await markReconciled(tx, ref));
      if (!isFirst) throw await this.#findRefusal(tx, ref);
      const booked = outcome === "delivered" ? await this.#book(tx, transaction, at) : undefined;
      const { amount, currency, currencyDivisor } = transaction;
      const recipient = await findRecipient(tx, transaction);
      await recordAudit(tx, {
        accountId,
        staffId,
        action: SETTLE,
        subject: toSubject(ref),
        detail: {
          outcome,
          note,
          amount,
          currency,
          currencyDivisor,
          ...(recipient !== undefined && { recipient }),
          ...(booked && { booked: booked.transactionId }),
        },
        at,
      });
      const settledAt = toTimestamp(at);
      return { transactionId, environment, outcome, settledAt, ...(booked && { booked }) };
    });
  }

  async #book(
    tx: Tx,
    transaction: StoredTransaction,
    at: number,
  ): Promise<ReconciliationResult["booked"]> {
    const { amount, currency, currencyDivisor } = transaction;
    if (transaction.type === "DEBIT") {
      const transactionId = await this.#debit(tx, transaction);
      await countLossAgain(tx, transaction);
      return { transactionId, type: "DEBIT", amount, currency, currencyDivisor };
    }
    const transactionId = this.#deps.ids.uuid();
    await bookRefund(tx, transaction, { transactionId, at });
    return { transactionId, type: "CREDIT", amount, currency, currencyDivisor };
  }

  async #debit(tx: Tx, transaction: StoredTransaction): Promise<string> {
    const { accountId, environment, amount, currency, currencyDivisor } = transaction;
    try {
      return await this.#deps.recharges.adjust(tx, { accountId, environment }, -amount);
    } catch (error) {
      if (!(error instanceof InsufficientFunds)) throw error;
      const { shortBy, available } = error;
      throw new Problem(
        "WALLET_SHORT",
        `The wallet is short by ${describeAmount(shortBy, transaction)} of the ${describeAmount(amount, transaction)} that the provider charged. Book what you paid in first, then settle it. Nothing was changed.`,
        {
          shortBy: String(shortBy),
          available: String(available),
          currency,
          currencyDivisor: String(currencyDivisor),
        },
      );
    }
  }

  async #findRefusal(tx: Tx, ref: Scope & { transactionId: string }): Promise<Problem> {
    const { transactionId } = ref;
    const before = await findAudit(tx, {
      accountId: ref.accountId,
      action: SETTLE,
      subject: toSubject(ref),
    });
    if (!before) {
      return new Problem("NOT_FOUND", `There is no ${transactionId} to reconcile.`);
    }
    const { outcome } = before.detail;
    const when = toTimestamp(before.at);
    return new Problem(
      "ALREADY_SETTLED",
      `${transactionId} was settled as ${outcome} at ${when}. Nothing was changed.`,
    );
  }

  async #listProviders(scope: Scope): Promise<ReadonlyMap<string, StoredUpstream>> {
    if (scope.environment === "test") return new Map();
    const all = await this.#deps.upstream.list(scope);
    return new Map(all.map((one) => [one.providerId, one]));
  }
}

/** Describes the provider that was chosen for the purchase, also after its disconnection. */
function describeProvider(
  { environment }: Scope,
  { supply }: StoredPurchase,
  providers: ReadonlyMap<string, StoredUpstream>,
): ReconciliationCase["provider"] {
  if (environment === "test") return { kind: "simulator", connected: true };
  const stored = providers.get(supply?.providerId ?? FIRST_PROVIDER);
  if (!stored) return { kind: "none", connected: false };
  return { kind: "upstream", host: stored.name, connected: stored.keySealed !== undefined };
}

async function findRecipient(tx: Tx, transaction: StoredTransaction): Promise<string | undefined> {
  const { transactionId } = transaction;
  const refunded = await findRefundedIds(tx, transaction, [transactionId]);
  const bought = refunded.get(transactionId) ?? transactionId;
  const [purchase] = await findPurchases(tx, transaction, [bought]);
  return purchase?.recipient === "" ? undefined : purchase?.recipient;
}

function toSubject({ environment, transactionId }: Scope & { transactionId: string }): string {
  return `${environment}/${transactionId}`;
}

interface FlaggedTransaction {
  transaction: StoredTransaction;
  purchase: StoredPurchase;
  sale: SaleOfTransaction | undefined;
  provider: ReconciliationCase["provider"];
}

function toCase(flagged: FlaggedTransaction): ReconciliationCase {
  const { transaction, purchase, sale, provider } = flagged;
  const { offer, quote, extras } = purchase;
  const sendUnit = sendUnitOf(offer);
  const isRefund = transaction.productType === "REFUND";
  const replies = listReplies(transaction);
  return {
    transactionId: transaction.transactionId,
    environment: transaction.environment,
    kind: isRefund ? "REFUND" : offer.productType,
    ...(isRefund && { refundedTransactionId: purchase.transaction.transactionId }),
    offerId: offer.offerId,
    brand: offer.brand,
    brandName: offer.brandName,
    country: offer.country,
    title: offer.shortNotes,
    recipient: purchase.recipient,
    fields: extras.fields ?? [],
    send: quote.send,
    sendCurrency: sendUnit.currency,
    sendCurrencyDivisor: sendUnit.currencyDivisor,
    cost: transaction.amount,
    costCurrency: transaction.currency,
    costCurrencyDivisor: transaction.currencyDivisor,
    price: quote.priceBase + quote.priceFee,
    priceCurrency: offer.price.currency,
    priceCurrencyDivisor: offer.price.currencyDivisor,
    acceptedAt: toTimestamp(transaction.createdAt),
    failedAt: toTimestamp(transaction.finishedAt ?? transaction.updatedAt),
    error: transaction.error ?? { code: "", description: "", message: "" },
    // A refund sent one request for each log entry, and a last request that has no entry.
    attempts: isRefund ? replies.length + 1 : purchase.attempts,
    log: transaction.log.map(toLogItem),
    lastWord: describeLastReply(transaction, purchase, replies),
    provider,
    ...(sale && { sale }),
    decisions: isRefund ? refundDecisions(transaction) : purchaseDecisions(flagged),
  };
}

interface Reply {
  at: number;
  reason: string;
}

function listReplies(transaction: StoredTransaction): Reply[] {
  return transaction.log.flatMap(({ loggedAt: at, message }) => {
    const reason = ATTEMPT.exec(message)?.[1];
    return reason === undefined ? [] : { at, reason };
  });
}

function describeLastReply(
  transaction: StoredTransaction,
  { attempts, attemptState, doubt, deviations }: StoredPurchase,
  replies: Reply[],
): string {
  const { productType, error } = transaction;
  const isRefund = productType === "REFUND";
  const said = replies.findLast(({ reason }) => ![NO_ANSWER, NO_REFUND_ANSWER].includes(reason));
  const saidText = said && `At ${toTimestamp(said.at)} it said: ${said.reason}.`;
  const isUnheld = error?.code === "INSUFFICIENT_FUNDS" && !isShortAtProvider(transaction);
  const isRestored = isUnheld || attempts === 0;
  if (!isRefund && isRestored) {
    return "Nothing is known: the purchase is from a backup and may have been sent afterwards.";
  }
  const unread = deviations.filter(({ needed }) => needed).map(({ field }) => field);
  if (!isRefund && unread.length > 0) {
    return `It answered, and how it ended could not be read: ${unread.join(", ")}.`;
  }
  if (!isRefund && doubt === "BOOKED") {
    return "It said that it has this purchase; how it ended it did not say.";
  }
  if (!isRefund && attemptState === "WORKING") {
    return "It had the order and was working on it, or the purchase is from a backup; how it ended it did not say.";
  }
  if (saidText === undefined) return "It never answered.";
  const isSilent = replies.at(-1) !== said || (!isRefund && attemptState === "SENT");
  return isSilent ? `${saidText} Since then it has not answered.` : saidText;
}

function purchaseDecisions({ transaction, purchase, sale }: FlaggedTransaction) {
  const { offer, quote } = purchase;
  const cost = describeAmount(transaction.amount, transaction);
  const price = describeAmount(quote.priceBase + quote.priceFee, offer.price);
  const soldTo = sale ? `sale ${sale.saleNumber}` : "the program that bought it";
  // A top-up goes to the phone, so there is nothing to hand over.
  const handed =
    FAMILY_FACTS[offer.productType].recipientKind === "number"
      ? ""
      : " What it handed over is not in Tillgate: ask the provider for it.";
  return {
    delivered: `The provider delivered and charged ${cost}. A new DEBIT takes ${cost} off the wallet, so that it agrees with the provider's. The transaction stays failed: ${soldTo} was told that nothing was delivered, and may have been given ${price} back.${handed}`,
    notDelivered: `The provider did not deliver and charged nothing. Nothing is booked: the ${cost} are in the wallet again already. What the customer paid (${price}) is to be given back, if it was not yet.`,
  };
}

function refundDecisions(transaction: StoredTransaction) {
  const amount = describeAmount(transaction.amount, transaction);
  return {
    delivered: `The provider gave ${amount} back. A new CREDIT adds ${amount} to the wallet, so that it agrees with the provider's, and the purchase counts as refunded. This refund stays failed.`,
    notDelivered: `The provider gave nothing back. Nothing is booked. The refund may be asked for again.`,
  };
}

export function createReconciliationModule(deps: ReconciliationDeps) {
  const reconciliation = new ReconciliationService(deps);
  return {
    services: { reconciliation },
    pos: (app) => registerReconciliationRoutes(app, reconciliation),
  } satisfies Module;
}

async function registerReconciliationRoutes(
  app: App,
  reconciliation: ReconciliationService,
): Promise<void> {
  const { reconciliationOperations } = await import("../../../contract/pos/reconciliation.ts");
  handle(app, reconciliationOperations.list, async ({ actor, query }) => {
    const { accountId } = actor;
    const { environment, ...page } = query;
    return { ...page, ...(await reconciliation.list({ accountId, environment }, page)) };
  });

  handle(app, reconciliationOperations.settle, ({ actor, params, body }) => {
    const { accountId, staffId } = actor;
    const { environment, ...decision } = body;
    const { transactionId } = params;
    return reconciliation.settle(
      { accountId, environment, staffId },
      { transactionId, ...decision },
    );
  });
}
