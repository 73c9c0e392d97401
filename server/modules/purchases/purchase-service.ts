import { Problem } from "../../contract/problem.ts";
import type { PurchaseAccepted, TopupPurchaseInput } from "../../contract/v1/purchases.ts";
import type { Scope } from "../../db/changes.ts";
import type { Db, Transactor, Tx } from "../../db/database.ts";
import { enqueueJob } from "../../jobs/job-store.ts";
import type { Clock } from "../../lib/clock.ts";
import { type CatalogService, quoteOffer } from "../catalog/index.ts";
import { createTransaction, type Page, type TransactionFilter } from "../transactions/index.ts";
import {
  createPurchase,
  findPurchase,
  listPurchases,
  type NewPurchase,
  type StoredPurchase,
} from "./purchase-store.ts";
import { ADVANCE_JOB, subjectOf } from "./purchase-transitions.ts";

interface Parts {
  db: Db;
  transactor: Transactor;
  clock: Clock;
  catalog: CatalogService;
}

/** Accepts purchases and finds them again; the engine carries them out. */
export class PurchaseService {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Checks a top-up against the catalog and works out its amounts. Writes nothing.
   * @throws Problem OFFER_NOT_FOUND, OFFER_DISABLED, VALUE_REQUIRED, VALUE_NOT_ALLOWED,
   *   VALUE_OUT_OF_RANGE
   */
  async prepareTopup(scope: Scope, input: TopupPurchaseInput): Promise<NewPurchase> {
    const offer = await this.#parts.catalog.getOfferForSale(scope, input.offerId);
    return {
      accountId: scope.accountId,
      environment: scope.environment,
      transactionId: input.transactionId,
      offer,
      recipient: input.recipientPhoneNumber,
      value: input.value,
      extras: input.sender ? { sender: input.sender } : {},
      quote: quoteOffer(offer, input.value),
    };
  }

  /**
   * Writes a prepared purchase as ACCEPTED, with the job that carries it out (decisions §4).
   * @throws Problem DUPLICATE_TRANSACTION_ID
   */
  async create(tx: Tx, purchase: NewPurchase): Promise<void> {
    const at = this.#parts.clock.now();
    await createTransaction(tx, {
      accountId: purchase.accountId,
      environment: purchase.environment,
      transactionId: purchase.transactionId,
      type: "DEBIT",
      productType: purchase.offer.productType,
      amount: purchase.quote.costBase + purchase.quote.costFee,
      unit: purchase.offer.cost,
      at,
    });
    await createPurchase(tx, purchase);
    await enqueueJob(tx, { kind: ADVANCE_JOB, subject: subjectOf(purchase), runAt: at });
  }

  /** `POST /topups/purchases` (spec §4.3): one database transaction. */
  async buyTopup(scope: Scope, input: TopupPurchaseInput): Promise<PurchaseAccepted> {
    const purchase = await this.prepareTopup(scope, input);
    await this.#parts.transactor.transact((tx) => this.create(tx, purchase));
    return { status: "ACCEPTED", transactionId: purchase.transactionId };
  }

  /** @throws Problem NOT_FOUND */
  async getTopup(scope: Scope, transactionId: string): Promise<StoredPurchase> {
    const purchase = await findPurchase(this.#parts.db, { ...scope, transactionId });
    if (purchase?.transaction.productType !== "TOPUP") {
      throw new Problem("NOT_FOUND", `There is no top-up purchase ${transactionId}.`);
    }
    return purchase;
  }

  async listTopups(
    scope: Scope,
    filter: Pick<TransactionFilter, "createdAt" | "status">,
    page: Page,
  ): Promise<{ total: number; list: StoredPurchase[] }> {
    return listPurchases(this.#parts.db, scope, { ...filter, productTypes: ["TOPUP"] }, page);
  }
}
